/** Runs a command and measures its whole process tree: wall time, CPU time, peak memory. Linux. */
import { spawn } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';

export interface Measurement {
  readonly wallSec: number;
  /** User and system time of the process and of all descendants that were waited for. */
  readonly cpuSec: number;
  /** Largest sum of proportional set sizes of the tree, sampled every 100 ms: pages that processes share count once. */
  readonly peakBytes: number;
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** @throws Error with the end of stderr when the command exits with a code other than `expectedExitCode` (0). */
export async function measureProcess(
  command: readonly string[],
  options: {
    env?: Record<string, string>;
    cwd?: string;
    expectedExitCode?: number;
    sampleMemory?: boolean;
  } = {},
): Promise<Measurement> {
  const folder = await mkdtemp(path.join(tmpdir(), 'listing-video-measure-'));
  try {
    const at = (name: string) => path.join(folder, name);
    // bash's `time` adds up the rusage of every waited-for descendant; its figures go to a file of their own.
    const script = 'TIMEFORMAT="%R %U %S"; { time "$@" >"$OUT" 2>"$ERR"; } 2>"$TIMES"';
    const child = spawn('bash', ['-c', script, 'measure', ...command], {
      cwd: options.cwd,
      env: {
        ...process.env,
        ...options.env,
        OUT: at('out'),
        ERR: at('err'),
        TIMES: at('times'),
        LC_ALL: 'C',
      },
      stdio: 'ignore',
    });
    let peakBytes = 0;
    const timer = setInterval(async () => {
      if (options.sampleMemory !== false && child.pid)
        peakBytes = Math.max(peakBytes, await bytesOf(child.pid));
    }, 100);
    const exitCode = await new Promise<number>((resolve, reject) => {
      child.on('error', reject);
      child.on('exit', (code) => resolve(code ?? 1));
    });
    clearInterval(timer);
    const stderr = await readFile(at('err'), 'utf8');
    const stdout = await readFile(at('out'), 'utf8');
    if (exitCode !== (options.expectedExitCode ?? 0)) {
      throw new Error(`exit ${exitCode}: ${command.join(' ')}\n${stderr.slice(-2000)}`);
    }
    const times = (await readFile(at('times'), 'utf8')).trim().split('\n').at(-1) ?? '';
    const [wallSec = 0, userSec = 0, systemSec = 0] = times.split(' ').map(Number);
    return { wallSec, cpuSec: userSec + systemSec, peakBytes, exitCode, stdout, stderr };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function bytesOf(rootPid: number): Promise<number> {
  const parents = new Map<number, number>();
  for (const name of await readdir('/proc').catch(() => [])) {
    if (!/^\d+$/.test(name)) continue;
    const text = await readFile(`/proc/${name}/stat`, 'latin1').catch(() => null);
    // The command name may hold spaces and brackets: the fields start after the last bracket (proc(5)).
    if (text !== null) parents.set(Number(name), Number(text.slice(text.lastIndexOf(')') + 2).split(' ')[1]));
  }
  const isInTree = (pid: number): boolean => {
    for (let at: number | undefined = pid; at; at = parents.get(at)) if (at === rootPid) return true;
    return false;
  };
  let sum = 0;
  for (const pid of [...parents.keys()].filter(isInTree)) {
    const text = await readFile(`/proc/${pid}/smaps_rollup`, 'latin1').catch(() => '');
    sum += Number(/^Pss: *(\d+) kB/m.exec(text)?.[1] ?? 0) * 1024;
  }
  return sum;
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2;
}

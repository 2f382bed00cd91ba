/**
 * Programs in pid namespaces of their own, as in containers: this process and they cannot check each other's processes.
 */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync, readlinkSync, utimesSync } from 'node:fs';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { childrenOf } from '../live-processes.ts';

const NAMESPACE = ['--pid', '--fork', '--mount-proc', '--kill-child=SIGKILL'];

/** The arguments of `unshare` on this machine; null when it allows no pid namespaces. */
function findArguments(): readonly string[] | null {
  for (const user of [[], ['--user', '--map-root-user']]) {
    const args = [...user, ...NAMESPACE];
    if (spawnSync('unshare', [...args, 'true'], { stdio: 'ignore' }).status === 0) return args;
  }
  console.warn('skipped: this machine allows no pid namespaces (unshare --pid --fork --mount-proc)');
  return null;
}

/** Null skips the tests that need it. */
export const NAMESPACE_ARGUMENTS = findArguments();

export interface Container {
  /** The pid namespace, as identities of processes name it. */
  readonly space: string;
  /** Resolves with the next line on stdout that matches; rejects when the program ends without. */
  says(pattern: RegExp): Promise<RegExpExecArray>;
  write(line: string): void;
  /** Its exit code and the end of its stderr. */
  readonly ended: Promise<{ exitCode: number | null; stderr: string }>;
  /** Sends a signal to every process in it, as when a container is paused. */
  signal(signal: 'SIGSTOP' | 'SIGCONT'): void;
  /** SIGKILL to every process in it, as when a container is killed. Resolves when all are gone. */
  kill(): Promise<void>;
}

/** Starts `node <args>` in a new pid namespace. @param env - In addition to that of this process. */
export async function startContainer(
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<Container> {
  const command = [...(NAMESPACE_ARGUMENTS ?? []), process.execPath, ...args];
  const child = spawn('unshare', command, {
    env: { ...process.env, ...env },
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  let stderr = '';
  const ended = once(child, 'close').then(([exitCode]) => ({ exitCode: exitCode as number | null, stderr }));
  child.stderr.setEncoding('utf8').on('data', (text) => {
    stderr = (stderr + text).slice(-4_000);
  });
  const lines: string[] = [];
  const waiting = new Set<() => void>();
  const look = (): void => {
    for (const check of waiting) check();
  };
  createInterface({ input: child.stdout }).on('line', (line) => {
    lines.push(line);
    look();
  });
  void ended.then(look);
  const says = (pattern: RegExp): Promise<RegExpExecArray> =>
    new Promise((resolve, reject) => {
      const check = (): void => {
        const found = lines.map((line) => pattern.exec(line)).find((match) => match !== null);
        const hasEnded = child.exitCode !== null || child.signalCode !== null;
        if (!found && !hasEnded) return;
        waiting.delete(check);
        if (found) resolve(found);
        else reject(new Error(`ended without ${pattern}:\n${lines.join('\n')}\n${stderr}`));
      };
      waiting.add(check);
      check();
    });
  const pid = await programIn(child);
  const space = spaceOf(pid);
  return {
    space,
    says,
    write: (line) => child.stdin.write(`${line}\n`),
    ended,
    signal(signal) {
      for (const each of readdirSync('/proc').map(Number)) {
        if (each > 0 && spaceOf(each) === space) process.kill(each, signal);
      }
    },
    async kill() {
      // `unshare` kills the first process of the namespace, and the kernel then kills all others before it reports the
      // end.
      if (child.exitCode === null && child.signalCode === null) process.kill(pid, 'SIGKILL');
      await ended;
    },
  };
}

/** Sets the heartbeats of all tasks and folders back whose owner is in this pid namespace, as if time had passed. */
export function ageOwners(folder: string, space: string, ageMs: number): void {
  const past = (Date.now() - ageMs) / 1000;
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    if (!/^(?:task\.\d+\.json|owner\.json|\.listing-video\.lock)$/.test(entry.name)) continue;
    const file = path.join(entry.parentPath, entry.name);
    try {
      const content = JSON.parse(readFileSync(file, 'utf8'));
      if ((content.owner ?? content).space === space) utimesSync(file, past, past);
    } catch {
      // Its owner has just removed it.
    }
  }
}

/** The pid namespace of a process; an empty string when there is no such process, or one of another user. */
function spaceOf(pid: number): string {
  try {
    return readlinkSync(`/proc/${pid}/ns/pid`);
  } catch {
    return '';
  }
}

/** The pid, as this process sees it, of the first process in the namespace. It has no event of its own. */
async function programIn(child: ChildProcess): Promise<number> {
  for (;;) {
    const [program] = childrenOf(child.pid ?? 0);
    if (program !== undefined) return program.pid;
    if (child.exitCode !== null) throw new Error('unshare ended');
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

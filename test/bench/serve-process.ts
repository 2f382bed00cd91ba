/** A `listing-video serve` of its own for a bench: its home, its log, its end. */
import { type ChildProcess, spawn } from 'node:child_process';
import { openSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

const LAUNCHER = fileURLToPath(new URL('../../bin/listing-video.js', import.meta.url));

export interface ServeProcess {
  readonly url: string;
  readonly child: ChildProcess;
  /** Resident memory right now. Linux. */
  residentBytes(): Promise<number>;
  /** CPU seconds, user and system, of the server itself since it started. Linux. */
  cpuSec(): Promise<number>;
  /** SIGTERM. @returns Milliseconds until the process is gone, and its exit code. */
  stop(): Promise<{ ms: number; exitCode: number | null }>;
  /** Ends it if it still runs, and removes its home. */
  dispose(): Promise<void>;
}

/** Starts it on a free loopback port and waits until it accepts requests. */
export async function startServe(
  args: readonly string[],
  env: Record<string, string> = {},
): Promise<ServeProcess> {
  const home = await mkdtemp(path.join(tmpdir(), 'listing-video-api-bench-'));
  const log = openSync(path.join(home, 'serve.log'), 'w');
  const child = spawn(process.execPath, [LAUNCHER, 'serve', '--port', '0', '--home', home, ...args], {
    stdio: ['ignore', 'pipe', log],
    env: { ...process.env, ...env },
  });
  const exited = new Promise<number | null>((resolve) => child.once('exit', resolve));
  let isListening = false;
  const url = await new Promise<string>((resolve, reject) => {
    createInterface({ input: child.stdout! }).on('line', (line) => {
      const match = /^listening on (http:\S+)/.exec(line);
      if (!match) return;
      isListening = true;
      resolve(match[1]!);
    });
    void exited.then(async (code) => {
      // Its home, and the log with it, can be gone by now.
      if (isListening) return;
      const end = (await readFile(path.join(home, 'serve.log'), 'utf8')).slice(-2000);
      reject(new Error(`serve ended with ${code} before it listened:\n${end}`));
    });
  });
  return {
    url,
    child,
    async residentBytes() {
      const status = await readFile(`/proc/${child.pid}/status`, 'utf8');
      return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0) * 1024;
    },
    async cpuSec() {
      const stat = await readFile(`/proc/${child.pid}/stat`, 'utf8');
      // proc(5): fields 14 and 15, in ticks of 10 ms, counted behind the name in brackets.
      const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
      return (Number(fields[11]) + Number(fields[12])) / 100;
    },
    async stop() {
      const beganMs = performance.now();
      child.kill('SIGTERM');
      const exitCode = await exited;
      return { ms: performance.now() - beganMs, exitCode };
    },
    async dispose() {
      if (child.exitCode === null && child.signalCode === null) {
        child.kill('SIGKILL');
        await exited;
      }
      await rm(home, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

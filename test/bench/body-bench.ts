/**
 * How long others wait while 120 bodies of 4 MB arrive at once from twelve addresses: of clients without a key, whose
 * requests are refused, and of one with a key.
 */
import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { atMost, type BenchRow, noBar } from './bench-row.ts';
import { startServe } from './serve-process.ts';

const run = promisify(execFile);
const LAUNCHER = fileURLToPath(new URL('../../bin/listing-video.js', import.meta.url));
const FLOOD = fileURLToPath(new URL('./body-flood.ts', import.meta.url));

const BODIES = 120;
const ADDRESSES = 12;
/** Just below the limit of a body. */
const BODY_BYTES = 4 * 1024 * 1024 - 1024;
const ROUNDS = 3;
const PROBE_MS = 20;
const QUIET_MS = 3_000;

export async function benchBodies(): Promise<BenchRow[]> {
  const home = await mkdtemp(path.join(tmpdir(), 'listing-video-bodies-bench-'));
  const { stdout } = await run(process.execPath, [LAUNCHER, 'keys', 'create', '--home', home, '--json']);
  const { key } = JSON.parse(stdout) as { key: string };
  const serve = await startServe(['--home', home]);
  try {
    const quiet = await probeDuring(serve.url, new Promise((resolve) => setTimeout(resolve, QUIET_MS)));
    const rows: BenchRow[] = [noBar('/healthz without other requests, p95', at(quiet, 0.95), 'ms')];
    for (const [name, sent] of [
      ['without a key', ''],
      ['with a key', key],
    ] as const) {
      const tookMs: number[] = [];
      const beganMs = performance.now();
      for (let round = 0; round < ROUNDS; round++) {
        const args = [serve.url, BODIES, ADDRESSES, BODY_BYTES, sent].map(String);
        tookMs.push(
          ...(await probeDuring(serve.url, run(process.execPath, ['--import', 'tsx', FLOOD, ...args]))),
        );
      }
      const roundMs = (performance.now() - beganMs) / ROUNDS;
      rows.push(
        atMost(`during ${BODIES} bodies of 4 MB ${name}, p95`, at(tookMs, 0.95), 250, 'ms'),
        noBar('  p50', at(tookMs, 0.5), 'ms'),
        noBar('  max', at(tookMs, 1), 'ms'),
        noBar('  until all bodies are answered', roundMs, 'ms'),
        noBar('  memory of the server after them', (await serve.residentBytes()) / 1024 / 1024, 'MiB'),
      );
    }
    return rows;
  } finally {
    await serve.dispose();
    await rm(home, { recursive: true, force: true });
  }
}

/** How long requests of `/healthz` took, in ms, that began while `work` was under way. */
async function probeDuring(url: string, work: Promise<unknown>): Promise<number[]> {
  let isOver = false;
  const end = work.finally(() => {
    isOver = true;
  });
  const probes: Promise<number>[] = [];
  while (!isOver) {
    probes.push(probe(url));
    await new Promise((resolve) => setTimeout(resolve, PROBE_MS));
  }
  await end;
  return Promise.all(probes);
}

function at(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor((sorted.length - 1) * share)] ?? 0;
}

/** On a connection of its own, from an address of its own: ms until the answer. */
function probe(url: string): Promise<number> {
  const beganMs = performance.now();
  return new Promise((resolve, reject) => {
    request(`${url}/healthz`, { localAddress: '127.0.0.9', agent: false }, (response) => {
      response.resume().once('end', () => resolve(performance.now() - beganMs));
    })
      .once('error', reject)
      .end();
  });
}

/**
 * Two servers with a database and a bucket, each with a disk of its own, while the bucket is away for a minute. It ends
 * only what it started.
 */
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { LocalSwift } from '../../video/bucket/local-swift.ts';
import { atMost, type BenchRow, noBar } from '../bench-row.ts';
import { onStage, passed, type Stage } from './fault-bench.ts';

const AWAY_MS = 60_000;
/** Each server gets a task this often while the bucket is away. */
const TASK_EVERY_MS = 6_000;
const STORAGE = 's3://bench/listing-video';

export async function benchBucket(): Promise<BenchRow[]> {
  const folder = await mkdtemp(path.join(tmpdir(), 'listing-video-bench-bucket-'));
  const data = path.join(folder, 'swift');
  await mkdir(data);
  const swift = new LocalSwift(data);
  try {
    await swift.start();
    await swift.makeBucket(STORAGE);
    return await onStage((stage) => benchAway(stage, swift), {
      args: (number) => ['--home', path.join(folder, `home-${number}`), '--storage', STORAGE],
      env: swift.env,
    });
  } finally {
    await swift.stop();
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

async function benchAway(stage: Stage, swift: LocalSwift): Promise<BenchRow[]> {
  const submitAll = () => Promise.all(stage.servers.map(({ url }) => stage.submit(url)));
  await submitAll();
  await stage.until('a task on each server', (rows) => {
    const running = rows.filter(({ state }) => state === 'RUNNING');
    return new Set(running.map(({ space }) => space)).size === 2;
  });
  await swift.stop();
  const answers: Awaited<ReturnType<Stage['submit']>>[] = [];
  const untilMs = performance.now() + AWAY_MS;
  while (performance.now() < untilMs) {
    answers.push(...(await submitAll()));
    await passed(TASK_EVERY_MS);
  }
  const endedAway = (await stage.rows()).filter(({ state }) => state === 'FAILED').length;
  await swift.start();
  const beganMs = performance.now();
  await stage.until('the first result', (rows) => rows.some(({ state }) => state === 'SUCCEEDED'));
  const firstSec = (performance.now() - beganMs) / 1000;
  const { lost, failed, wrongCredits } = await stage.account();
  const rows = await stage.rows();
  const wrong = answers.filter(
    ({ status, hasRetryAfter }) => status !== 202 && !(status === 503 && hasRetryAfter),
  );
  return [
    noBar('tasks accepted before and while the bucket is away for 60 s', stage.accepted.length),
    noBar('  from its return to the first result', firstSec, 's'),
    noBar('  from its return to the end of all', (performance.now() - beganMs) / 1000, 's'),
    atMost('  other answers than 202 and 503 with Retry-After', wrong.length, 0),
    atMost('  tasks that failed while it was away', endedAway, 0),
    atMost('  tasks that lost an attempt', rows.filter(({ attempts }) => attempts > 1).length, 0),
    atMost('  accepted tasks that are lost', lost, 0),
    atMost('  tasks that did not succeed', failed, 0),
    atMost('  wrong credits', wrongCredits, 0),
  ];
}

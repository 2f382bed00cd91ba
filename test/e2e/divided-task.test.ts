/** Workers of one database and one bucket make the videos of one listing together. */
import { execFile } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import sharp from 'sharp';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { findFfmpeg } from '../../src/media/encode/ffmpeg/find-ffmpeg.ts';
import type { Database } from '../../src/task/postgres/database.ts';
import { openDatabase } from '../../src/task/postgres/open-database.ts';
import { type AnyJson, endOf, post } from '../api/server/ask-server.ts';
import { describeWithPostgres } from '../task/postgres/test-server.ts';
import { describeWithBucket } from '../video/bucket/test-bucket.ts';
import { PhotoHost } from './photo-host.ts';
import { Desk, type Running, SMALL_LISTING } from './program.ts';

/** With twice the photos enough for two batches of small frames. */
const AGENTS = 10;
const [WIDTH, HEIGHT] = [64, 36];

const desk = new Desk();
const running: Running[] = [];
const photos = await PhotoHost.open();
let made = 0;
/** The videos that one worker makes alone. */
let alone: Buffer[];

photos.readPhoto = async (name) => {
  const file = path.join(path.dirname(SMALL_LISTING), 'photos', name.replace('mirrored-', ''));
  return name.startsWith('mirrored-') ? await sharp(file).flop().toBuffer() : await readFile(file);
};
afterEach(async () => {
  for (const program of running) program.kill('SIGKILL');
  await Promise.all(running.splice(0).map(({ finished }) => finished));
});
afterAll(() => {
  photos.close();
  desk.close();
});

async function listing(): Promise<AnyJson> {
  const { agents, ...rest }: AnyJson = JSON.parse(await readFile(SMALL_LISTING, 'utf8'));
  const names: string[] = rest.assets.map(({ url }: AnyJson) => path.basename(url));
  const assets = [...names, ...names.map((name) => `mirrored-${name}`)];
  return {
    ...rest,
    assets: assets.map((name) => ({ url: `${photos.url}/${name}` })),
    agents: Array.from({ length: AGENTS }, (_, index) => ({
      ...agents[0],
      id: `${index}`,
      last_name: `Byron ${index}`,
    })),
  };
}

/** Every frame of a video, gray, {@link WIDTH} x {@link HEIGHT} px. */
async function smallFrames(file: string): Promise<Buffer> {
  const { path: ffmpeg } = await findFfmpeg({ searchPath: process.env.PATH });
  const filter = `scale=${WIDTH}:${HEIGHT}:flags=area,format=gray`;
  const args = [
    '-nostdin',
    '-v',
    'error',
    '-xerror',
    '-i',
    file,
    '-vf',
    filter,
    '-vsync',
    '0',
    '-f',
    'rawvideo',
    '-',
  ];
  const { stdout } = await promisify(execFile)(ffmpeg, args, { encoding: 'buffer', maxBuffer: 1 << 26 });
  return stdout;
}

/** The bits of a segment depend on its place in its encoder, so frames differ a little. A wrong frame differs a lot. */
function expectSameFrames(videos: readonly Buffer[]): void {
  expect(videos.map(({ length }) => length)).toEqual(alone.map(({ length }) => length));
  const frame = WIDTH * HEIGHT;
  for (const [index, video] of videos.entries()) {
    for (let at = 0; at < video.length; at += frame) {
      let sum = 0;
      for (let pixel = at; pixel < at + frame; pixel++)
        sum += Math.abs(video[pixel]! - alone[index]![pixel]!);
      expect(sum / frame, `frame ${at / frame} of video ${index}`).toBeLessThan(1.5);
    }
  }
}

describeWithPostgres('several workers', (postgres) => {
  describeWithBucket('with one database and one bucket', (bucket) => {
    let database: Database;
    beforeAll(async () => {
      const env = { LISTING_VIDEO_DATABASE: postgres.url };
      expect((await desk.run(['database', 'migrate', '--quiet'], { env })).exitCode).toBe(0);
      database = openDatabase({ url: postgres.url });
    });
    afterAll(() => database.close());

    /** An API server and workers, none of which has seen the listing. */
    const open = async (workers: number) => {
      made += 1;
      const env = {
        ...bucket.env,
        LISTING_VIDEO_DATABASE: postgres.url,
        LISTING_VIDEO_STORAGE: `${bucket.url}/${made}`,
      };
      const start = (name: string, ...args: string[]) => {
        const program = desk.start(args, { home: path.join(desk.root, `${made}-${name}`), env });
        running.push(program);
        return program;
      };
      const server = start('api', 'serve', '--no-render', '--port', '0', '--quality', 'draft');
      const [, api = ''] = await server.says(/^listening on (http:\/\/127\.0\.0\.1:\d+)$/m);
      const options = ['--allow-assets-from', '127.0.0.1', '--concurrency', '1'];
      const started = Array.from({ length: workers }, (_, index) =>
        start(`worker-${index}`, 'worker', ...options),
      );
      await expect
        .poll(
          async () => (await pools()).filter((pid) => started.some((worker) => worker.pid === pid)).length,
        )
        .toBe(workers);
      return { api, workers: started };
    };
    const pools = async () => {
      const rows = await database.query<{ pid: number }>('select pid from listing_video.worker_pools');
      return rows.map(({ pid }) => pid);
    };
    const accept = async (api: string): Promise<string> => {
      photos.names.length = 0;
      const { status, json } = await post(api, await listing());
      expect(status).toBe(202);
      return json.id;
    };
    /** The pids of the workers that run a batch of a task. */
    const batchPids = async (id: string) => {
      const rows = await database.query<{ pid: number }>(
        `select (worker->>'pid')::int as pid from listing_video.task_batches where task_id = $1 and state = 'RUNNING'`,
        [id],
      );
      return rows.map(({ pid }) => pid);
    };
    /** Some of the videos as small frames. The others differ from them in their last scene only. */
    const videosOf = async (api: string, id: string): Promise<Buffer[]> => {
      const task = await endOf(api, id);
      expect(task).toMatchObject({ state: 'SUCCEEDED', dropped_assets: [] });
      expect(task.results).toHaveLength(AGENTS);
      const videos: Buffer[] = [];
      for (const { url } of [task.results[0], task.results.at(-1)]) {
        const file = path.join(desk.root, 'video.mp4');
        await writeFile(file, new Uint8Array(await (await fetch(url)).arrayBuffer()));
        videos.push(await smallFrames(file));
      }
      return videos;
    };

    it('make the frames that one worker makes alone, from photos that are fetched once, also when one of them dies', async () => {
      const one = await open(1);
      alone = await videosOf(one.api, await accept(one.api));
      for (const program of running) program.kill('SIGKILL');
      await Promise.all(running.map(({ finished }) => finished));
      await database.query('delete from listing_video.worker_pools');

      const { api, workers } = await open(2);
      const id = await accept(api);
      let victim: Running | undefined;
      await expect
        .poll(
          async () => {
            const pids = await batchPids(id);
            victim = workers.find(({ pid }) => pids.length === 2 && pids[1] === pid);
            return victim !== undefined;
          },
          { interval: 20, timeout: 60_000 },
        )
        .toBe(true);
      victim!.kill('SIGKILL');
      expectSameFrames(await videosOf(api, id));
      const [row] = await database.query<{ setbacks: AnyJson; attempts: number }>(
        'select setbacks, attempts from listing_video.tasks where id = $1',
        [id],
      );
      expect(row).toMatchObject({ attempts: 1, setbacks: { takeovers: 1 } });
      expect(photos.names.sort()).toEqual([...new Set(photos.names)].sort());
      expect(await database.query('select 1 from listing_video.task_batches')).toEqual([]);
    }, 180_000);
  });
});

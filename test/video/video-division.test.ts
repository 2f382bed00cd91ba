/** Workers that render the segments of one listing together, with a renderer that writes the key of each segment. */
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { beforeEach, expect, it } from 'vitest';
import { readTrackFile, TrackFileWriter } from '../../src/media/encode/mp4/track-file.ts';
import type { JsonValue } from '../../src/platform/disk/json-codec.ts';
import type { SegmentRenderer, SegmentRequest } from '../../src/video/make/render-segments.ts';
import { VideoDivision } from '../../src/video/make/video-division.ts';
import { temporaryFolder } from '../leftovers/temporary-folder.ts';

/** Every segment is one packet, its key. */
const renderer: SegmentRenderer = {
  framesToRender: ({ startFrame, endFrame }) => endFrame - startFrame,
  async renderSegments(missing, into, _, onSegment) {
    for (const segment of missing) {
      const file = path.join(into, segment.key);
      const track = await TrackFileWriter.create(file);
      await track.write(Buffer.from(segment.key));
      await track.finish({
        codec: 'h264',
        config: 'x264',
        sizes: [segment.key.length],
        frames: [0],
        idrPackets: [0],
      });
      rendered.push(segment.key);
      await onSegment(segment, file);
    }
    return missing.length;
  },
};

const SECRET = 'secret of the task';
const KEYS = Array.from({ length: 10 }, (_, index) => `segment-${index}`);

let folder: string;
let made: number;
/** Keys of the segments in the order in which they were rendered. */
let rendered: string[];
/** What reached the bucket. */
let bucket: Map<string, Buffer>;
let batches: readonly JsonValue[];
let left: number;

beforeEach(async () => {
  folder = temporaryFolder();
  [made, rendered, bucket, batches, left] = [0, [], new Map(), [], 0];
});

interface Worker {
  readonly batch?: JsonValue;
  readonly idle?: number;
  readonly isBucketAway?: boolean;
  readonly isRefused?: boolean;
  readonly framesEach?: number;
  readonly keepStills?: () => Promise<void>;
}

async function open({ batch, idle = 1, isBucketAway, isRefused, framesEach = 90, keepStills }: Worker = {}) {
  made += 1;
  const workDir = path.join(folder, String(made));
  await mkdir(workDir);
  const local = new Map<string, Buffer>();
  const division = new VideoDivision(
    {
      batch: batch ?? null,
      countIdle: async () => idle,
      divide: async (divided) => {
        if (isRefused) return false;
        [batches, left] = [divided, divided.length];
        return true;
      },
      endBatch: async () => {
        left -= 1;
        return left === 0;
      },
      shareAll: () => {},
      flush: async () => isBucketAway !== true,
    },
    SECRET,
  );
  const request = {
    workDir,
    photos: new Map(),
    timelines: [
      {
        storyboard: { widthPx: 1920, heightPx: 1080, fps: 30 },
        segments: KEYS.map((key, index) => ({
          key,
          startFrame: index * framesEach,
          endFrame: (index + 1) * framesEach,
        })),
      },
    ],
    cache: {
      async pin(_: string, name: string, to: string) {
        const bytes = local.get(name) ?? bucket.get(name);
        if (bytes === undefined) return undefined;
        await writeFile(path.join(to, name), bytes);
        return path.join(to, name);
      },
      async put(_: string, name: string, file: string) {
        const bytes = await readFile(file);
        local.set(name, bytes);
        if (!isBucketAway) bucket.set(name, bytes);
        return true;
      },
    },
    limitRender: (work: (hasWaited: boolean) => Promise<unknown>) => work(false),
    renderer,
  } as unknown as SegmentRequest;
  const assets = { known: [], decodedCount: 0, share: async () => {} };
  return { provide: () => division.provide(request, assets, keepStills ?? (async () => {})) };
}

const provide = async (worker?: Worker) => (await open(worker)).provide();
const keysOf = async (paths: ReadonlyMap<string, string>) => {
  const keys = [...paths.values()].map(async (file) => {
    const { packetBytes } = (await readTrackFile(file))!;
    return (await readFile(file, 'utf8')).slice(0, packetBytes);
  });
  return (await Promise.all(keys)).sort();
};

it('renders every segment once, and only the last worker has all of them', async () => {
  expect(await provide({ idle: 2 })).toBeNull();
  expect(batches).toHaveLength(3);
  expect(await provide({ batch: batches[1]! })).toBeNull();
  const last = await provide({ batch: batches[2]! });
  expect(await keysOf(last!.paths)).toEqual(KEYS);
  expect(rendered.sort()).toEqual(KEYS);
});

it('renders what the bucket lost in the worker that makes the videos', async () => {
  expect(await provide()).toBeNull();
  const lost = rendered.length;
  bucket.clear();
  const last = await provide({ batch: batches[1]! });
  expect(await keysOf(last!.paths)).toEqual(KEYS);
  expect(rendered).toHaveLength(KEYS.length + lost);
});

it.each<[string, Worker]>([
  ['no worker is idle', { idle: 0 }],
  ['there are few frames', { framesEach: 19 }],
  ['the photos do not reach the bucket', { isBucketAway: true }],
  ['the task is not divided', { isRefused: true }],
])('renders all of them alone if %s', async (_, worker) => {
  const all = await provide(worker);
  expect(await keysOf(all!.paths)).toEqual(KEYS);
  expect([rendered.sort(), left]).toEqual([KEYS, 0]);
});

it('is divided once, also if a step fails and is done again', async () => {
  let fails = 1;
  const first = await open({
    keepStills: async () => {
      if (fails-- > 0) throw new Error('the disk is full');
    },
  });
  await expect(first.provide()).rejects.toThrow('the disk is full');
  const divided = batches;
  expect(await first.provide()).toBeNull();
  expect([batches, left]).toEqual([divided, 1]);
  const last = await open({ batch: batches[1]! });
  await last.provide();
  expect(await keysOf((await last.provide())!.paths)).toEqual(KEYS);
  expect(left).toBe(0);
});

it('refuses a batch that a person edited', async () => {
  await provide();
  const edited = { ...(batches[1] as object), work: '{"segments":[],"images":[]}' };
  await expect(open({ batch: edited })).rejects.toMatchObject({ code: 'store_corrupt' });
});

/** Segments of the cache that cannot be used with the others are rendered again. */
import { mkdir, readdir, rm } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { silentTrack } from '../../src/media/encode/audio/soundtrack.ts';
import { segmentFileName } from '../../src/media/encode/h264/segment-cutter.ts';
import { assembleVideo } from '../../src/media/encode/mp4/assemble-video.ts';
import { readTrackFile, TrackFileWriter } from '../../src/media/encode/mp4/track-file.ts';
import { verifyVideo } from '../../src/media/encode/mp4/verify-video.ts';
import { createRenderPool } from '../../src/media/render/render-pool.ts';
import { createDiskCache } from '../../src/platform/disk/cache/disk-cache.ts';
import { provideSegments } from '../../src/video/make/provide-segments.ts';
import { temporaryFolder } from '../leftovers/temporary-folder.ts';
import { availableFfmpegs } from '../media/encode/workbench.ts';
import { scene, storyboard } from '../media/render/synthetic.ts';

const ffmpeg = (await availableFfmpegs())[0]!;
const pool = createRenderPool({ threads: 1 });
afterAll(() => pool.close());

const board = storyboard(
  ['#203040', '#804020', '#208040'].map((background) => scene([], { background })),
  96,
  64,
);
const segments = [0, 1, 2].map((n) => ({ key: `key-${n}`, startFrame: 30 * n, endFrame: 30 * n + 30 }));
const timeline = { storyboard: board, sceneSpans: segments, segments, totalFrames: 90 };

function openBench() {
  const work = temporaryFolder();
  const cache = createDiskCache(path.join(work, 'cache'), { maxBytes: 1e9 });
  const provide = () =>
    provideSegments({
      ...{ timelines: [timeline], quality: 'standard', pool, cache, ffmpeg, workDir: work },
      photos: new Map(),
      graphics: new Map(),
      signal: new AbortController().signal,
      wantedFrames: () => [],
      limitRender: (render) => render(false),
      onFrames: () => {},
    });
  return { work, cache, provide };
}

/** Puts the segment under its key with the parameter sets of another encoder. */
async function replaceBy(config: string, key: string, { work, cache }: ReturnType<typeof openBench>) {
  const folder = path.join(work, 'foreign');
  await mkdir(folder, { recursive: true });
  const pinned = await cache.pin('segments', segmentFileName(key), folder);
  const file = (await readTrackFile(pinned!))!;
  const changed = path.join(folder, `${key}.changed`);
  const writer = await TrackFileWriter.create(changed);
  await writer.finish({ ...file.index, config, sizes: [], frames: [], idrPackets: [] });
  await cache.put('segments', segmentFileName(key), changed);
  await rm(folder, { recursive: true });
}

async function removeFromCache(key: string, work: string) {
  const folder = path.join(work, 'cache', 'segments');
  for (const file of await readdir(folder, { recursive: true }))
    if (path.basename(file).startsWith(`${key}.`)) await rm(path.join(folder, file));
}

it.each([
  ['one', [1]],
  ['most', [0, 2]],
  ['one, and one is missing', [1], 2],
])('renders again what another x264 made: %s', async (_, foreign, missing?: number) => {
  const bench = openBench();
  await bench.provide();
  for (const n of foreign) await replaceBy('AWQAH//hAAA=', `key-${n}`, bench);
  if (missing !== undefined) await removeFromCache(`key-${missing}`, bench.work);
  const { paths, renderedKeys } = await bench.provide();
  expect(renderedKeys.size).toBeGreaterThan(0);
  const outPath = path.join(bench.work, 'video.mp4');
  const format = { widthPx: 96, heightPx: 64, fps: 30 };
  const tags = { title: 'T', comment: 'C' };
  const audio = await silentTrack({ ffmpeg: ffmpeg.path, durationFrames: 90, fps: 30, outDir: bench.work });
  const ordered = segments.map(({ key }) => paths.get(key)!);
  await assembleVideo({ format, segments: ordered, audio, ...tags, outPath });
  await verifyVideo(outPath, { ...format, frameCount: 90, ...tags });
  // Found by the next run.
  expect((await bench.provide()).renderedKeys.size).toBe(0);
  expect(await readdir(path.join(bench.work, 'segments'))).toHaveLength(3);
});

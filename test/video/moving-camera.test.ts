/** Videos in which the camera moves over whole frames: what a viewer sees, and an ffmpeg with which it cannot be written. */
import path from 'node:path';
import { execa } from 'execa';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { silentTrack } from '../../src/media/encode/audio/soundtrack.ts';
import { assembleVideo } from '../../src/media/encode/mp4/assemble-video.ts';
import { verifyVideo } from '../../src/media/encode/mp4/verify-video.ts';
import { createRenderPool } from '../../src/media/render/render-pool.ts';
import { createDiskCache } from '../../src/platform/disk/cache/disk-cache.ts';
import { provideSegments } from '../../src/video/make/provide-segments.ts';
import { temporaryFolder } from '../leftovers/temporary-folder.ts';
import { availableFfmpegs, writeScript } from '../media/encode/workbench.ts';
import { scene, storyboard, Workbench } from '../media/render/synthetic.ts';

const [WIDTH, HEIGHT] = [200, 120];
const LUMA_BYTES = WIDTH * HEIGHT;
const FRAMES = 110;
const ffmpeg = (await availableFfmpegs())[0]!;
const pool = createRenderPool({ threads: 1 });
let sources: Workbench;

beforeAll(async () => {
  sources = await Workbench.open();
  const waves = (x: number, y: number) => 128 + 30 * Math.sin(x / 7 + y / 11) + 30 * Math.sin(y / 6 - x / 13);
  await sources.addPhoto({ digest: 'waves', w: 300, h: 180, y: waves, u: (x) => 90 + x / 5 });
});

afterAll(async () => {
  await pool.close();
  await sources.close();
});

/** A zoom of 70 frames that dissolves into a pan, which comes to rest. */
const board = storyboard(
  [photoScene(70, { span: 0.8, endFrame: 70 }, 12), photoScene(40, { span: 0.9, endFrame: 26 })],
  WIDTH,
  HEIGHT,
);
const segments = [
  { key: 'zoom', startFrame: 0, endFrame: 70 },
  { key: 'pan', startFrame: 70, endFrame: FRAMES },
];
const timeline = { storyboard: board, sceneSpans: segments, segments, totalFrames: FRAMES };

function photoScene(durationFrames: number, to: { span: number; endFrame: number }, dissolves = 0) {
  const camera = {
    from: { cx: 0.45, cy: 0.5, span: 0.9 },
    to: { cx: 0.52, cy: 0.48, span: to.span },
    startFrame: 0,
    endFrame: to.endFrame,
  };
  const box = { x: 0, y: 0, w: WIDTH, h: HEIGHT };
  return scene([{ type: 'photo', id: 'photo', box, digest: 'waves', camera }], {
    durationFrames,
    ...(dissolves > 0
      ? { transition: { kind: 'crossfade', durationFrames: dissolves, easing: 'linear' } as const }
      : {}),
  });
}

/** Luma of every frame, rendered alone. */
async function renderAll(): Promise<Buffer[]> {
  const found: Buffer[] = [];
  const { photos, graphics } = sources;
  const spans = [{ startFrame: 0, endFrame: FRAMES }];
  for await (const frame of pool.renderSpans({ timeline, photos, graphics, spans })) {
    found.push(Buffer.from(frame.data.subarray(0, LUMA_BYTES)));
    frame.release();
  }
  return found;
}

/** Makes the video, and decodes it: luma of every frame. */
async function makeVideo(ffmpegPath: string) {
  const work = temporaryFolder();
  const reports: [done: number, total: number][] = [];
  const refusals: string[] = [];
  const { paths, renderedFrames } = await provideSegments({
    ...{ timelines: [timeline], quality: 'high', pool, workDir: work },
    cache: createDiskCache(path.join(work, 'cache'), { maxBytes: 1e9 }),
    ffmpeg: { ...ffmpeg, path: ffmpegPath },
    photos: sources.photos,
    graphics: sources.graphics,
    signal: new AbortController().signal,
    wantedFrames: () => [],
    limitRender: (render) => render(false),
    onFrames: (done, total) => reports.push([done, total]),
    onMoveRefused: (reason) => refusals.push(reason),
  });
  const outPath = path.join(work, 'video.mp4');
  const format = { widthPx: WIDTH, heightPx: HEIGHT, fps: 30 };
  const tags = { title: 'T', comment: 'C' };
  const audio = await silentTrack({
    ...{ ffmpeg: ffmpeg.path, durationFrames: FRAMES, fps: 30, outDir: work },
  });
  const ordered = segments.map(({ key }) => paths.get(key)!);
  await assembleVideo({ format, segments: ordered, audio, ...tags, outPath });
  await verifyVideo(outPath, { ...format, frameCount: FRAMES, ...tags });
  return { frames: await decodeLuma(outPath), renderedFrames, reports, refusals };
}

async function decodeLuma(file: string): Promise<Buffer[]> {
  const format = ['-map', '0:v', '-f', 'rawvideo', '-pix_fmt', 'gray', 'pipe:1'];
  const { stdout, stderr } = await execa(
    ffmpeg.path,
    ['-v', 'warning', '-err_detect', 'explode', '-i', file, ...format],
    {
      encoding: 'buffer',
    },
  );
  expect(Buffer.from(stderr).toString()).toBe('');
  return Array.from({ length: stdout.length / LUMA_BYTES }, (_, n) =>
    Buffer.from(stdout.subarray(n * LUMA_BYTES, (n + 1) * LUMA_BYTES)),
  );
}

/** Of the frame that is least like its rendered one, dB. */
function worstPsnr(decoded: readonly Buffer[], rendered: readonly Buffer[]): number {
  const each = decoded.map((frame, n) => {
    const error = frame.reduce((sum, value, at) => sum + (value - rendered[n]![at]!) ** 2, 0);
    return 10 * Math.log10(255 ** 2 / (error / LUMA_BYTES));
  });
  return Math.min(...each);
}

it('every frame is near the one that is rendered alone, and few are rendered', async () => {
  const { frames, renderedFrames, reports, refusals } = await makeVideo(ffmpeg.path);
  expect(frames).toHaveLength(FRAMES);
  expect(worstPsnr(frames, await renderAll())).toBeGreaterThan(31);
  expect(renderedFrames).toBeLessThan(FRAMES / 2);
  expect(reports.at(-1)).toEqual([renderedFrames, renderedFrames]);
  expect(refusals).toEqual([]);
});

it('an ffmpeg in whose streams no move can be written encodes every frame', async () => {
  const other = await writeScript(
    `for word in "$@"; do
      case $word in *bframes=0*) word=$word:cabac=0;; esac
      set -- "$@" "$word"; shift
    done
    exec ${ffmpeg.path} "$@"`,
  );
  const { frames, reports, refusals } = await makeVideo(other);
  expect(frames).toHaveLength(FRAMES);
  expect(worstPsnr(frames, await renderAll())).toBeGreaterThan(31);
  const [done, total] = reports.at(-1)!;
  expect(done).toBe(total);
  expect(refusals).toEqual([expect.stringContaining('expected two streams of one kind')]);
});

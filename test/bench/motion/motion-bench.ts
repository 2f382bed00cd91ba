/**
 * How far the picture in a decoded video lies from where the camera should have it, beside ffmpeg's `zoompan`.
 *
 * A real move (`classic`, inwards, 5 % in 3 s with the easing `glide`, full-bleed) over a detailed photo goes through asset stage, renderer
 * and encoder; the decoded frames are registered, square by square, against the decoded photo (its master) seen along
 * the ideal path. Nothing is removed from the product's figures. From zoompan's, besides, one offset for the whole clip
 * is taken in a second pair of figures: its crop is rounded to whole pixels, which moves the picture but does not make
 * it tremble.
 */
import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import type { Photo } from '../../../src/design/photo.ts';
import { cameraPath } from '../../../src/design/storyboard/motion/camera.ts';
import type { CameraPath, Storyboard } from '../../../src/design/storyboard/storyboard.ts';
import { loadTemplate } from '../../../src/design/template/load-template.ts';
import { ease } from '../../../src/design/timeline/easing.ts';
import { makeTimeline } from '../../../src/design/timeline/make-timeline.ts';
import { silentTrack } from '../../../src/media/encode/audio/soundtrack.ts';
import { encodedFrames, encodeSegments, toCameraMove } from '../../../src/media/encode/encode-segments.ts';
import { toEncoderArgs } from '../../../src/media/encode/encode-settings.ts';
import { findFfmpeg } from '../../../src/media/encode/ffmpeg/find-ffmpeg.ts';
import { assembleVideo } from '../../../src/media/encode/mp4/assemble-video.ts';
import { transitionDrawer } from '../../../src/media/render/draw-transitions.ts';
import { leadingViews } from '../../../src/media/render/leading-views.ts';
import { createRenderPool, type RenderedFrame } from '../../../src/media/render/render-pool.ts';
import { prepareIn } from '../../media/assets/prepare-in.ts';
import { atMost, type BenchRow, noBar } from '../bench-row.ts';
import { makePhotos } from '../make-photos.ts';
import { zoompanArgs } from '../zoompan-graph.ts';
import { type MotionError, measureMotion, rms } from './measure-motion.ts';
import { proveEstimator } from './prove-estimator.ts';
import type { Mapping, Plane } from './sample-scene.ts';

const [WIDTH, HEIGHT, FPS, FRAMES] = [1920, 1080, 30, 90] as const;
/** Of the empty scene behind the move, without which the product encodes every frame of the move. */
const EMPTY_FRAMES = 6;
const FORMAT = { widthPx: WIDTH, heightPx: HEIGHT, fps: FPS, quality: 'standard' } as const;
/** Facade and trees, kitchen, bedroom: detail everywhere, and walls of none. */
const PHOTOS = [1, 5, 8];
/** At this length the graph's 8 % are 1.2 % a second, as the product's move. */
const ZOOMPAN_FRAMES = 200;
const MAX_ESTIMATOR_ERROR_PX = 0.005;

type Figure = Exclude<keyof MotionError, 'squares' | 'frames'>;

export async function benchMotion(options: { readonly ffmpeg?: string }): Promise<readonly BenchRow[]> {
  const proof = proveEstimator();
  if (proof.errorPx > MAX_ESTIMATOR_ERROR_PX) {
    throw new Error(`the estimator is off by ${proof.errorPx} px itself`);
  }
  const folder = await mkdtemp(path.join(tmpdir(), 'listing-video-motion-'));
  try {
    const ffmpeg = (await findFfmpeg({ setting: options.ffmpeg, searchPath: process.env.PATH })).path;
    const all = await makePhotos(path.join(tmpdir(), 'listing-video-bench-photos'), Math.max(...PHOTOS), 12);
    const taken: Record<'rendered' | 'decoded' | 'zoompan', MotionError[]> = {
      rendered: [],
      decoded: [],
      zoompan: [],
    };
    for (const number of PHOTOS) {
      const work = path.join(folder, String(number));
      await mkdir(work);
      const file = all[number - 1]!;
      const photo = await decodePhoto(file, work);
      const own = await measureProduct(photo, ffmpeg, work);
      taken.rendered.push(own.rendered);
      taken.decoded.push(own.decoded);
      taken.zoompan.push(await measureZoompan(file, photo, ffmpeg, work));
    }
    const total = (name: keyof typeof taken, of: Figure) => rms(taken[name].map((error) => error[of]));
    const row = (what: string, name: keyof typeof taken, of: Figure) =>
      noBar(what, total(name, of), 'px RMS');
    return [
      noBar('estimator, on synthetic shifts', proof.errorPx, 'px RMS'),
      atMost('decoded video, squares of 128 px', total('decoded', 'squaresPx'), 0.02, 'px RMS'),
      ...taken.decoded.map((error, index) =>
        noBar(
          `  photo ${PHOTOS[index]}: ${error.squares} squares x ${error.frames} frames`,
          error.squaresPx,
          'px RMS',
        ),
      ),
      row('decoded video, picture as a whole', 'decoded', 'picturePx'),
      row('before encoding, picture as a whole', 'rendered', 'picturePx'),
      row('before encoding, squares', 'rendered', 'squaresPx'),
      row('zoompan 4x, picture as a whole', 'zoompan', 'picturePx'),
      row('zoompan 4x, squares', 'zoompan', 'squaresPx'),
      row('zoompan 4x, its constant offset forgiven, picture', 'zoompan', 'steadyPicturePx'),
      row('zoompan 4x, its constant offset forgiven, squares', 'zoompan', 'steadySquaresPx'),
    ];
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function decodePhoto(file: string, work: string): Promise<Photo & { readonly luma: Plane }> {
  const { photos } = await prepareIn(work, {
    assets: [{ url: file }],
    baseDir: path.dirname(file),
  });
  const photo = photos[0]!;
  const { widthPx, heightPx } = photo;
  const data = (await readFile(photo.masterPath)).subarray(0, widthPx * heightPx);
  return { ...photo, luma: { data, widthPx, heightPx } };
}

async function measureProduct(photo: Photo & { readonly luma: Plane }, ffmpeg: string, work: string) {
  const template = await loadTemplate('classic');
  const box = { x: 0, y: 0, w: WIDTH, h: HEIGHT };
  const camera = cameraPath(template.ratios['1920:1080'].camera, {
    photo,
    box,
    move: 'in',
    order: 0,
    startFrame: 0,
    endFrame: FRAMES,
    fps: FPS,
  });
  const storyboard: Storyboard = {
    templateId: 'classic',
    ratio: '1920:1080',
    widthPx: WIDTH,
    heightPx: HEIGHT,
    fps: FPS,
    scenes: [
      {
        id: 'scene-01-photo',
        kind: 'photo',
        durationFrames: FRAMES,
        background: '#000000',
        layers: [{ type: 'photo', id: 'photo-1', box, digest: photo.digest, camera }],
        transition: { kind: 'cut', durationFrames: 0 },
      },
      {
        id: 'scene-02-empty',
        kind: 'photo',
        durationFrames: EMPTY_FRAMES,
        background: '#000000',
        layers: [],
        transition: { kind: 'cut', durationFrames: 0 },
      },
    ],
    title: '',
    comment: '',
    highlights: [0],
    altered: [],
    warnings: [],
  };
  const timeline = makeTimeline(storyboard, transitionDrawer(new Map()), 'bench');
  const pool = createRenderPool();
  const photos = new Map([[photo.digest, photo as Photo]]);
  const planned = timeline.segments.map((segment) => ({
    ...segment,
    move: toCameraMove(leadingViews(storyboard, photos, segment), segment.endFrame - segment.startFrame),
  }));
  const wanted = new Set(
    planned.flatMap((segment) => {
      const { ofMove, ofRest } = encodedFrames(segment);
      return [...ofMove, ...ofRest].map((frame) => segment.startFrame + frame);
    }),
  );
  const rendered: Uint8Array[] = [];
  async function* keepLuma(frames: AsyncIterable<RenderedFrame>): AsyncGenerator<RenderedFrame> {
    for await (const frame of frames) {
      if (frame.index < FRAMES) rendered.push(Uint8Array.from(frame.data.subarray(0, WIDTH * HEIGHT)));
      if (wanted.has(frame.index)) yield frame;
      else frame.release();
    }
  }
  const segments: string[] = [];
  try {
    const frames = pool.renderSpans({ timeline, spans: timeline.segments, photos, graphics: new Map() });
    await encodeSegments({
      ffmpeg,
      format: FORMAT,
      frames: keepLuma(frames),
      segments: planned,
      outDir: work,
      onSegment: (_, file) => void segments.push(file),
    });
  } finally {
    await pool.close();
  }
  const outPath = path.join(work, 'motion.mp4');
  const audio = await silentTrack({ ffmpeg, durationFrames: timeline.totalFrames, fps: FPS, outDir: work });
  await assembleVideo({ format: FORMAT, segments, audio, title: '', comment: '', outPath });
  const decoded = await decodeLuma(ffmpeg, outPath);
  const toMapping = (frame: number) => idealMapping(camera, frame, photo);
  return {
    rendered: measureMotion(rendered.map(toFrame), photo.luma, toMapping),
    decoded: measureMotion(decoded.map(toFrame), photo.luma, toMapping),
  };
}

/** As `CameraPath` defines it, written down once more: the renderer's own code is what is being measured. */
function idealMapping(
  { from, to, startFrame, endFrame, easing }: CameraPath,
  frame: number,
  photo: Photo,
): Mapping {
  const t = ease(easing ?? 'linear', (frame - startFrame) / (endFrame - startFrame));
  const span = Math.exp((1 - t) * Math.log(from.span) + t * Math.log(to.span));
  const step = (span * photo.widthPx) / WIDTH;
  return {
    left: ((1 - t) * from.cx + t * to.cx) * photo.widthPx - (step * WIDTH) / 2,
    top: ((1 - t) * from.cy + t * to.cy) * photo.heightPx - (step * HEIGHT) / 2,
    stepX: step,
    stepY: step,
  };
}

/** The first frames of the graph's one clip, against the path that its own expressions describe. */
async function measureZoompan(
  file: string,
  photo: Photo & { readonly luma: Plane },
  ffmpeg: string,
  work: string,
) {
  const output = path.join(work, 'zoompan.mp4');
  const encoder = toEncoderArgs(FORMAT, {}, 'usual');
  const encoderArgs = encoder.slice(encoder.indexOf('-c:v'), encoder.lastIndexOf('-f'));
  await promisify(execFile)(ffmpeg, zoompanArgs([file], ZOOMPAN_FRAMES, encoderArgs, output));
  const decoded = await decodeLuma(ffmpeg, output);
  const { widthPx, heightPx, sourceWidthPx, sourceHeightPx } = photo;
  // scale to cover 7680 x 4320 (the other side rounded to whole pixels), then crop around the middle.
  const cover = Math.max(7680 / sourceWidthPx, 4320 / sourceHeightPx);
  const scaled = { w: Math.round(sourceWidthPx * cover), h: Math.round(sourceHeightPx * cover) };
  const toMapping = (frame: number): Mapping => {
    const zoom = 1 + (0.08 * frame) / ZOOMPAN_FRAMES;
    const w = (7680 / scaled.w / zoom) * widthPx;
    const h = (4320 / scaled.h / zoom) * heightPx;
    return { left: (widthPx - w) / 2, top: (heightPx - h) / 2, stepX: w / WIDTH, stepY: h / HEIGHT };
  };
  return measureMotion(decoded.slice(0, FRAMES).map(toFrame), photo.luma, toMapping);
}

async function decodeLuma(ffmpeg: string, file: string): Promise<Uint8Array[]> {
  const args = ['-nostdin', '-v', 'error', '-i', file, '-map', '0:v', '-frames:v', String(FRAMES)];
  // extractplanes hands the decoder's luma on untouched; a conversion to gray might stretch its range.
  const { stdout } = await promisify(execFile)(
    ffmpeg,
    [...args, '-vf', 'extractplanes=y', '-vsync', '0', '-f', 'rawvideo', '-'],
    { encoding: 'buffer', maxBuffer: 1e9 },
  );
  const bytes = WIDTH * HEIGHT;
  if (stdout.length !== FRAMES * bytes) throw new Error(`${stdout.length / bytes} frames in ${file}`);
  return Array.from({ length: FRAMES }, (_, n) => stdout.subarray(n * bytes, (n + 1) * bytes));
}

function toFrame(data: Uint8Array): Plane {
  return { data, widthPx: WIDTH, heightPx: HEIGHT };
}

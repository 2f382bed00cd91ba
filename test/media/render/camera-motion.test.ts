import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { CameraPath } from '../../../src/design/storyboard/storyboard.ts';
import { cameraView } from '../../../src/media/render/compose/camera-view.ts';
import { type Frame, renderFrames, scene, storyboard, Workbench } from './synthetic.ts';

const [W, H] = [320, 180];
const PHOTO = { w: 960, h: 540 };
const SIZE = { widthPx: PHOTO.w, heightPx: PHOTO.h };
const PERIOD = 48;
const FRAMES = 40;

let bench: Workbench;

beforeAll(async () => {
  bench = await Workbench.open();
  const wave = (at: number) => 128 + 80 * Math.sin((2 * Math.PI * at) / PERIOD);
  await bench.addPhoto({ digest: 'columns', ...PHOTO, y: (x) => wave(x), u: (x) => wave(x) });
  await bench.addPhoto({ digest: 'rows', ...PHOTO, y: (_, y) => wave(y), u: (_, y) => wave(y) });
});

afterAll(() => bench.close());

/**
 * How far, in output px, a line of samples lies from where `phaseAt` says the wave should be: the least-squares fit of
 * a + b·sin + c·cos to it.
 */
function displacement(
  samples: readonly number[],
  phaseAt: (k: number) => number,
  pxPerRadian: number,
): number {
  const m = [0, 1, 2].map(() => [0, 0, 0, 0]);
  for (const [k, sample] of samples.entries()) {
    const basis = [1, Math.sin(phaseAt(k)), Math.cos(phaseAt(k))];
    for (let i = 0; i < 3; i++) {
      for (let j = 0; j < 3; j++) m[i]![j]! += basis[i]! * basis[j]!;
      m[i]![3]! += basis[i]! * sample;
    }
  }
  for (let p = 0; p < 3; p++) {
    for (let i = 0; i < 3; i++) {
      if (i === p) continue;
      const factor = m[i]![p]! / m[p]![p]!;
      for (let j = p; j < 4; j++) m[i]![j]! -= factor * m[p]![j]!;
    }
  }
  const [b, c] = [m[1]![3]! / m[1]![1]!, m[2]![3]! / m[2]![2]!];
  return Math.atan2(c, b) * pxPerRadian;
}

interface Axis {
  readonly digest: string;
  /** Samples of luma and of chroma along the middle of the frame, away from its border. */
  luma(frame: Frame): number[];
  chroma(frame: Frame): number[];
}

const margin = 20;
const across: Axis = {
  digest: 'columns',
  luma: (frame) => Array.from({ length: W - 2 * margin }, (_, k) => frame.y(margin + k, H / 2)),
  chroma: (frame) => Array.from({ length: (W - 2 * margin) / 2 }, (_, k) => frame.u(margin / 2 + k, H / 4)),
};
const down: Axis = {
  digest: 'rows',
  luma: (frame) => Array.from({ length: H - 2 * margin }, (_, k) => frame.y(W / 2, margin + k)),
  chroma: (frame) => Array.from({ length: (H - 2 * margin) / 2 }, (_, k) => frame.u(W / 4, margin / 2 + k)),
};

/** Errors of luma and chroma against the ideal path, px RMS over the frames. */
async function motionError(camera: CameraPath, axis: Axis): Promise<{ luma: number; chroma: number }> {
  const box = { x: 0, y: 0, w: W, h: H };
  const board = storyboard(
    [scene([{ type: 'photo', id: 'photo', box, digest: axis.digest, camera }], { durationFrames: FRAMES })],
    W,
    H,
  );
  const indexes = Array.from({ length: FRAMES }, (_, n) => n);
  const frames = await renderFrames(board, indexes, { photos: bench.photos });
  const squares = { luma: 0, chroma: 0 };
  for (const [n, frame] of frames.entries()) {
    const view = cameraView({ camera }, n, SIZE, box);
    const isAcross = axis === across;
    const start = isAcross ? view.left * PHOTO.w : view.top * PHOTO.h;
    const step = isAcross ? (view.width * PHOTO.w) / W : (view.height * PHOTO.h) / H;
    const phase = (at: number): number => (2 * Math.PI * (start + at * step)) / PERIOD;
    const pxPerRadian = PERIOD / (2 * Math.PI * step);
    // Chroma pixel k lies at luma 2k + 1/2 across (left-sited), 2k + 1 down.
    const site = isAcross ? 0.5 : 1;
    squares.luma += displacement(axis.luma(frame), (k) => phase(margin + k + 0.5), pxPerRadian) ** 2;
    squares.chroma += displacement(axis.chroma(frame), (k) => phase(margin + 2 * k + site), pxPerRadian) ** 2;
  }
  return { luma: Math.sqrt(squares.luma / FRAMES), chroma: Math.sqrt(squares.chroma / FRAMES) };
}

describe('the camera', () => {
  const paths: [string, CameraPath][] = [
    [
      'moves sideways',
      {
        from: { cx: 0.48, cy: 0.5, span: 0.94 },
        to: { cx: 0.515, cy: 0.5, span: 0.94 },
        startFrame: 0,
        endFrame: FRAMES,
      },
    ],
    [
      'moves up slowly',
      {
        from: { cx: 0.5, cy: 0.52, span: 0.9 },
        to: { cx: 0.5, cy: 0.51, span: 0.9 },
        startFrame: 0,
        endFrame: FRAMES,
      },
    ],
    [
      'moves in',
      {
        from: { cx: 0.5, cy: 0.5, span: 1 },
        to: { cx: 0.52, cy: 0.49, span: 0.93 },
        startFrame: -15,
        endFrame: FRAMES,
      },
    ],
  ];

  it.each(paths)(
    '%s within 0.02 px RMS of its ideal path, luma and chroma, across and down',
    async (_, camera) => {
      for (const axis of [across, down]) {
        const { luma, chroma } = await motionError(camera, axis);
        expect(luma).toBeLessThanOrEqual(0.02);
        expect(chroma).toBeLessThanOrEqual(0.02);
      }
    },
  );

  it('grows by equal ratios in equal times', () => {
    const camera = {
      from: { cx: 0.5, cy: 0.5, span: 1 },
      to: { cx: 0.5, cy: 0.5, span: 0.64 },
      startFrame: 0,
      endFrame: 20,
    };
    const width = (frame: number) => cameraView({ camera }, frame, SIZE, { w: W, h: H }).width;
    expect(width(10)).toBeCloseTo(0.8, 10);
    expect(width(-5)).toBe(1);
    expect(width(25)).toBeCloseTo(0.64, 10);
  });

  it('stays inside the photo, whatever the view asks', () => {
    const view = { cx: 0.02, cy: 0.99, span: 1 };
    const camera = { from: view, to: view, startFrame: 0, endFrame: 0 };
    const tall = cameraView({ camera }, 0, SIZE, { w: 90, h: 160 });
    expect(tall.height).toBeCloseTo(1, 10);
    expect(tall.top).toBeCloseTo(0, 10);
    expect(tall.left).toBe(0);
    const kept = cameraView({ camera, keeps: { x: 0.8, y: 0.5 } }, 0, SIZE, { w: 90, h: 160 });
    expect(kept).toEqual({ ...tall, left: 0.8 - tall.width });
    // The view has the box's shape.
    expect((tall.width * PHOTO.w) / (tall.height * PHOTO.h)).toBeCloseTo(90 / 160, 10);
  });
});

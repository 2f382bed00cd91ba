/**
 * The estimator's own error: on a picture that is a formula, so that it can be moved exactly, without any resampling.
 */
import { estimateDisplacement } from './estimate-displacement.ts';
import { rms } from './measure-motion.ts';
import type { Mapping, Plane } from './sample-scene.ts';

const FRAME = { widthPx: 480, heightPx: 270 };
/** As for a full-bleed photo: the plane is this much finer than the frame. */
const STEP = 1.29;
const MARGIN_PX = 24;
const SQUARES = [40, 176, 312].flatMap((x) => [16, 126].map((y) => ({ x, y, size: 128 })));
/** Of the whole frame, px. */
const SHIFTS = [
  [0, 0],
  [0.01, -0.02],
  [0.1, 0.05],
  [-0.25, 0.37],
  [0.5, -0.5],
] as const;

/**
 * @returns `errorPx`: px RMS, of the length of the error, over shifts and squares. Every sample is rounded to 8 bits,
 *   in the plane and in the frame, as in photo and video.
 */
export function proveEstimator(): { readonly errorPx: number } {
  const random = createRandom();
  const waves = Array.from({ length: 48 }, () => toWave(random));
  const size = {
    widthPx: Math.ceil(FRAME.widthPx * STEP) + 2 * MARGIN_PX,
    heightPx: Math.ceil(FRAME.heightPx * STEP) + 2 * MARGIN_PX,
  };
  const plane = paint(waves, size, (i) => (i + 0.5 - MARGIN_PX) / STEP);
  const mapping: Mapping = { left: MARGIN_PX, top: MARGIN_PX, stepX: STEP, stepY: STEP };
  const errors: number[] = [];
  for (const [dx, dy] of SHIFTS) {
    const frame = paint(waves, FRAME, (i, axis) => i + 0.5 - (axis === 0 ? dx : dy));
    for (const square of SQUARES) {
      const found = estimateDisplacement(frame, plane, mapping, square);
      errors.push(Math.hypot(found.dx - dx, found.dy - dy));
    }
  }
  return { errorPx: rms(errors) };
}

/** Radians per frame px, and code values. */
interface Wave {
  readonly fx: number;
  readonly fy: number;
  readonly phase: number;
  readonly amplitude: number;
}

/** Up to 0.4 cycles a pixel, falling with the frequency as photos do. */
function toWave(random: () => number): Wave {
  const frequency = 0.01 * 40 ** random();
  const angle = 2 * Math.PI * random();
  return {
    fx: 2 * Math.PI * frequency * Math.cos(angle),
    fy: 2 * Math.PI * frequency * Math.sin(angle),
    phase: 2 * Math.PI * random(),
    amplitude: 0.16 / (frequency + 0.01),
  };
}

function paint(
  waves: readonly Wave[],
  size: { readonly widthPx: number; readonly heightPx: number },
  toScene: (index: number, axis: 0 | 1) => number,
): Plane {
  const { widthPx, heightPx } = size;
  const data = new Uint8Array(widthPx * heightPx);
  for (let j = 0; j < heightPx; j += 1) {
    const y = toScene(j, 1);
    for (let i = 0; i < widthPx; i += 1) {
      const x = toScene(i, 0);
      let value = 128;
      for (const { fx, fy, phase, amplitude } of waves)
        value += amplitude * Math.sin(fx * x + fy * y + phase);
      data[j * widthPx + i] = Math.min(255, Math.max(0, Math.round(value)));
    }
  }
  return { data, widthPx, heightPx };
}

/** Uniform, [0, 1), the same in every run. */
function createRandom(): () => number {
  let state = 12345;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

/**
 * Milliseconds a 1080p frame costs in each of the kernel's functions, one thread, in the kernel and in its oracle.
 *
 * By itself: `npx tsx test/bench/kernel/kernel-bench.ts`.
 */
import { performance } from 'node:perf_hooks';
import { fileURLToPath } from 'node:url';
import { resampleScratchBytes } from '../../../src/media/render/kernel/kernel-functions.ts';
import { type Kernel, loadKernel } from '../../../src/media/render/kernel/load-kernel.ts';
import { loadTwin } from '../../media/render/kernel/twin.ts';
import { atMost, type BenchRow, formatRows, noBar } from '../bench-row.ts';

const [W, H] = [1920, 1080];
const FRAME_BYTES = (W * H * 3) / 2;
const PHOTO_SCALE = 1.2;
const [PHOTO_W, PHOTO_H] = [W * PHOTO_SCALE, H * PHOTO_SCALE];
const PHOTO_BYTES = (PHOTO_W * PHOTO_H * 3) / 2;

function medianMs(repeats: number, run: (n: number) => void): number {
  const times: number[] = [];
  for (let n = 0; n < repeats + 3; n++) {
    const start = performance.now();
    run(n);
    if (n >= 3) times.push(performance.now() - start);
  }
  times.sort((a, b) => a - b);
  return Math.round((times[times.length >> 1] as number) * 1000) / 1000;
}

/** Something like a photo: smooth shapes with fine noise, so that no branch predicts too well. */
function paint(kernel: Kernel, address: number, length: number): void {
  const bytes = kernel.memory.view(address, length);
  let seed = 1;
  for (let i = 0; i < length; i++) {
    seed = (Math.imul(seed, 1_103_515_245) + 12_345) | 0;
    bytes[i] = 120 + 60 * Math.sin(i / 97) + ((seed >>> 16) & 31);
  }
}

function measure(kernel: Kernel, repeats: number): Record<string, number> {
  const { functions: f, memory, lut } = kernel;
  const [dst, a, b] = [0, 1, 2].map(() => memory.allocate(FRAME_BYTES)) as [number, number, number];
  const photo = memory.allocate(PHOTO_BYTES);
  const scratch = memory.allocate(resampleScratchBytes(W));
  const columns = memory.allocate(2 * W);
  const rows = memory.allocate(2 * H);
  for (const [address, length] of [
    [a, FRAME_BYTES],
    [b, FRAME_BYTES],
    [photo, PHOTO_BYTES],
  ] as const) {
    paint(kernel, address, length);
  }
  const fullCoverage = (address: number, count: number): void =>
    new Uint16Array(memory.bytes.buffer, address, count).fill(256) as never;
  fullCoverage(columns, W);
  fullCoverage(rows, H);
  const planes = [
    { at: 0, from: 0, half: 1 },
    { at: W * H, from: PHOTO_W * PHOTO_H, half: 2 },
    { at: (W * H * 5) / 4, from: (PHOTO_W * PHOTO_H * 5) / 4, half: 2 },
  ];
  const move = (n: number): void => {
    // A slow move inwards: 1.2 % of scale a second.
    const step = PHOTO_SCALE * (1 - 0.0004 * n);
    for (const { at, from, half } of planes) {
      const [w, h, pw, ph] = [W / half, H / half, PHOTO_W / half, PHOTO_H / half];
      const [x0, y0] = [(pw - w * step) / 2, (ph - h * step) / 2];
      f.resample(dst + at, w, w, h, photo + from, pw, pw, ph, x0, step, y0, step, lut, scratch);
    }
  };
  return {
    'resample-1080p-420': medianMs(repeats, move),
    'crossfade-1080p-420': medianMs(repeats, (n) => {
      const mix = (n % 17) / 17;
      f.crossfadeLuma(dst, a, b, W * H, mix);
      f.crossfadeChroma(dst, a, b, W, H, mix);
    }),
    'blend-1080p-420': medianMs(repeats, (n) => {
      for (const { at, half } of planes) {
        f.blendRect(
          dst + at,
          W / half,
          a + at,
          W / half,
          W / half,
          H / half,
          columns,
          rows,
          0,
          W / half,
          n % 256,
        );
      }
    }),
    'overlay-1080p-420': medianMs(repeats, () => {
      for (const { at, half } of planes) {
        f.overlayMask(dst + at, W / half, b, W / half, W / half, H / half, 200, 200);
      }
    }),
    'fill-1080p-420': medianMs(repeats, (n) => {
      for (const { at, half } of planes) {
        f.fillRect(dst + at, W / half, W / half, H / half, columns, rows, 0, W / half, n & 255, 256);
      }
    }),
  };
}

/** The move's bar holds for the kernel; its twin in TypeScript is an oracle for tests. */
const MOVE = 'resample-1080p-420';
const MAX_MOVE_MS = 4;

export async function benchKernel(): Promise<readonly BenchRow[]> {
  const rows: BenchRow[] = [];
  for (const [backend, repeats, load] of [
    ['wasm-simd', 60, loadKernel],
    ['typescript', 5, loadTwin],
  ] as const) {
    const kernel = await load();
    for (const [name, ms] of Object.entries(measure(kernel, repeats))) {
      const what = `${name}, ${backend}`;
      const hasBar = name === MOVE && backend === 'wasm-simd';
      rows.push(hasBar ? atMost(what, ms, MAX_MOVE_MS, 'ms') : noBar(what, ms, 'ms'));
    }
  }
  return rows;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  process.stdout.write(`${formatRows(await benchKernel())}\n`);
}

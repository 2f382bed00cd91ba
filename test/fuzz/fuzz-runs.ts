/**
 * How often a fuzz test runs, and with which seed. `npm test` runs each property a few times with a fixed seed, so more
 * runs would find the same. `npm run fuzz` sets FUZZ_RUNS, which multiplies the runs, and prints the random seed that
 * FUZZ_SEED repeats.
 */

const IN_SUITE = 0.4;
const FACTOR = Math.max(IN_SUITE, Number(process.env.FUZZ_RUNS ?? IN_SUITE));
const SEED = Number(process.env.FUZZ_SEED ?? 20_261_122);

/** Parameters for `fc.assert`. @param runs - Choose it so that the property ends within a second or two. */
export function fuzz(runs: number): { readonly numRuns: number; readonly seed: number } {
  return { numRuns: Math.ceil(runs * FACTOR), seed: SEED };
}

/** Milliseconds for a whole property, for vitest. */
export const FUZZ_TIMEOUT_MS = 60_000 * Math.max(1, FACTOR);

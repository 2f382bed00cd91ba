/**
 * How often a fuzz test runs, and with which seed. `npm test` runs each property a few times with a fixed seed. `npm
 * run fuzz` sets FUZZ_RUNS, which multiplies the runs, and prints the random seed that FUZZ_SEED repeats.
 */

const FACTOR = Math.max(1, Number(process.env.FUZZ_RUNS ?? 1));
const SEED = Number(process.env.FUZZ_SEED ?? 20_261_122);

/** Parameters for `fc.assert`. @param runs - In `npm test`: choose it so that the property ends within a second. */
export function fuzz(runs: number): { readonly numRuns: number; readonly seed: number } {
  return { numRuns: Math.round(runs * FACTOR), seed: SEED };
}

/** Milliseconds for a whole property, for vitest. */
export const FUZZ_TIMEOUT_MS = 60_000 * FACTOR;

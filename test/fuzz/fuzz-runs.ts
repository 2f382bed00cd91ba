/**
 * How often a fuzz test runs. `npm test` runs each property a few times with the seed of `random-seed.ts`, so more runs
 * would find the same. `npm run fuzz` sets FUZZ_RUNS, which multiplies the runs.
 */

const IN_SUITE = 0.4;
const FACTOR = Math.max(IN_SUITE, Number(process.env.FUZZ_RUNS ?? IN_SUITE));

/** Parameters for `fc.assert`. @param runs - Choose it so that the property ends within a second or two. */
export function fuzz(runs: number): { readonly numRuns: number } {
  return { numRuns: Math.ceil(runs * FACTOR) };
}

/** Milliseconds for a whole property, for vitest. */
export const FUZZ_TIMEOUT_MS = 60_000 * Math.max(1, FACTOR);

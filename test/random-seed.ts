/**
 * Random tests draw the same in every run, so that a run fails for what has changed. FUZZ_SEED sets another seed, and
 * `npm run fuzz` a random one that it prints.
 */
import fc from 'fast-check';

fc.configureGlobal({ seed: Number(process.env.FUZZ_SEED ?? 20_261_122) });

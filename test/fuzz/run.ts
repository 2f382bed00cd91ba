/** `npm run fuzz`: the fuzz tests with many more runs and a random seed. FUZZ_RUNS and FUZZ_SEED set both. */
import { randomInt } from 'node:crypto';
import { startVitest } from 'vitest/node';

process.env.FUZZ_RUNS ??= '100';
process.env.FUZZ_SEED ??= String(randomInt(2 ** 31));
console.log(`FUZZ_RUNS=${process.env.FUZZ_RUNS} FUZZ_SEED=${process.env.FUZZ_SEED} npm run fuzz`);
const filters =
  process.argv.length > 2 ? process.argv.slice(2).map((name) => `test/fuzz/${name}`) : ['test/fuzz'];
await startVitest('test', filters, { run: true, watch: false });

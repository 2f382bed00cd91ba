/**
 * `npm run bench [-- job|memory|startup|api] [--rounds N] [--ffmpeg PATH]`: every figure of README's performance section.
 * The API's parts alone: `-- api --part accept|render|memory|shutdown`; `--requests N` is how many memory is watched over.
 */
import { parseArgs } from 'node:util';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    rounds: { type: 'string', default: '3' },
    ffmpeg: { type: 'string' },
    part: { type: 'string' },
    requests: { type: 'string', default: '100000' },
  },
});
const rounds = Number(values.rounds);
const ffmpeg = values.ffmpeg === undefined ? {} : { ffmpeg: values.ffmpeg };

const benches: Record<string, () => Promise<unknown>> = {
  job: async () => (await import('./job-bench.ts')).benchJob({ rounds, ...ffmpeg }),
  memory: async () => (await import('./memory-bench.ts')).benchMemory(ffmpeg),
  startup: async () => (await import('./startup-bench.ts')).benchStartup(rounds * 7),
  api: async () =>
    (await import('./api-bench.ts')).benchApi({ only: values.part, requests: Number(values.requests) }),
};

const names = positionals.length > 0 ? positionals : Object.keys(benches);
for (const name of names) {
  const bench = benches[name];
  if (!bench) throw new Error(`no bench is called "${name}"; there are ${Object.keys(benches).join(', ')}`);
  console.log(`${name}: ${JSON.stringify(await bench(), null, 2)}`);
}

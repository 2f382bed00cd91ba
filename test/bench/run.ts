/**
 * `npm run bench [-- NAME…] [--rounds N] [--tasks N] [--requests N] [--present N] [--kills N] [--part NAME] [--ffmpeg
 * PATH] [--photos FOLDER] [--mutants N] [--keep FOLDER]`: every figure of README.md beside this file. Each bench prints
 * a table and, as one line of JSON, the same rows with whatever else it knows. Ends with 1 when a bar is missed. The
 * API's parts alone: `-- api --part accept|render|memory|shutdown|bodies`; one template: `-- templates --part ID`. The
 * parts of `scale`: `--part stores|starts|turns|deliveries|outage|bucket|kills|fan-out`. Damaged pictures of some
 * formats: `-- damage --part 'webp|gif'`; `--keep` takes those that are shown, with sheets of them.
 */
import { parseArgs } from 'node:util';
import { type BenchRow, formatRows } from './bench-row.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    rounds: { type: 'string', default: '3' },
    tasks: { type: 'string', default: '20000' },
    requests: { type: 'string', default: '100000' },
    present: { type: 'string', default: '1000000' },
    kills: { type: 'string', default: '30' },
    part: { type: 'string' },
    ffmpeg: { type: 'string' },
    photos: { type: 'string' },
    mutants: { type: 'string', default: '5000' },
    keep: { type: 'string' },
  },
});
const rounds = Number(values.rounds);
const ffmpeg = values.ffmpeg === undefined ? {} : { ffmpeg: values.ffmpeg };
const photos = values.photos === undefined ? {} : { photos: values.photos };

type Result = readonly BenchRow[] | { readonly rows: readonly BenchRow[] };

const benches: Record<string, () => Promise<Result>> = {
  job: async () => (await import('./job-bench.ts')).benchJob({ rounds, ...ffmpeg, ...photos }),
  batch: async () => (await import('./batch-bench.ts')).benchBatch({ rounds, ...ffmpeg }),
  templates: async () =>
    (await import('./template-bench.ts')).benchTemplates({ rounds, only: values.part, ...ffmpeg }),
  cores: async () => (await import('./cores-bench.ts')).benchCores({ rounds, ...ffmpeg }),
  memory: async () => (await import('./memory-bench.ts')).benchMemory(ffmpeg),
  kernel: async () => (await import('./kernel/kernel-bench.ts')).benchKernel(),
  motion: async () => (await import('./motion/motion-bench.ts')).benchMotion(ffmpeg),
  store: async () => (await import('./store/store-bench.ts')).benchStore({ tasks: Number(values.tasks) }),
  scale: async () =>
    (await import('./scale/scale-bench.ts')).benchScale({
      only: values.part,
      tasks: Number(values.present),
      kills: Number(values.kills),
      rounds,
    }),
  damage: async () =>
    (await import('./damage/damage-bench.ts')).benchDamage({
      mutants: Number(values.mutants),
      only: values.part,
      keepIn: values.keep,
    }),
  studio: async () => (await import('./studio-bench.ts')).benchStudio(),
  startup: async () => (await import('./startup-bench.ts')).benchStartup(rounds * 7),
  api: async () =>
    (await import('./api-bench.ts')).benchApi({ only: values.part, requests: Number(values.requests) }),
};

// Those that need PostgreSQL, or x265 and half an hour, run only by their name.
const names =
  positionals.length > 0
    ? positionals
    : Object.keys(benches).filter((name) => !['scale', 'damage'].includes(name));
const unknown = names.find((name) => !Object.hasOwn(benches, name));
if (unknown !== undefined) {
  throw new Error(`no bench is called "${unknown}"; there are ${Object.keys(benches).join(', ')}`);
}
for (const name of names) {
  const result = await benches[name]!();
  const report = 'rows' in result ? result : { rows: result };
  console.log(`${name}\n${formatRows(report.rows)}\n${JSON.stringify({ bench: name, ...report })}\n`);
  if (report.rows.some(({ isMet }) => isMet === false)) process.exitCode = 1;
}

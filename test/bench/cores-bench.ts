/**
 * How `create` scales from one core to two, and which `--concurrency` suits them: the default, the number of CPUs,
 * beside others. The cores are given with `taskset`, which Node counts.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { findFfmpeg } from '../../src/media/encode/ffmpeg/find-ffmpeg.ts';
import { atMost, type BenchRow, noBar } from './bench-row.ts';
import { makeListing, runCreate } from './job-bench.ts';
import { makePhotos } from './make-photos.ts';
import { type Measurement, median } from './measure-process.ts';

const CORES = [1, 2];
const CONCURRENCIES = ['default', '1', '2', '4', '8'];

export async function benchCores({
  rounds,
  ffmpeg: chosen,
}: {
  readonly rounds: number;
  readonly ffmpeg?: string;
}): Promise<BenchRow[]> {
  const folder = await mkdtemp(path.join(tmpdir(), 'listing-video-bench-'));
  try {
    const photos = await makePhotos(path.join(tmpdir(), 'listing-video-bench-photos'), 12, 12);
    const ffmpeg = (await findFfmpeg({ setting: chosen, searchPath: process.env.PATH }, {})).path;
    const taken = new Map<string, Measurement[]>();
    for (let round = 0; round < rounds; round += 1) {
      for (const cores of CORES) {
        for (const concurrency of CONCURRENCIES) {
          const [out, home] = [path.join(folder, 'out'), path.join(folder, 'home')];
          const options = concurrency === 'default' ? [] : ['--concurrency', concurrency];
          const one = await runCreate(out, makeListing(photos, 1), home, ffmpeg, options, cores);
          const name = nameOf(cores, concurrency);
          taken.set(name, [...(taken.get(name) ?? []), one]);
          process.stderr.write(`${name}: ${one.cpuSec.toFixed(1)} s CPU, ${one.wallSec.toFixed(1)} s\n`);
          for (const left of [out, home]) await rm(left, { recursive: true, force: true });
        }
      }
    }
    const wall = (name: string) => median(taken.get(name)!.map(({ wallSec }) => wallSec));
    const cpu = (name: string) => median(taken.get(name)!.map(({ cpuSec }) => cpuSec));
    const [one, two] = CORES.map((cores) => nameOf(cores, 'default'));
    return [
      atMost('two cores / one core, elapsed time', wall(two!) / wall(one!), 0.6),
      noBar('two cores / one core, CPU', cpu(two!) / cpu(one!)),
      ...CORES.map((cores) => {
        const best = Math.min(...CONCURRENCIES.map((concurrency) => wall(nameOf(cores, concurrency))));
        return atMost(
          `${cores} core(s): default concurrency / the best, elapsed time`,
          wall(nameOf(cores, 'default')) / best,
          1.05,
        );
      }),
      ...[...taken.keys()].flatMap((name) => [
        noBar(`  ${name}: elapsed`, wall(name), 's'),
        noBar(`  ${name}: CPU`, cpu(name), 's'),
      ]),
    ];
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function nameOf(cores: number, concurrency: string): string {
  return `${cores} core(s), concurrency ${concurrency}`;
}

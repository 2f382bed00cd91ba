/** The main job's bars that depend on the design: of every template, what 20 agents, a second run and a new phone cost. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { findFfmpeg } from '../../src/encode/find-ffmpeg.ts';
import { listTemplates } from '../../src/template/load-template.ts';
import { atMost, type BenchRow } from './bench-row.ts';
import { makeListing, runCreate, withOtherPhone } from './job-bench.ts';
import { makePhotos } from './make-photos.ts';
import { median } from './measure-process.ts';

export interface TemplateBenchOptions {
  readonly rounds: number;
  /** One template; default: all that ship. */
  readonly only?: string | undefined;
  readonly ffmpeg?: string;
}

/** Made for telephones first. */
const RATIOS: Readonly<Record<string, string>> = { social: '1080:1920' };

export async function benchTemplates({
  rounds,
  only,
  ffmpeg: chosen,
}: TemplateBenchOptions): Promise<BenchRow[]> {
  const folder = await mkdtemp(path.join(tmpdir(), 'listing-video-bench-'));
  try {
    const photos = await makePhotos(path.join(tmpdir(), 'listing-video-bench-photos'), 12, 12);
    const ffmpeg = (await findFfmpeg({ setting: chosen, searchPath: process.env.PATH }, {})).path;
    const rows: BenchRow[] = [];
    for (const id of only === undefined ? await listTemplates() : [only]) {
      const taken = {
        one: [] as number[],
        again: [] as number[],
        phone: [] as number[],
        twenty: [] as number[],
      };
      const take = async (name: keyof typeof taken, agents: number, home: string, hasOtherPhone = false) => {
        const listing = makeListing(photos, agents);
        const out = path.join(folder, `out-${agents}`);
        const { cpuSec, wallSec } = await runCreate(
          out,
          hasOtherPhone ? withOtherPhone(listing) : listing,
          path.join(folder, home),
          ffmpeg,
          ['--template', id, '--ratio', RATIOS[id] ?? '1920:1080'],
        );
        taken[name].push(cpuSec);
        process.stderr.write(`${id} ${name}: ${cpuSec.toFixed(1)} s CPU, ${wallSec.toFixed(1)} s\n`);
      };
      for (let round = 0; round < rounds; round += 1) {
        const home = `${id}-${round}`;
        await take('one', 1, home);
        await take('again', 1, home);
        await take('phone', 1, home, true);
        await take('twenty', 20, `${home}-20`);
        for (const left of ['out-1', 'out-20', home, `${home}-20`]) {
          await rm(path.join(folder, left), { recursive: true, force: true });
        }
      }
      const ratio = (name: keyof typeof taken) => median(taken[name]) / median(taken.one);
      rows.push(
        atMost(`${id}: 20 agents / 1 agent, CPU`, ratio('twenty'), 1.6),
        atMost(`${id}: unchanged again / first, CPU`, ratio('again'), 0.03),
        atMost(`${id}: phone changed / first, CPU`, ratio('phone'), 0.2),
      );
    }
    return rows;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/**
 * The main job's bars that depend on the design: of every template, what a frame, 20 agents, previews, a second run and
 * a new phone cost.
 */
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { listTemplates } from '../../src/design/template/load-template.ts';
import type { Listing } from '../../src/listing/listing.ts';
import { findFfmpeg } from '../../src/media/encode/ffmpeg/find-ffmpeg.ts';
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

type Run = 'one' | 'again' | 'phone' | 'twenty' | 'gif' | 'gifs';

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
    const [one, twenty] = [makeListing(photos, 1), makeListing(photos, 20)];
    const frames: Record<string, number> = {};
    const perFrame: Record<string, number> = {};
    for (const id of only === undefined ? await listTemplates() : [only]) {
      const taken: Record<Run, number[]> = { one: [], again: [], phone: [], twenty: [], gif: [], gifs: [] };
      const outOf = (listing: Listing) => path.join(folder, `out-${listing.agents.length}`);
      const take = async (name: Run, listing: Listing, home: string, more: readonly string[] = []) => {
        const options = ['--template', id, '--ratio', RATIOS[id] ?? '1920:1080', ...more];
        const { cpuSec, wallSec } = await runCreate(
          outOf(listing),
          listing,
          path.join(folder, home),
          ffmpeg,
          options,
        );
        taken[name].push(cpuSec);
        process.stderr.write(`${id} ${name}: ${cpuSec.toFixed(1)} s CPU, ${wallSec.toFixed(1)} s\n`);
      };
      for (let round = 0; round < rounds; round += 1) {
        const [home, home20] = [`${id}-${round}`, `${id}-${round}-20`];
        const drop = async (...names: readonly string[]) => {
          for (const name of names) await rm(path.join(folder, name), { recursive: true, force: true });
        };
        await take('one', one, home);
        frames[id] ??= await countFrames(path.join(outOf(one), 'videos', one.id));
        await take('again', one, home);
        await take('phone', withOtherPhone(one), home);
        await take('twenty', twenty, home20);
        await drop('out-1', 'out-20', home, home20);
        await take('gif', one, home, ['--preview']);
        await take('gifs', twenty, home20, ['--preview']);
        await drop('out-1', 'out-20', home, home20);
      }
      perFrame[id] = median(taken.one) / frames[id]!;
      const ratio = (name: Run, to: Run = 'one') => median(taken[name]) / median(taken[to]);
      rows.push(
        ...(perFrame.classic === undefined
          ? []
          : [atMost(`${id}: a frame / one of classic, CPU`, perFrame[id]! / perFrame.classic, 1.1)]),
        atMost(`${id}: 20 agents / 1 agent, CPU`, ratio('twenty'), 1.3),
        atMost(`${id}: 20 agents / 1 agent, each with a GIF, CPU`, ratio('gifs', 'gif'), 1.45),
        atMost(`${id}: unchanged again / first, CPU`, ratio('again'), 0.03),
        atMost(`${id}: phone changed / first, CPU`, ratio('phone'), 0.2),
      );
    }
    return rows;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Frames of the only video in a folder of results. */
async function countFrames(folder: string): Promise<number> {
  const { videos } = JSON.parse(await readFile(path.join(folder, 'report.json'), 'utf8'));
  return videos[0].frames;
}

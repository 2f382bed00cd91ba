/** Which pictures are copies of a photo: only what viewers cannot tell from it. */
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { DEFAULT_ASSET_LIMITS } from '../../../src/media/assets/asset-limits.ts';
import { collectAssets, type ImageOutcome } from '../../../src/media/assets/collect-assets.ts';
import { temporaryFolder } from '../../leftovers/temporary-folder.ts';
import { CHANGES, COPIES, crop, readSource, STORED, store } from './changed-photo.ts';
import { prepareIn } from './prepare-in.ts';

const FIXTURES = fileURLToPath(new URL('../../../fixtures/photos', import.meta.url));
const folder = temporaryFolder();

let runs = 0;
/** The names of those pictures that are left out as copies of the photo. */
async function copiesAmong(photo: string, pictures: ReadonlyMap<string, Buffer>): Promise<string[]> {
  runs += 1;
  const run = path.join(folder, `run-${runs}`);
  const names = [...pictures.keys()];
  mkdirSync(run);
  for (const [index, name] of names.entries())
    writeFileSync(path.join(run, String(index)), pictures.get(name)!);
  const assets = names.map((_, index) => ({ url: String(index) }));
  const outcomes = new Map<string, ImageOutcome>();
  await prepareIn(run, {
    // Portraits are decoded as photos are, and not compared with each other.
    pictures: [{ url: photo }, ...assets],
    onImage: async (key, outcome) => void outcomes.set(key, outcome),
  });
  // Each with the photo alone: changed photos can be copies of each other.
  return names.filter((_, index) => {
    const pair = { assets: [{ url: photo }, assets[index]!], pictures: [], logos: [] };
    const { heirs, reasons } = collectAssets(pair, DEFAULT_ASSET_LIMITS, outcomes);
    const twin = `duplicate: the same picture as photo 1 (${path.basename(photo)})`;
    expect(reasons).toEqual([null, heirs.size === 0 ? null : twin]);
    return heirs.size > 0;
  });
}

// Every picture is made and decoded here: minutes on a machine that is busy.
const TIMEOUT_MS = 240_000;

it(
  'leaves out copies in other formats, sizes, qualities and shapes',
  async () => {
    const photo = path.join(FIXTURES, '09-primary-bedroom.jpg');
    const source = await readSource(photo);
    const copies = new Map<string, Buffer>();
    for (const [what, make] of Object.entries(COPIES)) copies.set(what, await make(source));
    for (const share of [0.005, 0.03]) copies.set(`${100 * share} % cropped`, await crop(source, share));
    expect(await copiesAmong(photo, copies)).toEqual([...copies.keys()]);
  },
  TIMEOUT_MS,
);

it(
  'leaves out nothing that viewers can tell apart',
  async () => {
    const photo = path.join(FIXTURES, '01-front.jpg');
    const source = await readSource(photo);
    const changed = new Map<string, Buffer>();
    const ways = Object.entries(STORED);
    // In turn: each way has changes of each kind.
    for (const [index, [what, paint]] of Object.entries(CHANGES).entries()) {
      const [how, write] = ways[index % ways.length]!;
      changed.set(`${what}, ${how}`, await store(source, await paint(source), write));
    }
    // A detail, and a change in what a crop leaves.
    changed.set('a quarter cropped', await crop(source, 0.25));
    const removed = await CHANGES['an object of 3 % of the width removed']!(source);
    changed.set('changed and cropped', await crop({ ...source, data: removed }, 0.02));
    expect(await copiesAmong(photo, changed)).toEqual([]);
  },
  TIMEOUT_MS,
);

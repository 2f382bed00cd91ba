/** Videos that no report names, because it was deleted. */
import { readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { Listing } from '../../src/listing/listing.ts';
import { chooseNames } from '../../src/video/plan/choose-names.ts';
import { findUnknownVideos } from '../../src/video/plan/unknown-videos.ts';
import { aPayload } from './a-payload.ts';

const SAMPLE: Listing = JSON.parse(
  readFileSync(new URL('../../fixtures/small/listing.json', import.meta.url), 'utf8'),
);

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'unknown-videos-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

function box(type: string, ...parts: readonly Buffer[]): Buffer {
  const content = Buffer.concat(parts);
  const head = Buffer.alloc(8);
  head.writeUInt32BE(8 + content.length);
  head.write(type, 4, 'latin1');
  return Buffer.concat([head, content]);
}

/** The least that names the size of a video: one second, 30 frames. */
function mp4(widthPx: number, heightPx: number): Buffer {
  const mvhd = Buffer.alloc(100);
  mvhd.writeUInt32BE(1000, 12);
  mvhd.writeUInt32BE(1000, 16);
  const tkhd = Buffer.alloc(84);
  tkhd.writeUInt32BE(widthPx << 16, 76);
  tkhd.writeUInt32BE(heightPx << 16, 80);
  const hdlr = Buffer.alloc(24);
  hdlr.write('vide', 8, 'latin1');
  const stsz = Buffer.alloc(12);
  stsz.writeUInt32BE(30, 8);
  const mdia = box('mdia', box('hdlr', hdlr), box('minf', box('stbl', box('stsz', stsz))));
  return Buffer.concat([
    box('ftyp', Buffer.alloc(8)),
    box('moov', box('mvhd', mvhd), box('trak', box('tkhd', tkhd), mdia)),
  ]);
}

it('keep their names from videos of another shape, draft or template', async () => {
  await writeFile(path.join(folder, 'a.mp4'), mp4(1920, 1080));
  await writeFile(path.join(folder, 'a-1080x1920-draft.mp4'), mp4(540, 960));
  await writeFile(path.join(folder, 'a-luxury.mp4'), mp4(1920, 1080));
  await writeFile(path.join(folder, 'holiday.mp4'), mp4(1920, 1080));
  await writeFile(path.join(folder, 'a-broken.mp4'), 'x');
  const plain = aPayload({ ...SAMPLE, agents: [{ ...SAMPLE.agents[0]!, id: 'a' }] });
  const found = await findUnknownVideos(folder, plain, []);
  expect(found.map(({ name, ratio, isDraft }) => [name, ratio, isDraft]).sort()).toEqual([
    ['a', '1920:1080', false],
    ['a-1080x1920-draft', '1080:1920', true],
    ['a-luxury', '1920:1080', false],
  ]);
  const { templateId } = found.find(({ name }) => name === 'a')!;
  const nameOf = (ratio: '1920:1080' | '1080:1920') => {
    const video = { agentId: 'a', plainName: 'a', ratio, templateId, isDraft: false, isOtherShape: false };
    return chooseNames([video], found, { isTemplateChosen: false, force: false });
  };
  expect(nameOf('1080:1920')).toEqual(['a-1080x1920']);
  expect(nameOf('1920:1080')).toEqual(['a']);
  expect(await findUnknownVideos(folder, plain, found)).toEqual([]);
  expect(await findUnknownVideos(path.join(folder, 'gone'), plain, [])).toEqual([]);
});

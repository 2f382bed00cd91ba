/**
 * Videos of agents who have left the listing: named, and removed only on request and only if this program made them.
 */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { mkdir, readdir, rename, rm, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { beforeEach, expect, it } from 'vitest';
import type { Listing } from '../../src/listing/listing.ts';
import type { EarlierVideo } from '../../src/video/plan/earlier-run.ts';
import { removeOldSmall, settleKept } from '../../src/video/publish/kept-videos.ts';
import type { ReportFiles } from '../../src/video/publish/report.ts';
import { temporaryFolder } from '../leftovers/temporary-folder.ts';
import { aPayload } from './a-payload.ts';

const SAMPLE: Listing = JSON.parse(
  readFileSync(new URL('../../fixtures/small/listing.json', import.meta.url), 'utf8'),
);

let folder: string;
beforeEach(async () => {
  folder = temporaryFolder();
});

const sha256 = createHash('sha256').update('mine').digest('hex');
const fileOf = (file: string) => ({ file, size_bytes: 4, sha256 });

/** An entry of an earlier report, whose files exist. */
async function earlier(agentId: string, name = agentId): Promise<EarlierVideo> {
  for (const ending of ['mp4', 'jpg', 'gif'])
    await writeFile(path.join(folder, `${path.basename(name)}.${ending}`), 'mine');
  const [video, poster, preview] = ['mp4', 'jpg', 'gif'].map((ending) => fileOf(`${name}.${ending}`));
  const entry = { agent_id: agentId, ratio: '1920:1080', video, poster, preview };
  return { agentId, name, taskId: 't', entry } as unknown as EarlierVideo;
}

function payloadWith(clean: boolean) {
  const payload = aPayload({ ...SAMPLE, agents: [{ ...SAMPLE.agents[0]!, id: 'ann' }] });
  return { ...payload, options: { ...payload.options, clean } };
}

it('are named in the report, and stay', async () => {
  const found = [await earlier('ann', 'ann-luxury'), await earlier('bob')];
  const settled = await settleKept(found, [], payloadWith(false), folder);
  expect(settled.kept.map(({ agent_id, has_agent_left: left }) => [agent_id, left])).toEqual([
    ['ann', undefined],
    ['bob', true],
  ]);
  expect(settled.notes).toEqual([
    'kept from earlier runs, without later changes: ann-luxury.mp4 (1920:1080)',
  ]);
  expect(settled.warnings).toEqual([
    'kept videos of agents who are no longer in the listing: bob.mp4 (1920:1080); --clean removes them',
  ]);
  expect(await readdir(folder)).toHaveLength(6);
});

it('a smaller file that its new video does not have is removed, unless someone has changed it', async () => {
  for (const name of ['ann', 'bob', 'eve']) await writeFile(path.join(folder, `${name}-720p.mp4`), 'mine');
  await writeFile(path.join(folder, 'bob-720p.mp4'), 'changed');
  const found: EarlierVideo[] = [];
  for (const name of ['ann', 'bob', 'eve']) {
    const video = await earlier(name);
    found.push({ ...video, entry: { ...video.entry, small_video: fileOf(`${name}-720p.mp4`) } });
  }
  const made = found.map(({ entry }) => entry as unknown as ReportFiles);
  const withoutSmall = made.slice(0, 2).map(({ small_video: _, ...entry }) => entry);
  await removeOldSmall(found, [...withoutSmall, made[2]!], folder);
  expect((await readdir(folder)).filter((name) => name.includes('720p'))).toEqual([
    'bob-720p.mp4',
    'eve-720p.mp4',
  ]);
});

it('are not those of agents whose videos were not asked for', async () => {
  const found = [await earlier('bob'), await earlier('eve')];
  const payload = { ...payloadWith(true), otherAgents: ['bob'] };
  const settled = await settleKept(found, [], payload, folder);
  expect(settled.kept.map(({ agent_id, has_agent_left: left }) => [agent_id, left])).toEqual([
    ['bob', undefined],
  ]);
  expect(settled.removed).toEqual(['eve.jpg', 'eve.gif', 'eve.mp4']);
});

it('go with --clean, with poster and preview, and nothing else goes', async () => {
  const found = [await earlier('ann'), await earlier('bob'), await earlier('eve')];
  await writeFile(path.join(folder, 'bob.txt'), 'of the user');
  await writeFile(path.join(folder, 'eve.mp4'), 'cut by the user');
  await writeFile(path.join(folder, 'bob.gif'), 'a GIF of the user');
  const settled = await settleKept(found, [], payloadWith(true), folder);
  expect(settled.removed).toEqual(['bob.jpg', 'bob.mp4']);
  expect(settled.kept.map(({ agent_id }) => agent_id)).toEqual(['ann', 'eve']);
  expect(settled.notes).toContain('removed by --clean: bob.jpg, bob.mp4');
  expect(settled.warnings).toEqual(['not removed, because this program did not write it as it is: eve.mp4']);
  expect(await readdir(folder)).toEqual([
    ...['ann.gif', 'ann.jpg', 'ann.mp4', 'bob.gif', 'bob.txt', 'eve.gif', 'eve.jpg', 'eve.mp4'],
  ]);
});

it('keep a link in place of a file, and wait for no named pipe', async () => {
  const found = [await earlier('bob'), await earlier('eve')];
  await rename(path.join(folder, 'bob.mp4'), path.join(folder, 'mine.mov'));
  await symlink('mine.mov', path.join(folder, 'bob.mp4'));
  await rm(path.join(folder, 'eve.mp4'));
  execFileSync('mkfifo', [path.join(folder, 'eve.mp4')]);
  expect((await settleKept(found, [], payloadWith(true), folder)).removed).toEqual([]);
});

it.each(['../out', 'sub/out', '.hidden', 'report.json/../../out'])(
  'a report edited by hand removes nothing elsewhere: %s',
  async (name) => {
    const inner = path.join(folder, 'L-1');
    await mkdir(path.join(inner, 'sub'), { recursive: true });
    const place = path.join(inner, `${name}.mp4`);
    await mkdir(path.dirname(place), { recursive: true });
    await writeFile(place, 'mine');
    const found = {
      ...(await earlier('bob')),
      entry: { agent_id: 'bob', video: fileOf(`${name}.mp4`), poster: null, preview: null },
    };
    const settled = await settleKept([found as unknown as EarlierVideo], [], payloadWith(true), inner);
    expect(settled.removed).toEqual([]);
    expect(await readdir(path.dirname(place))).toContain(path.basename(place));
  },
);

it('keep the places that there are, without those of a later version and what was edited into none', async () => {
  const bob = await earlier('bob');
  const known = { name: 'youtube', fits: true, reasons: [] };
  const destinations = [known, { ...known, name: 'holodeck' }, null, { name: 'web', fits: true }];
  const entry = { ...bob.entry, destinations } as unknown as EarlierVideo['entry'];
  const { kept } = await settleKept([{ ...bob, entry }], [], payloadWith(false), folder);
  expect(kept[0]!.destinations).toEqual([known]);
});

it('keep the times of their altered photos, without frames and what was edited into none', async () => {
  const bob = await earlier('bob');
  const span = { start_sec: 1, end_sec: 2 };
  const photo = { url: 'a.jpg', label: 'Staged', original_url: null, spans: [span], original_spans: [] };
  const altered = [{ ...photo, still: 'x', original_still: 'y' }, null, { ...photo, spans: [null] }, 7];
  const entry = { ...bob.entry, altered_photos: altered } as unknown as EarlierVideo['entry'];
  const { kept } = await settleKept([{ ...bob, entry }], [], payloadWith(false), folder);
  expect(kept[0]!.altered_photos).toEqual([photo]);
});

it('take their smaller file and their texts with them', async () => {
  const bob = await earlier('bob');
  for (const name of ['bob-720p.mp4', 'bob.vtt']) await writeFile(path.join(folder, name), 'mine');
  const entry = { ...bob.entry, small_video: fileOf('bob-720p.mp4'), captions: fileOf('bob.vtt') };
  const settled = await settleKept([{ ...bob, entry }], [], payloadWith(true), folder);
  expect(settled.removed).toEqual(['bob.jpg', 'bob.gif', 'bob.vtt', 'bob-720p.mp4', 'bob.mp4']);
  expect(await readdir(folder)).toEqual([]);
});

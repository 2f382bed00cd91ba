/** What a run finds of earlier runs in its folder, and when the folder belongs to another listing. */
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import type { Address, Listing } from '../../src/listing/listing.ts';
import { findUnchangedVideo, readEarlierRun } from '../../src/video/plan/earlier-run.ts';
import { isOtherListing } from '../../src/video/plan/same-listing.ts';
import type { Report, ReportEntry } from '../../src/video/publish/report.ts';
import type { VideoTaskPayload } from '../../src/video/video-task.ts';
import { temporaryFolder } from '../leftovers/temporary-folder.ts';
import { aPayload } from './a-payload.ts';

let folder: string;
beforeEach(async () => {
  folder = temporaryFolder();
});

const HOME = { street: '12 Main Street', city: 'Portland', state: 'OR' };
const ELSEWHERE = { street: '9 Oak Lane', city: 'Salem', state: 'OR' };

interface House {
  readonly file?: string | null;
  readonly address?: Address;
  readonly photos?: readonly string[];
}

function payloadOf({
  file = '/a/listing.json',
  address,
  photos = ['photos/1.jpg'],
}: House): VideoTaskPayload {
  const listing = { id: 'photos', agents: [], assets: photos.map((url) => ({ url })) } as unknown as Listing;
  return aPayload({ ...listing, ...(address && { address }) }, '/out', {
    listingFile: file,
    baseDir: file === null ? '/in' : path.dirname(file),
  });
}

/** What a run of the house left. */
function reportOf({ file = '/a/listing.json', address, photos = ['photos/1.jpg'] }: House): Report {
  const full = address ? `${address.street}, ${address.city}, ${address.state}` : null;
  const videos = [{ scenes: [{ photos }] }];
  return {
    schema_version: 1,
    listing: { id: 'photos', file, address: full },
    videos,
    dropped_assets: [],
  } as unknown as Report;
}

describe('a folder belongs to', () => {
  it.each<[string, House, House]>([
    ['the same file with another address', { address: HOME }, { address: ELSEWHERE }],
    ['the same file with other photos', {}, { photos: ['new/1.jpg'] }],
    ['a moved file with the same address', { address: HOME }, { file: '/b/l.json', address: HOME }],
    ['a moved file with the same photos', {}, { file: '/b/l.json', photos: ['/a/photos/1.jpg'] }],
    [
      'another file whose photos have a new signature',
      { photos: ['https://cdn.example/1.jpg?sig=1'] },
      { file: null, address: HOME, photos: ['https://cdn.example/1.jpg?sig=2'] },
    ],
    ['a listing of stdin that says nothing else', { file: null }, { file: null, photos: ['x.jpg'] }],
    [
      'a listing of stdin that got an address',
      { file: null },
      { file: null, address: HOME, photos: ['x.jpg'] },
    ],
  ])('the same listing: %s', (_, before, now) => {
    expect(isOtherListing(reportOf(before), payloadOf(now))).toBe(false);
  });

  it.each<[string, House, House]>([
    ['no street, photos of the same names', {}, { file: '/b/listing.json' }],
    [
      'an empty street in the same city',
      { address: { ...HOME, street: '' } },
      { file: '/b/listing.json', address: { ...HOME, street: '' } },
    ],
    ['other addresses', { address: HOME }, { file: '/b/listing.json', address: ELSEWHERE }],
    [
      'other addresses on stdin',
      { file: null, address: HOME },
      { file: null, address: ELSEWHERE, photos: ['x.jpg'] },
    ],
  ])('another house: %s', (_, before, now) => {
    expect(isOtherListing(reportOf(before), payloadOf(now))).toBe(true);
  });
});

const ENTRY = {
  agent_id: 'a',
  ratio: '1920:1080',
  template_id: 'classic',
  duration_sec: 1,
  sound: null,
  poster: null,
  preview: null,
};

const file = (name: string) => ({ file: name, size_bytes: 1, sha256: 'x' });

const SHA256_OF_X = '2d711642b726b04401627ca9fbac32f5c8530fb1903cc4db02258717921a4881';

async function writeReport(report: object): Promise<void> {
  await writeFile(path.join(folder, 'report.json'), JSON.stringify(report));
}

describe('a run', () => {
  it('finds the videos whose files exist, also those that an earlier report kept', async () => {
    for (const name of ['a.mp4', 'b.mp4', 'c.mp4']) await writeFile(path.join(folder, name), 'x');
    await writeReport({
      ...reportOf({}),
      quality: 'draft',
      videos: [
        { ...ENTRY, video: file('a.mp4') },
        { ...ENTRY, video: file('gone.mp4') },
      ],
      also_ratio: [{ ...ENTRY, ratio: '1080:1920', quality: 'high', video: file('b.mp4') }],
      kept: [
        { ...ENTRY, agent_id: undefined, video: file('c.mp4') },
        { ...ENTRY, video: file('a.mp4') },
      ],
    });
    const found = await readEarlierRun(folder, payloadOf({}));
    expect(found.map(({ entry: _, ...video }) => video)).toEqual([
      { agentId: 'a', name: 'a', ratio: '1920:1080', templateId: 'classic', isDraft: true },
      { agentId: 'a', name: 'b', ratio: '1080:1920', templateId: 'classic', isDraft: false },
      { agentId: null, name: 'c', ratio: '1920:1080', templateId: 'classic', isDraft: true },
    ]);
  });

  it.each(['../x.mp4', 'sub/x.mp4', '.x.mp4', 'x.jpg', '', 7, null, 'x\n.mp4', '..\\x.mp4', 'folder.mp4'])(
    'ignores an edited entry of the file %j',
    async (name) => {
      await mkdir(path.join(folder, 'folder.mp4'));
      await writeReport({ ...reportOf({}), kept: [{ ...ENTRY, video: file(name as string) }, null, 1, {}] });
      expect(await readEarlierRun(folder, payloadOf({}))).toEqual([]);
    },
  );

  it.each(['{', '[]', 'null', '{"schema_version":2,"videos":[],"dropped_assets":[]}'])(
    'starts anew with the report %s',
    async (text) => {
      await writeFile(path.join(folder, 'report.json'), text);
      expect(await readEarlierRun(folder, payloadOf({}))).toEqual([]);
    },
  );

  it('refuses the folder of another listing, which --force takes over', async () => {
    await writeFile(path.join(folder, 'a.mp4'), 'x');
    await writeReport({ ...reportOf({ address: HOME }), kept: [{ ...ENTRY, video: file('a.mp4') }] });
    const other = payloadOf({ file: '/b/listing.json', address: ELSEWHERE });
    await expect(readEarlierRun(folder, other)).rejects.toMatchObject({
      code: 'output_exists',
      message: expect.stringContaining('12 Main Street, Portland, OR, /a/listing.json'),
      hint: expect.stringContaining('--force'),
    });
    const forced = { ...other, options: { ...other.options, force: true } };
    expect(await readEarlierRun(folder, forced)).toEqual([]);
  });
});

describe('a video with a smaller file', () => {
  const isFound = async (small: string | null, smallVideo?: object, onDisk = 'x') => {
    await writeFile(path.join(folder, 'a.mp4'), 'x');
    await writeFile(path.join(folder, 'a-720p.mp4'), onDisk);
    const video = { ...file('a.mp4'), sha256: SHA256_OF_X };
    const entry = { ...ENTRY, key: 'k', video, ...(smallVideo && { small_video: smallVideo }) };
    const expected = { key: 'k', files: ['a.mp4'], small };
    return (await findUnchangedVideo([entry as unknown as ReportEntry], expected, folder)) !== null;
  };
  const small = { ...file('a-720p.mp4'), sha256: SHA256_OF_X };

  it('is up to date while both files are, under their names, or where it needed none', async () => {
    expect(await isFound('a-720p.mp4', small)).toBe(true);
    expect(await isFound('a-720p.mp4')).toBe(true);
    expect(await isFound('a-720p.mp4', small, 'y')).toBe(false);
    expect(await isFound('a-720p-2.mp4', small)).toBe(false);
    expect(await isFound(null, small)).toBe(false);
  });
});

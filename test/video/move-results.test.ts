/** Videos that get new names, and a process that stops in between: no file is left that nobody finds. */
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { beforeEach, expect, it } from 'vitest';
import type { Listing } from '../../src/listing/listing.ts';
import { listVideos } from '../../src/video/plan/earlier-run.ts';
import { moveResults } from '../../src/video/publish/move-results.ts';
import { describeFile } from '../../src/video/publish/output-folder.ts';
import { temporaryFolder } from '../leftovers/temporary-folder.ts';
import { aReport, aReportVideo } from './a-report.ts';

const FILE = '/houses/listing.json';
const NAMES = { listingId: '12-main-street', agents: new Map([['agent-1', 'ann-lee']]) };
const RENAMED = { agent_id: 'ann-lee', video: 'ann-lee.mp4', poster: 'ann-lee.jpg' };
let from: string;
let to: string;

beforeEach(async () => {
  const out = temporaryFolder();
  from = path.join(out, 'photos');
  to = path.join(out, '12-main-street');
  await mkdir(from);
  const [video, poster] = await Promise.all(
    ['agent-1.mp4', 'agent-1.jpg'].map(async (name) => {
      await writeFile(path.join(from, name), name);
      return describeFile(path.join(from, name));
    }),
  );
  const made = aReportVideo({ agent_id: 'agent-1', video: video!, poster: poster! });
  const of = { id: 'photos', file: FILE, address: null };
  await writeFile(
    path.join(from, 'report.json'),
    JSON.stringify(aReport({ videos: [made, aReportVideo({ agent_id: 'gone' })], listing: of })),
  );
  // One of the same size that somebody put there.
  await writeFile(path.join(from, 'own-video.mp4'), 'own-video-x');
});

/** As a render or the studio lists them, while the listing has its earlier id. */
async function found(folder: string, id = 'photos') {
  const listing = { id, agents: [], assets: [] } as unknown as Listing;
  const videos = await listVideos(folder, { listing, listingFile: FILE, baseDir: '/houses' });
  return videos.map(({ agentId, entry: { video, poster } }) => ({
    agent_id: agentId,
    video: video.file,
    poster: poster?.file,
  }));
}

async function filesIn(folder: string): Promise<string[]> {
  return (await readdir(folder)).filter((name) => !name.endsWith('.html')).sort();
}

it('are found when the process stops before the report is written, and the next call goes on', async () => {
  await mkdir(path.join(from, 'report.html', 'in-the-way'), { recursive: true });
  await expect(moveResults(from, to, NAMES)).rejects.toThrow();
  expect(await found(from)).toEqual([{ ...RENAMED, agent_id: 'agent-1' }]);

  await rm(path.join(from, 'report.html'), { recursive: true });
  await moveResults(from, to, NAMES);
  expect(await found(to, '12-main-street')).toEqual([RENAMED]);
  expect(await filesIn(to)).toEqual(['ann-lee.jpg', 'ann-lee.mp4', 'own-video.mp4', 'report.json']);
  expect(JSON.parse(await readFile(path.join(to, 'report.json'), 'utf8'))).toMatchObject({
    listing: { id: '12-main-street' },
    videos: [{ video: { file: 'ann-lee.mp4' } }, { agent_id: 'gone' }],
  });
});

it('are found when the process stops before the folder is renamed, and the next call goes on', async () => {
  const inTheWay = path.join(path.dirname(from), 'file');
  await writeFile(inTheWay, '');
  await expect(moveResults(from, path.join(inTheWay, 'videos'), NAMES)).rejects.toThrow();
  expect(await found(from)).toEqual([RENAMED]);

  await moveResults(from, to, NAMES);
  expect(await found(to, '12-main-street')).toEqual([RENAMED]);
  // Killed before the listing had its new id.
  expect(await found(to)).toEqual([RENAMED]);
});

/** The asset stage of a task: whose limits and whose trust hold for its photos. */
import { copyFileSync, mkdirSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, expect, it } from 'vitest';
import { AllowedFolders } from '../../src/platform/disk/allowed-folders.ts';
import { gatherAssets } from '../../src/video/plan/gather-assets.ts';
import type { RequestedVideo } from '../../src/video/plan/requested-videos.ts';
import type { RenderDeps } from '../../src/video/render-deps.ts';
import type { VideoTaskOptions } from '../../src/video/video-task.ts';
import { agent, listing } from '../cli/listing-files.ts';
import { temporaryFolder } from '../leftovers/temporary-folder.ts';
import { type LoopbackServer, startServer } from '../media/assets/loopback-server.ts';
import { renderDepsIn } from './render-deps.ts';

const LOGO = fileURLToPath(new URL('../../fixtures/logo.png', import.meta.url));
const folder = temporaryFolder();
let server: LoopbackServer | undefined;
afterEach(() => server?.close());

let runs = 0;
function gather(urls: readonly string[], task: Partial<VideoTaskOptions>, deps: Partial<RenderDeps>) {
  runs += 1;
  const home = path.join(folder, `home-${runs}`);
  const baseDir = path.join(folder, 'listing');
  mkdirSync(baseDir, { recursive: true });
  const videos = [
    {
      template: { dataLayers: [{ name: 'logo', type: 'image' }] },
      options: { templateData: { ...task.templateData } },
    },
  ] as unknown as RequestedVideo[];
  return gatherAssets(
    {
      listing: { ...listing('L-1', [agent('ann')]), assets: urls.map((url) => ({ url })) },
      baseDir,
      options: { quality: 'draft', minAssets: 1, force: false, ...task },
    },
    videos,
    { ...renderDepsIn(home), addressPolicy: { allowPrivate: true, allowFrom: [] }, ...deps },
    { workDir: path.join(home, 'work'), signal: new AbortController().signal, onProgress: () => {} },
  );
}

const reasonsOf = async (gathered: ReturnType<typeof gather>) =>
  (await gathered).dropped.map(({ reason }) => reason);

it('keeps to the limits of this machine', async () => {
  server = await startServer({ '/silent': () => {} });
  const assetLimits = { listingTimeoutMs: 150, listingTimeoutPerPhotoMs: 0 };
  expect(await reasonsOf(gather([`${server.origin}/silent`], {}, { assetLimits }))).toEqual([
    'timeout: the time for all photos of the listing (0.15 s) is over',
  ]);
});

it('trusts what the command line names, and nothing else that a stranger’s listing names', async () => {
  server = await startServer({ '/a.jpg': (response) => response.end('private') });
  const outside = path.join(folder, 'outside.png');
  copyFileSync(LOGO, outside);
  const urls = [outside, '../outside.png', `${server.origin}/a.jpg`];
  const gathered = await gather(urls, { untrusted: true, templateData: { logo: LOGO } }, {});
  expect(gathered.logos.size).toBe(1);
  expect(gathered.dropped.map(({ reason }) => reason)).toEqual([
    'blocked_address: the file is outside the folder of the listing',
    'blocked_address: the file is outside the folder of the listing',
    'blocked_address: the host is not on the public internet',
  ]);
  expect(server.requests).toEqual([]);
  const allowing = { addressPolicy: { allowPrivate: true, allowFrom: ['127.0.0.1'] } };
  expect(await reasonsOf(gather([`${server.origin}/a.jpg`], { untrusted: true }, allowing))).toEqual([
    'not_an_image: a text file',
  ]);
});

it('reads only in the folders that are allowed, also when a link takes the place of a photo', async () => {
  const outside = path.join(folder, 'logo.png');
  copyFileSync(LOGO, outside);
  mkdirSync(path.join(folder, 'listing', 'photos'), { recursive: true });
  symlinkSync(outside, path.join(folder, 'listing', 'photos', 'swapped.png'));
  const folders = new AllowedFolders([path.join(folder, 'listing')]);
  expect(await reasonsOf(gather(['photos/swapped.png', outside], {}, { folders }))).toEqual([
    'blocked_address: the file is outside the folder of the listing',
    'blocked_address: the file is outside the folder of the listing',
  ]);
});

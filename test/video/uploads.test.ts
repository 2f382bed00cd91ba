/** The asset stage takes uploads from the data folder, without the network; one that is gone is a dropped asset. */
import { rm } from 'node:fs/promises';
import path from 'node:path';
import { expect, it } from 'vitest';
import { createDiskCache } from '../../src/platform/disk/cache/disk-cache.ts';
import { gatherAssets } from '../../src/video/plan/gather-assets.ts';
import type { RenderDeps } from '../../src/video/render-deps.ts';
import { openUploads } from '../../src/video/uploads/open-uploads.ts';
import { UploadFolder, uploadPath } from '../../src/video/uploads/upload-folder.ts';
import { temporaryFolder } from '../leftovers/temporary-folder.ts';
import { aListing } from '../listing/a-listing.ts';
import { texture } from '../media/assets/sample-pictures.ts';
import { aPayload } from './a-payload.ts';

const home = temporaryFolder();

it('a task uses the uploads that its payload names, decoded when they came', async () => {
  const cache = createDiskCache(path.join(home, 'cache'), { maxBytes: 1e9 });
  const uploads = openUploads({
    home,
    store: new UploadFolder(home),
    cache,
    nowMs: Date.now,
    decodesAtOnce: 2,
  });
  const listing = aListing();
  const named: Record<string, string> = {};
  for (const [index, asset] of listing.assets.entries()) {
    const added = await uploads.add(
      'org_a',
      await texture(index + 1)
        .jpeg()
        .toBuffer(),
    );
    if (added.kind !== 'stored') throw new Error(added.kind);
    asset.url = `https://videos.example/v1/assets/${added.id}`;
    named[asset.url] = added.id;
  }
  const lost = listing.assets[2]!.url;
  await rm(uploadPath(home, 'org_a', named[lost]!));
  const unnamed = listing.assets[4]!.url;
  delete named[unnamed];
  const deps = {
    cache,
    concurrency: 1,
    // Nothing on the network can be reached.
    addressPolicy: { allowPrivate: false, allowFrom: [], denyFrom: ['videos.example'] },
    uploadFile: async (id: string) => uploadPath(home, 'org_a', id),
  } as unknown as RenderDeps;
  const gather = (uploadsOfPayload: Record<string, string>) =>
    gatherAssets({ ...aPayload(listing), baseDir: null, uploads: uploadsOfPayload }, [], deps, {
      workDir: path.join(home, 'work', 'task'),
      signal: new AbortController().signal,
      onProgress: () => {},
    });
  const { photos, dropped, decodedCount } = await gather(named);
  expect(photos.map(({ url }) => url)).toEqual([0, 1, 3].map((index) => listing.assets[index]!.url));
  expect(decodedCount).toBe(0);
  expect(dropped).toEqual([
    { url: lost, reason: 'unreachable: file not found' },
    { url: unnamed, reason: expect.stringMatching(/^(?:blocked_address|unreachable): /) },
  ]);
});

it.each(['../org_b/upload', 'upload_', `upload_${'g'.repeat(32)}`, '../../secret.jpg', ''])(
  'an edited payload reaches no other file: %j',
  (id) => {
    expect(() => uploadPath(home, 'org_a', id)).toThrow(TypeError);
    expect(() => uploadPath(home, '../org_b', `upload_${'0'.repeat(32)}`)).toThrow(TypeError);
  },
);

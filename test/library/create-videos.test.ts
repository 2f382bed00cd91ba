/** The `create` command as a function, before it renders. */
import { readdirSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { createVideos } from '../../src/library/create-videos.ts';
import { listing } from '../cli/listing-files.ts';
import { temporaryFolder } from '../leftovers/temporary-folder.ts';

const folder = temporaryFolder();

it('refuses an untrusted listing that names a file outside its folder, and starts nothing', async () => {
  const stranger = { ...listing(), assets: [...listing().assets, { url: '../secret.jpg' }] };
  const options = {
    home: path.join(folder, 'home'),
    out: path.join(folder, 'out'),
    baseDir: path.join(folder, 'in'),
  };
  await expect(createVideos(stranger, { ...options, untrusted: true })).rejects.toMatchObject({
    code: 'invalid_listing',
    context: { violations: [{ loc: ['body', 'assets', 5, 'url'], type: 'value_error' }] },
  });
  expect(readdirSync(folder)).toEqual([]);
});

it('refuses an entry of a list that is no host, address or block', async () => {
  await expect(createVideos(listing(), { denyAssetsFrom: ['10.0.0.0/99'] })).rejects.toMatchObject({
    code: 'setting_invalid',
  });
});

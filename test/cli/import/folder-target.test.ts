/** The folder of imported listings, beside a person who works on one at the same time. */
import fs from 'node:fs/promises';
import path from 'node:path';
import { expect, it, vi } from 'vitest';
import { openFolderTarget } from '../../../src/cli/import/folder-target.ts';
import type { Listing } from '../../../src/listing/listing.ts';
import { folderOf, listing } from '../listing-files.ts';

it('keeps a change that is saved while a new version is written', async () => {
  const out = await folderOf({});
  const target = openFolderTarget(out, 'listings', { replace: false, isDurable: false });
  const file = path.join(out, 'A-1', 'listing.json');
  const write = (bedrooms: number) => target.write('A-1', { ...listing('A-1'), bedrooms } as Listing, null);
  expect(await write(3)).toMatchObject({ state: 'written' });
  expect(await write(4)).toMatchObject({ state: 'written' });
  const { open } = fs;
  const opened = vi.spyOn(fs, 'open').mockImplementationOnce(async (...given) => {
    await fs.writeFile(file, '{"id":"A-1","bedrooms":7}');
    return open(...given);
  });
  expect(await write(5)).toMatchObject({ state: 'kept' });
  opened.mockRestore();
  expect(await fs.readFile(file, 'utf8')).toBe('{"id":"A-1","bedrooms":7}');
  expect((await fs.readdir(path.dirname(file))).sort()).toEqual(['.imported', 'listing.json']);
});

/** The `$schema` of a new listing: relative in a project that installs listing-video, else a `file:` URL. */
import { symlink } from 'node:fs/promises';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, it } from 'vitest';
import { schemaAddress } from '../../src/video/schema-address.ts';
import { folderOf } from '../cli/listing-files.ts';

it('is relative in a project that installs the package, also by a link', async () => {
  const root = await folderOf({
    'store/listing-video/x': '',
    'project/node_modules/x': '',
    'project/in/x': '',
  });
  const installed = path.join(root, 'store/listing-video');
  await symlink(installed, path.join(root, 'project/node_modules/listing-video'));
  expect(schemaAddress(path.join(root, 'project'), installed)).toBe(
    './node_modules/listing-video/dist/listing/listing.schema.json',
  );
  expect(schemaAddress(path.join(root, 'project/in/new'), installed)).toBe(
    '../../node_modules/listing-video/dist/listing/listing.schema.json',
  );
});

it('is relative in a clone, and elsewhere the URL of the installation', async () => {
  const root = await folderOf({ 'clone/made/x': '', 'other/x': '' });
  const clone = path.join(root, 'clone');
  expect(schemaAddress(path.join(clone, 'made'), clone)).toBe('../dist/listing/listing.schema.json');
  expect(schemaAddress(clone, clone)).toBe('./dist/listing/listing.schema.json');
  expect(schemaAddress(path.join(root, 'other'), clone)).toBe(
    pathToFileURL(path.join(clone, 'dist/listing/listing.schema.json')).href,
  );
});

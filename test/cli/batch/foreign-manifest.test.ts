/** A manifest.json that this program did not write counts as none, and holds nothing up. */
import { execFileSync } from 'node:child_process';
import path from 'node:path';
import { expect, it } from 'vitest';
import { readManifest } from '../../../src/cli/create/live-manifest.ts';
import { folderOf } from '../listing-files.ts';

const run = { id: 'r-1', process: { pid: 1, host: 'h', boot: 'b', space: 's', started: '1' } };
const entry = { run_id: 'r-1', listing_file: 'a.json', folder: 'a', state: 'SUCCEEDED' };

it('is read when it is ours', async () => {
  const folder = await folderOf({ 'manifest.json': { runs: [run], listings: [entry] } });
  expect(await readManifest(path.join(folder, 'manifest.json'))).toEqual({ runs: [run], listings: [entry] });
});

it.each([
  ['a web app', { name: 'app', icons: [] }],
  ['no JSON', '\u0000'],
  ['a process without a boot', { runs: [{ id: 'r', process: { pid: 1 } }], listings: [] }],
  ['no process', { runs: [{ id: 'r', process: null }], listings: [] }],
  ['an unknown state', { runs: [run], listings: [{ ...entry, state: '__proto__' }] }],
])('is none with %s', async (_, content) => {
  const folder = await folderOf({ 'manifest.json': content });
  expect(await readManifest(path.join(folder, 'manifest.json'))).toBeNull();
});

it.skipIf(process.platform === 'win32')('is none as a named pipe', async () => {
  const file = path.join(await folderOf(), 'manifest.json');
  execFileSync('mkfifo', [file]);
  expect(await readManifest(file)).toBeNull();
});

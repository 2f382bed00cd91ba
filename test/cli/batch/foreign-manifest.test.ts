/** A manifest.json that this program did not write counts as none, holds nothing up, and is not replaced. */
import { execFileSync } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { readManifest } from '../../../src/cli/create/reporters/manifest-file.ts';
import { folderOf, listing } from '../listing-files.ts';
import { run as runCli } from '../run-cli.ts';

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

describe('the manifest.json of a web app in the output folder', () => {
  const app = { name: 'app', icons: [] };
  const start = async (...words: string[]) => {
    const cwd = await folderOf({
      ...{ 'a.json': listing('a'), 'b.json': listing('b') },
      'videos/manifest.json': app,
    });
    const outcome = await runCli(['create', 'a.json', 'b.json', ...words], { cwd });
    const manifest = JSON.parse(await readFile(path.join(cwd, 'videos', 'manifest.json'), 'utf8'));
    return { ...outcome, manifest };
  };

  it('stays, and nothing is rendered', async () => {
    const { exitCode, stderr, manifest } = await start();
    expect([exitCode, manifest]).toEqual([2, app]);
    expect(stderr).toMatch(/manifest\.json is not a manifest of listing-video/);
    expect(stderr).toMatch(/try: choose another folder with --out, or move the file away/);
  });

  it('stays also with --force, and when the command fails before', async () => {
    expect(await start('--force')).toMatchObject({ exitCode: 2, manifest: app });
    const { exitCode, stderr, manifest } = await start('--template', 'nope');
    expect([exitCode, manifest]).toEqual([2, app]);
    expect(stderr).toMatch(/nope/);
  });
});

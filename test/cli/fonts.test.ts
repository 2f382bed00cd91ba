/** `fonts` in this process, with a program in place of npm. A real npm installs a file in installed-package.test.ts. */
import { existsSync } from 'node:fs';
import { chmod, mkdir, readdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { packageFolder, useAddedFonts } from '../../src/design/text/fonts/font-folders.ts';
import { addFonts } from '../../src/video/fonts/add-fonts.ts';
import { folderOf } from './listing-files.ts';
import { type AnyJson, run } from './run-cli.ts';

const LAO = '@fontsource-variable/noto-sans-lao';
const MODULES = path.resolve('node_modules');

/** A folder with a file of `npm pack`, and a world whose npm is this script. */
async function worldWith(npm: string) {
  const cwd = await folderOf({ 'lao.tgz': '', npm: `#!/bin/sh\n${npm}\n` });
  await chmod(path.join(cwd, 'npm'), 0o755);
  const home = path.join(cwd, 'home');
  const env = { LISTING_VIDEO_HOME: home, PATH: `${cwd}:/usr/bin:/bin` };
  return { cwd, home, world: { cwd, env } };
}

describe('fonts', () => {
  it('lists every font with its place', async () => {
    const { world } = await worldWith('exit 9');
    const { json, exitCode } = await run(['fonts', 'list', '--json'], world);
    expect(exitCode).toBe(0);
    const { data } = json();
    expect(data).toHaveLength(18);
    expect(data.find((font: AnyJson) => font.name === 'lo')).toEqual({
      ...{ name: 'lo', about: 'Lao', package: LAO, version: '5.3.0', installed: 'npm' },
      folder: path.join(MODULES, LAO),
    });
    const text = await run(['fonts', 'list'], { ...world, columns: 120 });
    expect(text.stdout).toMatch(/^ja +Japanese +with npm +@fontsource-variable\/noto-sans-jp/m);
  });

  it('installs with npm into the data folder, without install scripts, and leaves nothing else there', async () => {
    const { home, world, cwd } = await worldWith(
      `printf '%s\\n' "$@" > "${'$'}{0%/*}/asked"; mkdir -p node_modules/${LAO} && cp "${MODULES}/${LAO}/package.json" node_modules/${LAO}`,
    );
    expect(await run(['fonts', 'add', './lao.tgz', '--json'], world)).toMatchObject({ exitCode: 0 });
    const { readFile } = await import('node:fs/promises');
    const asked = (await readFile(path.join(cwd, 'asked'), 'utf8')).split('\n');
    expect(asked).toEqual(
      expect.arrayContaining(['install', '--ignore-scripts', '--', path.join(cwd, 'lao.tgz')]),
    );
    const added = path.join(home, 'fonts', 'node_modules', '@fontsource-variable');
    expect(await readdir(added)).toEqual(['noto-sans-lao']);
    expect(await readdir(path.join(home, 'fonts', 'work'))).toEqual([]);
    // Again: the new package takes the place of the old one.
    await writeFile(path.join(added, 'noto-sans-lao', 'old'), '');
    await run(['fonts', 'add', './lao.tgz'], world);
    expect(await readdir(path.join(added, 'noto-sans-lao'))).toEqual(['package.json']);
  });

  it('finds what was installed although it was looked for before', async () => {
    const { home, world } = await worldWith(
      `mkdir -p node_modules/${LAO} && cp "${MODULES}/${LAO}/package.json" node_modules/${LAO}`,
    );
    useAddedFonts(path.join(home, 'fonts'));
    expect(packageFolder('@fontsource-variable/new')).toBeUndefined();
    const folder = path.join(home, 'fonts', 'node_modules', '@fontsource-variable', 'new');
    await mkdir(folder, { recursive: true });
    await writeFile(path.join(folder, 'package.json'), '{}');
    await run(['fonts', 'add', './lao.tgz'], world);
    expect(packageFolder('@fontsource-variable/new')).toBe(folder);
  });

  it('waits for the end of npm when it is interrupted, before it removes the folder of npm', async () => {
    const { cwd, home } = await worldWith(
      'cd "$(dirname "$0")"; trap \'kill $!; sleep 0.2; echo > ended; exit 1\' TERM; sleep 60 & echo > started; wait',
    );
    const abort = new AbortController();
    const tarball = path.join(cwd, 'lao.tgz');
    const env = { PATH: `${cwd}:/usr/bin:/bin` };
    const added = addFonts([{ tarball }], { home, env, signal: abort.signal });
    const settled = expect(added).rejects.toThrow('enough');
    await vi.waitFor(() => expect(existsSync(path.join(cwd, 'started'))).toBe(true), { timeout: 20_000 });
    abort.abort(new Error('enough'));
    await settled;
    expect(existsSync(path.join(cwd, 'ended'))).toBe(true);
  });

  it.each([
    [
      'no registry',
      'echo "npm error code ENOTFOUND" >&2; echo "npm error network request to https://registry.example/x failed" >&2; exit 1',
      /npm could not install it: ENOTFOUND, network request to https:\/\/registry\.example\/x failed/,
    ],
    [
      'another version',
      `mkdir -p node_modules/${LAO} && echo '{"version":"4.0.0"}' > node_modules/${LAO}/package.json`,
      /noto-sans-lao has version 4\.0\.0, but this program needs 5\.3\.0/,
    ],
    ['another package', 'mkdir -p node_modules/left-pad', /lao\.tgz: no such font package/],
  ])('ends with 3 and changes nothing: %s', async (_, npm, message) => {
    const { home, world } = await worldWith(npm);
    const { exitCode, json } = await run(['fonts', 'add', './lao.tgz', '--json'], world);
    expect(exitCode).toBe(3);
    expect(json().error).toMatchObject({ code: 'fonts_not_added', message: expect.stringMatching(message) });
    expect(await readdir(path.join(home, 'fonts'))).toEqual(['work']);
  });

  it('says how to install by hand when there is no npm', async () => {
    const { cwd, world } = await worldWith('');
    const env = { ...world.env, PATH: path.join(cwd, 'nowhere') };
    const { exitCode, stderr } = await run(['fonts', 'add', './lao.tgz'], { cwd, env });
    expect(exitCode).toBe(3);
    expect(stderr).toContain('npm is not installed');
    expect(stderr).toMatch(/npm pack @fontsource-variable\/noto-sans-\w+@5\.3\.\d/);
  });

  it('removes what it installed, and nothing else', async () => {
    const { home, world } = await worldWith('exit 9');
    const beside = await run(['fonts', 'remove', 'lo'], world);
    expect(beside.stdout).toContain(`npm uninstall ${LAO} removes it`);
    expect(await readdir(path.join(MODULES, LAO))).toContain('unicode.json');
    const none = await run(['fonts', 'remove', 'all', '--json'], world);
    expect([none.exitCode, none.json().data]).toEqual([0, []]);
    expect(existsSync(home)).toBe(false);
  });

  it('refuses words that name no font', async () => {
    const { world } = await worldWith('exit 9');
    const unknown = await run(['fonts', 'add', 'japanes'], world);
    expect([unknown.exitCode, unknown.stderr]).toEqual([
      2,
      expect.stringContaining('did you mean japanese?'),
    ]);
    expect((await run(['fonts', 'add', 'none.tgz'], world)).exitCode).toBe(2);
  });
});

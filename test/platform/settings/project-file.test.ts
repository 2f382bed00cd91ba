/** The project file: which one is found, what it can set, and that its schema for editors says the same. */
import { readFileSync } from 'node:fs';
import { mkdir, symlink } from 'node:fs/promises';
import path from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, it } from 'vitest';
import {
  checkProject,
  findProjectFile,
  isOwnerTrusted,
} from '../../../src/platform/settings/project-file.ts';
import { SETTING_NAMES, SETTINGS } from '../../../src/platform/settings/setting-table.ts';
import { folderOf } from '../../cli/listing-files.ts';

const NAME = 'listing-video.config.json';

describe('findProjectFile', () => {
  it('takes the nearest file, in the working folder or above', async () => {
    const root = await folderOf({ [NAME]: {}, [`a/${NAME}`]: {}, 'a/b/c/x': '', 'd/x': '' });
    const found = (cwd: string) => findProjectFile({ cwd: path.join(root, cwd), homeDir: '/' });
    expect(await found('a/b/c')).toBe(path.join(root, 'a', NAME));
    expect(await found('a')).toBe(path.join(root, 'a', NAME));
    expect(await found('d')).toBe(path.join(root, NAME));
  });

  it('looks no higher than the home folder', async () => {
    const root = await folderOf({ [NAME]: {}, 'june/work/x': '' });
    const homeDir = path.join(root, 'june');
    expect(await findProjectFile({ cwd: path.join(root, 'june/work'), homeDir })).toBeNull();
    expect(await findProjectFile({ cwd: root, homeDir })).toBe(path.join(root, NAME));
  });

  it('is no folder of that name', async () => {
    const root = await folderOf({ [`a/${NAME}/x`]: '' });
    expect(await findProjectFile({ cwd: path.join(root, 'a'), homeDir: root })).toBeNull();
  });

  it('belongs to the user, to root, or to the owner of the working folder', () => {
    const [june, folderOwner] = [1000, 1001];
    const owners = [june, 0, folderOwner, 1002, null];
    expect(owners.map((owner) => isOwnerTrusted(owner, [june, folderOwner]))).toEqual([
      ...[true, true, true],
      ...[false, false],
    ]);
  });
});

describe('checkProject', () => {
  const messages = (document: Record<string, unknown>): string[] =>
    checkProject(document, '/project').problems.map(({ message }) => message);

  it('takes how videos look, with paths from the folder of the file', () => {
    const document = {
      $schema: './schema.json',
      out: 'made',
      'templates-dir': './designs',
      music: 'audio/our.mp3',
      quality: 'draft',
      untrusted: true,
      'time-limit': '10m',
    };
    expect(checkProject(document, '/project')).toEqual({
      problems: [],
      values: {
        out: '/project/made',
        'templates-dir': '/project/designs',
        music: '/project/audio/our.mp3',
        quality: 'draft',
        untrusted: true,
        'time-limit': 600_000,
      },
    });
    expect(checkProject({ music: 'none', out: '.' }, '/project').values).toEqual({
      music: 'none',
      out: '/project',
    });
  });

  it('sets nothing about the machine', () => {
    const allowed = SETTING_NAMES.filter((name) => SETTINGS[name].isForProjects === true);
    expect(allowed).toEqual([
      ...['out', 'template', 'templatesDir', 'music', 'ratio', 'alsoRatio', 'length', 'for', 'unbrandedKeep'],
      ...['preview', 'quality'],
      ...['minAssets', 'untrusted', 'concurrency', 'pictures', 'timeLimit'],
    ]);
    for (const name of SETTING_NAMES.filter((each) => !allowed.includes(each))) {
      const key = SETTINGS[name].flag.slice(2);
      expect(messages({ [key]: 'x' })).toEqual([expect.stringMatching(/strangers|is a secret/)]);
    }
    expect(messages({ key: '5ecre7-of-mine' })).toEqual([
      '"key" is a secret, and a project file is shared: set LISTING_VIDEO_KEY instead',
    ]);
    expect(messages({ untrusted: false })).toEqual([expect.stringContaining('only switch it on')]);
  });

  it.each([
    [{ out: '../elsewhere' }],
    [{ out: '/etc' }],
    [{ 'templates-dir': '..' }],
    [{ music: '../../private.mp3' }],
    [{ music: '/home/june/voice.m4a' }],
  ])('leads out of its folder nowhere: %j', (document) => {
    expect(messages(document)).toEqual([expect.stringContaining('is not in the folder of the project file')]);
  });

  it('leads out of its folder through no symbolic link', async () => {
    const root = await folderOf({ 'private/voice.mp3': '' });
    const folder = path.join(root, 'project');
    await mkdir(path.join(folder, 'real'), { recursive: true });
    await symlink('../private', path.join(folder, 'away'));
    await symlink('real', path.join(folder, 'near'));
    const leaving = checkProject(
      { out: 'away/videos', 'templates-dir': 'away', music: 'away/voice.mp3' },
      folder,
    );
    expect(leaving.problems.map(({ key }) => key)).toEqual(['out', 'templates-dir', 'music']);
    expect(checkProject({ out: 'near/videos', 'templates-dir': './new' }, folder).problems).toEqual([]);
  });

  it('names every fault, with a suggestion', () => {
    expect(messages({ qualty: 'high', quality: 'hgh', servr: 'https://x.example' })).toEqual([
      'unknown setting "qualty", did you mean "quality"?',
      expect.stringMatching(
        /^"quality": expected draft, standard or high, found "hgh"; did you mean high\?$/,
      ),
      'unknown setting "servr"',
    ]);
  });
});

describe('the schema for editors', () => {
  it.each(['for', 'unbrandedKeep'] as const)('has the choices of %s', (name) => {
    const { configKey, kind } = SETTINGS[name];
    expect(schema.properties[configKey!].items.enum).toEqual(kind.choices);
  });

  const file = new URL('../../../src/platform/settings/listing-video.config.schema.json', import.meta.url);
  const schema = JSON.parse(readFileSync(file, 'utf8'));
  const validate = new Ajv2020().compile(schema);

  it('has the keys that a project file can have', () => {
    const keys = SETTING_NAMES.filter((name) => SETTINGS[name].isForProjects).map(
      (name) => SETTINGS[name].configKey,
    );
    expect(Object.keys(schema.properties)).toEqual(['$schema', ...keys]);
  });

  it.each([
    ['out', ['made', ''], [3]],
    ['template', ['x', ''], [null]],
    ['ratio', ['1080:1920', '9:16'], [1]],
    ['preview', [true, 'maybe'], [2]],
    ['quality', ['draft', 'best'], [true]],
    ['length', [['normal', '15s'], '5s'], [['95s'], [1]]],
    ['min-assets', [5, 0], [101, 1.5]],
    ['untrusted', [true, false], ['maybe']],
    ['concurrency', [64, 65], [0]],
    ['pictures', ['kitty', 'ascii'], [0]],
    ['time-limit', ['1h30m', '30'], ['soon', 30]],
  ])('accepts and refuses the values of %s as the program does', (key, [good, ...bad], worse) => {
    const isValid = (value: unknown): [boolean, boolean] => [
      validate({ [key]: value }),
      checkProject({ [key]: value as string }, '/project').problems.length === 0,
    ];
    expect(isValid(good)).toEqual([true, true]);
    for (const value of [...bad, ...worse]) expect([value, isValid(value)]).toEqual([value, [false, false]]);
  });
});

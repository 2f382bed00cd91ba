/** `validate` refuses what `create` refuses: the same listings for both, on the real engine, with photos on disk. */
import { copyFile, cp, readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { openBackend } from '../../src/wiring/open-backend.ts';
import { agent, folderOf, listing } from './listing-files.ts';
import { type AnyJson, run } from './run-cli.ts';

const PHOTOS = fileURLToPath(new URL('../../fixtures/small/photos/', import.meta.url));
const GOOD = ['front', 'kitchen', 'pool', 'bedroom', 'living-room'].map((name) => `good/${name}.jpg`);

interface Case {
  readonly name: string;
  readonly photos?: readonly (string | object)[];
  readonly agents?: readonly object[];
  readonly words?: readonly string[];
  /** The code with which `create` refuses; null when it renders. */
  readonly code: string | null;
  /** What `validate` warns of. */
  readonly warnings?: readonly RegExp[];
}

const withData = (templateData: object) => ({
  video_options: { template_id: 'classic', template_data: templateData },
});

const CASES: readonly Case[] = [
  {
    name: 'no photo that can be used',
    photos: ['gone.jpg', 'text.jpg', 'cut.jpg', 'tiny.jpg', 'good'],
    code: 'no_usable_assets',
    warnings: [
      /^assets\.0\.url the photo is left out: file not found/,
      /^assets\.1\.url the photo is left out: .*text/,
      /^assets\.2\.url the photo is left out: /,
      /^assets\.3\.url the photo is left out: .*320 px/,
      /^assets\.4\.url the photo is left out: a folder/,
    ],
  },
  {
    name: 'the same photo twice, where five are required',
    photos: [...GOOD.slice(0, 4), 'twin.jpg'],
    words: ['--min-assets', '5'],
    code: 'no_usable_assets',
    warnings: [/^assets\.4\.url .*same picture as an earlier photo/],
  },
  {
    name: 'words that get agents fined, and a state that is none',
    agents: [
      {
        ...agent('ann'),
        licenses: [{ number: '1', state: 'Californa' }],
        ...withData({ caption_02: 'Adults only', status: 'Coming soon' }),
      },
      { ...agent('ben'), ...withData({ status: 'Coming soon' }) },
    ],
    code: null,
    warnings: [
      /^agents\.0\.licenses\.0\.state .*did you mean "California"/,
      /^agents\.0\.video_options\.template_data\.caption_02 fair_housing .*"Adults only": the Fair Housing Act/,
      /^agents\.0\.video_options\.template_data\.status coming_soon .*"Coming soon": public marketing/,
    ],
  },
  {
    name: 'what videos are made without',
    photos: ['cut.jpg', ...GOOD, 'gone.jpg'],
    agents: [
      {
        ...agent('ann'),
        picture: 'text.jpg',
        ...withData({ hedline: 'x', pace: 'fast', music: 'song.mp3' }),
      },
      { ...agent('ben'), video_options: { template_data: { headline: 'x' } } },
    ],
    code: null,
    warnings: [
      /^assets\.0\.url the photo is left out: /,
      /^assets\.6\.url .*file not found/,
      /^agents\.0\.picture the portrait is left out: /,
      /^agents\.0\.video_options\.template_data\.hedline .*did you mean "headline"/,
      /^agents\.0\.video_options\.template_data\.pace .*"fast"/,
      /^agents\.0\.video_options\.template_data\.music .*song\.mp3/,
      /^agents\.1\.video_options\.template_data .*ignored without a template/,
    ],
  },
  {
    name: 'altered photos whose originals cannot be used',
    photos: [
      { url: GOOD[0], altered: true, original: GOOD[1] },
      { url: GOOD[2], altered: 'Virtually staged', original: 'gone.jpg' },
      { url: GOOD[3], altered: 'Sky replaced' },
      ...GOOD.slice(4),
      'tiny.jpg',
    ],
    code: null,
    warnings: [
      /^assets altered photos .* California's Business .* 10140\.8 .* photos 2 \(pool\.jpg\) and 3 \(bedroom\.jpg\)$/,
      /^assets\.1\.original the original is left out: file not found/,
    ],
  },
  {
    name: 'an unknown template',
    agents: [{ ...agent('ann'), video_options: { template_id: 'clasic' } }],
    code: 'template_not_found',
  },
  { name: 'an unknown --template', words: ['--template', 'clasic'], code: 'template_not_found' },
  {
    name: 'an own template with faults',
    agents: [{ ...agent('ann'), video_options: { template_id: 'broken' } }],
    words: ['--templates-dir', 'templates'],
    code: 'template_invalid',
  },
  { name: 'the output folder of another listing', words: ['--out', 'taken'], code: 'output_exists' },
];

async function makeFolder(): Promise<string> {
  const cwd = await folderOf({
    'templates/broken/template.json': { id: 'broken' },
    'taken/L-1/report.json': {
      schema_version: 1,
      listing: { id: 'other', file: null },
      videos: [],
      dropped_assets: [],
    },
  });
  await cp(PHOTOS, path.join(cwd, 'good'), { recursive: true });
  const front = await readFile(path.join(PHOTOS, 'front.jpg'));
  await writeFile(path.join(cwd, 'text.jpg'), 'no photo');
  await writeFile(path.join(cwd, 'cut.jpg'), front.subarray(0, 300));
  await writeFile(path.join(cwd, 'tiny.jpg'), await sharp(front).resize(200).jpeg().toBuffer());
  await copyFile(path.join(PHOTOS, 'front.jpg'), path.join(cwd, 'twin.jpg'));
  return cwd;
}

describe('validate', () => {
  it('refuses what create refuses, and nothing else', async () => {
    const cwd = await makeFolder();
    for (const { name, photos = GOOD, agents = [agent('ann')], words = [], code, warnings } of CASES) {
      const file = {
        ...listing(),
        agents,
        assets: photos.map((photo) => (typeof photo === 'string' ? { url: photo } : photo)),
      };
      await writeFile(path.join(cwd, 'a.json'), JSON.stringify(file, null, 1));
      const world = { cwd, openBackend };
      const created = await run(['create', 'a.json', '--dry-run', '--json', ...words], world);
      const validated = await run(['validate', 'a.json', '--json', ...words], world);
      expect([name, created.exitCode === 0, created.json().error?.code ?? null]).toEqual([
        name,
        code === null,
        code,
      ]);
      const { valid, files = [], error } = validated.json();
      expect([name, validated.exitCode, valid === true]).toEqual([
        name,
        code === null ? 0 : 2,
        code === null,
      ]);
      // A word of the command line is wrong for all listings.
      if (error !== undefined) expect([name, error.code]).toEqual([name, code]);
      const found = files.flatMap((one: AnyJson) => one.detail);
      // A template that does not exist is a violation like any other where several listings are validated.
      const types = code === null || error ? [] : [code === 'template_not_found' ? 'value_error' : code];
      expect([name, found.map(({ type }: AnyJson) => type)]).toEqual([name, types]);
      for (const { line } of found) expect([name, line]).toEqual([name, expect.any(Number)]);
      if (warnings === undefined) continue;
      const shown: AnyJson[] = files[0].warnings;
      const sentences = shown.map(
        ({ loc, code = '', message }) =>
          `${loc.slice(1).join('.')} ${code === '' ? '' : `${code} `}${message}`,
      );
      expect([name, sentences]).toEqual([name, warnings.map((warning) => expect.stringMatching(warning))]);
      for (const { line } of shown) expect([name, line]).toEqual([name, expect.any(Number)]);
    }
    expect(await readdir(path.join(cwd, 'home', 'work')).catch(() => [])).toEqual([]);
  }, 120_000);

  it('finds two listings with one id, as create does', async () => {
    const cwd = await folderOf({ 'in/a.json': listing('L'), 'in/b.json': listing('L') });
    const { exitCode, stdout } = await run(['validate', 'in'], { cwd });
    expect([exitCode, stdout]).toEqual([
      1,
      'valid    in/a.json\ninvalid  in/b.json: 1 violation\n  in/b.json:2:9  id: the listing id is used by in/a.json too\n',
    ]);
  });

  it('asks nothing of the network', async () => {
    const cwd = await folderOf({
      'a.json': { ...listing(), agents: [{ ...agent('ann'), picture: 'https://photos.invalid/a.jpg' }] },
    });
    const started = await run(['validate', 'a.json', '--json'], { cwd, openBackend });
    expect([started.exitCode, started.json().files[0].warnings]).toEqual([0, []]);
  });
});

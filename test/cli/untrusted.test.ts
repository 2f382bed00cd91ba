/** `--untrusted`: listings of strangers name only files in their own folder, and the task remembers it. */
import { symlink } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { agent, folderOf, listing } from './listing-files.ts';
import { outcomeOf, run, type VideoHandler } from './run-cli.ts';

const assets = (...urls: string[]) => urls.map((url) => ({ url }));
const INSIDE = ['a.jpg', './b.jpg', 'photos/c.jpg', 'photos/../d.jpg', 'https://photos.example/e.jpg'];

describe.each(['validate', 'create'])('%s --untrusted', (command) => {
  it('reports every file outside the folder of the listing with its place', async () => {
    const ann = agent('ann', {
      template_data: { logo: '/etc/logo.png', music: '../../song.mp3', headline: '../x' },
    });
    const stranger = {
      ...listing('L-1', [{ ...ann, picture: 'file:///home/ann.jpg' }]),
      assets: [
        ...assets(...INSIDE, '../other/photo.jpg', '/etc/passwd', 'link/photo.jpg'),
        { url: 'staged.jpg', altered: true, original: '../other/empty.jpg' },
      ],
    };
    const cwd = await folderOf({ 'strangers/listing.json': stranger, 'secret/photo.jpg': 'x' });
    await symlink('../secret', path.join(cwd, 'strangers', 'link'));
    const { exitCode, stdout, stderr } = await run(
      [command, 'strangers/listing.json', '--untrusted', '--json'],
      { cwd },
    );
    expect([exitCode, stderr]).toEqual([2, '']);
    const document = JSON.parse(stdout);
    const [file] = document.files ?? document.error.context.files;
    const places = file.detail.map(({ loc, type }: { loc: unknown[]; type: string }) => [
      loc.slice(1).join('.'),
      type,
    ]);
    expect(places).toEqual([
      ['assets.5.url', 'value_error'],
      ['assets.6.url', 'value_error'],
      ['assets.7.url', 'value_error'],
      ['assets.8.original', 'value_error'],
      ['agents.0.picture', 'value_error'],
      ['agents.0.video_options.template_data.logo', 'value_error'],
      ['agents.0.video_options.template_data.music', 'value_error'],
    ]);
    expect(file.detail[0].msg).toBe(
      'Value error, ../other/photo.jpg is outside the folder of the listing, and an untrusted listing can use only files inside it',
    );
  });

  it('reads no listing through a link that leads out of the working folder, and follows none to search', async () => {
    const outside = await folderOf({
      'listing.json': listing('secret'),
      'deep/listing.json': listing('deep'),
    });
    const cwd = await folderOf({ 'all/good/listing.json': listing('good') });
    await symlink(path.join(outside, 'listing.json'), path.join(cwd, 'all', 'direct.json'));
    await symlink(outside, path.join(cwd, 'all', 'folder'));
    const words = ['all', 'all/direct.json', 'all/folder/deep/listing.json'];
    const { exitCode, json } = await run(['validate', ...words, '--untrusted', '--json'], { cwd });
    expect(exitCode).toBe(1);
    const files = json().files.map(({ file, valid }: { file: string; valid: boolean }) => [file, valid]);
    expect(files).toEqual([
      ['all/good/listing.json', true],
      ['all/direct.json', false],
      ['all/folder/deep/listing.json', false],
    ]);
    expect(JSON.stringify(json())).not.toContain('secret');
    const trusting = await run(['validate', 'all', '--json'], { cwd });
    expect(trusting.json().files).toHaveLength(3);
  });
});

it('is kept with the task, for a retry, and is absent otherwise', async () => {
  const options: unknown[] = [];
  const handler: VideoHandler = async ({ payload }) => {
    options.push(payload.options.untrusted);
    return outcomeOf(payload);
  };
  const cwd = await folderOf({ 'a.json': listing('A'), 'b.json': listing('B') });
  expect((await run(['create', 'a.json', '--untrusted'], { cwd, handler })).exitCode).toBe(0);
  expect((await run(['create', 'b.json'], { cwd, handler })).exitCode).toBe(0);
  const env = { LISTING_VIDEO_UNTRUSTED: 'true' };
  expect((await run(['create', 'b.json'], { cwd, handler, env })).exitCode).toBe(0);
  expect(options).toEqual([true, undefined, true]);
});

it.each(['--untrusted', '--deny-assets-from=a.example', '--allow-assets-from=a.example'])(
  'is refused with a server, whose operator decides: %s',
  async (flag) => {
    const cwd = await folderOf({ 'a.json': listing() });
    const { exitCode, stderr } = await run(['create', 'a.json', flag, '--server', 'https://v.example'], {
      cwd,
    });
    expect(exitCode).toBe(2);
    expect(stderr).toContain(`${flag.split('=')[0]} is not available with --server`);
  },
);

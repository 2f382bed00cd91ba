/** `cache show|clear`, and what `create` and these two share: one folder, one limit. */
import { mkdir, readFile, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { createDiskCache } from '../../src/platform/disk/cache/disk-cache.ts';
import { folderOf } from './listing-files.ts';
import { run } from './run-cli.ts';

const NOW_MS = Date.parse('2026-11-20T14:00:00Z');

/** Two stills of a day ago, and a scene that a run holds. */
async function aHome() {
  const cwd = await folderOf();
  const home = join(cwd, 'home');
  const cache = createDiskCache(join(home, 'cache'), { maxBytes: 1e9, now: () => NOW_MS - 86_400_000 });
  await cache.putBytes('stills', 'a', Buffer.alloc(1500));
  await cache.putBytes('stills', 'b', Buffer.alloc(1500));
  const held = join(cwd, 'held');
  await writeFile(held, Buffer.alloc(40_000));
  await cache.put('segments', 'c.segment', held);
  const start = (...words: string[]) =>
    run(['cache', ...words], { cwd, nowMs: () => NOW_MS, env: { LISTING_VIDEO_HOME: home } });
  return { home, held, start };
}

const shareOf = (entries: number, size: number, held = 0) => ({
  entries,
  size_bytes: size,
  held_bytes: held,
  oldest_use_at: entries === 0 ? null : '2026-11-19T14:00:00.000+00:00',
});

it('shows sizes by kind, the limit, and what running tasks use', async () => {
  const { home, start } = await aHome();
  const { json, exitCode } = await start('show', '--cache-size', '20MB', '--json');
  expect(exitCode).toBe(0);
  expect(json()).toEqual({
    folder: join(home, 'cache'),
    limit_bytes: 20_000_000,
    ...shareOf(3, 43_000, 40_000),
    kinds: [
      { kind: 'photos', ...shareOf(0, 0) },
      { kind: 'scenes', ...shareOf(1, 40_000, 40_000) },
      { kind: 'audio', ...shareOf(0, 0) },
      { kind: 'stills', ...shareOf(2, 3000) },
      { kind: 'posters', ...shareOf(0, 0) },
      { kind: 'previews', ...shareOf(0, 0) },
      { kind: 'storyboards', ...shareOf(0, 0) },
    ],
  });
  const { stdout, stderr } = await start();
  expect(stdout).toMatch(/^KIND +ENTRIES +SIZE +IN USE +OLDEST USE$/m);
  expect(stdout).toMatch(/^scenes +1 +40 kB +40 kB +1 d ago$/m);
  expect(stdout).toMatch(/^total +3 +43 kB +40 kB +1 d ago$/m);
  expect(stderr).toBe(`${join(home, 'cache')} has 43 kB; its limit is 5 GB (--cache-size)\n`);
});

it('clears the kinds that are named, and leaves what running tasks use', async () => {
  const { held, start } = await aHome();
  const dry = await start('clear', '--dry-run', '--json');
  expect(dry.json()).toEqual({ dry_run: true, removed_entries: 2, freed_bytes: 3000, held_bytes: 40_000 });
  expect((await start('clear', '--kind', 'photos', '--kind', 'scenes')).stdout).toBe(
    'freed 0 B (0 entries)\n',
  );
  const cleared = await start('clear', '--kind', 'stills');
  expect([cleared.stdout, cleared.stderr]).toEqual(['freed 3 kB (2 entries)\n', '']);
  const rest = await start('clear');
  expect([rest.stdout, rest.stderr]).toEqual([
    'freed 0 B (0 entries)\n',
    '40 kB stay: running tasks use them\n',
  ]);
  expect(await readFile(held)).toHaveLength(40_000);
});

it('frees what a run held that is dead', async () => {
  const { home, held, start } = await aHome();
  const work = join(home, 'work', '00112233445566ff');
  await mkdir(work, { recursive: true });
  const cache = createDiskCache(join(home, 'cache'), { maxBytes: 1e9 });
  await cache.pin('stills', 'a', work);
  await utimes(work, 0, 0);
  expect((await start('clear', '--kind', 'stills', '--json')).json()).toMatchObject({
    removed_entries: 2,
    held_bytes: 0,
  });
  expect(await readFile(held)).toHaveLength(40_000);
});

it('answers a word that is no command with the nearest one', async () => {
  const { start } = await aHome();
  const { exitCode, stderr } = await start('clera');
  expect(exitCode).toBe(2);
  expect(stderr).toContain("unknown command 'clera'");
  expect(stderr).toContain('did you mean clear?');
  expect((await start('clear', '--kind', 'photo')).stderr).toContain('photos, scenes, audio');
});

/** Two commands with one output folder, at the same time. */
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { Desk } from './program.ts';

const desk = new Desk();
afterAll(() => desk.close());

it('share a batch: both end well, each video is made once, and the manifest is of both', async () => {
  const files = await Promise.all(
    ['one', 'two'].map((id) =>
      desk.writeListing(`${id}.json`, (listing) => ({ ...listing, id, assets: listing.assets.slice(0, 5) })),
    ),
  );
  const words = ['create', ...files, '--quality', 'draft', '--music', 'none', '--json'];
  const ends = await Promise.all([desk.start(words).finished, desk.start(words).finished]);
  expect(ends.map(({ exitCode }) => exitCode)).toEqual([0, 0]);
  const documents = ends.map(({ stdout }) => JSON.parse(stdout));
  for (const { data } of documents)
    expect(data.map(({ state }: { state: string }) => state)).toEqual(['SUCCEEDED', 'SUCCEEDED']);
  const manifest = JSON.parse(await readFile(path.join(desk.out, 'manifest.json'), 'utf8'));
  expect(manifest).toMatchObject({
    exit_code: 0,
    counts: { listings: 2, succeeded: 2, running: 0, pending: 0 },
  });
  // Each listing was rendered by one of the two, and found up to date by the other.
  const made = ends.flatMap(({ stderr }) => stderr.match(/^done: .*$/gm) ?? []);
  expect(made).toHaveLength(4);
  expect(made.filter((line) => line.endsWith('all reused'))).toHaveLength(2);
});

/** Which listing of a batch comes next, while another process writes some of their folders. */
import path from 'node:path';
import { beforeEach, expect, it } from 'vitest';
import { createTaker, describeWait } from '../../../src/cli/create/next-listing.ts';
import type { ReadyListing } from '../../../src/cli/listings/listing-result.ts';
import { openOutputFolder } from '../../../src/video/publish/output-folder.ts';
import { temporaryFolder } from '../../leftovers/temporary-folder.ts';

let out: string;
beforeEach(async () => {
  out = temporaryFolder();
});

const waiting = (...names: string[]) =>
  names.map((name, index) => ({
    listing: {
      source: { file: `${name}.json` },
      payload: { outputDir: path.join(out, name) },
    } as ReadyListing,
    index,
  }));
const { signal } = new AbortController();

it('listings that nobody holds come first, then those that others have finished', async () => {
  const held = [await openOutputFolder(path.join(out, 'a')), await openOutputFolder(path.join(out, 'c'))];
  const lines: string[] = [];
  const onWait: Parameters<typeof createTaker>[1]['onWait'] = ({ listing }, holder) => {
    lines.push(describeWait(listing, holder));
    void held.shift()?.close();
  };
  const take = createTaker(waiting('a', 'b', 'c', 'd'), { isEnding: () => false, signal, onWait });
  const files: string[] = [];
  for (let next = await take(); next !== undefined; next = await take()) files.push(next.listing.source.file);
  expect(files).toEqual(['b.json', 'd.json', 'a.json', 'c.json']);
  const line = (file: string) => `${file}: waiting for process ${process.pid}, which is writing its videos`;
  expect(lines).toEqual([line('a.json'), line('c.json')]);
});

it('two lanes take two listings, and a wait ends with the run', async () => {
  const held = await openOutputFolder(path.join(out, 'a'));
  const controller = new AbortController();
  const options = {
    isEnding: () => controller.signal.aborted,
    signal: controller.signal,
    onWait: () => controller.abort(),
  };
  const take = createTaker(waiting('a', 'b', 'c'), options);
  const taken = await Promise.all([take(), take(), take()]);
  expect(taken.map((each) => each?.index)).toEqual([1, 2, undefined]);
  await held.close();
});

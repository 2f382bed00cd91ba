/** `templates preview --watch`: draws again whenever the template, its fonts, the listing or a local photo changes. */
import path from 'node:path';
import type { CommandRun } from '../command-run.ts';
import { collectInputs } from '../listings/collect-inputs.ts';
import { readContext } from '../listings/read-listing.ts';
import { logWatching, requireWatchable, watchFiles } from '../watch/watch-files.ts';
import { imagesOf, templateFiles } from '../watch/watched-files.ts';
import { findNamedTemplate } from './find-template.ts';
import { readOneListing } from './read-one-listing.ts';

/**
 * @param draw - Draws once, and prints one line.
 * @returns 0 when it was stopped while waiting, 130 while drawing.
 * @throws ListingVideoError For an unknown template, a wrong command line, and faults of this machine.
 */
export async function watchPreview(
  run: CommandRun,
  draw: (changed: string | null) => Promise<unknown>,
): Promise<number> {
  const [word, listingWord] = run.args as [string, string | undefined];
  const words = listingWord === undefined ? [] : [listingWord];
  await requireWatchable(words, await readContext(run), run.output);
  // Found once: an editor that replaces the file can take it away for a moment.
  const { id, file, templatesDirs } = await findNamedTemplate(word, run);
  let hasWaited = false;
  const files = async () => [
    ...new Set([
      file,
      ...(await templateFiles(id, templatesDirs)),
      ...(await listingFiles(run, listingWord)),
    ]),
  ];
  const onWait = (count: number): void => {
    if (!hasWaited) logWatching(run, count);
    hasWaited = true;
  };
  return watchFiles({ files, work: draw, onWait }, run);
}

/** The listing with its local photos. Of an invalid one only the file. */
async function listingFiles(run: CommandRun, word: string | undefined): Promise<string[]> {
  if (word === undefined) return [];
  const { cwd } = await run.host.machine();
  const inputs = await collectInputs([word], cwd);
  const images = await readOneListing(run, word).then(
    ({ listing, baseDir }) => imagesOf(listing, baseDir),
    () => [],
  );
  return [...inputs.map((input) => input.path ?? path.resolve(cwd, word)), ...images];
}

/** Reads the texts beside the videos as they are on the disk: someone can have changed them. */
import { lstat, readFile } from 'node:fs/promises';
import { FILE_NAME } from '../kept-videos.ts';
import { isFile, type Report } from '../report.ts';

/** Contents by file name. */
export type BesideTexts = ReadonlyMap<string, string>;

/** A page that is opened is read whole. */
const MAX_BYTES = 100_000;

/** @param pathsOf - Where a file of this name can be, the best place first. Files that cannot be read are left out. */
export async function readTexts(
  report: Report,
  pathsOf: (name: string) => readonly string[],
): Promise<BesideTexts> {
  const { videos, also_ratio: other, also_for: further, unbranded, kept } = report;
  const entries = [videos, other, further, unbranded, kept].flatMap((list) => list ?? []);
  const files = entries.flatMap(({ captions, description }) => [captions, description]).filter(isFile);
  const texts = new Map<string, string>();
  for (const { file } of files) {
    if (!FILE_NAME.test(file)) continue;
    for (const path of pathsOf(file)) {
      const text = await readText(path);
      if (text === null) continue;
      texts.set(file, text);
      break;
    }
  }
  return texts;
}

async function readText(path: string): Promise<string | null> {
  const found = await lstat(path).catch(() => null);
  if (!found?.isFile() || found.size > MAX_BYTES) return null;
  return readFile(path, 'utf8').catch(() => null);
}

/**
 * Stack traces of the build with the places in its source files. Node does the same with `--enable-source-maps`, for
 * the whole process: a library leaves that to its program.
 */
import { readFileSync } from 'node:fs';
import { SourceMap } from 'node:module';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { CODE_DIR, IS_BUILT } from '../platform/program-files.ts';

const DIST = pathToFileURL(`${CODE_DIR}/`).href.replace(/\/+$/, '/');
const PLACE = /(file:\/\/\S+?\.js):(\d+):(\d+)/g;

/** @returns The stack as it is where there are no source maps. */
export function inSourceFiles(stack: string): string {
  if (!IS_BUILT) return stack;
  const maps = new Map<string, SourceMap | null>();
  return stack.replace(PLACE, (place, url: string, line: string, column: string) => {
    if (!url.startsWith(DIST)) return place;
    if (!maps.has(url)) maps.set(url, readMap(url));
    const entry = maps.get(url)?.findEntry(Number(line) - 1, Number(column) - 1);
    if (entry === undefined || !('originalSource' in entry)) return place;
    const source = new URL(entry.originalSource, url).href;
    return `${source}:${entry.originalLine + 1}:${entry.originalColumn + 1}`;
  });
}

function readMap(url: string): SourceMap | null {
  try {
    return new SourceMap(JSON.parse(readFileSync(`${fileURLToPath(url)}.map`, 'utf8')));
  } catch {
    return null;
  }
}

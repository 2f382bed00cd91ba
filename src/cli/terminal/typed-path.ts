/** Names of files as people type them or drag them into a terminal. */
import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

export const isUrl = (place: string): boolean => /^https?:/i.test(place);

/** An `http` URL as it is, a path or `file:` URL as an absolute path. */
export function toPlace(text: string, cwd: string): string {
  const typed = text.trim();
  return isUrl(typed) ? typed : path.resolve(cwd, plainPath(typed, cwd));
}

/**
 * Without what shells and terminals add: quotes, backslashes before spaces (macOS drags files so), `~`, `file:`. A file
 * that really has such a name wins.
 */
function plainPath(typed: string, cwd: string): string {
  if (existsSync(path.resolve(cwd, typed))) return typed;
  if (/^file:\/\//i.test(typed)) {
    try {
      return fileURLToPath(typed);
    } catch {
      return typed;
    }
  }
  const unquoted = /^(['"])(.*)\1$/.exec(typed)?.[2] ?? typed;
  const expanded = unquoted.replace(/^~(?=$|[\\/])/, homedir());
  if (existsSync(path.resolve(cwd, expanded)) || path.sep === '\\') return expanded;
  return expanded.replace(/\\(.)/g, '$1');
}

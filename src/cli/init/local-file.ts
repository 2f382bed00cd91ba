/** Names of files as people type them or drag them into a terminal. */
import { existsSync, statSync } from 'node:fs';
import { homedir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { type AnswerCheck, invalid, type Rule, valid } from './validate-answer.ts';

/** A file that exists, or a URL: an `http` URL as it is, anything else as an absolute path. */
export function fileRule(cwd: string): Rule<string> {
  return (text) => {
    const place = toPlace(text, cwd);
    return isUrl(place) ? valid(place) : validateFile(place);
  };
}

function validateFile(file: string): AnswerCheck<string> {
  if (file.includes('\0') || !existsSync(file)) return invalid(`no such file: ${file}`);
  return statSync(file).isFile() ? valid(file) : invalid(`not a file: ${file}`);
}

/** An `http` URL as it is, a path or `file:` URL as an absolute path. */
export function toPlace(text: string, cwd: string): string {
  const typed = text.trim();
  if (isUrl(typed)) return typed;
  return path.resolve(cwd, plainPath(typed, cwd));
}

/** True for what is fetched from the network. */
export function isUrl(place: string): boolean {
  return /^https?:/i.test(place);
}

/**
 * Without what shells and terminals add: quotes, backslashes before spaces (macOS drags files so), `~`, `file:`. A file that
 * really has such a name wins.
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

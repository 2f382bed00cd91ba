/**
 * The answers of an unfinished `init`, beside the listing that it will write: `listing.json.draft`. Not a `.json` file, so
 * that `create folder` does not take it for a listing.
 */
import { mkdir, readFile, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { writeFileAtomically } from '../../platform/disk/atomic-write.ts';
import type { SavedAnswer, SavedAnswers } from './interview.ts';

/** Answers with 100 captions have 20 kB. */
const MAX_BYTES = 1024 * 1024;
const VERSION = 1;

/** Path of the draft of a listing file. */
export function draftFileOf(listingFile: string): string {
  return `${listingFile}.draft`;
}

/** The answers of a draft; none when it is absent, damaged or of another version. */
export async function readDraft(file: string): Promise<SavedAnswers> {
  try {
    const stats = await stat(file);
    if (!stats.isFile() || stats.size > MAX_BYTES) return new Map();
    return parseDraft(JSON.parse(await readFile(file, 'utf8')));
  } catch {
    return new Map();
  }
}

/** @returns False when it cannot be written: the questions go on without it. */
export async function writeDraft(file: string, answers: SavedAnswers): Promise<boolean> {
  try {
    await mkdir(path.dirname(file), { recursive: true });
    const text = `${JSON.stringify({ version: VERSION, answers: [...answers] }, null, 2)}\n`;
    await writeFileAtomically(file, text, { durable: false });
    return true;
  } catch {
    return false;
  }
}

/** Removes the draft, if there is one. */
export async function removeDraft(file: string): Promise<void> {
  await rm(file, { force: true }).catch(() => {});
}

/** A person can have edited the file: an entry of another form is left out, and its question is asked again. */
function parseDraft(document: unknown): SavedAnswers {
  if (!isObject(document) || document.version !== VERSION || !Array.isArray(document.answers))
    return new Map();
  const entries = document.answers.flatMap((entry: unknown): [string, SavedAnswer][] => {
    if (!Array.isArray(entry) || typeof entry[0] !== 'string' || !isAnswer(entry[1])) return [];
    return [[entry[0], entry[1]]];
  });
  return new Map(entries);
}

function isAnswer(value: unknown): value is SavedAnswer {
  if (typeof value === 'string' || typeof value === 'boolean') return true;
  return isObject(value) && isNames(value.sequence) && isNames(value.left);
}

function isNames(value: unknown): boolean {
  return Array.isArray(value) && value.every((name) => typeof name === 'string');
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}

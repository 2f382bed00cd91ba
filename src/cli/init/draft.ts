/** Answers of an unfinished `init`. `create folder` does not take `listing.json.draft`: it is no `.json` file. */
import { mkdir, readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import { writeFileAtomically } from '../../platform/disk/atomic-write.ts';
import type { SavedAnswers } from './interview.ts';

const MAX_BYTES = 1024 * 1024;

export function draftFileOf(listingFile: string): string {
  return `${listingFile}.draft`;
}

/** The answers of a draft; none when it is absent, damaged or of another form. */
export async function readDraft(file: string): Promise<SavedAnswers> {
  try {
    const stats = await stat(file);
    if (!stats.isFile() || stats.size > MAX_BYTES) return {};
    const { answers } = JSON.parse(await readFile(file, 'utf8'));
    const entries = Object.entries(answers).filter(([, answer]) => typeof answer === 'string');
    return Object.fromEntries(entries) as SavedAnswers;
  } catch {
    return {};
  }
}

/** Where it cannot be written, the questions go on without it. */
export async function writeDraft(file: string, answers: SavedAnswers): Promise<void> {
  await mkdir(path.dirname(file), { recursive: true }).catch(() => {});
  const text = `${JSON.stringify({ answers }, null, 2)}\n`;
  await writeFileAtomically(file, text, { durable: false }).catch(() => {});
}

/** Answers of an unfinished `init`. `create folder` does not take `listing.json.draft`: it is no `.json` file. */
import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { writeFileAtomically } from '../../platform/disk/atomic-write.ts';
import { readJsonDocument } from '../../platform/disk/json-document.ts';
import type { SavedAnswers } from './interview.ts';

export const draftFileOf = (listingFile: string): string => `${listingFile}.draft`;

/** The answers of a draft; none when it is absent, damaged or of another form. */
export async function readDraft(file: string): Promise<SavedAnswers> {
  const { answers } = { ...(await readJsonDocument(file).catch(() => null)) } as { answers?: object };
  return Object.fromEntries(Object.entries(answers ?? {}).filter(([, answer]) => typeof answer === 'string'));
}

/** Where it cannot be written, the questions go on without it. */
export async function writeDraft(file: string, answers: SavedAnswers): Promise<void> {
  await mkdir(path.dirname(file), { recursive: true }).catch(() => {});
  const text = `${JSON.stringify({ answers }, null, 2)}\n`;
  await writeFileAtomically(file, text, { durable: false }).catch(() => {});
}

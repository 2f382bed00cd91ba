/**
 * Makes the owner of a folder one that this process cannot check: a process of another pid namespace, with an old
 * heartbeat.
 */
import { readFile, utimes, writeFile } from 'node:fs/promises';
import path from 'node:path';

/** Writes another pid namespace into the owner file of `folder`. */
export async function disownFolder(folder: string): Promise<void> {
  const file = path.join(folder, 'owner.json');
  const owner = JSON.parse(await readFile(file, 'utf8'));
  await writeFile(file, JSON.stringify({ ...owner, space: 'pid:[1]', host: 'other-container' }));
}

/** Sets the heartbeat of `folder` back. */
export async function ageFolder(folder: string, ageMs: number): Promise<void> {
  const past = (Date.now() - ageMs) / 1000;
  await utimes(path.join(folder, 'owner.json'), past, past);
}

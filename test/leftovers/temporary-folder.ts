/** Folders for tests that are removed when the test file ends. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

const folders: string[] = [];
const endings: (() => Promise<void>)[] = [];

/**
 * Makes an empty folder. A helper that registered `afterAll` itself would do so for the first file of a worker only.
 */
export function temporaryFolder(): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'folder-'));
  folders.push(folder);
  return folder;
}

/** Ends what still writes into a temporary folder, such as a store, before the folder is removed. */
export function beforeRemoval(end: () => Promise<void>): void {
  endings.push(end);
}

/** Called by `own-folder.ts`. */
export async function removeTemporaryFolders(): Promise<void> {
  await Promise.allSettled(endings.splice(0).map((end) => end()));
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
}

/** Folders for tests that are removed when the test file ends. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

const folders: string[] = [];

/** Makes an empty folder. A helper that registered `afterAll` itself would do so for the first file of a worker only. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'folder-'));
  folders.push(folder);
  return folder;
}

/** Called by `own-folder.ts`. */
export function removeTemporaryFolders(): void {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
}

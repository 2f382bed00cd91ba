/** Gives a test file a folder of its own for temporary files, which names it: see `find-leftovers.ts`. */
import { mkdirSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, expect } from 'vitest';
import { TSX_CACHE } from './find-leftovers.ts';
import { removeTemporaryFolders } from './temporary-folder.ts';

const TESTS = fileURLToPath(new URL('..', import.meta.url));

const { TESTS_FOLDER: root = '' } = process.env;
// Chromium makes a socket in it, whose path has at most 107 bytes. So only the last folder is named.
const testPath = path.relative(TESTS, expect.getState().testPath ?? '');
const testFile = testPath
  .replace(/\.test\.ts$/, '')
  .split(path.sep)
  .slice(-2)
  .join('-');
const folder = path.join(root, testFile);
mkdirSync(folder, { recursive: true });
// All files share it, so that the code of a child process is made once.
symlinkSync(path.join(root, TSX_CACHE), path.join(folder, TSX_CACHE), 'junction');
process.env.TMPDIR = folder;
afterAll(removeTemporaryFolders);

/**
 * Lets threads and child processes of tests start from the build. Code that runs in the tests themselves stays that of
 * `src`. Through tsx, each thread and process would load and translate its sources again, which takes half a second of
 * CPU.
 */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Plugin } from 'vitest/config';

const PROGRAM_FILES = fileURLToPath(new URL('../src/platform/program-files.ts', import.meta.url));
const FINDS = 'return join(CODE_DIR, path);';
/** Files in which a thread or a child process starts. */
const STARTS = /(?:-entry|-child|-worker)\.js$/;

/** A plugin of Vite. The run's global setup makes the build where it is missing or old. */
export function startBuild(): Plugin {
  return {
    name: 'start-build',
    enforce: 'pre',
    load(id) {
      if (id !== PROGRAM_FILES) return null;
      const code = readFileSync(id, 'utf8');
      if (!code.includes(FINDS)) throw new Error(`${PROGRAM_FILES} has no ${FINDS}`);
      return code.replace(FINDS, `return join(CODE_DIR, ${STARTS}.test(path) ? '../dist' : '.', path);`);
    },
  };
}

/**
 * Waits until stdin ends, which it does when the test runner ends, whatever ends it. Then stops the processes of the
 * run and removes its folder.
 */
import { rmSync } from 'node:fs';
import { findProcesses } from './find-leftovers.ts';

const [root = ''] = process.argv.slice(2);
process.stdin.resume().on('end', () => {
  for (const { pid } of findProcesses(root)) {
    try {
      process.kill(pid, 'SIGKILL');
    } catch {
      // It has ended meanwhile.
    }
  }
  rmSync(root, { recursive: true, force: true, maxRetries: 5 });
});

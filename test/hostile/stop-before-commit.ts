/** A process that claims the task given and stops itself, as SIGSTOP does, right before it renames the record into place. */
import fs from 'node:fs/promises';
import { createFileTaskStore } from '../../src/task/files/tasks/file-task-store.ts';

const [home = '', id = ''] = process.argv.slice(2);
const { rename } = fs;
fs.rename = async (from, to) => {
  fs.rename = rename;
  process.kill(process.pid, 'SIGSTOP');
  return rename(from, to);
};
const result = await createFileTaskStore({ home }).claim(id);
process.send?.({ kind: result.kind, state: result.kind === 'claimed' ? 'RUNNING' : result.task.state });
process.disconnect();

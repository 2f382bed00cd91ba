/**
 * A process that claims the task given and stops itself, as SIGSTOP does, right before the link that makes its claim
 * count.
 */
import fs from 'node:fs/promises';
import { createFileTaskStore } from '../../src/task/files/tasks/file-task-store.ts';

const [home = '', id = ''] = process.argv.slice(2);
const { link } = fs;
fs.link = async (from, to) => {
  fs.link = link;
  process.kill(process.pid, 'SIGSTOP');
  return link(from, to);
};
const result = await createFileTaskStore({ home }).claim(id);
process.send?.({ kind: result.kind, state: result.kind === 'claimed' ? 'RUNNING' : result.task.state });
process.disconnect();

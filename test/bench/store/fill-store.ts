/**
 * Fills a home with tasks as years of use and one great burst would leave them. Writes the files the store would write.
 */
import fs from 'node:fs/promises';
import { join } from 'node:path';
import { formatJsonDocument } from '../../../src/platform/disk/json-document.ts';
import { systemProbe } from '../../../src/platform/disk/process-identity.ts';
import { entryOf, TaskIndex } from '../../../src/task/files/tasks/task-index.ts';
import { formatTaskVersion } from '../../../src/task/files/tasks/task-record.ts';
import type { TaskRecord, TaskState } from '../../../src/task/task.ts';
import { newTaskRecord } from '../../../src/task/task-transition.ts';

const DAY_MS = 86_400_000;
/** A listing of some 25 photos. */
const PAYLOAD = {
  listing: {
    id: 'L-1',
    assets: Array.from({ length: 25 }, (_, n) => ({
      url: `https://photos.example/listing/${n}.jpg`,
      type: 'image',
    })),
  },
};

/** Three of ten spread over 180 days, the others created within minutes of each other, all in one shard. */
export async function fillStore(home: string, count: number, endMs: number): Promise<void> {
  const index = new TaskIndex(home, false, async function* () {});
  const { self } = systemProbe();
  const spread = Math.floor(count * 0.3);
  for (let n = 0; n < count; n++) {
    const timeMs =
      n < spread ? endMs - 180 * DAY_MS + Math.floor((n / spread) * 179 * DAY_MS) : endMs - (count - n) * 10;
    const state = stateOf(n, count);
    const organizationId = n % 8_000 === 7 ? 'rare' : n % 3 === 0 ? null : 'default';
    const summary = { label: 'L-1', resultCount: 1 };
    const created = new Date(timeMs).toISOString();
    const id = idAt(timeMs, n);
    const task: TaskRecord = {
      ...newTaskRecord({ id, origin: 'api', organizationId, summary }, created, self),
      state,
      ...(state === 'FAILED' ? { failure: { code: 'render_failed', message: 'x', context: {} } } : {}),
    };
    const folder = join(home, 'tasks', id.slice(0, 6), id);
    await fs.mkdir(folder, { recursive: true });
    await Promise.all([
      fs.writeFile(join(folder, 'task.0.json'), formatTaskVersion(task, null)),
      fs.writeFile(join(folder, 'payload.json'), formatJsonDocument({ payload: PAYLOAD })),
      index.add(entryOf(task)),
    ]);
  }
}

/** Two run, both long ago in the order of creation; a few wait; one of 2,000 failed. */
function stateOf(n: number, count: number): TaskState {
  if (n === 3 || n === Math.floor(count / 2)) return 'RUNNING';
  if (n % 2_000 === 1) return 'FAILED';
  return n % 10_000 === 2 ? 'PENDING' : 'SUCCEEDED';
}

function idAt(timeMs: number, number: number): string {
  const time = timeMs.toString(16).padStart(12, '0');
  const random = ((number * 2_654_435_761) % 2 ** 32).toString(16).padStart(12, '0');
  return `${time.slice(0, 8)}-${time.slice(8)}-7${(number % 4096).toString(16).padStart(3, '0')}-8abc-${random}`;
}

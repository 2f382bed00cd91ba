/** The tools for tasks, and how a call waits for them. */
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { TASK_STATES } from '../../task/task.ts';
import { toTaskProgressView } from '../../task/task-view.ts';
import { readReportFile } from '../../video/publish/read-report.ts';
import type { Report } from '../../video/publish/report.ts';
import type { VideoTask } from '../../wiring/backend.ts';
import { toTaskDocument } from '../tasks/task-document.ts';
import type { Assistant } from './assistant.ts';
import * as schemas from './schemas.ts';
import { readImage } from './take-picture.ts';
import type { FileLink, Tool, ToolAnswer, ToolCall } from './tool.ts';

/** Some assistant programs give up after a minute. */
export const WAIT_SEC = 45;
const LOOK_MS = 250;
/** Images of one answer. */
const MAX_POSTERS = 4;

export function taskTools(assistant: Assistant): readonly Tool[] {
  return [
    {
      name: 'list_tasks',
      title: 'List tasks',
      description:
        'Lists the tasks of this machine, newest first: videos that are waiting, being rendered, done or failed.',
      input: schemas.input({
        state: { enum: TASK_STATES },
        limit: { type: 'integer', minimum: 1, maximum: 100, description: 'At most this many (default: 20).' },
        starting_after: schemas.TASK_ID,
      }),
      output: schemas.TASK_LIST,
      isReadOnly: true,
      call: async ({ state, limit = 20, starting_after: startingAfter }) => {
        const { engine } = await assistant.backend();
        const page = await engine.list({
          limit,
          ...(state && { state }),
          ...(startingAfter && { startingAfter }),
        });
        return { document: { data: page.data.map(describe), has_more: page.hasMore } };
      },
    },
    {
      name: 'get_task',
      title: 'Follow a task',
      description:
        'Shows the state and progress of a task, and its videos and posters when it has succeeded.',
      input: schemas.input({ id: schemas.TASK_ID, wait_sec: schemas.wait(0) }, ['id']),
      output: schemas.TASK,
      isReadOnly: true,
      call: async ({ id, wait_sec: waitSec = 0 }, call) => {
        const task = await waitFor(id, waitSec, assistant, call);
        return { document: describe(task), ...(await resultsOf([task], assistant)) };
      },
    },
    {
      name: 'cancel_task',
      title: 'Cancel a task',
      description: 'Stops a task that is waiting or running. Videos of earlier runs stay.',
      input: schemas.input({ id: schemas.TASK_ID }, ['id']),
      output: schemas.TASK,
      isReadOnly: false,
      isDestructive: true,
      call: async ({ id }) => ({ document: describe(await (await assistant.backend()).engine.cancel(id)) }),
    },
  ];
}

async function waitFor(
  id: string,
  waitSec: number,
  assistant: Assistant,
  { signal, onProgress }: ToolCall,
): Promise<VideoTask> {
  const { engine } = await assistant.backend();
  const endMs = performance.now() + waitSec * 1000;
  for (;;) {
    const task = await engine.get(id);
    const isOver = task.state === 'SUCCEEDED' || task.state === 'FAILED';
    if (task.progress) onProgress(task.progress);
    if (isOver || performance.now() >= endMs) return task;
    await sleep(LOOK_MS, undefined, { signal });
  }
}

/**
 * Starts work that makes tasks, and waits for it, but not too long: then it goes on, and the answer says RUNNING. An
 * assistant that stops waiting before stops the work.
 */
export async function followTasks(
  assistant: Assistant,
  waitSec: number = WAIT_SEC,
  call: ToolCall,
  start: (inner: ToolCall, onTask: (id: string) => void) => Promise<Record<string, unknown>>,
): Promise<ToolAnswer> {
  const ids: string[] = [];
  let onAccepted = (): void => undefined;
  const accepted = new Promise<void>((resolve) => {
    onAccepted = resolve;
  });
  const stopper = new AbortController();
  const stop = (): void => stopper.abort(call.signal.reason);
  call.signal.addEventListener('abort', stop, { once: true });
  const signal = AbortSignal.any([stopper.signal, assistant.closing]);
  const work = start({ ...call, signal }, (id) => {
    ids.push(id);
    onAccepted();
  });
  const timer = new AbortController();
  try {
    const waited = sleep(waitSec * 1000, null, { signal: timer.signal }).then(() => accepted);
    const document = await Promise.race([work, waited.then(() => null)]);
    const { engine } = await assistant.backend();
    const tasks = await Promise.all(ids.map((id) => engine.get(id)));
    return {
      document: document ?? { data: tasks.map(describe), has_more: false },
      ...(await resultsOf(tasks, assistant)),
    };
  } finally {
    timer.abort();
    call.signal.removeEventListener('abort', stop);
  }
}

function describe(task: VideoTask): object {
  const progress =
    task.state === 'RUNNING' || task.state === 'PENDING' ? { progress: toTaskProgressView(task) } : {};
  return { ...toTaskDocument(task), ...progress, listing: task.summary?.label ?? null };
}

/** Links to what succeeded tasks made, and the posters. */
async function resultsOf(
  tasks: readonly VideoTask[],
  { folders }: Assistant,
): Promise<Required<Pick<ToolAnswer, 'links' | 'images'>>> {
  const links: FileLink[] = [];
  const posters: string[] = [];
  for (const { state, outcome } of tasks) {
    const file = state === 'SUCCEEDED' && outcome?.report ? folders.realPath(outcome.report) : null;
    if (file === null) continue;
    for (const video of videosOf(await readReportFile(file))) {
      const place = (name: string) => folders.realPath(path.join(path.dirname(file), path.basename(name)));
      const add = (name: string, title: string, mimeType: string): void => {
        const found = place(name);
        if (found !== null) links.push({ file: found, title: `${title}, ${video.ratio}`, mimeType });
      };
      const name = 'agent_name' in video ? video.agent_name : 'without branding';
      add(video.video.file, `Video, ${name}`, 'video/mp4');
      if (video.poster === null) continue;
      add(video.poster.file, `Poster, ${name}`, 'image/jpeg');
      const poster = place(video.poster.file);
      if (poster !== null) posters.push(poster);
    }
    links.push({ file: file.replace(/\.json$/, '.html'), title: 'Report', mimeType: 'text/html' });
  }
  const shown = posters.slice(0, MAX_POSTERS);
  const read = shown.map((file) => readImage(file, shown.length).catch(() => null));
  return { links, images: (await Promise.all(read)).filter((image) => image !== null) };
}

function videosOf({ videos = [], also_ratio = [], also_for = [], unbranded = [] }: Partial<Report>) {
  return [...videos, ...also_ratio, ...also_for, ...unbranded];
}

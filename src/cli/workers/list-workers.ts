/** The work of `workers list`. */
import { minuteOf } from '../../platform/minute-of.ts';
import { formatDuration } from '../../platform/settings/parse-duration.ts';
import { listWorkersAt, type WorkerPool } from '../../wiring/stores/open-database.ts';
import { toOffsetTime } from '../accounts/open-accounts.ts';
import type { CommandRun } from '../command-run.ts';
import { requireDatabase } from '../database/require-database.ts';
import { escapeText } from '../terminal/escape-text.ts';
import { printResult } from '../terminal/print-json.ts';
import { printTable } from '../terminal/table.ts';

/** `workers list`. */
export async function listWorkers(run: CommandRun): Promise<number> {
  const workers = await listWorkersAt(await requireDatabase(run));
  return printResult(run, { data: workers.map(toWorkerDocument), has_more: false }, () => {
    if (workers.length === 0) return run.info('no workers');
    printTable(run.terminal, workers, [
      { title: 'ID', text: ({ id }) => escapeText(id) },
      { title: 'STATE', text: ({ state }) => escapeText(state) },
      { title: 'TASKS', text: ({ running, tasksAtOnce }) => `${running}/${tasksAtOnce}`, align: 'right' },
      {
        title: 'HEARTBEAT',
        text: ({ silentMs }) => `${formatDuration(Math.max(0, silentMs))} ago`,
        align: 'right',
      },
      { title: 'SINCE', text: ({ startedAt }) => minuteOf(startedAt) },
      { title: 'VERSION', text: ({ version }) => escapeText(version || '-') },
      { title: 'HOST', text: ({ host }) => escapeText(host), shrinks: true },
    ]);
  });
}

function toWorkerDocument(worker: WorkerPool): object {
  return {
    id: worker.id,
    state: worker.state,
    host: worker.host,
    pid: worker.pid,
    version: worker.version || null,
    running_tasks: worker.running,
    tasks_at_once: worker.tasksAtOnce,
    started_at: toOffsetTime(worker.startedAt),
    last_heartbeat_at: toOffsetTime(worker.beatAt),
  };
}

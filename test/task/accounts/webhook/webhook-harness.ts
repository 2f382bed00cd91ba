/** Webhooks as several processes see them, over tasks of their own, with deaths and a clock of the test. */
import { rm } from 'node:fs/promises';
import type { Liveness } from '../../../../src/platform/disk/process-identity.ts';
import type { AccountStore } from '../../../../src/task/accounts/account-store.ts';
import { systemTaskClock } from '../../../../src/task/engine/task-clock.ts';
import { createFileAccountStore } from '../../../../src/task/files/accounts/create-account-store.ts';
import { createFileTaskStore } from '../../../../src/task/files/tasks/file-task-store.ts';
import { openFileWebhooks } from '../../../../src/task/files/webhooks/create-webhook-store.ts';
import type { TaskRecord } from '../../../../src/task/task.ts';
import type { TaskStore } from '../../../../src/task/task-store.ts';
import type { DeliveryClaims } from '../../../../src/task/webhooks/delivery-claims.ts';
import type { OpenedWebhooks } from '../../../../src/task/webhooks/opened-webhooks.ts';
import type { WebhookStore } from '../../../../src/task/webhooks/webhook-store.ts';
import { temporaryFolder } from '../../../leftovers/temporary-folder.ts';
import { idAt, identity, START_MS } from '../../store-harness.ts';

export const ORGANIZATION = 'org_default';

/** One process: its webhooks, and its tasks, whose ends make deliveries. */
export interface WebhookProcess {
  readonly store: WebhookStore;
  readonly tasks: TaskStore;
  readonly accounts: AccountStore;
}

/** A process that sends the deliveries of a data folder. */
export interface SendingProcess extends WebhookProcess, Pick<OpenedWebhooks, 'lost'> {
  readonly claims: DeliveryClaims;
}

export interface WebhookHarness<Process extends WebhookProcess = WebhookProcess> {
  open(processName?: string): Process;
  setLiveness(processName: string, liveness: Liveness): void;
  nowMs: number;
  newId(): string;
  close(): Promise<void>;
}

type Options = Parameters<typeof openFileWebhooks>[0];

/** @param openTasks - Gets `beforeEnd`, unless the stores share transactions. */
export function harness<Opened extends Omit<WebhookProcess, 'tasks'>>(
  openTasks: (options: object) => TaskStore,
  openStore: (options: Omit<Options, 'home'>) => Opened,
  close: () => Promise<void>,
): WebhookHarness<Opened & { readonly tasks: TaskStore }> {
  const livenesses = new Map<string, Liveness>();
  let made = 0;
  const self: WebhookHarness<Opened & { readonly tasks: TaskStore }> = {
    nowMs: START_MS,
    open: (name = 'first') => {
      const process = {
        self: identity(name),
        liveness: (owner: ReturnType<typeof identity>) => livenesses.get(owner.started ?? '') ?? 'alive',
      };
      const tasks = openTasks({
        ...process,
        nowMs: () => self.nowMs,
        beforeEnd: (task: TaskRecord) => opened.store.addDeliveries(task),
      });
      const clock = { nowMs: () => self.nowMs, schedule: systemTaskClock.schedule };
      const opened = openStore({ ...process, tasks, clock });
      return { ...opened, tasks };
    },
    setLiveness: (name, liveness) => livenesses.set(name, liveness),
    newId: () => idAt(self.nowMs, made++),
    close,
  };
  return self;
}

export async function openFileWebhookHarness(): Promise<
  WebhookHarness<SendingProcess> & { readonly home: string }
> {
  const home = temporaryFolder();
  const made = harness(
    (options) => createFileTaskStore({ ...options, home, durable: false }),
    (options) => ({
      ...openFileWebhooks({ ...options, home, durable: false }),
      accounts: createFileAccountStore({ ...options, home, durable: false }),
    }),
    () => rm(home, { recursive: true, force: true }),
  );
  return Object.assign(made, { home });
}

export const FAILURE = { code: 'no_usable_assets', message: 'no usable assets: 5 of 5 dropped', context: {} };

/** Makes a task and ends it. */
export async function endTask(
  { tasks }: WebhookProcess,
  id: string,
  state: 'SUCCEEDED' | 'FAILED' = 'FAILED',
  organizationId: string | null = ORGANIZATION,
): Promise<TaskRecord> {
  await tasks.create({ id, origin: 'api', organizationId, payload: null });
  const result = await tasks.claim(id);
  if (result.kind !== 'claimed') throw new Error(result.kind);
  const end =
    state === 'SUCCEEDED'
      ? ({ kind: 'succeeded', outcome: { results: [], dropped_assets: [], report: null } } as const)
      : ({ kind: 'failed', failure: FAILURE } as const);
  return tasks.settle(result.claim, end, null);
}

/** The work of `webhooks deliveries|redeliver`, and how an attempt is shown. */
import { minuteOf } from '../../platform/minute-of.ts';
import type { Attempt, Delivery, DeliveryState } from '../../task/webhooks/webhook.ts';
import type { CommandRun } from '../command-run.ts';
import { warnOfUnreadable } from '../tasks/log-task.ts';
import { escapeText } from '../terminal/escape-text.ts';
import { printResult } from '../terminal/print-json.ts';
import { printTable } from '../terminal/table.ts';
import { openWebhooks, toOffsetTime } from './open-accounts.ts';

/** Options of `webhooks deliveries`. */
interface DeliveriesOptions {
  readonly state?: DeliveryState;
  readonly limit: number;
  readonly startingAfter?: string;
}

/** `webhooks deliveries`. */
export async function listDeliveries(run: CommandRun<DeliveriesOptions>): Promise<number> {
  const webhooks = await openWebhooks(run, 'webhooks deliveries');
  const { state, limit, startingAfter } = run.options;
  const [webhookId] = run.args;
  const page = await webhooks.listDeliveries({
    limit,
    ...(webhookId === undefined ? {} : { webhookId }),
    ...(state === undefined ? {} : { state }),
    ...(startingAfter === undefined ? {} : { startingAfter }),
  });
  warnOfUnreadable(run, page.warnings);
  return printResult(run, { data: page.data.map(toDeliveryDocument), has_more: page.hasMore }, () => {
    const last = page.data.at(-1);
    if (last === undefined) return run.info('no deliveries');
    printTable(run.terminal, page.data, [
      { title: 'ID', text: ({ id }) => id },
      { title: 'WEBHOOK', text: ({ webhookId: id }) => id },
      { title: 'EVENT', text: ({ event }) => escapeText(event) },
      { title: 'STATE', text: describeState },
      { title: 'ATTEMPTS', text: ({ attempts }) => String(attempts), align: 'right' },
      { title: 'NEXT', text: ({ nextAttemptAt }) => formatMinute(nextAttemptAt) },
      { title: 'TASK', text: ({ taskId }) => escapeText(taskId) },
      { title: 'LAST ANSWER', text: describeLast, shrinks: true },
    ]);
    if (page.hasMore) run.info(`more: add --starting-after ${last.id}`);
  });
}

/** `webhooks redeliver`. */
export async function redeliver(run: CommandRun): Promise<number> {
  const webhooks = await openWebhooks(run, 'webhooks redeliver');
  const delivery = await webhooks.redeliver(run.args[0]!);
  return printResult(run, toDeliveryDocument(delivery), () => {
    run.terminal.print(delivery.id);
    run.info('a running server sends it within a second');
  });
}

/** `HTTP 200, 120 ms`, or why no answer came. */
export function describeAttempt({ status, error, durationMs }: Attempt): string {
  return `${escapeText(error ?? `HTTP ${status}`)}, ${durationMs} ms`;
}

/** For `--json`. */
export function toAttemptDocument({ at, durationMs, status, error, response }: Attempt): object {
  return { at: toOffsetTime(at), duration_ms: durationMs, status, error, response };
}

function describeState({ state, redeliveryOf }: Delivery): string {
  return redeliveryOf === null ? state : `${state} (repeated)`;
}

function describeLast({ lastAttempt, problem }: Delivery): string {
  if (lastAttempt === null || problem !== null) return escapeText(problem ?? '-');
  const { response } = lastAttempt;
  return `${describeAttempt(lastAttempt)}${response === '' ? '' : `: ${escapeText(response)}`}`;
}

/** `2026-11-20 14:03`, in UTC; `-` for none. */
function formatMinute(iso: string | null): string {
  return iso === null ? '-' : minuteOf(iso);
}

function toDeliveryDocument(delivery: Delivery): object {
  return {
    id: delivery.id,
    message_id: delivery.messageId,
    webhook_id: delivery.webhookId,
    organization_id: delivery.organizationId,
    task_id: delivery.taskId,
    event: delivery.event,
    state: delivery.state,
    created_at: toOffsetTime(delivery.createdAt),
    attempts: delivery.attempts,
    next_attempt_at: toOffsetTime(delivery.nextAttemptAt),
    last_attempt: delivery.lastAttempt === null ? null : toAttemptDocument(delivery.lastAttempt),
    problem: delivery.problem,
    redelivery_of: delivery.redeliveryOf,
  };
}

/** The work of `webhooks create|list|rotate|delete|test`. */
import type { NewWebhook, Webhook, WebhookEvent } from '../../task/webhooks/webhook.ts';
import { nearestHint, usageError } from '../cli-error.ts';
import type { CommandRun } from '../command-run.ts';
import { warnOfUnreadable } from '../tasks/log-task.ts';
import { escapeText } from '../terminal/escape-text.ts';
import { printResult } from '../terminal/print-json.ts';
import { printTable } from '../terminal/table.ts';
import { describeAttempt, toAttemptDocument } from './manage-deliveries.ts';
import { findOnlyOrganization, formatDay, openWebhooks, toOffsetTime } from './open-accounts.ts';

/** Options of `webhooks list`. */
interface ListOptions {
  readonly organization?: string;
}

/** Options of `webhooks create`. */
interface CreateOptions extends ListOptions {
  readonly url: string;
  readonly events?: string;
}

const EVENTS: readonly WebhookEvent[] = ['task.succeeded', 'task.failed'];

/** `webhooks create`. */
export async function createWebhook(run: CommandRun<CreateOptions>): Promise<number> {
  const webhooks = await openWebhooks(run, 'webhooks create');
  const { url, organization, events } = run.options;
  const made = await webhooks.createWebhook({
    url,
    organizationId: organization ?? (await findOnlyOrganization(await (await run.backend()).accounts())),
    ...(events === undefined ? {} : { events: parseEvents(events) }),
  });
  return printSecret(run, made, () => {
    run.info(`the webhook is ${made.id}; a running server sends events to it from now on`);
    run.info(`test it: listing-video webhooks test ${made.id}`);
  });
}

/** `webhooks list`. */
export async function listWebhooks(run: CommandRun<ListOptions>): Promise<number> {
  const webhooks = await openWebhooks(run, 'webhooks list');
  const { data, warnings } = await webhooks.listWebhooks(run.options.organization);
  warnOfUnreadable(run, warnings);
  return printResult(run, { data: data.map(toWebhookDocument), has_more: false }, () => {
    if (data.length === 0) return run.info('no webhooks');
    printTable(run.terminal, data, [
      { title: 'ID', text: ({ id }) => id },
      { title: 'ORGANIZATION', text: ({ organizationId }) => organizationId },
      { title: 'EVENTS', text: ({ events }) => escapeText(events.join(',')) },
      { title: 'CREATED', text: ({ createdAt }) => formatDay(createdAt) },
      { title: 'DISABLED', text: ({ disabledAt }) => formatDay(disabledAt) },
      { title: 'URL', text: ({ url }) => escapeText(url), shrinks: true },
    ]);
  });
}

/** `webhooks rotate`. */
export async function rotateSecret(run: CommandRun): Promise<number> {
  const webhooks = await openWebhooks(run, 'webhooks rotate');
  const made = await webhooks.rotateSecret(run.args[0]!);
  return printSecret(run, made, () => run.info('the previous secret signs too for 24 hours'));
}

/** `webhooks delete`. */
export async function deleteWebhook(run: CommandRun): Promise<number> {
  const webhooks = await openWebhooks(run, 'webhooks delete');
  const webhook = await webhooks.deleteWebhook(run.args[0]!);
  return printResult(run, toWebhookDocument(webhook), () => run.terminal.print(`${webhook.id} is deleted`));
}

/** `webhooks test`. Exit code 1 unless the answer is 2xx. */
export async function testWebhook(run: CommandRun): Promise<number> {
  const webhooks = await openWebhooks(run, 'webhooks test');
  const id = run.args[0]!;
  const attempt = await webhooks.test(id, run.signal);
  const { status } = attempt;
  const isDelivered = status !== null && status >= 200 && status < 300;
  printResult(run, { webhook_id: id, delivered: isDelivered, ...toAttemptDocument(attempt) }, () => {
    run.terminal.print(`${isDelivered ? 'delivered' : 'not delivered'}: ${describeAttempt(attempt)}`);
    if (attempt.error?.startsWith('blocked_address'))
      run.info('if the receiver is yours: --allow-private HOST allows it, here and with serve');
    if (attempt.response !== '') run.terminal.print(`answer: ${escapeText(attempt.response)}`);
  });
  return isDelivered ? 0 : 1;
}

function printSecret(run: CommandRun, made: NewWebhook, printMore: () => void): number {
  return printResult(run, { ...toWebhookDocument(made), secret: made.secret }, () => {
    run.terminal.print(made.secret);
    run.info('give the secret to the receiver and store it safely: it cannot be shown again');
    printMore();
  });
}

/** @throws ListingVideoError `usage`. */
function parseEvents(text: string): WebhookEvent[] {
  return text.split(',').map((word) => {
    const found = EVENTS.find((event) => event === word.trim());
    if (found !== undefined) return found;
    throw usageError(`--events: there is no event "${word.trim()}"`, nearestHint(word.trim(), EVENTS));
  });
}

function toWebhookDocument({ id, organizationId, url, events, createdAt, disabledAt }: Webhook): object {
  return {
    id,
    organization_id: organizationId,
    url,
    events,
    created_at: toOffsetTime(createdAt),
    disabled_at: toOffsetTime(disabledAt),
  };
}

/** `listing-video webhooks`: who is told when tasks end. */
import { InvalidArgumentError, Option } from 'commander';
import type { DeliveryState } from '../../task/webhooks/webhook.ts';
import { CliCommand } from '../define-command.ts';
import { receiverOptions } from '../serve/service-flags.ts';

const EXAMPLE_ID = 'wh_0c1d2e3f40516273';
const EXAMPLE_DELIVERY = 'dlv_01934a5e7c3b0c1d2e3f4051';
const STATES: readonly DeliveryState[] = ['waiting', 'succeeded', 'failed'];
const load = () => import('./manage-webhooks.ts');
const loadDeliveries = () => import('./manage-deliveries.ts');

export const webhooksCommand = (): CliCommand =>
  new CliCommand('webhooks', 'send events of tasks to a URL')
    .description(
      'Manages webhooks. When a task of an organization ends, a running server sends a signed POST request to each of its webhooks. ' +
        'The guide `listing-video help webhooks` shows how to receive one. If the server has a database, set LISTING_VIDEO_DATABASE here, too.',
    )
    .subcommands(create(), list(), rotate(), remove(), test(), deliveries(), redeliver())
    // Webhooks are managed where the store is.
    .hiddenSettings('server')
    .examples({ 'webhooks list': 'see who gets events' });

function create(): CliCommand {
  return new CliCommand('create', 'create a webhook')
    .description('Creates a webhook and prints the secret that signs its messages. It is shown only once.')
    .requiredOption('--url <url>', 'send the events to this http or https URL')
    .option(
      '--organization <id>',
      'send the events of the tasks of this organization (default: the only one there is)',
    )
    .option(
      '--events <list>',
      `send only these events, with commas: task.succeeded,task.failed (default: all)`,
    )
    .examples({
      'webhooks create --url https://example.com/webhooks/videos': 'get the events of all tasks',
      'webhooks create --organization org_0c1d2e3f40516273 --url https://example.com/alerts --events task.failed':
        'get the failures of one of several organizations',
    })
    .does(async () => (await load()).createWebhook);
}

function list(): CliCommand {
  return new CliCommand('list', 'list all webhooks')
    .alias('ls')
    .description(
      'Lists the webhooks without their secrets. One is disabled if its receiver answered 410 Gone.',
    )
    .option('--organization <id>', 'list only the webhooks of this organization')
    .examples({ 'webhooks list': 'see who gets events' })
    .does(async () => (await load()).listWebhooks);
}

function rotate(): CliCommand {
  return new CliCommand('rotate', 'make a new secret')
    .description(
      'Makes a new secret and prints it once. For 24 hours each message has a signature of the previous secret, too.',
    )
    .argument('<id>', 'id of the webhook, as in `webhooks list`')
    .examples({ [`webhooks rotate ${EXAMPLE_ID}`]: 'replace a leaked secret' })
    .does(async () => (await load()).rotateSecret);
}

function remove(): CliCommand {
  return new CliCommand('delete', 'delete a webhook')
    .description('Deletes a webhook and its deliveries. A running server sends nothing more to it.')
    .argument('<id>', 'id of the webhook, as in `webhooks list`')
    .examples({ [`webhooks delete ${EXAMPLE_ID}`]: 'stop sending events' })
    .does(async () => (await load()).deleteWebhook);
}

function test(): CliCommand {
  return new CliCommand('test', 'send a test message now')
    .description(
      'Sends a signed message of the type `webhook.test` from this machine and prints what comes back. ' +
        'The exit code is 1 unless the answer is 2xx.',
    )
    .argument('<id>', 'id of the webhook, as in `webhooks list`')
    .addOptions(receiverOptions())
    .examples({ [`webhooks test ${EXAMPLE_ID}`]: 'check that a receiver works' })
    .does(async () => (await load()).testWebhook);
}

function deliveries(): CliCommand {
  return new CliCommand('deliveries', 'list the deliveries of events')
    .description(
      'Lists deliveries, newest first, with the answer to the last attempt. Ended ones are kept for 7 days.',
    )
    .argument('[id]', 'id of a webhook (default: all)')
    .addOption(
      new Option('--state <state>', `list only deliveries in this state: ${STATES.join(', ')}`).choices(
        STATES,
      ),
    )
    .addOption(
      new Option('--limit <n>', 'list at most this many, 1 to 100').default(20).argParser(parseLimit),
    )
    .option('--starting-after <id>', 'start after this delivery, for the next page')
    .examples({
      'webhooks deliveries --state failed': 'see what no receiver accepted',
      [`webhooks deliveries ${EXAMPLE_ID} --limit 5`]: 'see the last five of one webhook',
    })
    .does(async () => (await loadDeliveries()).listDeliveries);
}

function redeliver(): CliCommand {
  return new CliCommand('redeliver', 'send an event again')
    .description(
      'Makes a new delivery of the same message. A running server sends it within a second. ' +
        'A receiver knows the repeated message by its header `webhook-id`.',
    )
    .argument('<id>', 'id of the delivery, as in `webhooks deliveries`')
    .examples({ [`webhooks redeliver ${EXAMPLE_DELIVERY}`]: 'repeat a delivery that failed' })
    .does(async () => (await loadDeliveries()).redeliver);
}

function parseLimit(value: string): number {
  if (/^\d{1,3}$/.test(value) && Number(value) >= 1 && Number(value) <= 100) return Number(value);
  throw new InvalidArgumentError('Expected a whole number from 1 to 100.');
}

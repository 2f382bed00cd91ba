/** The requests that this service sends to webhooks. Data only. */
import type { JsonSchema } from '../../../listing/rules/schema.ts';
import { TASK_EXAMPLES, TIMESTAMP } from './answer-schemas.ts';
import { object, refer, text } from './document-parts.ts';

const WEBHOOK_ID = 'wh_0c1d2e3f40516273';
const [EVENT_TIME] = TIMESTAMP.examples;

/** By their names in `#/components/schemas`. */
export const WEBHOOK_SCHEMAS: Readonly<Record<string, JsonSchema>> = {
  TaskEvent: object({
    title: 'Task event',
    description: 'The end of a task.',
    required: ['type', 'timestamp', 'data'],
    properties: {
      type: {
        type: 'string',
        enum: ['task.succeeded', 'task.failed'],
        description: 'Further types can come.',
      },
      timestamp: { ...TIMESTAMP, description: 'Time at which the task ended.' },
      data: {
        ...refer('Task'),
        description: 'The task at its end, as `GET /v1/tasks/{task_id}` answers it without betas.',
      },
    },
  }),
  TestEvent: object({
    title: 'Test event',
    description: 'A test by the operator of the service.',
    required: ['type', 'timestamp', 'data'],
    properties: {
      type: { type: 'string', enum: ['webhook.test'] },
      timestamp: { ...TIMESTAMP, description: 'Time of the test.' },
      data: object({
        required: ['webhook_id'],
        properties: { webhook_id: text('Identifier of the webhook.', WEBHOOK_ID) },
      }),
    },
  }),
};

const HEADERS: readonly JsonSchema[] = [
  header(
    'webhook-id',
    'Identifies the message. Every repetition of it has the same id.',
    'msg_01934a5e7c3b_0',
  ),
  header('webhook-timestamp', 'Time of this attempt, in seconds since 1970.', '1795183387'),
  header(
    'webhook-signature',
    'Signatures, separated by spaces: `v1,` and the base64 of HMAC-SHA256 over id, timestamp and body, joined by full stops. ' +
      'The key is what follows `whsec_` in the secret, decoded from base64.',
    'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
  ),
];

export const WEBHOOKS: Readonly<Record<string, JsonSchema>> = {
  'task.succeeded': operation('onTaskSucceeded', 'A task succeeded', 'TaskEvent', {
    succeeded: taskExample('task.succeeded', 'succeeded'),
  }),
  'task.failed': operation('onTaskFailed', 'A task failed', 'TaskEvent', {
    failed: taskExample('task.failed', 'failed'),
  }),
  'webhook.test': operation('onWebhookTest', 'A test', 'TestEvent', {
    test: { value: { type: 'webhook.test', timestamp: EVENT_TIME, data: { webhook_id: WEBHOOK_ID } } },
  }),
};

function operation(
  operationId: string,
  summary: string,
  schemaName: string,
  examples: JsonSchema,
): JsonSchema {
  return {
    post: {
      operationId,
      tags: ['Webhooks'],
      summary,
      description:
        'Sent to the webhooks of the organization, which the operator of the service makes. Signed as Standard Webhooks says ' +
        '(https://www.standardwebhooks.com). A message can come more than once, and messages can come in any order. An answer ' +
        'must come within 10 seconds.',
      security: [],
      parameters: HEADERS,
      requestBody: {
        required: true,
        content: { 'application/json': { schema: refer(schemaName), examples } },
      },
      responses: {
        '2XX': { description: 'The message is received. It is not sent again.' },
        410: { description: 'The receiver is gone. The webhook is disabled.' },
        default: {
          description:
            'Any other answer, a redirect too, and no answer: the message is sent again, after 3 seconds at first and every 6 ' +
            'hours at last, for 3 days.',
        },
      },
    },
  };
}

function header(name: string, description: string, example: string): JsonSchema {
  return { name, in: 'header', required: true, description, schema: { type: 'string' }, example };
}

function taskExample(type: string, state: 'succeeded' | 'failed'): JsonSchema {
  const { summary, value } = TASK_EXAMPLES[state];
  return { summary, value: { type, timestamp: EVENT_TIME, data: value } };
}

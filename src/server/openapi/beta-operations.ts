/** The operations of betas that have paths of their own. Data only. */
import type { JsonSchema } from '../../listing/rules/schema.ts';
import type { Beta } from '../../api/server/requests/beta.ts';
import { ASSETS_PATH, CANCEL_PATH, EVENTS_PATH, TEMPLATES_PATH } from '../route-names.ts';
import { TASK_EXAMPLES } from '../../api/server/openapi/answer-schemas.ts';
import { TEMPLATE_EXAMPLE, UPLOAD_EXAMPLE } from './beta-schemas.ts';
import { jsonResponse } from './document-parts.ts';
import { REQUEST_ID_HEADER, RETRY_AFTER, referRefusals } from '../../api/server/openapi/refusals.ts';
import { TASK_ID_PARAMETER } from './task-parameter.ts';

const HEADERS = {
  ...REQUEST_ID_HEADER,
  'service-beta': {
    description: 'The betas that are on.',
    schema: { type: 'string' },
  },
};

const CANCELLED = {
  id: TASK_EXAMPLES.failed.value.id,
  state: 'FAILED',
  failure_message: 'cancelled',
  results: [],
  dropped_assets: [],
};

const EXAMPLE_STREAM = [
  ['state', 'pXW9uJ0nq3Zr4t5v', TASK_EXAMPLES.running.value],
  ['progress', 'Vb2k8sLm1xQe7YcA', { percent: 62, stage: 'render', eta_seconds: 14 }],
  ['end', 'h6TgR0dWf9KzN3aP', TASK_EXAMPLES.succeeded.value],
]
  .map(([name, id, data]) => `event: ${name}\nid: ${id}\ndata: ${JSON.stringify(data)}\n\n`)
  .join('');

/** Without it there is nothing at the path. */
function betaParameter(name: Beta): JsonSchema {
  return {
    name: 'service-beta',
    in: 'header',
    required: true,
    description: `Must contain \`${name}\`. Without it this path is unknown: 404 \`not_found\`.`,
    style: 'simple',
    schema: { type: 'array', items: { type: 'string' }, examples: [[name]] },
  };
}

const LIST_TEMPLATES: JsonSchema = {
  operationId: 'listTemplates',
  tags: ['Templates'],
  summary: 'List templates (beta)',
  description:
    'Lists the templates that a listing can name, with what `template_data` can set. The answer can be cached for a minute; ' +
    '`If-None-Match` then saves its body.',
  parameters: [
    betaParameter('templates'),
    {
      name: 'If-None-Match',
      in: 'header',
      required: false,
      description: 'The `ETag` of an earlier answer.',
      schema: { type: 'string' },
    },
  ],
  responses: {
    200: jsonResponse(
      'The templates.',
      {
        ...HEADERS,
        ETag: { description: 'Changes with the list.', schema: { type: 'string' } },
        'Cache-Control': { description: 'How long it can be cached.', schema: { type: 'string' } },
      },
      'TemplateList',
      { templates: { value: { data: [TEMPLATE_EXAMPLE], has_more: false } } },
    ),
    304: { description: 'The list is the one that `If-None-Match` names.', headers: HEADERS },
    ...referRefusals([401, 403, 405, 429, 500, 503], 'BetaOff'),
  },
};

const CANCEL_TASK: JsonSchema = {
  operationId: 'cancelTask',
  tags: ['Tasks'],
  summary: 'Cancel a task (beta)',
  description:
    'Ends a waiting task at once, and stops a running one within about a second. A cancelled task is FAILED with the ' +
    '`failure_message` `cancelled`, and its credits are given back. A repeated request has the same answer. The request needs no body.',
  parameters: [TASK_ID_PARAMETER, betaParameter('task-cancel')],
  responses: {
    200: jsonResponse('The task, which is cancelled.', HEADERS, 'Task', { cancelled: { value: CANCELLED } }),
    202: jsonResponse(
      'The task, which still runs. Read it again to see that it has stopped.',
      { ...HEADERS, 'Retry-After': RETRY_AFTER },
      'Task',
      { stopping: { value: { id: CANCELLED.id, state: 'RUNNING', results: [], dropped_assets: [] } } },
    ),
    ...referRefusals([401, 403, 405, 409, 422, 429, 500, 503], 'BetaTaskNotFound'),
  },
};

const FOLLOW_TASK: JsonSchema = {
  operationId: 'followTask',
  tags: ['Tasks'],
  summary: 'Follow a task (beta)',
  description:
    'Sends the state and the progress of a task as they change, as server-sent events. The stream ends with the task, and for an ' +
    'ended task after one event. A comment is sent every 15 seconds. The stream of a client that does not read is closed, and every ' +
    'stream ends when its key is revoked or expires, or when the service shuts down: reconnect then. At most 50 streams are open with ' +
    'one key.',
  parameters: [
    TASK_ID_PARAMETER,
    betaParameter('task-events'),
    {
      name: 'Last-Event-ID',
      in: 'header',
      required: false,
      description:
        'The `id` of the last event that the client has. The stream then starts with what has changed since; with another id, with the ' +
        'whole task.',
      schema: { type: 'string' },
    },
  ],
  responses: {
    200: {
      description:
        'The stream. An event `state` has a Task in its `data`: first, and at each change of the state. An event `progress` has ' +
        'a TaskProgress. The last event is `end`, with the ended Task. Each has an `id`.',
      headers: HEADERS,
      content: {
        'text/event-stream': {
          schema: { type: 'string' },
          examples: { stream: { value: EXAMPLE_STREAM } },
        },
      },
    },
    204: {
      description:
        'The task has ended, and `Last-Event-ID` is its last event. A browser then does not reconnect.',
      headers: HEADERS,
    },
    ...referRefusals([401, 403, 405, 422, 429, 500, 503], 'BetaTaskNotFound'),
  },
};

const UPLOAD_ASSET: JsonSchema = {
  operationId: 'uploadAsset',
  tags: ['Assets'],
  summary: 'Upload an image (beta)',
  description:
    'Stores one image for listings whose photos have no public URL. It is checked like a photo from the network: at most 25 MiB and ' +
    '100 megapixels, JPEG, PNG, WebP, AVIF, HEIC, GIF or TIFF. The bytes decide the format. Create the task within a day, also with the beta ' +
    '`uploads`. An organization can store 1,000 images of 2 GiB together.',
  parameters: [betaParameter('uploads')],
  requestBody: {
    required: true,
    content: Object.fromEntries(
      ['image/*', 'application/octet-stream'].map((type) => [
        type,
        { schema: { type: 'string', format: 'binary', description: 'The bytes of one image.' } },
      ]),
    ),
  },
  responses: {
    201: jsonResponse('The image is stored.', HEADERS, 'Upload', { upload: { value: UPLOAD_EXAMPLE } }),
    ...referRefusals([401, 405, 429, 500, 503], 'BetaOff'),
    400: { $ref: '#/components/responses/UploadRefused' },
    403: { $ref: '#/components/responses/UploadForbidden' },
  },
};

/** By path, then by method. */
export const BETA_PATHS: Readonly<Record<string, JsonSchema>> = {
  [CANCEL_PATH]: { post: CANCEL_TASK },
  [EVENTS_PATH]: { get: FOLLOW_TASK },
  [ASSETS_PATH]: { post: UPLOAD_ASSET },
  [TEMPLATES_PATH]: { get: LIST_TEMPLATES },
};

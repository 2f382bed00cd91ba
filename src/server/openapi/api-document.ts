/** The OpenAPI 3.1 document of this API, built from the schemas and constants that the code uses. */
import { type JsonSchema, LISTING_SCHEMA } from '../../listing/rules/schema.ts';
import { BETAS } from '../../api/server/requests/beta.ts';
import { DEFAULT_LIMIT, MAX_LIMIT } from '../../api/server/requests/list-query.ts';
import {
  ASSETS_PATH,
  HEALTH_PATH,
  ORGANIZATION_PATH,
  READY_PATH,
  TASK_PATH,
  TASKS_PATH,
} from '../route-names.ts';
import { ANSWER_SCHEMAS, TASK_EXAMPLES } from '../../api/server/openapi/answer-schemas.ts';
import { BETA_PATHS } from './beta-operations.ts';
import { BETA_SCHEMAS } from './beta-schemas.ts';
import { jsonResponse, queryParameter, refer } from './document-parts.ts';
import { listingSchemas } from './listing-schemas.ts';
import { REQUEST_ID_HEADER, RETRY_AFTER, referRefusals, refusalResponses } from '../../api/server/openapi/refusals.ts';
import { TASK_ID_PARAMETER } from './task-parameter.ts';
import { WEBHOOK_SCHEMAS, WEBHOOKS } from '../../api/server/openapi/webhooks.ts';

/** The version of the interface, not of this program. */
const API_VERSION = '1.3.0';

/**
 * @param publicUrl - Public URL of the service.
 * @param hasUploads - Without uploads the document has nothing of them.
 */
export function createApiDocument(publicUrl: string, { hasUploads = true } = {}): JsonSchema {
  const offered = <T>(parts: Readonly<Record<string, T>>): Record<string, T> =>
    Object.fromEntries(Object.entries(parts).filter(([name]) => hasUploads || !OF_UPLOADS.has(name)));
  return {
    openapi: '3.1.0',
    info: {
      title: 'listing-video',
      version: API_VERSION,
      summary: 'Turns real-estate listings into videos, one for each agent.',
      description:
        'Send a listing: the service creates a task. Read the task until it has ended: its results have the URLs of the videos. ' +
        'The service ignores unknown properties. Where null is allowed, it means the same as an absent property.',
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: publicUrl, description: 'This service.' }],
    tags: [
      { name: 'Tasks', description: 'Create and read tasks.' },
      { name: 'Organization', description: 'The caller’s organization and its credits.' },
      ...(hasUploads ? [{ name: 'Assets', description: 'Images for listings.' }] : []),
      { name: 'Templates', description: 'What videos can look like.' },
      { name: 'Webhooks', description: 'Requests that this service sends when tasks end.' },
      { name: 'Operation', description: 'For operators of the service.' },
    ],
    // The last entry stands for a service without keys, which trusts its caller.
    security: [{ bearerAuth: [] }, { apiKeyAuth: [] }, {}],
    paths: {
      [TASKS_PATH]: { get: LIST_TASKS, post: CREATE_TASK },
      [TASK_PATH]: { get: GET_TASK },
      [ORGANIZATION_PATH]: { get: GET_ORGANIZATION },
      ...offered(BETA_PATHS),
      [HEALTH_PATH]: { get: GET_HEALTH },
      [READY_PATH]: { get: GET_READINESS },
    },
    webhooks: WEBHOOKS,
    components: {
      schemas: { ...listingSchemas(), ...ANSWER_SCHEMAS, ...offered(BETA_SCHEMAS), ...WEBHOOK_SCHEMAS },
      responses: offered(refusalResponses()),
      parameters: parametersOf(offered(BETAS)),
      securitySchemes: {
        bearerAuth: {
          type: 'http',
          scheme: 'bearer',
          description: 'An API key, made with `listing-video keys create`.',
        },
        apiKeyAuth: { type: 'apiKey', in: 'header', name: 'x-api-key', description: 'The same key.' },
      },
    },
  };
}

/** What a document without uploads leaves out. */
const OF_UPLOADS = new Set(['uploads', ASSETS_PATH, 'Upload', 'UploadRefused', 'UploadForbidden']);

/** @param betas - Their effects by their names. */
function parametersOf(betas: Readonly<Record<string, string>>): Readonly<Record<string, JsonSchema>> {
  const known = Object.entries(betas).map(([name, does]) => `\`${name}\`: ${does}`);
  return {
    ServiceBeta: {
      name: 'service-beta',
      in: 'header',
      required: false,
      description: `Experimental features to turn on, separated by commas. Unknown names are ignored. Known: ${known.join('; ')}.`,
      style: 'simple',
      schema: { type: 'array', items: { type: 'string' }, examples: [Object.keys(betas)] },
    },
    IdempotencyKey: {
      name: 'Idempotency-Key',
      in: 'header',
      required: false,
      description:
        'Makes retries safe: for 24 hours the same key with the same body returns the same task and creates nothing.',
      schema: { type: 'string', minLength: 1, maxLength: 255 },
      example: 'listing-HP-204128-2026-11-20',
    },
  };
}

const BETA_HEADER = {
  'service-beta': {
    description: 'The betas that are on. Absent when there are none.',
    schema: { type: 'string' },
  },
};
const ANSWER_HEADERS = { ...REQUEST_ID_HEADER, ...BETA_HEADER };
const BETA_PARAMETER = { $ref: '#/components/parameters/ServiceBeta' };

const CREATE_TASK: JsonSchema = {
  operationId: 'createTask',
  tags: ['Tasks'],
  summary: 'Create a task from a listing',
  description:
    'Answers as soon as the task is stored durably. The task makes one video for each agent. ' +
    'A listing has at most 20,000 JSON values.',
  parameters: [BETA_PARAMETER, { $ref: '#/components/parameters/IdempotencyKey' }],
  requestBody: {
    required: true,
    content: {
      'application/json': {
        schema: refer('Listing'),
        examples: {
          listing: {
            summary: 'A listing with one agent',
            value: (LISTING_SCHEMA.examples as readonly unknown[])[0],
          },
        },
      },
    },
  },
  responses: {
    202: jsonResponse(
      'The task was created, now or by an earlier request with the same Idempotency-Key.',
      {
        ...ANSWER_HEADERS,
        Location: { description: 'Path of the task.', schema: { type: 'string' } },
        'Idempotent-Replayed': {
          description: '`true` when an earlier request with this Idempotency-Key created the task.',
          schema: { type: 'string', enum: ['true'] },
        },
      },
      'ScheduledTask',
      { task: { value: { id: TASK_EXAMPLES.succeeded.value.id } } },
    ),
    ...referRefusals([400, 401, 402, 403, 405, 422, 429, 500, 503], 'TemplateNotFound'),
  },
};

const LIST_TASKS: JsonSchema = {
  operationId: 'listTasks',
  tags: ['Tasks'],
  summary: 'List tasks',
  description: 'Lists your tasks, newest first. New tasks do not change the following pages.',
  parameters: [
    queryParameter('state', 'Only tasks in this state.', refer('TaskState')),
    queryParameter('status', 'The same as `state`. If both are given, `state` counts.', refer('TaskState')),
    queryParameter('starting_after', 'Id of a task. The page starts with the task after it.', {
      type: 'string',
    }),
    queryParameter(
      'limit',
      'Maximum number of tasks in the answer. A page of large tasks has fewer: see `has_more`.',
      {
        type: 'integer',
        minimum: 1,
        maximum: MAX_LIMIT,
        default: DEFAULT_LIMIT,
      },
    ),
    BETA_PARAMETER,
  ],
  responses: {
    200: jsonResponse('A page of tasks.', ANSWER_HEADERS, 'TaskList', {
      page: { value: { data: [TASK_EXAMPLES.succeeded.value, TASK_EXAMPLES.failed.value], has_more: false } },
    }),
    ...referRefusals([401, 403, 405, 422, 429, 500, 503]),
  },
};

const GET_TASK: JsonSchema = {
  operationId: 'getTask',
  tags: ['Tasks'],
  summary: 'Retrieve a task',
  description: 'Returns one task. Until it has ended, `Retry-After` says when to read it again.',
  parameters: [TASK_ID_PARAMETER, BETA_PARAMETER],
  responses: {
    200: jsonResponse('The task.', { ...ANSWER_HEADERS, 'Retry-After': RETRY_AFTER }, 'Task', TASK_EXAMPLES),
    ...referRefusals([401, 403, 405, 422, 429, 500, 503], 'TaskNotFound'),
  },
};

const GET_ORGANIZATION: JsonSchema = {
  operationId: 'getOrganization',
  tags: ['Organization'],
  summary: 'Retrieve your organization',
  description: 'Returns the organization of the API key, with its balance.',
  parameters: [BETA_PARAMETER],
  responses: {
    200: jsonResponse('The organization.', ANSWER_HEADERS, 'Organization', {
      metered: { value: { id: 'org_default', balance: 500 } },
    }),
    ...referRefusals([401, 403, 405, 429, 500, 503]),
  },
};

const GET_HEALTH: JsonSchema = {
  operationId: 'getHealth',
  tags: ['Operation'],
  summary: 'Is the process alive?',
  description: 'Needs no key. Stays 200 while the service shuts down.',
  security: [],
  responses: { 200: healthResponse('ok'), ...referRefusals([403, 405, 500]) },
};

const GET_READINESS: JsonSchema = {
  operationId: 'getReadiness',
  tags: ['Operation'],
  summary: 'Is the service ready?',
  description:
    'Needs no key. 200 when the store is writable, its disk has 500 MB of free space, ffmpeg is found, the service starts tasks ' +
    'and is not shutting down. The service starts no task for a while after a fault of its machine, such as a full disk. ' +
    'The 503 says in `context.checks` which check failed: `store`, `disk`, `ffmpeg` or `worker`.',
  security: [],
  responses: { 200: healthResponse('ready'), ...referRefusals([403, 405, 500, 503]) },
};

function healthResponse(status: 'ok' | 'ready'): JsonSchema {
  return jsonResponse('Yes, it is.', REQUEST_ID_HEADER, 'Health', { yes: { value: { status } } });
}

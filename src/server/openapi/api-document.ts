/** The OpenAPI 3.1 document of this API, put together from the schemas and constants that the code itself goes by. */
import { type JsonSchema, LISTING_SCHEMA } from '../../listing/rules/schema.ts';
import { BETAS } from '../beta.ts';
import { DEFAULT_LIMIT, MAX_LIMIT } from '../list-query.ts';
import { HEALTH_PATH, ORGANIZATION_PATH, READY_PATH, TASK_PATH, TASKS_PATH } from '../route-names.ts';
import { TASK_ID_MIN_LENGTH } from '../routes/read-tasks.ts';
import { ANSWER_SCHEMAS, TASK_EXAMPLES } from './answer-schemas.ts';
import { listingSchemas } from './listing-schemas.ts';
import { REQUEST_ID_HEADER, RETRY_AFTER, refer, refusalResponses } from './refusals.ts';

/** The version of the interface, not of this program. */
export const API_VERSION = '1.3.0';

/** @param publicUrl - Where the described service is. */
export function createApiDocument(publicUrl: string): JsonSchema {
  return {
    openapi: '3.1.0',
    info: {
      title: 'listing-video',
      version: API_VERSION,
      summary: 'Turns real-estate listings into videos, one for each agent.',
      description:
        'Send a listing; the service makes a task of it. Read the task until it has ended: its results name the videos. ' +
        'Properties that the service does not know are ignored, and null means the same as absent wherever it is allowed.',
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: publicUrl, description: 'This service.' }],
    tags: [
      { name: 'Tasks', description: 'Listings on their way to videos.' },
      { name: 'Organization', description: 'Who asks, and what is left of the credits.' },
      { name: 'Operation', description: 'For whoever runs the service.' },
    ],
    // The last one is a service without keys: it trusts its caller.
    security: [{ bearerAuth: [] }, { apiKeyAuth: [] }, {}],
    paths: {
      [TASKS_PATH]: { get: LIST_TASKS, post: CREATE_TASK },
      [TASK_PATH]: { get: GET_TASK },
      [ORGANIZATION_PATH]: { get: GET_ORGANIZATION },
      [HEALTH_PATH]: { get: GET_HEALTH },
      [READY_PATH]: { get: GET_READINESS },
    },
    components: {
      schemas: { ...listingSchemas(), ...ANSWER_SCHEMAS },
      responses: refusalResponses(),
      parameters: PARAMETERS,
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

const BETA_NAMES = Object.keys(BETAS);

const PARAMETERS: Readonly<Record<string, JsonSchema>> = {
  ServiceBeta: {
    name: 'service-beta',
    in: 'header',
    required: false,
    description: `Experimental features to turn on, separated by commas; unknown ones are ignored. There is ${Object.entries(
      BETAS,
    )
      .map(([name, does]) => `\`${name}\`: ${does}`)
      .join('; ')}.`,
    style: 'simple',
    schema: { type: 'array', items: { type: 'string' }, examples: [BETA_NAMES] },
  },
  IdempotencyKey: {
    name: 'Idempotency-Key',
    in: 'header',
    required: false,
    description:
      'Makes a repeat harmless: for 24 hours the same key with the same body gives the same task and creates nothing.',
    schema: { type: 'string', minLength: 1, maxLength: 255 },
    example: 'listing-HP-204128-2026-11-20',
  },
};

const BETA_HEADER = {
  'service-beta': {
    description: 'The betas in force; absent when there are none.',
    schema: { type: 'string' },
  },
};
const ANSWER_HEADERS = { ...REQUEST_ID_HEADER, ...BETA_HEADER };
const BETA_PARAMETER = { $ref: '#/components/parameters/ServiceBeta' };

const CREATE_TASK: JsonSchema = {
  operationId: 'createTask',
  tags: ['Tasks'],
  summary: 'Create a task from a listing',
  description: 'Answers as soon as the task is stored for good. One video is made for each agent.',
  parameters: [BETA_PARAMETER, { $ref: '#/components/parameters/IdempotencyKey' }],
  requestBody: {
    required: true,
    content: {
      'application/json': {
        schema: { $ref: '#/components/schemas/Listing' },
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
    202: {
      description: 'The task was made, or, of a repeat, had been made before.',
      headers: {
        ...ANSWER_HEADERS,
        Location: { description: 'Path of the task.', schema: { type: 'string' } },
        'Idempotent-Replayed': {
          description: '`true` when an earlier request with this Idempotency-Key made the task.',
          schema: { type: 'string', enum: ['true'] },
        },
      },
      content: {
        'application/json': {
          schema: { $ref: '#/components/schemas/ScheduledTask' },
          examples: { task: { value: { id: TASK_EXAMPLES.succeeded.value.id } } },
        },
      },
    },
    ...refer([400, 401, 402, 403, 405, 422, 500, 503], 'TemplateNotFound'),
  },
};

const LIST_TASKS: JsonSchema = {
  operationId: 'listTasks',
  tags: ['Tasks'],
  summary: 'List tasks',
  description: 'Your tasks, the most recently created first. Tasks made meanwhile do not disturb the pages.',
  parameters: [
    {
      name: 'state',
      in: 'query',
      required: false,
      description: 'Only tasks in this state.',
      schema: { $ref: '#/components/schemas/TaskState' },
    },
    {
      name: 'status',
      in: 'query',
      required: false,
      description: 'The same as `state`, which wins.',
      schema: { $ref: '#/components/schemas/TaskState' },
    },
    {
      name: 'starting_after',
      in: 'query',
      required: false,
      description: 'Id of a task: the page begins with the one that follows it in the list.',
      schema: { type: 'string' },
    },
    {
      name: 'limit',
      in: 'query',
      required: false,
      description: 'The most tasks to return.',
      schema: { type: 'integer', minimum: 1, maximum: MAX_LIMIT, default: DEFAULT_LIMIT },
    },
    BETA_PARAMETER,
  ],
  responses: {
    200: {
      description: 'A page of tasks.',
      headers: ANSWER_HEADERS,
      content: {
        'application/json': {
          schema: { $ref: '#/components/schemas/TaskList' },
          examples: {
            page: {
              value: { data: [TASK_EXAMPLES.succeeded.value, TASK_EXAMPLES.failed.value], has_more: false },
            },
          },
        },
      },
    },
    ...refer([401, 403, 405, 422, 500, 503]),
  },
};

const GET_TASK: JsonSchema = {
  operationId: 'getTask',
  tags: ['Tasks'],
  summary: 'Retrieve a task',
  description: 'One task. While it has not ended, `Retry-After` says when to look again.',
  parameters: [
    {
      name: 'task_id',
      in: 'path',
      required: true,
      description: 'Identifier of the task.',
      schema: { type: 'string', minLength: TASK_ID_MIN_LENGTH },
      example: TASK_EXAMPLES.succeeded.value.id,
    },
    BETA_PARAMETER,
  ],
  responses: {
    200: {
      description: 'The task.',
      headers: { ...ANSWER_HEADERS, 'Retry-After': RETRY_AFTER },
      content: {
        'application/json': { schema: { $ref: '#/components/schemas/Task' }, examples: TASK_EXAMPLES },
      },
    },
    ...refer([401, 403, 405, 422, 500, 503], 'TaskNotFound'),
  },
};

const GET_ORGANIZATION: JsonSchema = {
  operationId: 'getOrganization',
  tags: ['Organization'],
  summary: 'Retrieve your organization',
  description: 'The organization of the API key, with its balance.',
  parameters: [BETA_PARAMETER],
  responses: {
    200: {
      description: 'The organization.',
      headers: ANSWER_HEADERS,
      content: {
        'application/json': {
          schema: { $ref: '#/components/schemas/Organization' },
          examples: { metered: { value: { id: 'org_default', balance: 500 } } },
        },
      },
    },
    ...refer([401, 403, 405, 500, 503]),
  },
};

function healthOperation(
  operationId: string,
  summary: string,
  description: string,
  status: string,
  isRefused: boolean,
): JsonSchema {
  return {
    operationId,
    tags: ['Operation'],
    summary,
    description,
    security: [],
    responses: {
      200: {
        description: 'Yes.',
        headers: REQUEST_ID_HEADER,
        content: {
          'application/json': {
            schema: { $ref: '#/components/schemas/Health' },
            examples: { yes: { value: { status } } },
          },
        },
      },
      ...refer([403, 405, 500, ...(isRefused ? ([503] as const) : [])]),
    },
  };
}

const GET_HEALTH = healthOperation(
  'getHealth',
  'Does the process live?',
  'Needs no key. Stays 200 while the service drains.',
  'ok',
  false,
);
const GET_READINESS = healthOperation(
  'getReadiness',
  'Could it work?',
  'Needs no key. 200 when the store can be written, ffmpeg is found, and the service is not shutting down.',
  'ready',
  true,
);

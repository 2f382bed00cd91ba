/** The operations of betas that have paths of their own. Data only. */
import type { JsonSchema } from '../../listing/rules/schema.ts';
import type { Beta } from '../beta.ts';
import { CANCEL_PATH, TEMPLATES_PATH } from '../route-names.ts';
import { TASK_EXAMPLES } from './answer-schemas.ts';
import { TEMPLATE_EXAMPLE } from './beta-schemas.ts';
import { jsonResponse } from './document-parts.ts';
import { REQUEST_ID_HEADER, RETRY_AFTER, referRefusals } from './refusals.ts';
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

/** By path, then by method. */
export const BETA_PATHS: Readonly<Record<string, JsonSchema>> = {
  [CANCEL_PATH]: { post: CANCEL_TASK },
  [TEMPLATES_PATH]: { get: LIST_TEMPLATES },
};

/** Schemas of every answer of the API. Data only. States and limits come from the constants that the code uses. */
import type { JsonSchema } from '../../../listing/rules/schema.ts';
import { TASK_STATES } from '../../../task/task.ts';
import { listOf, object, refer, text, uri } from './document-parts.ts';

const TASK_ID = '01934a5e-7c3b-7d2e-9f10-5b6c7d8e9f00';
const FILE_URL = `https://videos.example.com/files/org_default/${TASK_ID}/1`;

export const TIMESTAMP = {
  type: 'string',
  pattern: '^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}\\.\\d{3}[+-]\\d{2}:\\d{2}$',
  examples: ['2026-11-20T14:03:07.123+00:00'],
};

export const TASK_EXAMPLES = {
  running: {
    summary: 'A running task, with the beta `task-progress`',
    value: {
      id: TASK_ID,
      state: 'RUNNING',
      results: [],
      dropped_assets: [],
      progress: { percent: 41.5, stage: 'render', eta_seconds: 23 },
    },
  },
  succeeded: {
    summary: 'A task that succeeded; one asset was dropped',
    value: {
      id: TASK_ID,
      state: 'SUCCEEDED',
      results: [
        {
          agent_id: 'june',
          url: `${FILE_URL}/q2VtZ8wA0nT5cR7yLk3JdQ.mp4`,
          created_at: '2026-11-20T14:03:07.123+00:00',
          preview_url: `${FILE_URL}/q2VtZ8wA0nT5cR7yLk3JdQ.gif`,
          metadata: { campaign: 'spring' },
        },
      ],
      dropped_assets: [
        { url: 'https://example.com/photos/05-garden.jpg', reason: 'too_small: 200 x 150 pixels' },
      ],
    },
  },
  failed: {
    summary: 'A task that failed',
    value: {
      id: TASK_ID,
      state: 'FAILED',
      failure_message: 'no usable assets: 5 of 5 dropped',
      results: [],
      dropped_assets: [
        { url: 'https://example.com/photos/01-front.jpg', reason: 'unreachable: HTTP 404 Not Found' },
      ],
    },
  },
} as const;

/** By their names in `#/components/schemas`. */
export const ANSWER_SCHEMAS: Readonly<Record<string, JsonSchema>> = {
  ScheduledTask: object({
    title: 'Scheduled task',
    description: 'The task that was created from a listing.',
    required: ['id'],
    properties: { id: text('Identifier of the task.', TASK_ID) },
  }),
  TaskState: {
    type: 'string',
    enum: [...TASK_STATES],
    title: 'Task state',
    description:
      'PENDING: accepted and waiting. RUNNING: in progress. SUCCEEDED and FAILED: ended. An ended task does not change, ' +
      'unless the operator of the service retries a failed one.',
  },
  Task: object({
    title: 'Task',
    description:
      'The work of turning one listing into videos. SUCCEEDED means that the videos of all agents exist.',
    required: ['id', 'state', 'results', 'dropped_assets'],
    properties: {
      id: text('Identifier of the task.', TASK_ID),
      state: refer('TaskState'),
      failure_message: text(
        'Brief description of the error. Present exactly when the state is FAILED.',
        'no usable assets: 5 of 5 dropped',
      ),
      results: listOf(
        refer('Result'),
        'One for each agent, in the order of the listing. Empty unless the state is SUCCEEDED.',
      ),
      dropped_assets: listOf(
        refer('DroppedAsset'),
        'Photos, portraits and logos that failed a check and are not in the videos.',
      ),
      progress: refer('TaskProgress'),
      listing_id: {
        type: ['string', 'null'],
        description:
          'Id of the listing, at most 255 characters of it; null if the stored task is damaged. Present exactly with the beta `task-details`.',
        examples: ['HP-204128'],
      },
      listing_address: {
        type: ['string', 'null'],
        description:
          'Street, city and state of the listing, at most 255 characters of them; null if the listing has no address, or if ' +
          'an earlier version stored the task. Present exactly with the beta `task-details`.',
        examples: ['128 Harbor Pine Lane, Portland, OR'],
      },
      agent_names: {
        ...listOf({ type: 'string' }),
        description:
          'Names of the agents, at most 80 characters of each, in the order of the listing and of `results`. Empty if an ' +
          'earlier version stored the task. Present exactly with the beta `task-details`.',
        examples: [['June Takemori']],
      },
      created_at: {
        ...TIMESTAMP,
        description: 'Time at which the task was created. Present exactly with the beta `task-details`.',
      },
      warnings: {
        ...listOf({ type: 'string' }),
        description:
          'For people: properties of the request that are unknown and ignored; when the state is SUCCEEDED, also what is worth ' +
          'knowing about the videos: small photos, texts without a place. Present exactly with the beta `task-details`.',
        examples: [
          [
            'unknown property "bedroms" is ignored; did you mean "bedrooms"?',
            '9 of 16 photos are narrower than 960 pixels: larger ones fill the screen',
          ],
        ],
      },
    },
  }),
  Result: object({
    title: 'Result',
    description: 'The video of one agent.',
    required: ['agent_id', 'url', 'created_at', 'metadata'],
    properties: {
      agent_id: text('Agent of the video.', 'june'),
      url: uri(
        'URL of the MP4. Anyone who knows the URL can fetch it without a key. Range requests are supported.',
      ),
      created_at: {
        ...TIMESTAMP,
        description: 'Creation time: ISO 8601 with milliseconds and a numeric offset.',
      },
      preview_url: uri('URL of the preview GIF. Present exactly when the request has `create_preview`.'),
      poster_url: uri(
        'URL of the poster, a JPEG of the opening. Present exactly with the beta `task-details`.',
      ),
      metadata: {
        type: 'object',
        additionalProperties: { type: 'string' },
        description: 'The metadata of the agent’s video_options, unchanged.',
        examples: [{ campaign: 'spring' }],
      },
    },
  }),
  DroppedAsset: object({
    title: 'Dropped asset',
    required: ['url', 'reason'],
    description: 'An image that is not in the videos, and the reason.',
    properties: {
      url: text('The URL exactly as the client sent it.'),
      reason: text(
        'A code, a colon and a detail. The codes are `blocked_address`, `unreachable`, `timeout`, `too_large`, ' +
          '`not_an_image`, `unsupported_format`, `corrupt`, `too_small` and `duplicate`.',
        'too_small: 200 x 150 pixels',
      ),
    },
  }),
  TaskProgress: object({
    title: 'Task progress',
    description: 'Present exactly with the beta `task-progress`, also after the task has ended.',
    required: ['percent', 'stage', 'eta_seconds'],
    properties: {
      percent: {
        type: 'number',
        minimum: 0,
        maximum: 100,
        description: 'Never decreases within an attempt.',
      },
      stage: { type: ['string', 'null'], description: 'Current step.', examples: ['render'] },
      eta_seconds: {
        type: ['number', 'null'],
        minimum: 0,
        description: 'Estimated seconds left; null if unknown.',
      },
    },
  }),
  TaskList: object({
    title: 'Task list',
    description: 'A page of tasks, newest first.',
    required: ['data', 'has_more'],
    properties: {
      data: listOf(refer('Task')),
      has_more: {
        type: 'boolean',
        description: 'True when more tasks can follow this page, also if it has fewer tasks than `limit`.',
      },
    },
  }),
  Organization: object({
    title: 'Organization',
    description: 'The owner of tasks and credits.',
    required: ['id', 'balance'],
    properties: {
      id: text('Identifier of the organization.', 'org_default'),
      balance: {
        type: 'number',
        description: 'Credits left. One credit is one video. 0 for an organization without metering.',
        examples: [500],
      },
      is_metered: {
        type: 'boolean',
        description: 'Whether tasks cost credits. Present exactly with the beta `organization-details`.',
        examples: [true],
      },
    },
  }),
  Health: object({
    title: 'Health',
    description: 'Status of the service.',
    required: ['status'],
    properties: { status: { type: 'string', enum: ['ok', 'ready'] } },
  }),
  Error: object({
    title: 'Error',
    description: 'The reason for an error.',
    properties: {
      code: {
        type: ['string', 'null'],
        description: 'Stable code for programs. The message can change, the code does not.',
        examples: ['task_not_found'],
      },
      message: { type: ['string', 'null'], description: 'Message for people.', examples: ['no such task'] },
      context: {
        type: ['object', 'null'],
        description: 'Details for programs; null if there are none.',
        examples: [{ balance: 1, required: 2 }],
      },
    },
  }),
  ValidationError: object({
    title: 'Validation error',
    description: 'Every violation in the request.',
    required: ['detail'],
    properties: {
      detail: { type: 'array', minItems: 1, items: refer('Violation') },
    },
  }),
  Violation: object({
    title: 'Violation',
    description: 'One broken rule, in the vocabulary of pydantic 2.',
    required: ['loc', 'msg', 'type'],
    properties: {
      loc: {
        type: 'array',
        items: { type: ['string', 'integer'] },
        description: 'Location: `body`, `query` or `path`, then keys and indexes.',
        examples: [['body', 'agents', 0, 'video_options', 'ratio']],
      },
      msg: text('Message for people.', "Input should be '1920:1080' or '1080:1920'"),
      type: text('Stable code for programs.', 'literal_error'),
      input: {
        description: 'The invalid value. Absent when the answer would become too large.',
        examples: ['16:9'],
      },
      ctx: {
        type: 'object',
        description: 'Details for programs.',
        examples: [{ expected: "'1920:1080' or '1080:1920'" }],
      },
    },
  }),
};

/** Schemas of everything the API answers. Data only; the states and limits are the constants that the code goes by. */
import type { JsonSchema } from '../../listing/rules/schema.ts';
import { TASK_STATES } from '../../task/task.ts';

const TASK_ID = '01934a5e-7c3b-7d2e-9f10-5b6c7d8e9f00';
const FILE_URL = `https://videos.example.com/files/org_default/${TASK_ID}`;

export const TASK_EXAMPLES = {
  running: {
    summary: 'A task that is being made, with the beta `task-progress`',
    value: {
      id: TASK_ID,
      state: 'RUNNING',
      results: [],
      dropped_assets: [],
      progress: { percent: 41.5, stage: 'render', eta_seconds: 23 },
    },
  },
  succeeded: {
    summary: 'A task that has succeeded; one asset was dropped',
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
    summary: 'A task that has failed',
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
  ScheduledTask: {
    type: 'object',
    title: 'Scheduled task',
    description: 'The task that was made of a listing.',
    required: ['id'],
    properties: { id: { type: 'string', description: 'Identifier of the task.', examples: [TASK_ID] } },
    additionalProperties: false,
  },
  TaskState: {
    type: 'string',
    enum: [...TASK_STATES],
    title: 'Task state',
    description:
      'PENDING: accepted, waits. RUNNING: being made. SUCCEEDED and FAILED: ended; nothing changes any more, unless the ' +
      'operator of the service starts a failed task again.',
  },
  Task: {
    type: 'object',
    title: 'Task',
    description: 'One listing on its way to its videos. SUCCEEDED means that every agent’s video is there.',
    required: ['id', 'state', 'results', 'dropped_assets'],
    properties: {
      id: { type: 'string', description: 'Identifier of the task.', examples: [TASK_ID] },
      state: { $ref: '#/components/schemas/TaskState' },
      failure_message: {
        type: 'string',
        description: 'What went wrong, in a few words. Present exactly when the state is FAILED.',
        examples: ['no usable assets: 5 of 5 dropped'],
      },
      results: {
        type: 'array',
        items: { $ref: '#/components/schemas/Result' },
        description: 'One for each agent, in the order of the listing. Empty unless the state is SUCCEEDED.',
      },
      dropped_assets: {
        type: 'array',
        items: { $ref: '#/components/schemas/DroppedAsset' },
        description: 'Pictures that failed a check and are not in the videos.',
      },
      progress: { $ref: '#/components/schemas/TaskProgress' },
    },
    additionalProperties: false,
  },
  Result: {
    type: 'object',
    title: 'Result',
    description: 'The video of one agent.',
    required: ['agent_id', 'url', 'created_at', 'metadata'],
    properties: {
      agent_id: { type: 'string', description: 'The agent it was made for.', examples: ['june'] },
      url: {
        type: 'string',
        format: 'uri',
        description:
          'Where the MP4 is. Whoever knows the address may fetch it without a key; ranges are supported.',
      },
      created_at: {
        type: 'string',
        pattern: '^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}\\.\\d{3}[+-]\\d{2}:\\d{2}$',
        description: 'When it was made: ISO 8601 with milliseconds and a numeric offset.',
        examples: ['2026-11-20T14:03:07.123+00:00'],
      },
      preview_url: {
        type: 'string',
        format: 'uri',
        description: 'Where the preview GIF is. Present exactly when one was asked for.',
      },
      metadata: {
        type: 'object',
        additionalProperties: { type: 'string' },
        description: 'The metadata of the agent’s video_options, unchanged.',
        examples: [{ campaign: 'spring' }],
      },
    },
    additionalProperties: false,
  },
  DroppedAsset: {
    type: 'object',
    title: 'Dropped asset',
    required: ['url', 'reason'],
    description: 'A picture that is not in the videos, and why.',
    properties: {
      url: { type: 'string', description: 'Exactly as it was sent.' },
      reason: {
        type: 'string',
        description:
          'A code and a detail: `blocked_address`, `unreachable`, `timeout`, `too_large`, `not_an_image`, ' +
          '`unsupported_format`, `corrupt`, `too_small` or `duplicate`, then a colon and a few words.',
        examples: ['too_small: 200 x 150 pixels'],
      },
    },
    additionalProperties: false,
  },
  TaskProgress: {
    type: 'object',
    title: 'Task progress',
    description: 'Present exactly when the beta `task-progress` is in force. Kept when the task has ended.',
    required: ['percent', 'stage', 'eta_seconds'],
    properties: {
      percent: { type: 'number', minimum: 0, maximum: 100, description: 'Never falls within an attempt.' },
      stage: { type: ['string', 'null'], description: 'What is being done.', examples: ['render'] },
      eta_seconds: {
        type: ['number', 'null'],
        minimum: 0,
        description: 'Seconds left, where they are known.',
      },
    },
    additionalProperties: false,
  },
  TaskList: {
    type: 'object',
    title: 'Task list',
    description: 'A page of tasks, newest first.',
    required: ['data', 'has_more'],
    properties: {
      data: { type: 'array', items: { $ref: '#/components/schemas/Task' } },
      has_more: { type: 'boolean', description: 'Whether more tasks follow the last one of this page.' },
    },
    additionalProperties: false,
  },
  Organization: {
    type: 'object',
    title: 'Organization',
    description: 'Whom tasks and credits belong to.',
    required: ['id', 'balance'],
    properties: {
      id: { type: 'string', description: 'Identifier of the organization.', examples: ['org_default'] },
      balance: {
        type: 'number',
        description: 'Credits left; one credit is one video. 0 where nothing is charged.',
        examples: [500],
      },
    },
    additionalProperties: false,
  },
  Health: {
    type: 'object',
    title: 'Health',
    description: 'A sign of life.',
    required: ['status'],
    properties: { status: { type: 'string', enum: ['ok', 'ready'] } },
    additionalProperties: false,
  },
  Error: {
    type: 'object',
    title: 'Error',
    description: 'Why a request was refused.',
    properties: {
      code: {
        type: ['string', 'null'],
        description: 'For programs. It does not change with the wording of the message.',
        examples: ['task_not_found'],
      },
      message: { type: ['string', 'null'], description: 'For people.', examples: ['no such task'] },
      context: {
        type: ['object', 'null'],
        description: 'The facts behind it, where there are some.',
        examples: [{ balance: 1, required: 2 }],
      },
    },
    additionalProperties: false,
  },
  ValidationError: {
    type: 'object',
    title: 'Validation error',
    description: 'Every rule that the request breaks.',
    required: ['detail'],
    properties: {
      detail: { type: 'array', minItems: 1, items: { $ref: '#/components/schemas/Violation' } },
    },
    additionalProperties: false,
  },
  Violation: {
    type: 'object',
    title: 'Violation',
    description: 'One broken rule, in the vocabulary of pydantic 2.',
    required: ['loc', 'msg', 'type'],
    properties: {
      loc: {
        type: 'array',
        items: { type: ['string', 'integer'] },
        description: 'Where: `body`, `query` or `path`, then keys and indexes.',
        examples: [['body', 'agents', 0, 'video_options', 'ratio']],
      },
      msg: {
        type: 'string',
        description: 'For people.',
        examples: ["Input should be '1920:1080' or '1080:1920'"],
      },
      type: { type: 'string', description: 'For programs.', examples: ['literal_error'] },
      input: {
        description: 'The value that breaks it. Absent where the answer would become too large.',
        examples: ['16:9'],
      },
      ctx: {
        type: 'object',
        description: 'The facts behind it.',
        examples: [{ expected: "'1920:1080' or '1080:1920'" }],
      },
    },
    additionalProperties: false,
  },
};

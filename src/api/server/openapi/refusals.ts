/** The error responses of the API document. */

import type { JsonSchema } from '../../../listing/rules/schema.ts';
import type { ApiCode } from '../../../platform/errors.ts';
import { type ProblemBody, problem } from '../answers/api-problem.ts';
import { header, jsonResponse, REQUEST_ID_HEADER, RETRY_AFTER } from './document-parts.ts';

interface Refusal {
  readonly description: string;
  /** At least one example for each code. */
  readonly examples: readonly [ApiCode, string, ProblemBody['context']?][];
  readonly headers?: Readonly<Record<string, JsonSchema>>;
}

const REFUSALS = {
  400: {
    description: 'The body or the Idempotency-Key is not usable.',
    examples: [
      [
        'invalid_json',
        'body:3:12: not JSON: expected a comma or } after the value, found “x”',
        { line: 3, column: 12 },
      ],
      ['unsupported_media_type', 'the body must be JSON, sent with `Content-Type: application/json`'],
      ['body_too_large', 'the body is larger than 4194304 bytes', { limit_bytes: 4_194_304 }],
      [
        'body_too_large',
        'a listing can have 20000 JSON values, this one has 31415',
        { values: 31_415, limit: 20_000 },
      ],
      ['invalid_idempotency_key', 'an Idempotency-Key has 1 to 255 characters'],
      ['idempotency_key_reused', 'this Idempotency-Key came with another body before'],
    ],
  },
  401: {
    description:
      'Every request needs an API key, and this one has none, or one that is unknown, revoked or expired.',
    examples: [['unauthenticated', 'this API key is not known, or was revoked']],
    headers: { 'WWW-Authenticate': header('Always `Bearer`.') },
  },
  402: {
    description: 'The balance is below the price of the task.',
    examples: [
      ['insufficient_balance', 'this task costs 2 credits, the balance is 1', { balance: 1, required: 2 }],
    ],
  },
  403: {
    description:
      'The key is valid but has no permission for this; or, without keys, the request does not come from the machine of the service.',
    examples: [['forbidden', 'this API key may look but not create']],
  },
  405: {
    description: 'The path does not support this method.',
    examples: [['method_not_allowed', 'DELETE is not allowed here; allowed: GET, HEAD, POST']],
    headers: { Allow: header('The methods of the path.') },
  },
  409: {
    description: 'The task has already ended, and was not cancelled.',
    examples: [['task_state_conflict', 'the task has already ended: SUCCEEDED', { state: 'SUCCEEDED' }]],
  },
  429: {
    description: 'The key, or the address of the client, sends too many requests. Try again later.',
    examples: [
      [
        'rate_limited',
        'too many requests: at most 1200 a minute with one API key',
        { requests_per_minute: 1_200 },
      ],
    ],
    headers: { 'Retry-After': RETRY_AFTER },
  },
  500: {
    description: 'A bug. The log of the service has the details under the request id.',
    examples: [
      [
        'internal_error',
        'something went wrong here; the request id names it in our log',
        { request_id: '0d0a7f0e-6a0b-4b36-9b0f-6f3f3f0c6f55' },
      ],
    ],
  },
  503: {
    description:
      'The service is shutting down, it or the organization has too many waiting tasks, it reads too many bodies, it cannot store anything, or it ' +
      'could not run tasks for a minute because of a fault of its machine. Try again later.',
    examples: [
      ['unavailable', 'the queue is full'],
      ['unavailable', 'too many tasks of this organization are waiting'],
      ['unavailable', 'the server cannot make videos right now'],
    ],
    headers: { 'Retry-After': RETRY_AFTER },
  },
} satisfies Readonly<Record<number, Refusal>>;

const TEMPLATE_NOT_FOUND: Refusal = {
  description: 'A `template_id` is unknown.',
  examples: [
    [
      'template_not_found',
      'no template has this template_id; did you mean "modern"?',
      { agent_id: 'june', template_id: 'modem', available: ['classic', 'modern'] },
    ],
  ],
};

const TASK_NOT_FOUND: Refusal = {
  description: 'The task does not exist, or it belongs to another organization.',
  examples: [['task_not_found', 'no such task']],
};

const BETA_OFF: Refusal = {
  description: 'The request does not name the beta in `service-beta`.',
  examples: [['not_found', 'there is nothing at this path without the header `service-beta: templates`']],
};

const BETA_TASK_NOT_FOUND: Refusal = {
  description:
    'The request does not name the beta in `service-beta`; or the task does not exist, or belongs to another organization.',
  examples: [...BETA_OFF.examples, ...TASK_NOT_FOUND.examples],
};

const UPLOAD_REFUSED: Refusal = {
  description:
    'The body is not one image that the service can use. The codes of `reason` are those of dropped assets.',
  examples: [
    ['unusable_asset', 'unsupported_format: an SVG image', { reason: 'unsupported_format' }],
    [
      'unsupported_media_type',
      'the body must be one image, sent with `Content-Type: image/jpeg`, or the type that it has',
    ],
    ['body_too_large', 'the body is larger than 26214400 bytes', { limit_bytes: 26_214_400 }],
  ],
};

const UPLOAD_FORBIDDEN: Refusal = {
  description:
    'The key cannot create anything; the organization has too many uploads; or, without keys, the request does not come from the machine of the service.',
  examples: [
    ['forbidden', 'this API key may look but not create'],
    [
      'upload_quota_exceeded',
      'the organization has too many uploads: each is removed after a day, unless a task that can still run uses it',
      { files: 1_000, max_files: 1_000, bytes: 912_680_550, max_bytes: 2_147_483_648 },
    ],
  ],
};

/** The responses by component name, such as `Refused401`; see {@link referRefusals}. */
export function refusalResponses(): Record<string, JsonSchema> {
  const byStatus = Object.entries(REFUSALS).map(([status, refusal]) => [
    `Refused${status}`,
    toResponse(refusal),
  ]);
  return {
    ...Object.fromEntries(byStatus),
    TemplateNotFound: toResponse(TEMPLATE_NOT_FOUND),
    TaskNotFound: toResponse(TASK_NOT_FOUND),
    UploadRefused: toResponse(UPLOAD_REFUSED),
    UploadForbidden: toResponse(UPLOAD_FORBIDDEN),
    BetaOff: toResponse(BETA_OFF),
    BetaTaskNotFound: toResponse(BETA_TASK_NOT_FOUND),
    Refused422: VALIDATION_RESPONSE,
  };
}

export function referRefusals(
  statuses: readonly (keyof typeof REFUSALS | 422)[],
  notFound?: 'TemplateNotFound' | 'TaskNotFound' | 'BetaOff' | 'BetaTaskNotFound',
): Record<string, JsonSchema> {
  return {
    ...Object.fromEntries(
      statuses.map((status) => [status, { $ref: `#/components/responses/Refused${status}` }]),
    ),
    ...(notFound === undefined ? {} : { 404: { $ref: `#/components/responses/${notFound}` } }),
  };
}

function toResponse({ description, examples, headers = {} }: Refusal): JsonSchema {
  const codes = examples.map(([code]) => code);
  const named = examples.map(([code, message, context = null], index) => {
    const before = codes.slice(0, index).filter((other) => other === code).length;
    return [before === 0 ? code : `${code}_${before + 1}`, { value: problem(code, message, context).body }];
  });
  return jsonResponse(description, { ...REQUEST_ID_HEADER, ...headers }, 'Error', Object.fromEntries(named));
}

const VALIDATION_RESPONSE = jsonResponse(
  'The request is invalid. The answer lists every violation. A list that is too long ends with the number of those it leaves out.',
  REQUEST_ID_HEADER,
  'ValidationError',
  {
    two_rules: {
      summary: 'Too few assets, and a ratio that does not exist',
      value: {
        detail: [
          {
            loc: ['body', 'assets'],
            msg: 'List should have at least 5 items after validation, not 0',
            type: 'too_short',
            input: [],
            ctx: { field_type: 'List', min_length: 5, actual_length: 0 },
          },
          {
            loc: ['body', 'agents', 0, 'video_options', 'ratio'],
            msg: "Input should be '1920:1080' or '1080:1920'",
            type: 'literal_error',
            input: '16:9',
            ctx: { expected: "'1920:1080' or '1080:1920'" },
          },
        ],
      },
    },
  },
);

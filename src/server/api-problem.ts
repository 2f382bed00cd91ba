/** Every code of the API's error bodies with its status, and how a failure below becomes one of them. Pure. */
import { ERROR_TABLE, type ErrorCode, ListingVideoError } from '../errors.ts';

/** The codes of contract.md with the status each belongs to; the last five are those of HTTP itself. */
export const API_CODES = {
  invalid_json: 400,
  unsupported_media_type: 400,
  body_too_large: 400,
  invalid_idempotency_key: 400,
  idempotency_key_reused: 400,
  unauthenticated: 401,
  insufficient_balance: 402,
  forbidden: 403,
  not_found: 404,
  task_not_found: 404,
  template_not_found: 404,
  method_not_allowed: 405,
  internal_error: 500,
  unavailable: 503,
  invalid_request: 400,
  request_timeout: 408,
  request_header_too_large: 431,
  precondition_failed: 412,
  range_not_satisfiable: 416,
} as const;

export type ApiCode = keyof typeof API_CODES;
export type ApiStatus = (typeof API_CODES)[ApiCode];

/** An error body: these three fields and no others. */
export interface ProblemBody {
  readonly code: ApiCode;
  readonly message: string;
  readonly context: Readonly<Record<string, unknown>> | null;
}

/** A refusal, ready to be sent. */
export interface ApiProblem {
  readonly status: ApiStatus;
  readonly body: ProblemBody;
  readonly headers: Readonly<Record<string, string>>;
}

/** When to come again, in seconds, where nobody knows better. */
const RETRY_AFTER_SEC = 5;

/** Makes a refusal. What the code itself demands of the headers (RFC 9110) is added here. */
export function problem(
  code: ApiCode,
  message: string,
  context: ProblemBody['context'] = null,
  headers: ApiProblem['headers'] = {},
): ApiProblem {
  return {
    status: API_CODES[code],
    body: { code, message, context },
    headers: {
      ...(code === 'unauthenticated' ? { 'www-authenticate': 'Bearer' } : {}),
      ...(code === 'unavailable' ? { 'retry-after': String(RETRY_AFTER_SEC) } : {}),
      ...headers,
    },
  };
}

/** A path that is known, asked with a method that is not. */
export function methodNotAllowed(method: string, allowed: readonly string[]): ApiProblem {
  const allow = allowed.join(', ');
  return problem(
    'method_not_allowed',
    `${method.slice(0, 40)} is not allowed here; allowed: ${allow}`,
    null,
    {
      allow,
    },
  );
}

/** What is told of codes whose own message is for operators: it may name paths of this machine. */
const PUBLIC_MESSAGES: Partial<Record<ErrorCode, string>> = {
  store_unwritable: 'the service cannot store anything right now',
  disk_full: 'the service cannot store anything right now',
  task_not_found: 'no such task',
};

/** Our own code for a code of `ERROR_TABLE`, where the two differ in name. */
const RENAMED: Partial<Record<ErrorCode, ApiCode>> = {
  json_invalid: 'invalid_json',
  store_unwritable: 'unavailable',
  disk_full: 'unavailable',
};

/** Codes whose context was made for clients. */
const PUBLIC_CONTEXT: readonly ErrorCode[] = ['insufficient_balance', 'template_not_found'];

/**
 * The refusal that a thrown error means to a client. Everything unforeseen is an `internal_error`, of which the client
 * learns nothing but the id of its request.
 */
export function toProblem(error: unknown, requestId: string): ApiProblem {
  if (error instanceof ListingVideoError) {
    const { code } = error;
    const apiCode = RENAMED[code] ?? code;
    if ('httpStatus' in ERROR_TABLE[code] && code !== 'internal_error' && isApiCode(apiCode)) {
      const context = PUBLIC_CONTEXT.includes(code) ? (error.context ?? null) : null;
      return problem(apiCode, PUBLIC_MESSAGES[code] ?? error.message, context);
    }
  }
  return problem('internal_error', 'something went wrong here; the request id names it in our log', {
    request_id: requestId,
  });
}

function isApiCode(code: string): code is ApiCode {
  return Object.hasOwn(API_CODES, code);
}

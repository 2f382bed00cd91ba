/** The API's error answers: how one is made from a code of the error table, or from a thrown error. Pure. */
import { type ApiCode, ERROR_TABLE, type ErrorRow, ListingVideoError } from '../../../platform/errors.ts';

export type ApiStatus = (typeof ERROR_TABLE)[ApiCode]['httpStatus'];

/** An error body: these three fields and no others. */
export interface ProblemBody {
  readonly code: ApiCode;
  readonly message: string;
  readonly context: Readonly<Record<string, unknown>> | null;
}

export interface ApiProblem {
  readonly status: ApiStatus;
  readonly body: ProblemBody;
  readonly headers: Readonly<Record<string, string>>;
}

/** `Retry-After` in seconds, when the caller of `problem` sets none. */
const RETRY_AFTER_SEC = 5;

/** Makes an error answer, with the headers that its code requires (RFC 9110, 10.2.3 and 11.6.1). */
export function problem(
  code: ApiCode,
  message: string,
  context: ProblemBody['context'] = null,
  headers: ApiProblem['headers'] = {},
): ApiProblem {
  return {
    status: ERROR_TABLE[code].httpStatus,
    body: { code, message, context },
    headers: {
      ...(code === 'unauthenticated' ? { 'www-authenticate': 'Bearer' } : {}),
      ...(code === 'unavailable' ? { 'retry-after': String(RETRY_AFTER_SEC) } : {}),
      ...headers,
    },
  };
}

export function methodNotAllowed(method: string, allowed: readonly string[]): ApiProblem {
  const allow = allowed.join(', ');
  const message = `${method.slice(0, 40)} is not allowed here; allowed: ${allow}`;
  return problem('method_not_allowed', message, null, { allow });
}

/**
 * The answer to a request whose handling threw `error`. A client sees only what the error table makes public. Any other
 * error is an `internal_error`: the body names the request's id and nothing else.
 */
export function toProblem(error: unknown, requestId: string): ApiProblem {
  if (error instanceof ListingVideoError && error.code !== 'internal_error') {
    const row: ErrorRow = ERROR_TABLE[error.code];
    const code = row.apiCode ?? error.code;
    if (row.httpStatus !== undefined && row.httpStatus !== 422) {
      const context = row.hasPublicContext === true ? (error.context ?? null) : null;
      return problem(code as ApiCode, row.publicMessage ?? error.message, context);
    }
  }
  return problem('internal_error', 'something went wrong here; the request id names it in our log', {
    request_id: requestId,
  });
}

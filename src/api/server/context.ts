/** The variables of one request in the hono app, and the ways to answer it. */
import type { Context, MiddlewareHandler } from 'hono';
import type { Violation } from '../../listing/listing.ts';
import { type ApiProblem, problem } from './answers/api-problem.ts';
import { limitViolations } from './requests/limit-violations.ts';
import { networkOf } from './sockets/client-address.ts';

/** The organization and rights of the API key (or of the trusted caller without keys). */
export interface RequestCaller {
  readonly organizationId: string;
  readonly readOnly: boolean;
  /** True if the key may read the metrics of the whole service. False without keys. */
  readonly isOperator: boolean;
  /** Null without keys. */
  readonly keyId: string | null;
}

export interface AppEnv {
  /** Node's own objects; absent in `app.request`. */
  Bindings: {
    readonly incoming?: import('node:http').IncomingMessage;
    readonly outgoing?: import('node:http').ServerResponse;
  };
  Variables: {
    requestId: string;
    /** Undefined when the request came without a socket. */
    clientAddress: string | undefined;
    /** Set by `admit`. */
    caller: RequestCaller;
    /** Set by `admit`: the beta features in force. */
    betas: ReadonlySet<string>;
    /** Set by `admit`, for answers that go on: whether the same caller would still be admitted. */
    isStillAdmitted: () => Promise<boolean>;
    /** Set when the request created or cancelled a task, or repeated the one that did. */
    taskId: string;
    /** The thrown error behind a 500, for the log. */
    fault: unknown;
  };
}

export type AppContext = Context<AppEnv>;
export type AppMiddleware = MiddlewareHandler<AppEnv>;

/** Whose share of the bodies a request counts to. Without keys all callers have one organization. */
export function clientOf(c: AppContext): string {
  const { keyId, organizationId } = c.get('caller');
  return keyId === null ? networkOf(c.get('clientAddress') ?? '') : organizationId;
}

export function answerJson(
  status: number,
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
): Response {
  return answerJsonBytes(status, Buffer.from(JSON.stringify(body)), headers);
}

/** As {@link answerJson}, with JSON that is already encoded. The bytes are not copied. */
export function answerJsonBytes(
  status: number,
  bytes: Buffer,
  headers: Readonly<Record<string, string>> = {},
): Response {
  return new Response(bytes, {
    status,
    headers: {
      'content-type': 'application/json',
      // Set here, so that HEAD, which has no body, has it too.
      'content-length': String(bytes.length),
      'cache-control': 'no-store',
      ...headers,
    },
  });
}

export function answerProblem({ status, body, headers }: ApiProblem): Response {
  return answerJson(status, body, headers);
}

/** 422 with every violation, as far as the answer stays small; see `limit-violations.ts`. */
export function answerViolations(violations: readonly Violation[]): Response {
  return answerJson(422, { detail: limitViolations(violations) });
}

export function answerNotFound(message = 'there is nothing at this path'): Response {
  return answerProblem(problem('not_found', message));
}

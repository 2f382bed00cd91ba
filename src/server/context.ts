/** What travels with one request through the app, and how its handlers answer. */
import type { Context, MiddlewareHandler } from 'hono';
import type { Violation } from '../listing/listing.ts';
import { type ApiProblem, problem } from './api-problem.ts';
import { boundInputs } from './bound-inputs.ts';

/** Whom a request comes from, once that is known. */
export interface RequestCaller {
  readonly organizationId: string;
  readonly readOnly: boolean;
}

/** Types of hono's context in this app. */
export interface AppEnv {
  /** Node's own objects; absent in `app.request`. */
  Bindings: {
    readonly incoming?: import('node:http').IncomingMessage;
    readonly outgoing?: import('node:http').ServerResponse;
  };
  Variables: {
    requestId: string;
    /** Set by `admit`. */
    caller: RequestCaller;
    /** Set by `admit`: the beta features in force. */
    betas: ReadonlySet<string>;
    /** Set by a request that made a task, or repeated one that did. */
    taskId: string;
    /** The thrown error behind a 500, for the log. */
    fault: unknown;
  };
}

export type AppContext = Context<AppEnv>;
export type AppMiddleware = MiddlewareHandler<AppEnv>;

/** A JSON answer that no cache keeps. */
export function answerJson(
  status: number,
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
): Response {
  return answerJsonBytes(status, Buffer.from(JSON.stringify(body)), headers);
}

/** The same of JSON that is written already. The bytes are only read. */
export function answerJsonBytes(
  status: number,
  bytes: Buffer,
  headers: Readonly<Record<string, string>> = {},
): Response {
  return new Response(bytes, {
    status,
    headers: {
      'content-type': 'application/json',
      // Said here, so that HEAD, whose body is thrown away, says it too.
      'content-length': String(bytes.length),
      'cache-control': 'no-store',
      ...headers,
    },
  });
}

/** A refusal with its closed error body. */
export function answerProblem({ status, body, headers }: ApiProblem): Response {
  return answerJson(status, body, headers);
}

/** 422 with every violation; what is too large to be said back is left out. */
export function answerViolations(violations: readonly Violation[]): Response {
  return answerJson(422, { detail: boundInputs(violations) });
}

/** 404 for a path that nothing is at. */
export function answerNotFound(): Response {
  return answerProblem(problem('not_found', 'there is nothing at this path'));
}

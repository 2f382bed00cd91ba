/** What a thrown value becomes in a task's record. Pure. */
import { toJson } from '../../disk/json-codec.ts';
import { type ErrorCode, findErrorRow, ListingVideoError } from '../../errors.ts';
import type { TaskFailure } from '../task.ts';

/**
 * The failure of a handler that threw. An error nobody foresaw may name paths and addresses in its message, which
 * clients of the API would see, so its text goes into the context.
 */
export function toTaskFailure(error: unknown): TaskFailure {
  if (!(error instanceof ListingVideoError)) {
    const detail = error instanceof Error ? error.message : String(error);
    return { code: 'internal_error', message: 'internal error', context: { detail } };
  }
  const { code, message, hint } = error;
  return { code, message, ...(hint === undefined ? {} : { hint }), context: toJsonObject(error.context) };
}

/** The error that a failure was made of, in another process. What nobody foresaw there is no error of ours here either. */
export function toListingVideoError({ code, message, hint, context }: TaskFailure, stack: string): Error {
  const cause = new Error(message);
  cause.stack = stack;
  if (!isErrorCode(code) || code === 'internal_error') {
    return Object.assign(new Error(String(context.detail ?? message), { cause }), { stack });
  }
  return new ListingVideoError(code, message, { cause, context, hint });
}

function isErrorCode(code: string): code is ErrorCode {
  return findErrorRow(code) !== null;
}

/** The facts of an error as JSON; those that JSON cannot hold are left out, not the others. */
export function toJsonObject(facts: Readonly<Record<string, unknown>> | undefined): TaskFailure['context'] {
  const entries = Object.entries(facts ?? {}).map(([key, value]) => [key, toJson(value)] as const);
  return Object.fromEntries(entries.filter(([, value]) => value !== undefined));
}

/** Converts errors to failures in a task's record, and back. Pure. */
import { toJson } from '../../disk/json-codec.ts';
import { type ErrorCode, findErrorRow, ListingVideoError } from '../../errors.ts';
import type { TaskFailure } from '../task.ts';

/**
 * The failure for an error of a handler. The text of an unexpected error can contain paths and addresses that API clients
 * must not see, so it goes into the context.
 */
export function toTaskFailure(error: unknown): TaskFailure {
  if (!(error instanceof ListingVideoError)) {
    const detail = error instanceof Error ? error.message : String(error);
    return { code: 'internal_error', message: 'internal error', context: { detail } };
  }
  const { code, message, hint } = error;
  return { code, message, ...(hint === undefined ? {} : { hint }), context: toJsonObject(error.context) };
}

/** The error of another process, from its failure. An unexpected error there is a plain `Error` here, too. */
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

/** The facts of an error as JSON, without the facts that JSON cannot represent. */
export function toJsonObject(facts: Readonly<Record<string, unknown>> | undefined): TaskFailure['context'] {
  const entries = Object.entries(facts ?? {}).map(([key, value]) => [key, toJson(value)] as const);
  return Object.fromEntries(entries.filter(([, value]) => value !== undefined));
}

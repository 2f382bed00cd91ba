/** Converts errors to failures in a task's record, and back. */
import { errnoOf, isDiskFull } from '../../platform/disk/disk-error.ts';
import { toJson } from '../../platform/disk/json-codec.ts';
import { ERROR_TABLE, type ErrorCode, findErrorRow, ListingVideoError } from '../../platform/errors.ts';
import type { TaskFailure } from '../task.ts';

/**
 * The failure for an error of a handler. The text of an unexpected error can contain paths and addresses that API
 * clients must not see, so it goes into the context.
 */
export function toTaskFailure(error: unknown): TaskFailure {
  const fault = toSystemFault(error);
  if (fault !== null) return fault;
  if (!(error instanceof ListingVideoError)) {
    const detail = error instanceof Error ? error.message : String(error);
    return { code: 'internal_error', message: 'internal error', context: { detail } };
  }
  const { code, message, hint } = error;
  return { code, message, ...(hint === undefined ? {} : { hint }), context: toJsonObject(error.context) };
}

/** Codes of the system for a lack that has nothing to do with the task: files, memory, processes, a broken disk. */
const LACKS = new Set(['EMFILE', 'ENFILE', 'ENOMEM', 'EAGAIN', 'EIO', 'EROFS', 'ESTALE']);

/** The failure for an unexpected error that the system caused; null for any other error. */
function toSystemFault(error: unknown): TaskFailure | null {
  if (error instanceof ListingVideoError && ERROR_TABLE[error.code].fault !== 'program') return null;
  for (let cause = error, depth = 0; cause instanceof Error && depth < 5; cause = cause.cause, depth++) {
    const isFull = isDiskFull(cause);
    if (!isFull && !LACKS.has(errnoOf(cause))) continue;
    const code = isFull ? 'disk_full' : 'store_unwritable';
    const message = isFull
      ? 'the disk is full'
      : `the machine lacks a resource, or its disk fails (${errnoOf(cause)})`;
    const known = error instanceof ListingVideoError ? toJsonObject(error.context) : {};
    return { code, message, context: { ...known, detail: cause.message } };
  }
  return null;
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

/**
 * The error of a handler whose process died while this one lived. Not a failure of the task yet: the attempt counts,
 * and another one can succeed (`requeueAfterDeath`).
 */
export class ProcessDeath extends Error {
  readonly detail: TaskFailure['context'];

  constructor(message: string, detail: TaskFailure['context']) {
    super(message);
    this.name = 'ProcessDeath';
    this.detail = detail;
  }
}

/** What a thrown value becomes in a task's record. Pure. */
import { ListingVideoError } from '../errors.ts';
import type { JsonValue, TaskFailure } from './task.ts';

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

/** The value as it would come back from JSON, or undefined when it cannot be written as JSON. */
export function toJson(value: unknown): JsonValue | undefined {
  try {
    const text = JSON.stringify(value);
    return text === undefined ? undefined : JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The facts of an error as JSON; those that JSON cannot hold are left out, not the others. */
export function toJsonObject(facts: Readonly<Record<string, unknown>> | undefined): TaskFailure['context'] {
  const entries = Object.entries(facts ?? {}).map(([key, value]) => [key, toJson(value)] as const);
  return Object.fromEntries(entries.filter(([, value]) => value !== undefined));
}

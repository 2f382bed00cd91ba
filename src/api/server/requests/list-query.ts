/** Validates the query of the task list. Its only effect is to look up the cursor's task. */
import type { Violation } from '../../../listing/listing.ts';
import {
  greaterThanEqual,
  intParsing,
  lessThanEqual,
  literalError,
  valueError,
} from '../../../listing/rules/violation.ts';
import { TASK_STATES, type TaskState } from '../../../task/task.ts';

export const DEFAULT_LIMIT = 20;
export const MAX_LIMIT = 100;

export interface ListQuery {
  readonly state?: TaskState;
  readonly startingAfter?: string;
  readonly limit: number;
}

export type ListQueryResult =
  | { readonly ok: true; readonly query: ListQuery }
  | { readonly ok: false; readonly violations: readonly Violation[] };

/**
 * @param isKnownCursor - Says whether the caller's list has a task with this id.
 */
export async function validateListQuery(
  parameters: URLSearchParams,
  isKnownCursor: (id: string) => Promise<boolean>,
): Promise<ListQueryResult> {
  const violations: Violation[] = [];
  const stateName = parameters.has('state') ? 'state' : 'status';
  const state = lastOf(parameters, stateName);
  if (state !== undefined && !(TASK_STATES as readonly string[]).includes(state)) {
    violations.push(literalError(['query', stateName], state, TASK_STATES));
  }
  const startingAfter = lastOf(parameters, 'starting_after');
  if (startingAfter !== undefined && !(await isKnownCursor(startingAfter))) {
    violations.push(valueError(['query', 'starting_after'], startingAfter, 'no such task'));
  }
  const limit = lastOf(parameters, 'limit');
  const limitViolation = limit === undefined ? null : checkLimit(limit);
  if (limitViolation !== null) violations.push(limitViolation);
  if (violations.length > 0) return { ok: false, violations };
  return {
    ok: true,
    query: {
      ...(state === undefined ? {} : { state: state as TaskState }),
      ...(startingAfter === undefined ? {} : { startingAfter }),
      limit: limit === undefined ? DEFAULT_LIMIT : Number(limit),
    },
  };
}

function checkLimit(text: string): Violation | null {
  const loc = ['query', 'limit'];
  if (!/^-?[0-9]+$/.test(text)) return intParsing(loc, text);
  if (Number(text) < 1) return greaterThanEqual(loc, text, 1);
  return Number(text) > MAX_LIMIT ? lessThanEqual(loc, text, MAX_LIMIT) : null;
}

/** The last value of a repeated parameter. An empty value counts. */
function lastOf(parameters: URLSearchParams, name: string): string | undefined {
  return parameters.getAll(name).at(-1);
}

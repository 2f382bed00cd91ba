/** The query of the task list, judged by the contract's fine print. Pure but for the look at the cursor's task. */
import type { Violation } from '../listing/listing.ts';
import {
  greaterThanEqual,
  intParsing,
  lessThanEqual,
  literalError,
  valueError,
} from '../listing/rules/violation.ts';
import { TASK_STATES, type TaskState } from '../task/task.ts';

export const DEFAULT_LIMIT = 20;
export const MAX_LIMIT = 100;

/** What a list is asked for. */
export interface ListQuery {
  readonly state?: TaskState;
  readonly startingAfter?: string;
  readonly limit: number;
}

export type ListQueryVerdict =
  | { readonly ok: true; readonly query: ListQuery }
  | { readonly ok: false; readonly violations: readonly Violation[] };

/**
 * @param isKnownCursor - Whether a task of this id is in the caller's list.
 */
export async function judgeListQuery(
  parameters: URLSearchParams,
  isKnownCursor: (id: string) => Promise<boolean>,
): Promise<ListQueryVerdict> {
  const violations: Violation[] = [];
  const stateName = parameters.has('state') ? 'state' : 'status';
  const state = lastOf(parameters, stateName);
  if (state !== undefined && !(TASK_STATES as readonly string[]).includes(state)) {
    violations.push(literalError(['query', stateName], state, TASK_STATES));
  }
  const startingAfter = lastOf(parameters, 'starting_after');
  if (startingAfter !== undefined && !(await isKnownCursor(startingAfter))) {
    violations.push(unknownCursor(startingAfter));
  }
  const limit = lastOf(parameters, 'limit');
  const limitViolation = limit === undefined ? null : judgeLimit(limit);
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

function unknownCursor(id: string): Violation {
  return valueError(['query', 'starting_after'], id, 'no such task');
}

function judgeLimit(text: string): Violation | null {
  const loc = ['query', 'limit'];
  if (!/^-?[0-9]+$/.test(text)) return intParsing(loc, text);
  if (Number(text) < 1) return greaterThanEqual(loc, text, 1);
  return Number(text) > MAX_LIMIT ? lessThanEqual(loc, text, MAX_LIMIT) : null;
}

/** Of a parameter given twice the last counts; an empty value is a value. */
function lastOf(parameters: URLSearchParams, name: string): string | undefined {
  return parameters.getAll(name).at(-1);
}

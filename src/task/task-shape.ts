/** Checks the fields of a stored task: a crash, a full disk or a person can have damaged them. */
import { TASK_STATES } from './task.ts';
import { isTaskId } from './task-id.ts';

/** The name of a field of `TaskRecord` that is missing or of the wrong kind; undefined if all are right. */
export function findWrongField(fields: Readonly<Record<string, unknown>>): string | undefined {
  return Object.keys(SHAPE).find((key) => !SHAPE[key]?.(fields[key]));
}

type Check = (value: unknown) => boolean;

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const isCount: Check = (value) => Number.isSafeInteger(value) && (value as number) >= 0;
const isTime: Check = (value) => typeof value === 'string' && !Number.isNaN(Date.parse(value));
/** True for a `ProcessIdentity`. */
export const isProcess: Check = (value) =>
  isObject(value) && isCount(value.pid) && typeof value.boot === 'string' && typeof value.space === 'string';
const orNull =
  (check: Check): Check =>
  (value) =>
    value === null || check(value);

const SHAPE: Readonly<Record<string, Check>> = {
  id: (value) => typeof value === 'string' && isTaskId(value),
  origin: (value) => value === 'cli' || value === 'api',
  organizationId: orNull((value) => typeof value === 'string'),
  state: (value) => (TASK_STATES as readonly unknown[]).includes(value),
  createdAt: isTime,
  updatedAt: isTime,
  startedAt: orNull(isTime),
  summary: orNull(
    (value) =>
      isObject(value) &&
      typeof value.label === 'string' &&
      (value.title === undefined || typeof value.title === 'string') &&
      isCount(value.resultCount),
  ),
  outcome: (value) => value !== undefined,
  failure: orNull(
    (value) =>
      isObject(value) &&
      typeof value.code === 'string' &&
      typeof value.message === 'string' &&
      isObject(value.context),
  ),
  progress: orNull((value) => isObject(value) && typeof value.percent === 'number'),
  attempts: isCount,
  maxAttempts: isCount,
  retries: isCount,
  cancelRequested: (value) => typeof value === 'boolean',
  setbacks: (value) =>
    value === undefined ||
    (isObject(value) &&
      isCount(value.takeovers) &&
      isCount(value.machineFaults) &&
      orNull(isTime)(value.queuedAt)),
  fence: isCount,
  worker: orNull(isProcess),
  submitter: isProcess,
};

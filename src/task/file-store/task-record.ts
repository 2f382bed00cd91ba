/** Reads a stored record back. A crash, a full disk or a person can have damaged its text. */

import { TASK_STATES, type TaskRecord } from '../task.ts';
import { isTaskId } from '../task-id.ts';

/** A record, or why the text is none. */
export type ParsedRecord = { readonly task: TaskRecord } | { readonly problem: string };

/** Parses the text of `task.json` of the task `id`. */
export function parseTaskRecord(text: string, id: string): ParsedRecord {
  if (text.trim() === '') return { problem: 'the file is empty' };
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    return { problem: `the file is not JSON (${error instanceof Error ? error.message : 'unreadable'})` };
  }
  if (!isObject(value)) return { problem: 'the file holds no JSON object' };
  const wrong = Object.keys(SHAPE).find((key) => !SHAPE[key]?.(value[key]));
  if (!isRecord(value, wrong)) return { problem: `its "${wrong}" is missing or of the wrong kind` };
  if (value.id !== id) return { problem: `it belongs to another task ("id" is ${String(value.id)})` };
  return { task: value };
}

function isRecord(_: object, wrong: string | undefined): _ is TaskRecord {
  return wrong === undefined;
}

type Check = (value: unknown) => boolean;

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const isCount: Check = (value) => Number.isSafeInteger(value) && (value as number) >= 0;
const isTime: Check = (value) => typeof value === 'string' && !Number.isNaN(Date.parse(value));
const isProcess: Check = (value) =>
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
  payload: (value) => value !== undefined,
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
  fence: isCount,
  worker: orNull(isProcess),
  submitter: isProcess,
};

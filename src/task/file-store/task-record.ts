/** Reads `task.json`, the record of a task, and checks its shape: a crash, a full disk or a person can have damaged it. */
import { dirname } from 'node:path';
import { readJsonDocument } from '../../disk/json-document.ts';
import { ListingVideoError } from '../../errors.ts';
import { TASK_STATES, type TaskRecord } from '../task.ts';
import { isTaskId } from '../task-id.ts';

/** The record of the task `id`, or null if there is no file. @throws {@link ListingVideoError} `store_corrupt`. */
export async function readTaskRecord(path: string, id: string): Promise<TaskRecord | null> {
  const value = await readJsonDocument(path, (problem, cause) => storeCorrupt(id, path, problem, cause));
  if (value === null) return null;
  const fields: { readonly [key: string]: unknown } = { ...value };
  const wrong = Object.keys(SHAPE).find((key) => !SHAPE[key]?.(fields[key]));
  if (!isRecord(value, wrong)) {
    throw storeCorrupt(id, path, `its "${wrong}" is missing or of the wrong kind`);
  }
  if (value.id === id) return value;
  throw storeCorrupt(id, path, `it belongs to another task ("id" is ${value.id})`);
}

/** The error for a task that cannot be read. */
export function storeCorrupt(id: string, path: string, problem: string, cause?: unknown): ListingVideoError {
  return new ListingVideoError('store_corrupt', `task ${id} cannot be read: ${problem}: ${path}`, {
    cause,
    hint: `Every other task is unaffected. Put the file back from a backup, or move the folder ${dirname(path)} away.`,
    context: { id, path, problem },
  });
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

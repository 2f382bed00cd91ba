/**
 * Reads and writes `task.json`, the record of a task, and checks its shape: a crash, a full disk or a person can have damaged
 * it.
 *
 * Version 2 has `schemaVersion` and `summary`, and a large payload is in a file of its own. Version 1 always has the payload
 * in the record.
 */
import { dirname } from 'node:path';
import { readJsonDocument } from '../../platform/disk/json-document.ts';
import { ListingVideoError } from '../../platform/errors.ts';
import type { JsonValue, TaskRecord, TaskSummary } from '../task.ts';
import { findWrongField } from '../task-shape.ts';

const SCHEMA_VERSION = 2;

/** Makes the summary of a payload; null if the payload has none. */
export type Summarize = (payload: unknown) => TaskSummary | null;

/**
 * The record of the task `id`, or null if there is no file. It comes without the payload, also if the file contains it.
 *
 * @throws {@link ListingVideoError} `store_corrupt`, also for a record of a later version.
 */
export async function readTaskRecord(
  path: string,
  id: string,
  summarize: Summarize,
): Promise<TaskRecord | null> {
  const fields = await readFields(path, id);
  if (fields === null) return null;
  const { schemaVersion, payload, ...record } = fields;
  // JSON has no undefined, so an absent field is the only way to version 1.
  if (schemaVersion === undefined) record.summary = summarize(payload ?? null);
  const wrong = findWrongField(record);
  if (!isRecord(record, wrong)) {
    throw storeCorrupt(id, path, `its "${wrong}" is missing or of the wrong kind`);
  }
  if (record.id === id) return record;
  throw storeCorrupt(id, path, `it belongs to another task ("id" is ${record.id})`);
}

/** The payload in the record; undefined if it is elsewhere, or there is no record. @throws As {@link readTaskRecord}. */
export async function readPayloadInRecord(path: string, id: string): Promise<JsonValue | undefined> {
  return (await readFields(path, id))?.payload;
}

/** The content of the file for `task`. */
export function toRecordDocument(task: TaskRecord, field: { readonly payload?: JsonValue }): object {
  return { schemaVersion: SCHEMA_VERSION, ...task, ...field };
}

type Fields = { [key: string]: unknown } & { schemaVersion?: unknown; payload?: JsonValue };

async function readFields(path: string, id: string): Promise<Fields | null> {
  const value = await readJsonDocument(path, (problem, cause) => storeCorrupt(id, path, problem, cause));
  if (value === null) return null;
  const fields: Fields = { ...value };
  const version = fields.schemaVersion;
  if (version === undefined || version === SCHEMA_VERSION) return fields;
  if (typeof version === 'number' && version > SCHEMA_VERSION) throw tooNew(id, path, version);
  throw storeCorrupt(id, path, `its "schemaVersion" is ${JSON.stringify(version)}`);
}

/** The error for a record of a later version. It must not be changed here: fields that this version does not know would be lost. */
function tooNew(id: string, path: string, version: number): ListingVideoError {
  const problem = `a newer version of listing-video wrote it (schema version ${version}, this one knows ${SCHEMA_VERSION})`;
  return new ListingVideoError('store_corrupt', `task ${id} cannot be read: ${problem}: ${path}`, {
    hint: 'update listing-video; every other task is unaffected',
    context: { id, path, problem },
  });
}

/** The error for a task that cannot be read. */
export function storeCorrupt(id: string, path: string, problem: string, cause?: unknown): ListingVideoError {
  return new ListingVideoError('store_corrupt', `task ${id} cannot be read: ${problem}: ${path}`, {
    cause,
    hint: `put the file back from a backup, or move the folder ${dirname(path)} away; every other task is unaffected`,
    context: { id, path, problem },
  });
}

function isRecord(_: object, wrong: string | undefined): _ is TaskRecord {
  return wrong === undefined;
}

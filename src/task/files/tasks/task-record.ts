/** One version of a record as a document. Reading checks it: a crash, a full disk or a person can have damaged it. */
import { dirname } from 'node:path';
import { formatJsonDocument, parseObject, readText } from '../../../platform/disk/json-document.ts';
import type { ProcessIdentity } from '../../../platform/disk/process-identity.ts';
import { ListingVideoError } from '../../../platform/errors.ts';
import { findWrongField, isProcess, type TaskRecord } from '../../task.ts';

const SCHEMA_VERSION = 3;

export interface TaskVersion {
  readonly task: TaskRecord;
  /** A process holds the task. */
  readonly isHeld: boolean;
  /** The process that holds it; null if nobody does, or that field is damaged. */
  readonly owner: ProcessIdentity | null;
  /** Length of the document, in characters. */
  readonly length: number;
}

/**
 * The version of the task `id` in a file: `removed` if the task was removed with it, null if there is no file.
 *
 * @throws {@link ListingVideoError} `store_corrupt`, also for a record of a later release.
 */
export async function readTaskVersion(path: string, id: string): Promise<TaskVersion | 'removed' | null> {
  const corrupt = (problem: string, cause?: unknown) => storeCorrupt(id, path, problem, cause);
  const text = await readText(path, corrupt);
  if (text === null) return null;
  const document: { [field: string]: unknown } = { ...parseObject(text, corrupt) };
  const { schemaVersion, isRemoved, owner, ...record } = document;
  if (typeof schemaVersion === 'number' && schemaVersion > SCHEMA_VERSION) {
    // It must not be changed here: fields that this release does not know would be lost.
    const problem = `a newer version of listing-video wrote it (schema version ${schemaVersion}, this one knows ${SCHEMA_VERSION})`;
    throw storeCorrupt(id, path, problem, undefined, 'update listing-video');
  }
  if (isRemoved === true) return 'removed';
  const wrong = findWrongField(record);
  if (!isRecord(record, wrong)) {
    throw storeCorrupt(id, path, `its "${wrong}" is missing or of the wrong kind`);
  }
  if (record.id !== id) throw storeCorrupt(id, path, `it belongs to another task ("id" is ${record.id})`);
  const isHeld = owner !== undefined && owner !== null;
  const { length } = text;
  return { task: record, isHeld, owner: isProcess(owner) ? (owner as ProcessIdentity) : null, length };
}

/** The content of the file of a version. @param owner - The process that holds the task; null: none. */
export function formatTaskVersion(task: TaskRecord | 'removed', owner: ProcessIdentity | null): string {
  const fields = task === 'removed' ? { isRemoved: true } : task;
  return formatJsonDocument({ schemaVersion: SCHEMA_VERSION, owner, ...fields });
}

/** The error for a task that cannot be read. */
export function storeCorrupt(
  id: string,
  path: string,
  problem: string,
  cause?: unknown,
  advice = `put the file back from a backup, or move the folder ${dirname(path)} away`,
): ListingVideoError {
  return new ListingVideoError('store_corrupt', `task ${id} cannot be read: ${problem}: ${path}`, {
    cause,
    hint: `${advice}; every other task is unaffected`,
    context: { id, path, problem },
  });
}

function isRecord(_: object, wrong: string | undefined): _ is TaskRecord {
  return wrong === undefined;
}

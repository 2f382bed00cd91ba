/**
 * Keeps the payload of a task: a small one in the record, a larger one in `payload.json` beside it. Lists and polls read
 * records, and would read megabytes for each task. A file of its own for every payload would make each creation slower by a
 * quarter.
 *
 * `payload.json` is written once, before the record appears, and never changes.
 */
import { join } from 'node:path';
import { createFile, writeNewFile } from '../../platform/disk/atomic-write.ts';
import { exists, flushFolder } from '../../platform/disk/folder.ts';
import { formatJsonDocument, readJsonDocument } from '../../platform/disk/json-document.ts';
import type { JsonValue } from '../task.ts';
import { readPayloadInRecord, storeCorrupt } from './task-record.ts';

/** Larger payloads get a file of their own. A listing of 100 photos has 10 kB. */
const MAX_BYTES_IN_RECORD = 16_384;

/** The field of a record with its payload; empty if the payload is in a file of its own. */
export interface PayloadField {
  readonly payload?: JsonValue;
}

/** Where the payload of a new task goes. */
export interface NewPayload {
  readonly inRecord: PayloadField;
  /** Writes `payload.json` if it is needed. Await it before the record appears. The caller flushes the folder. */
  write(folder: string, durable: boolean): Promise<void>;
}

/** Decides where the payload of a new task goes. Writes nothing. */
export function placePayload(payload: JsonValue): NewPayload {
  const text = formatJsonDocument({ payload });
  if (isSmall(text)) return { inRecord: { payload }, write: async () => {} };
  return { inRecord: {}, write: (folder, durable) => writeNewFile(payloadPath(folder), text, durable) };
}

/** The payload of a task; null if it is missing or damaged. @throws `store_corrupt` if a file cannot be opened or read. */
export async function readPayload(folder: string, id: string): Promise<JsonValue> {
  const inRecord = await readPayloadInRecord(recordPath(folder), id);
  if (inRecord !== undefined) return inRecord;
  return (await readDocument(folder, id)).payload ?? null;
}

/**
 * The field for the next record of a task. A large payload in a record of an earlier version moves to a file of its own
 * first.
 */
export async function keepPayload(folder: string, id: string, durable: boolean): Promise<PayloadField> {
  if (await exists(payloadPath(folder))) return {};
  const payload = await readPayloadInRecord(recordPath(folder), id);
  if (payload === undefined) return {};
  const text = formatJsonDocument({ payload });
  if (isSmall(text)) return { payload };
  // Needs no claim: every process writes the same content, and the first one counts.
  await createFile(payloadPath(folder), text, { durable });
  if (durable) await flushFolder(folder);
  return {};
}

/** Empty if there is no file, or its content is damaged. */
async function readDocument(folder: string, id: string): Promise<PayloadField> {
  const path = payloadPath(folder);
  let isDamaged = false;
  try {
    const document = await readJsonDocument(path, (problem, cause) => {
      // An error of the file system has a cause. It can be gone at the next try, so it must not fail the task.
      isDamaged = cause === undefined;
      return storeCorrupt(id, path, problem, cause);
    });
    return document ?? {};
  } catch (error) {
    if (isDamaged) return {};
    throw error;
  }
}

/** Counts UTF-16 units: near enough to bytes, and free. */
function isSmall(text: string): boolean {
  return text.length <= MAX_BYTES_IN_RECORD;
}

function payloadPath(folder: string): string {
  return join(folder, 'payload.json');
}

function recordPath(folder: string): string {
  return join(folder, 'task.json');
}

/**
 * `payload.json`, the payload of a task beside its record. It is written once, before the record appears, and never changes.
 * Only the process that runs the task reads it: lists and polls would read megabytes for each task.
 */
import { join } from 'node:path';
import { createFile, writeNewFile } from '../../disk/atomic-write.ts';
import { exists, flushFolder } from '../../disk/folder.ts';
import { formatJsonDocument, readJsonDocument } from '../../disk/json-document.ts';
import type { JsonValue } from '../task.ts';
import { readPayloadInRecord, storeCorrupt } from './task-record.ts';

/** Writes the payload of a task that has no record yet. The caller flushes the folder. */
export async function writePayload(folder: string, payload: JsonValue, durable: boolean): Promise<void> {
  await writeNewFile(payloadPath(folder), toText(payload), durable);
}

/** The payload of a task; null if it is missing or damaged. @throws `store_corrupt` if a file cannot be opened or read. */
export async function readPayload(folder: string, id: string): Promise<JsonValue> {
  for (let tries = 1; ; tries++) {
    const document = await readDocument(folder, id);
    if (document !== null) return document.payload ?? null;
    const inRecord = await readPayloadInRecord(recordPath(folder), id);
    // Another process can move the payload out of the record between the two reads.
    if (inRecord !== undefined || tries === 2) return inRecord ?? null;
  }
}

/** Moves the payload out of a record of an earlier version, before a new record without it replaces that one. */
export async function movePayloadOut(folder: string, id: string, durable: boolean): Promise<void> {
  if (await exists(payloadPath(folder))) return;
  const payload = await readPayloadInRecord(recordPath(folder), id);
  if (payload === undefined) return;
  // Needs no claim: every process writes the same content, and the first one counts.
  await createFile(payloadPath(folder), toText(payload), { durable });
  if (durable) await flushFolder(folder);
}

/** Null if there is no file; without `payload` if its content is damaged. */
async function readDocument(folder: string, id: string): Promise<{ readonly payload?: JsonValue } | null> {
  const path = payloadPath(folder);
  let isDamaged = false;
  try {
    return await readJsonDocument(path, (problem, cause) => {
      // An error of the file system has a cause. It can be gone at the next try, so it must not fail the task.
      isDamaged = cause === undefined;
      return storeCorrupt(id, path, problem, cause);
    });
  } catch (error) {
    if (isDamaged) return {};
    throw error;
  }
}

function payloadPath(folder: string): string {
  return join(folder, 'payload.json');
}

function recordPath(folder: string): string {
  return join(folder, 'task.json');
}

function toText(payload: JsonValue): string {
  return formatJsonDocument({ payload });
}

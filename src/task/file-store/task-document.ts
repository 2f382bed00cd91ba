/**
 * `task.json`: one lowdb document per task, through an adapter of our own. lowdb's own file adapter shares one
 * temporary name between all writers and flushes nothing.
 */
import fs from 'node:fs/promises';
import { dirname } from 'node:path';
import { type Adapter, Low } from 'lowdb';
import { flushFolder, writeFileAtomically } from '../../disk/atomic-write.ts';
import { errnoOf, isAbsent } from '../../disk/store-error.ts';
import { ListingVideoError } from '../../errors.ts';
import type { TaskRecord } from '../task.ts';
import { formatTaskRecord, parseTaskRecord } from './task-record.ts';

/** Far above any listing (the API takes 4 MiB): a larger file is not ours, and reading it would cost memory. */
const MAX_RECORD_BYTES = 32 * 1024 * 1024;

const FIRST_READ_BYTES = 32 * 1024;

export interface TaskDocumentOptions {
  readonly durable: boolean;
  /** Runs between flush and rename; throwing leaves the document as it was. */
  readonly beforeRename?: () => Promise<void>;
}

class TaskFile implements Adapter<TaskRecord> {
  readonly #path: string;
  readonly #id: string;
  readonly #options: TaskDocumentOptions;

  constructor(path: string, id: string, options: TaskDocumentOptions) {
    this.#path = path;
    this.#id = id;
    this.#options = options;
  }

  async read(): Promise<TaskRecord | null> {
    const text = await readText(this.#path, this.#id);
    if (text === null) return null;
    const parsed = parseTaskRecord(text, this.#id);
    if ('problem' in parsed) throw storeCorrupt(this.#id, this.#path, parsed.problem);
    return parsed.task;
  }

  async write(task: TaskRecord): Promise<void> {
    await writeFileAtomically(this.#path, formatTaskRecord(task), this.#options);
    if (this.#options.durable) await flushFolder(dirname(this.#path));
  }
}

/** The stored record, or null when there is no file. @throws {@link ListingVideoError} `store_corrupt`. */
export async function readTaskDocument(path: string, id: string): Promise<TaskRecord | null> {
  const document = new Low<TaskRecord | null>(
    new TaskFile(path, id, { durable: false }) as Adapter<TaskRecord | null>,
    null,
  );
  await document.read();
  return document.data;
}

/** Replaces the record, whole or not at all. */
export async function writeTaskDocument(
  path: string,
  task: TaskRecord,
  options: TaskDocumentOptions,
): Promise<void> {
  await new Low(new TaskFile(path, task.id, options), task).write();
}

async function readText(path: string, id: string): Promise<string | null> {
  let file: fs.FileHandle;
  try {
    file = await fs.open(path, 'r');
  } catch (error) {
    if (isAbsent(error)) return null;
    throw storeCorrupt(id, path, `it cannot be opened (${errnoOf(error)})`, error);
  }
  try {
    // Most records fit into one read, and each step saved counts when a page of them is read.
    const start = Buffer.allocUnsafe(FIRST_READ_BYTES);
    const { bytesRead } = await file.read(start, 0, FIRST_READ_BYTES, 0);
    if (bytesRead < FIRST_READ_BYTES) return start.toString('utf8', 0, bytesRead);
    const { size } = await file.stat();
    if (size > MAX_RECORD_BYTES)
      throw storeCorrupt(id, path, `it is ${size} bytes long, too large for a task`);
    return await file.readFile('utf8');
  } catch (error) {
    if (error instanceof ListingVideoError) throw error;
    throw storeCorrupt(id, path, `it cannot be read (${errnoOf(error)})`, error);
  } finally {
    await file.close();
  }
}

/** The error for a task that cannot be read; it never concerns the others. */
export function storeCorrupt(id: string, path: string, problem: string, cause?: unknown): ListingVideoError {
  return new ListingVideoError('store_corrupt', `task ${id} cannot be read: ${problem}: ${path}`, {
    cause,
    hint: `Every other task is unaffected. Put the file back from a backup, or move the folder ${dirname(path)} away.`,
    context: { id, path, problem },
  });
}

/**
 * Caches pages and records of lists for a short time, so that a hundred clients that poll a page cost one reading of it.
 * A change by this process drops them at once. A change by another process shows within twice `ttlMs`: once for the page,
 * once for the record.
 */
import type { TaskRecord } from '../task.ts';
import type { TaskPage, TaskQuery } from '../task-store.ts';

/** Only first pages are cached, with at most 100 records each: a client reads each later page once. */
const MAX_PAGES = 16;
/** Maximum size of the files of all cached records. */
const MAX_RECORD_BYTES = 8 * 1024 * 1024;

/** Inode, time and size of a file. If they are unchanged, the cached record is still valid. */
export interface RecordIdentity {
  readonly text: string;
  readonly sizeBytes: number;
}

/** Reads records for the cache. */
export interface RecordReader {
  /** Null if the file does not exist. */
  identify(id: string): Promise<RecordIdentity | null>;
  /** The record without the progress files beside it; null if it does not exist. */
  read(id: string): Promise<TaskRecord | null>;
}

interface CachedPage {
  readonly page: Promise<TaskPage>;
  readonly beganMs: number;
}

interface CachedRecord {
  readonly task: TaskRecord;
  readonly identity: RecordIdentity;
  checkedMs: number;
}

/** The cache of one store. */
export class TaskListCache {
  readonly #ttlMs: number;
  readonly #monotonicMs: () => number;
  readonly #pages = new Map<string, CachedPage>();
  /** Least recently used first. */
  readonly #records = new Map<string, CachedRecord>();
  #recordBytes = 0;
  /** Running reads by task. A change removes them, so that an outdated record is not cached. */
  readonly #reading = new Map<string, object>();

  /** @param ttlMs - 0 turns the cache off. */
  constructor(ttlMs: number, monotonicMs: () => number) {
    this.#ttlMs = ttlMs;
    this.#monotonicMs = monotonicMs;
  }

  /** The page, cached or loaded. Concurrent callers share one load and get the same object. */
  page(query: TaskQuery, load: () => Promise<TaskPage>): Promise<TaskPage> {
    if (this.#ttlMs === 0 || query.startingAfter !== undefined) return load();
    const nowMs = this.#monotonicMs();
    const key = JSON.stringify([query.organizationId, query.state, query.limit]);
    const known = this.#pages.get(key);
    if (known !== undefined && nowMs - known.beganMs < this.#ttlMs) return known.page;
    for (const [name, { beganMs }] of this.#pages) {
      // The map is in order of age, so the first valid page ends the loop.
      if (nowMs - beganMs < this.#ttlMs && this.#pages.size < MAX_PAGES) break;
      this.#pages.delete(name);
    }
    const cached: CachedPage = { page: load(), beganMs: nowMs };
    this.#pages.delete(key);
    this.#pages.set(key, cached);
    cached.page.catch(() => {
      if (this.#pages.get(key) === cached) this.#pages.delete(key);
    });
    return cached.page;
  }

  /** The record of a task, cached or read. */
  async record(id: string, reader: RecordReader): Promise<TaskRecord | null> {
    if (this.#ttlMs === 0) return reader.read(id);
    const nowMs = this.#monotonicMs();
    const known = this.#records.get(id);
    if (known !== undefined && nowMs - known.checkedMs < this.#ttlMs) return known.task;
    const token = {};
    this.#reading.set(id, token);
    try {
      // Identify before reading: if the file is replaced in between, the next call reads it again.
      const identity = await reader.identify(id);
      const isSame = identity !== null && identity.text === known?.identity.text;
      const task = isSame ? known!.task : await reader.read(id);
      if (this.#reading.get(id) !== token) return task;
      this.#forgetRecord(id);
      if (task !== null && identity !== null) this.#keep(id, { task, identity, checkedMs: nowMs });
      return task;
    } finally {
      if (this.#reading.get(id) === token) this.#reading.delete(id);
    }
  }

  /** Drops a task that this process changed. Call it before reporting the change. */
  changed(id: string): void {
    if (this.#ttlMs === 0) return;
    this.#pages.clear();
    this.#reading.delete(id);
    this.#forgetRecord(id);
  }

  #keep(id: string, record: CachedRecord): void {
    this.#records.set(id, record);
    this.#recordBytes += record.identity.sizeBytes;
    for (const oldest of this.#records.keys()) {
      if (this.#recordBytes <= MAX_RECORD_BYTES) break;
      this.#forgetRecord(oldest);
    }
  }

  #forgetRecord(id: string): void {
    const known = this.#records.get(id);
    if (known === undefined) return;
    this.#records.delete(id);
    this.#recordBytes -= known.identity.sizeBytes;
  }
}

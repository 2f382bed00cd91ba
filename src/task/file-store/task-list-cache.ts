/**
 * Caches pages and records of lists for a moment: a hundred clients that poll the same page cost one reading of it.
 * A change by this process drops them at once. A change by another process shows after twice `ttlMs` at most: once for
 * the page, once for the record.
 */
import type { TaskRecord } from '../task.ts';
import type { TaskPage, TaskQuery } from '../task-store.ts';

/** First pages, of at most 100 records each. Later pages are not cached: a client reads each of them once. */
const MAX_PAGES = 16;
/** Bytes of the files that the cached records come from. */
const MAX_RECORD_BYTES = 8 * 1024 * 1024;

/** Inode, time and size of a file, which tell whether it is still the one that was read. */
export interface RecordIdentity {
  readonly text: string;
  readonly sizeBytes: number;
}

export interface RecordReader {
  /** Null when there is no such file. */
  identify(id: string): Promise<RecordIdentity | null>;
  /** Without the notes beside a running task's record; null when there is none. */
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

export class TaskListCache {
  readonly #ttlMs: number;
  readonly #monotonicMs: () => number;
  readonly #pages = new Map<string, CachedPage>();
  /** The least recently used first. */
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
      // The oldest come first.
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
      // Before the record: if it is replaced in between, it is read again the next time.
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

  /** Call it when this process has changed a task, before the change is reported. */
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

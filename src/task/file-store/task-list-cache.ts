/**
 * Caches pages and records of lists for a short time, so that a hundred clients that poll a page cost one reading of it.
 * A change by this process drops them at once. A change by another process shows within twice `ttlMs`: once for the page,
 * once for the record.
 */
import type { TaskRecord } from '../task.ts';
import type { TaskPage, TaskQuery } from '../task-store.ts';

/** Only first pages are cached: a client reads each later page once. */
const MAX_PAGES = 16;
/** Maximum size of the records of all cached pages. One page has at most 4 MiB, or one larger record. */
const MAX_PAGE_BYTES = 16 * 1024 * 1024;
/** Maximum size of the files of all cached records. */
const MAX_RECORD_BYTES = 8 * 1024 * 1024;
const MAX_READS = 1_000;

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

/** A page that was read. */
export interface LoadedPage {
  readonly page: TaskPage;
  /** Size of the files of its records. */
  readonly sizeBytes: number;
}

/** A record whose file was found, but not yet read. */
export interface FoundRecord {
  /** 0 if there is no file. */
  readonly sizeBytes: number;
  /** The record, cached or read. */
  read(): Promise<TaskRecord | null>;
}

interface CachedPage {
  readonly page: Promise<TaskPage>;
  readonly beganMs: number;
  /** 0 until the page is loaded. */
  sizeBytes: number;
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
  /** Reads that have begun, by task. A change removes them, so that an outdated record is not cached. */
  readonly #reading = new Map<string, object>();

  /** @param ttlMs - 0 turns the cache off. */
  constructor(ttlMs: number, monotonicMs: () => number) {
    this.#ttlMs = ttlMs;
    this.#monotonicMs = monotonicMs;
  }

  /** The page, cached or loaded. Concurrent callers share one load and get the same object. */
  async page(query: TaskQuery, load: () => Promise<LoadedPage>): Promise<TaskPage> {
    if (this.#ttlMs === 0 || query.startingAfter !== undefined) return (await load()).page;
    const nowMs = this.#monotonicMs();
    const key = JSON.stringify([query.organizationId, query.state, query.limit]);
    const known = this.#pages.get(key);
    if (known !== undefined && nowMs - known.beganMs < this.#ttlMs) return known.page;
    for (const [name, { beganMs }] of this.#pages) {
      // The map is in order of age, so the first valid page ends the loop.
      if (nowMs - beganMs < this.#ttlMs && this.#pages.size < MAX_PAGES) break;
      this.#pages.delete(name);
    }
    const loading = load();
    const cached: CachedPage = { page: loading.then(({ page }) => page), beganMs: nowMs, sizeBytes: 0 };
    this.#pages.delete(key);
    this.#pages.set(key, cached);
    loading.then(
      ({ sizeBytes }) => {
        cached.sizeBytes = sizeBytes;
        this.#shrinkPages();
      },
      () => {
        if (this.#pages.get(key) === cached) this.#pages.delete(key);
      },
    );
    return cached.page;
  }

  #shrinkPages(): void {
    let bytes = 0;
    for (const { sizeBytes } of this.#pages.values()) bytes += sizeBytes;
    for (const [name, { sizeBytes }] of this.#pages) {
      if (bytes <= MAX_PAGE_BYTES) return;
      this.#pages.delete(name);
      bytes -= sizeBytes;
    }
  }

  /** Finds the record of a task, so that the caller knows its size before it reads the record. */
  async find(id: string, reader: RecordReader): Promise<FoundRecord> {
    const nowMs = this.#monotonicMs();
    const known = this.#records.get(id);
    if (known !== undefined && nowMs - known.checkedMs < this.#ttlMs) {
      return { sizeBytes: known.identity.sizeBytes, read: async () => known.task };
    }
    const token = {};
    if (this.#ttlMs > 0) {
      // A full page does not read all that it found, and those reads never end. Without a token a record is not cached.
      if (this.#reading.size >= MAX_READS) this.#reading.clear();
      this.#reading.set(id, token);
    }
    // Identify before reading: if the file is replaced in between, the next call reads it again.
    const identity = await reader.identify(id);
    const read = async (): Promise<TaskRecord | null> => {
      try {
        const isSame = identity !== null && identity.text === known?.identity.text;
        const task = isSame ? known!.task : await reader.read(id);
        if (this.#reading.get(id) !== token) return task;
        this.#forgetRecord(id);
        if (task !== null && identity !== null) this.#keep(id, { task, identity, checkedMs: nowMs });
        return task;
      } finally {
        if (this.#reading.get(id) === token) this.#reading.delete(id);
      }
    };
    return { sizeBytes: identity?.sizeBytes ?? 0, read };
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

/**
 * Pages and records of lists, remembered for a moment: a hundred clients that poll the same page cost one reading of it.
 * What this process changes itself is forgotten at once, so whoever waited for a change sees it; what other processes
 * change is seen after the page and the record have each been believed for `believeMs` at most.
 */
import type { TaskRecord } from '../task.ts';
import type { TaskPage, TaskQuery } from '../task-store.ts';

/** First pages at once; each is of at most 100 records. Later pages are asked for once, by whoever walks the list. */
const MOST_PAGES = 16;
/** Of the files that the remembered records were read from. */
const MOST_RECORD_BYTES = 8 * 1024 * 1024;

/** Says whether a file is still the one that was read: its inode, time and size. */
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

interface RememberedPage {
  readonly page: Promise<TaskPage>;
  readonly beganMs: number;
}

interface RememberedRecord {
  readonly task: TaskRecord;
  readonly identity: RecordIdentity;
  believedMs: number;
}

export class TaskListCache {
  readonly #believeMs: number;
  readonly #monotonicMs: () => number;
  readonly #pages = new Map<string, RememberedPage>();
  /** The least recently used first. */
  readonly #records = new Map<string, RememberedRecord>();
  #recordBytes = 0;
  /** Readings under way, by task; a change takes them off, so that what they found is not remembered. */
  readonly #reading = new Map<string, object>();

  /** @param believeMs - 0 remembers nothing. */
  constructor(believeMs: number, monotonicMs: () => number) {
    this.#believeMs = believeMs;
    this.#monotonicMs = monotonicMs;
  }

  /** The page, remembered or loaded; those who ask for the same at once share one loading, and get the same object. */
  page(query: TaskQuery, load: () => Promise<TaskPage>): Promise<TaskPage> {
    if (this.#believeMs === 0 || query.startingAfter !== undefined) return load();
    const nowMs = this.#monotonicMs();
    const key = JSON.stringify([query.organizationId, query.state, query.limit]);
    const known = this.#pages.get(key);
    if (known !== undefined && nowMs - known.beganMs < this.#believeMs) return known.page;
    for (const [name, { beganMs }] of this.#pages) {
      // The oldest come first.
      if (nowMs - beganMs < this.#believeMs && this.#pages.size < MOST_PAGES) break;
      this.#pages.delete(name);
    }
    const remembered: RememberedPage = { page: load(), beganMs: nowMs };
    this.#pages.delete(key);
    this.#pages.set(key, remembered);
    remembered.page.catch(() => {
      if (this.#pages.get(key) === remembered) this.#pages.delete(key);
    });
    return remembered.page;
  }

  /** The record of a task, remembered or read. */
  async record(id: string, reader: RecordReader): Promise<TaskRecord | null> {
    if (this.#believeMs === 0) return reader.read(id);
    const nowMs = this.#monotonicMs();
    const known = this.#records.get(id);
    if (known !== undefined && nowMs - known.believedMs < this.#believeMs) return known.task;
    const token = {};
    this.#reading.set(id, token);
    try {
      // Before the record: if it is replaced in between, it is read again the next time.
      const identity = await reader.identify(id);
      const isSame = identity !== null && identity.text === known?.identity.text;
      const task = isSame ? known!.task : await reader.read(id);
      if (this.#reading.get(id) !== token) return task;
      this.#forgetRecord(id);
      if (task !== null && identity !== null) this.#keep(id, { task, identity, believedMs: nowMs });
      return task;
    } finally {
      if (this.#reading.get(id) === token) this.#reading.delete(id);
    }
  }

  /** To be called when this process has changed a task, before anybody is told. */
  changed(id: string): void {
    if (this.#believeMs === 0) return;
    this.#pages.clear();
    this.#reading.delete(id);
    this.#forgetRecord(id);
  }

  #keep(id: string, record: RememberedRecord): void {
    this.#records.set(id, record);
    this.#recordBytes += record.identity.sizeBytes;
    for (const oldest of this.#records.keys()) {
      if (this.#recordBytes <= MOST_RECORD_BYTES) break;
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

/**
 * The ledger of one organization: an append-only log of lines, read on from where the last reading ended.
 *
 * Whoever wants a change appends a line, flushes it, and reads the log up to it: what the line did follows from the
 * lines before it, for everybody alike. So no process ever waits for another, and one that dies holds nothing up. Calls
 * that come while a line is being flushed share the next flush.
 */
import { ListingVideoError } from '../errors.ts';
import type { AccountStorage, StoragePath } from './account-storage.ts';
import { formatLedgerEntries, type LedgerEntry, parseLedgerEntry } from './ledger-entry.ts';
import { fromLedgerSnapshot, isLedgerSnapshot, TAIL_BYTES, toLedgerSnapshot } from './ledger-snapshot.ts';
import {
  applyEntry,
  type EntryOutcome,
  emptyLedger,
  judgeReserve,
  type LedgerState,
  reservationName,
} from './ledger-state.ts';

/** Lines that go into one flush. */
const MAX_BATCH = 256;
/** Read at a time, so that a long log costs no memory. */
const CHUNK_BYTES = 1024 * 1024;
/** A new snapshot after this many lines, and never before as many as there are open reservations to write down. */
const SNAPSHOT_LINES = 1_000;

export interface LedgerOptions {
  readonly storage: AccountStorage;
  /** Folder of `ledger.ndjson` and `ledger-snapshot.json`. */
  readonly folder: StoragePath;
  readonly snapshotLines?: number;
}

/** What came of a line; `insufficient` with the balance at that moment. */
export interface AppendResult {
  readonly outcome: EntryOutcome;
  readonly balance: number;
}

interface Call {
  /** Null: only wants to know the state as it is now. */
  readonly entry: LedgerEntry | null;
  readonly resolve: (result: AppendResult) => void;
  readonly reject: (error: unknown) => void;
}

export class Ledger {
  readonly #storage: AccountStorage;
  readonly #path: StoragePath;
  readonly #snapshotPath: StoragePath;
  readonly #snapshotLines: number;
  #state = emptyLedger();
  /** Bytes of the log that `#state` holds; right after a line break. */
  #offset = 0;
  #generation: string | null = null;
  /** The last bytes before `#offset`. */
  #tail: Uint8Array = new Uint8Array();
  #linesSinceSnapshot = 0;
  #calls: Call[] = [];
  #serving: Promise<void> | null = null;

  constructor(options: LedgerOptions) {
    this.#storage = options.storage;
    this.#path = [...options.folder, 'ledger.ndjson'];
    this.#snapshotPath = [...options.folder, 'ledger-snapshot.json'];
    this.#snapshotLines = options.snapshotLines ?? SNAPSHOT_LINES;
  }

  /** The state as all processes have made it by now. Not to be kept or changed. */
  async look(): Promise<LedgerState> {
    await this.#call(null);
    return this.#state;
  }

  /** Writes a line, durably, and says what it did. One that would do nothing is not written. */
  append(entry: LedgerEntry): Promise<AppendResult> {
    return this.#call(entry);
  }

  /** Resolves when nothing is under way. */
  async idle(): Promise<void> {
    while (this.#serving !== null) await this.#serving;
  }

  #call(entry: LedgerEntry | null): Promise<AppendResult> {
    return new Promise((resolve, reject) => {
      this.#calls.push({ entry, resolve, reject });
      this.#serving ??= this.#serveAll();
    });
  }

  async #serveAll(): Promise<void> {
    // Calls of the same turn of the event loop share the first flush, too.
    await Promise.resolve();
    while (this.#calls.length > 0) {
      const batch = this.#calls.splice(0, MAX_BATCH);
      try {
        await this.#serve(batch);
      } catch (error) {
        // Those that were served already do not mind.
        for (const call of batch) call.reject(error);
      }
      await this.#keepSnapshot();
    }
    // In the same turn in which no call was left: one that comes now starts anew.
    this.#serving = null;
  }

  async #serve(batch: readonly Call[]): Promise<void> {
    await this.#readOn(new Map());
    const written: { call: Call; entry: LedgerEntry }[] = [];
    // Reservations that stand before this one in the batch.
    const promised = new Map<string, number>();
    for (const call of batch) {
      const outcome = call.entry === null ? 'counted' : this.#foresee(call.entry, promised);
      if (call.entry === null || outcome !== null) {
        call.resolve({ outcome: outcome ?? 'counted', balance: this.#state.balance });
        continue;
      }
      if (call.entry.kind === 'reserve') promised.set(reservationName(call.entry), call.entry.credits);
      written.push({ call, entry: call.entry });
    }
    if (written.length === 0) return;
    await this.#storage.append(this.#path, formatLedgerEntries(written.map(({ entry }) => entry)));
    const results = new Map<string, AppendResult | null>(written.map(({ entry }) => [entry.entry, null]));
    await this.#readOn(results);
    for (const { call, entry } of written) {
      const result = results.get(entry.entry);
      if (result) call.resolve(result);
      else call.reject(lineLost(this.#storage.describe(this.#path)));
    }
  }

  /** The outcome of a line that need not be written; null for one that must, because it counts or a race decides. */
  #foresee(entry: LedgerEntry, promised: ReadonlyMap<string, number>): EntryOutcome | null {
    if (entry.kind === 'grant') return null;
    if (entry.kind !== 'reserve') return this.#state.open.has(reservationName(entry)) ? null : 'repeated';
    if (!this.#state.isMetered) return 'counted';
    if (promised.has(reservationName(entry))) return null;
    const before = [...promised.values()].reduce((sum, credits) => sum + credits, 0);
    const outcome = judgeReserve(this.#state, { ...entry, credits: entry.credits + before });
    return outcome === 'counted' ? null : outcome;
  }

  /** Reads what was appended since the last time; notes what the lines named in `results` did. */
  async #readOn(results: Map<string, AppendResult | null>): Promise<void> {
    for (;;) {
      const part = await this.#storage.readLog(this.#path, this.#offset, CHUNK_BYTES);
      if (part === null) {
        // Never written, or deleted.
        if (this.#generation !== null) this.#forget();
        return;
      }
      if (this.#generation !== part.generation || part.size < this.#offset) {
        this.#forget();
        this.#generation = part.generation;
        await this.#startFromSnapshot();
        continue;
      }
      const end = part.bytes.lastIndexOf(0x0a) + 1;
      const isFull = part.bytes.length === CHUNK_BYTES;
      // A line without an end is being written, or was torn. One longer than a chunk is none of ours.
      const taken = end === 0 && isFull ? part.bytes : part.bytes.subarray(0, end);
      this.#take(taken, results);
      if (!isFull) return;
    }
  }

  #take(bytes: Uint8Array, results: Map<string, AppendResult | null>): void {
    if (bytes.length === 0) return;
    for (const line of Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString().split('\n')) {
      const entry = parseLedgerEntry(line);
      if (entry === null) continue;
      const { balance } = this.#state;
      const outcome = applyEntry(this.#state, entry);
      this.#linesSinceSnapshot++;
      if (results.get(entry.entry) === null) results.set(entry.entry, { outcome, balance });
    }
    this.#offset += bytes.length;
    this.#tail = Uint8Array.from(
      Buffer.concat([this.#tail, bytes.subarray(-TAIL_BYTES)]).subarray(-TAIL_BYTES),
    );
  }

  #forget(): void {
    this.#state = emptyLedger();
    this.#offset = 0;
    this.#generation = null;
    this.#tail = new Uint8Array();
    this.#linesSinceSnapshot = 0;
  }

  async #startFromSnapshot(): Promise<void> {
    const snapshot = await this.#storage.read(this.#snapshotPath).catch(() => null);
    if (!isLedgerSnapshot(snapshot)) return;
    const from = Math.max(0, snapshot.offset - TAIL_BYTES);
    const part = await this.#storage.readLog(this.#path, from, snapshot.offset - from);
    if (part === null || part.generation !== this.#generation) return;
    // Not of this log, or the log has lost its end with the power.
    if (Buffer.from(part.bytes).toString('base64') !== snapshot.tail) return;
    this.#state = fromLedgerSnapshot(snapshot);
    this.#offset = snapshot.offset;
    this.#tail = Uint8Array.from(part.bytes);
  }

  async #keepSnapshot(): Promise<void> {
    if (this.#linesSinceSnapshot < Math.max(this.#snapshotLines, this.#state.open.size)) return;
    this.#linesSinceSnapshot = 0;
    const snapshot = toLedgerSnapshot(this.#state, this.#offset, this.#tail);
    // A short cut that could not be kept is missed by nobody but the next process.
    await this.#storage.replace(this.#snapshotPath, snapshot).catch(() => {});
  }
}

function lineLost(path: string): ListingVideoError {
  return new ListingVideoError('store_corrupt', `a line written to the ledger is not there: ${path}`, {
    hint: 'Something else than listing-video changes the file; put it back from a backup.',
    context: { path },
  });
}

/**
 * The ledger of one organization: an append-only log of lines, read on from where the last reading ended.
 *
 *     ledger.ndjson, ledger.2.ndjson, …   the volumes; all but the latest end with a `close` line
 *     ledger.2.opening.json, …            what all volumes before it add up to
 *     ledger-snapshot.json                what the latest adds up to so far: a short cut
 *
 * Whoever wants a change appends a line, flushes it, and reads the log up to it: what the line did follows from the
 * lines before it, for everybody alike. So no process ever waits for another, and one that dies holds nothing up. Calls
 * that come while a line is being flushed share the next flush. A volume is closed by a line like any other: whoever
 * reads it writes the same opening of the next volume, and whose line came behind it writes it again there.
 */
import { randomUUID } from 'node:crypto';
import { documentCorrupt } from '../disk/json-document.ts';
import { ListingVideoError } from '../errors.ts';
import type { AccountStorage, StoragePath } from './account-storage.ts';
import { type CreditEntry, formatLedgerEntries, parseLedgerEntry } from './ledger-entry.ts';
import {
  fromLedgerSnapshot,
  isLedgerSnapshot,
  type LedgerSnapshot,
  TAIL_BYTES,
  toLedgerSnapshot,
} from './ledger-snapshot.ts';
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
/** A volume is closed at this length, about 60,000 tasks. */
const VOLUME_BYTES = 32 * 1024 * 1024;

export interface LedgerOptions {
  readonly storage: AccountStorage;
  /** Where its files are. */
  readonly folder: StoragePath;
  /** Now, in ISO 8601. */
  readonly stamp: () => string;
  readonly snapshotLines?: number | undefined;
  readonly volumeBytes?: number | undefined;
}

/** What came of a line; `insufficient` with the balance at that moment. */
export interface AppendResult {
  readonly outcome: EntryOutcome;
  readonly balance: number;
}

interface Call {
  /** Null: only wants to know the state as it is now. */
  readonly entry: CreditEntry | null;
  readonly resolve: (result: AppendResult) => void;
  readonly reject: (error: unknown) => void;
}

export class Ledger {
  readonly #storage: AccountStorage;
  readonly #folder: StoragePath;
  readonly #stamp: () => string;
  readonly #snapshotPath: StoragePath;
  readonly #snapshotLines: number;
  readonly #volumeBytes: number;
  #state = emptyLedger();
  /** 0 before the latest was looked for. */
  #volume = 0;
  /** When the volume's `close` line was written; null while it is open. */
  #closedAt: string | null = null;
  /** Bytes of the volume that `#state` holds; right after a line break. */
  #offset = 0;
  #generation: string | null = null;
  /** The last bytes before `#offset`. */
  #tail: Uint8Array = new Uint8Array();
  #linesSinceSnapshot = 0;
  #calls: Call[] = [];
  #serving: Promise<void> | null = null;

  constructor(options: LedgerOptions) {
    this.#storage = options.storage;
    this.#folder = options.folder;
    this.#stamp = options.stamp;
    this.#snapshotPath = [...options.folder, 'ledger-snapshot.json'];
    this.#snapshotLines = options.snapshotLines ?? SNAPSHOT_LINES;
    this.#volumeBytes = options.volumeBytes ?? VOLUME_BYTES;
  }

  /** The state as all processes have made it by now. Not to be kept or changed. */
  async look(): Promise<LedgerState> {
    await this.#call(null);
    return this.#state;
  }

  /** Writes a line, durably, and says what it did. One that would do nothing is not written. */
  append(entry: CreditEntry): Promise<AppendResult> {
    return this.#call(entry);
  }

  /** Resolves when nothing is under way. */
  async idle(): Promise<void> {
    while (this.#serving !== null) await this.#serving;
  }

  /** Removes volumes that were closed before then; what they add up to stands in the next one's opening. */
  async removeClosed(beforeMs: number): Promise<number> {
    await this.look();
    let removed = 0;
    // The oldest first: a volume's opening, which tells when the one before it was closed, outlives that one.
    for (const volume of volumesAmong(await this.#storage.names(this.#folder))) {
      if (volume >= this.#volume) continue;
      const next = (await this.#storage.read(this.#openingPath(volume + 1))) as Partial<Opening> | null;
      if (typeof next?.openedAt !== 'string' || !(Date.parse(next.openedAt) < beforeMs)) continue;
      await this.#storage.remove(this.#logPath(volume));
      await this.#storage.remove(this.#openingPath(volume));
      removed += 1;
    }
    return removed;
  }

  #call(entry: CreditEntry | null): Promise<AppendResult> {
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
      await this.#closeIfLong();
      await this.#keepSnapshot();
    }
    // In the same turn in which no call was left: one that comes now starts anew.
    this.#serving = null;
  }

  async #serve(batch: readonly Call[]): Promise<void> {
    await this.#readOn(new Map());
    const written: { call: Call; entry: CreditEntry }[] = [];
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
    const volume = this.#volume;
    const path = this.#logPath(volume);
    await this.#storage.append(path, formatLedgerEntries(written.map(({ entry }) => entry)));
    const results = new Map<string, AppendResult | null>(written.map(({ entry }) => [entry.entry, null]));
    await this.#readOn(results);
    const behindTheClose: Call[] = [];
    for (const { call, entry } of written) {
      const result = results.get(entry.entry);
      if (result) call.resolve(result);
      else if (this.#volume !== volume) behindTheClose.push(call);
      else call.reject(lineLost(this.#storage.describe(path)));
    }
    this.#calls.unshift(...behindTheClose);
  }

  /** The outcome of a line that need not be written; null for one that must, because it counts or a race decides. */
  #foresee(entry: CreditEntry, promised: ReadonlyMap<string, number>): EntryOutcome | null {
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
      if (this.#volume === 0) await this.#openLatest();
      const part = await this.#storage.readLog(this.#logPath(this.#volume), this.#offset, CHUNK_BYTES);
      if (this.#generation === null) {
        // Others may have filled, closed and removed this volume before it was ever looked at here.
        if ((await this.#latestVolume()) > this.#volume) {
          await this.#openLatest();
          continue;
        }
        if (part === null) return;
        this.#generation = part.generation;
        await this.#startFromSnapshot();
        continue;
      }
      if (part === null || this.#generation !== part.generation || part.size < this.#offset) {
        // Deleted, or put back from a backup.
        await this.#openLatest();
        continue;
      }
      const end = part.bytes.lastIndexOf(0x0a) + 1;
      const isFull = part.bytes.length === CHUNK_BYTES;
      // A line without an end is being written, or was torn. One longer than a chunk is none of ours.
      this.#take(end === 0 && isFull ? part.bytes : part.bytes.subarray(0, end), results);
      if (this.#closedAt !== null) await this.#openNext(this.#closedAt);
      else if (!isFull) return;
    }
  }

  #take(bytes: Uint8Array, results: Map<string, AppendResult | null>): void {
    if (bytes.length === 0) return;
    for (const line of Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString().split('\n')) {
      const entry = parseLedgerEntry(line);
      if (entry === null) continue;
      if (entry.kind === 'close') {
        this.#closedAt = entry.at;
        return;
      }
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

  /** @throws `store_corrupt` when its opening is damaged: it alone knows what the volumes before it added up to. */
  async #openLatest(): Promise<void> {
    this.#volume = 0;
    const latest = await this.#latestVolume();
    if (latest === 1) return this.#begin(1, emptyLedger());
    const path = this.#openingPath(latest);
    const opening = await this.#storage.read(path);
    if (!isLedgerSnapshot(opening)) {
      throw documentCorrupt(this.#storage.describe(path), 'it is no opening of a ledger');
    }
    this.#begin(latest, fromLedgerSnapshot(opening));
  }

  async #latestVolume(): Promise<number> {
    return Math.max(1, ...volumesAmong(await this.#storage.names(this.#folder), true));
  }

  async #openNext(openedAt: string): Promise<void> {
    const volume = this.#volume + 1;
    const place = { volume, offset: 0, tail: new Uint8Array() };
    const opening: Opening = { ...toLedgerSnapshot(this.#state, place), openedAt };
    // Whoever is first: all write the same.
    await this.#storage.create(this.#openingPath(volume), opening);
    this.#begin(volume, this.#state);
  }

  #begin(volume: number, state: LedgerState): void {
    this.#volume = volume;
    this.#state = state;
    this.#closedAt = null;
    this.#offset = 0;
    this.#generation = null;
    this.#tail = new Uint8Array();
    this.#linesSinceSnapshot = 0;
  }

  async #startFromSnapshot(): Promise<void> {
    const snapshot = await this.#storage.read(this.#snapshotPath).catch(() => null);
    if (!isLedgerSnapshot(snapshot) || snapshot.volume !== this.#volume) return;
    const from = Math.max(0, snapshot.offset - TAIL_BYTES);
    const part = await this.#storage.readLog(this.#logPath(this.#volume), from, snapshot.offset - from);
    if (part === null || part.generation !== this.#generation) return;
    // Not of this log, or the log has lost its end with the power.
    if (Buffer.from(part.bytes).toString('base64') !== snapshot.tail) return;
    this.#state = fromLedgerSnapshot(snapshot);
    this.#offset = snapshot.offset;
    this.#tail = Uint8Array.from(part.bytes);
  }

  async #closeIfLong(): Promise<void> {
    if (this.#offset < this.#volumeBytes) return;
    try {
      const close = { kind: 'close', entry: randomUUID(), at: this.#stamp() } as const;
      await this.#storage.append(this.#logPath(this.#volume), formatLedgerEntries([close]));
      await this.#readOn(new Map());
    } catch {
      // It is tried again after the next line.
    }
  }

  async #keepSnapshot(): Promise<void> {
    if (this.#linesSinceSnapshot < Math.max(this.#snapshotLines, this.#state.open.size)) return;
    this.#linesSinceSnapshot = 0;
    const place = { volume: this.#volume, offset: this.#offset, tail: this.#tail };
    // A short cut that could not be kept is missed by nobody but the next process.
    await this.#storage.replace(this.#snapshotPath, toLedgerSnapshot(this.#state, place)).catch(() => {});
  }

  #logPath(volume: number): StoragePath {
    return [...this.#folder, volume === 1 ? 'ledger.ndjson' : `ledger.${volume}.ndjson`];
  }

  #openingPath(volume: number): StoragePath {
    return [...this.#folder, `ledger.${volume}.opening.json`];
  }
}

/** `ledger.<n>.opening.json`, from volume 2 on. */
interface Opening extends LedgerSnapshot {
  /** ISO 8601; when the volume before it was closed. */
  readonly openedAt: string;
}

/** The volumes of which there is a file, each once, the oldest first; only those with an opening if asked so. */
function volumesAmong(names: readonly string[], areOpenings = false): number[] {
  const volumes = names.flatMap((name) => {
    const match = /^ledger(?:\.([1-9][0-9]{0,8}))?\.(ndjson|opening\.json)$/.exec(name);
    return match === null || (areOpenings && match[2] === 'ndjson') ? [] : [Number(match[1] ?? 1)];
  });
  return [...new Set(volumes)].sort((a, b) => a - b);
}

function lineLost(path: string): ListingVideoError {
  return new ListingVideoError('store_corrupt', `a line written to the ledger is not there: ${path}`, {
    hint: 'Something else than listing-video changes the file; put it back from a backup.',
    context: { path },
  });
}

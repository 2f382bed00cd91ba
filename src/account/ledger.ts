/**
 * The ledger of one organization: an append-only log. Each process reads only the lines since its last reading.
 *
 *     ledger.ndjson, ledger.2.ndjson, …   the volumes; all but the latest end with a `close` line
 *     ledger.2.opening.json, …            the state after all earlier volumes
 *     ledger-snapshot.json                a recent state of the latest volume
 *
 * To make a change, a process appends a line, flushes it, and reads the log up to that line. The earlier lines decide its
 * effect, equally in every process. So no process waits for another, and a crash blocks nothing. Calls during a flush share
 * the next flush. A `close` line ends a volume: each process that reads it writes the same opening for the next volume, and
 * appends its later lines there again.
 */
import { randomUUID } from 'node:crypto';
import { documentCorrupt } from '../platform/disk/json-document.ts';
import { ListingVideoError } from '../platform/errors.ts';
import { type AccountDeps, stamp } from './account-options.ts';
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
  checkReserve,
  type EntryOutcome,
  emptyLedger,
  type LedgerState,
  reservationName,
} from './ledger-state.ts';

/** Maximum number of lines in one flush. */
const MAX_BATCH = 256;
/** Bytes per read, so that a long log does not fill the memory. */
const CHUNK_BYTES = 1024 * 1024;
/** Lines between two snapshots. It is raised to the number of open reservations, which each snapshot contains. */
const SNAPSHOT_LINES = 1_000;
/** A volume is closed at this size, after about 60,000 tasks. */
const VOLUME_BYTES = 32 * 1024 * 1024;

export interface LedgerOptions
  extends Pick<AccountDeps, 'storage' | 'clock' | 'snapshotLines' | 'volumeBytes'> {
  /** Folder of the ledger's files. */
  readonly folder: StoragePath;
}

/** The effect of a line, and the balance before it. */
export interface AppendResult {
  readonly outcome: EntryOutcome;
  readonly balance: number;
}

interface Call {
  /** Null if the call only reads the current state. */
  readonly entry: CreditEntry | null;
  readonly resolve: (result: AppendResult) => void;
  readonly reject: (error: unknown) => void;
}

export class Ledger {
  readonly #storage: AccountStorage;
  readonly #folder: StoragePath;
  readonly #clock: AccountDeps['clock'];
  readonly #snapshotPath: StoragePath;
  readonly #snapshotLines: number;
  readonly #volumeBytes: number;
  #state = emptyLedger();
  /** Number of the current volume; 0 before the first reading. */
  #volume = 0;
  /** When the volume's `close` line was written; null while it is open. */
  #closedAt: string | null = null;
  /** Bytes of the volume that are in `#state`; the position is right after a line break. */
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
    this.#clock = options.clock;
    this.#snapshotPath = [...options.folder, 'ledger-snapshot.json'];
    this.#snapshotLines = options.snapshotLines ?? SNAPSHOT_LINES;
    this.#volumeBytes = options.volumeBytes ?? VOLUME_BYTES;
  }

  /** The current state, with the lines of all processes. The caller must not keep or change it. */
  async look(): Promise<LedgerState> {
    await this.#call(null);
    return this.#state;
  }

  /** Appends a line durably and returns its effect. A line without effect is not written. */
  append(entry: CreditEntry): Promise<AppendResult> {
    return this.#call(entry);
  }

  /** Resolves when nothing is under way. */
  async idle(): Promise<void> {
    while (this.#serving !== null) await this.#serving;
  }

  /** Removes volumes that were closed before `beforeMs`. The next opening holds their sum. @returns Their number. */
  async removeClosed(beforeMs: number): Promise<number> {
    await this.look();
    let removed = 0;
    // Oldest first, because the opening of the next volume holds the time at which a volume was closed.
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
    // Wait one microtask, so that calls of the same turn of the event loop share the first flush.
    await Promise.resolve();
    while (this.#calls.length > 0) {
      const batch = this.#calls.splice(0, MAX_BATCH);
      try {
        await this.#serve(batch);
      } catch (error) {
        // Rejecting has no effect on calls that were already resolved.
        for (const call of batch) call.reject(error);
      }
      await this.#closeIfLong();
      await this.#keepSnapshot();
    }
    // No `await` after the last check of `#calls`: a later call must find null here and start a new loop.
    this.#serving = null;
  }

  async #serve(batch: readonly Call[]): Promise<void> {
    await this.#readOn(new Map());
    const written: { call: Call; entry: CreditEntry }[] = [];
    // Reservations that come earlier in this batch.
    const promised = new Map<string, number>();
    for (const call of batch) {
      const outcome = call.entry === null ? 'counted' : this.#predict(call.entry, promised);
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

  /** The effect of a line that need not be written; null if it must be written because it counts or a race decides. */
  #predict(entry: CreditEntry, promised: ReadonlyMap<string, number>): EntryOutcome | null {
    if (entry.kind === 'grant') return null;
    if (entry.kind !== 'reserve') return this.#state.open.has(reservationName(entry)) ? null : 'repeated';
    if (!this.#state.isMetered) return 'counted';
    if (promised.has(reservationName(entry))) return null;
    const before = [...promised.values()].reduce((sum, credits) => sum + credits, 0);
    const outcome = checkReserve(this.#state, { ...entry, credits: entry.credits + before });
    return outcome === 'counted' ? null : outcome;
  }

  /** Reads the lines since the last reading, and fills in the effects of the lines that `results` names. */
  async #readOn(results: Map<string, AppendResult | null>): Promise<void> {
    for (;;) {
      if (this.#volume === 0) await this.#openLatest();
      const part = await this.#storage.readLog(this.#logPath(this.#volume), this.#offset, CHUNK_BYTES);
      if (this.#generation === null) {
        // Other processes can have filled, closed and removed this volume before this process read it.
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
        // The log was deleted or restored from a backup.
        await this.#openLatest();
        continue;
      }
      const end = part.bytes.lastIndexOf(0x0a) + 1;
      const isFull = part.bytes.length === CHUNK_BYTES;
      // A line without an end is incomplete. A line longer than a chunk is not ours and is skipped.
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

  /** @throws `store_corrupt` if the opening is damaged: only it holds the sum of the earlier volumes. */
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
    // If another process was first, its opening has the same content.
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
    // The snapshot is of another log, or the log lost its end in a power loss.
    if (Buffer.from(part.bytes).toString('base64') !== snapshot.tail) return;
    this.#state = fromLedgerSnapshot(snapshot);
    this.#offset = snapshot.offset;
    this.#tail = Uint8Array.from(part.bytes);
  }

  async #closeIfLong(): Promise<void> {
    if (this.#offset < this.#volumeBytes) return;
    try {
      const close = { kind: 'close', entry: randomUUID(), at: stamp(this.#clock) } as const;
      await this.#storage.append(this.#logPath(this.#volume), formatLedgerEntries([close]));
      await this.#readOn(new Map());
    } catch {
      // The next line tries again.
    }
  }

  async #keepSnapshot(): Promise<void> {
    if (this.#linesSinceSnapshot < Math.max(this.#snapshotLines, this.#state.open.size)) return;
    this.#linesSinceSnapshot = 0;
    const place = { volume: this.#volume, offset: this.#offset, tail: this.#tail };
    // Without a snapshot the next process only starts more slowly.
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

/** Numbers of the volumes that have a file (or an opening, with `areOpenings`), without repeats, in ascending order. */
function volumesAmong(names: readonly string[], areOpenings = false): number[] {
  const volumes = names.flatMap((name) => {
    const match = /^ledger(?:\.([1-9][0-9]{0,8}))?\.(ndjson|opening\.json)$/.exec(name);
    return match === null || (areOpenings && match[2] === 'ndjson') ? [] : [Number(match[1] ?? 1)];
  });
  return [...new Set(volumes)].sort((a, b) => a - b);
}

function lineLost(path: string): ListingVideoError {
  return new ListingVideoError('store_corrupt', `a line written to the ledger is not there: ${path}`, {
    hint: 'put the file back from a backup: another program changed it',
    context: { path },
  });
}

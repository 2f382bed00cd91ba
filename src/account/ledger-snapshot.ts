/**
 * A snapshot of a ledger's state, so that a new process does not read every line. If it is missing, damaged or of another
 * log, the log is read from its beginning. Pure.
 */
import type { ProcessIdentity } from '../platform/disk/process-identity.ts';
import { emptyLedger, type LedgerState, type OpenReservation, reservationName } from './ledger-state.ts';

const VERSION = 2;

/** Number of bytes before `offset` that must equal `tail`, or the snapshot belongs to another log. */
export const TAIL_BYTES = 64;

export interface LedgerSnapshot {
  readonly version: typeof VERSION;
  readonly volume: number;
  /** Position in the log, always right after a line break. */
  readonly offset: number;
  /** The last {@link TAIL_BYTES} bytes before `offset`, in base64. */
  readonly tail: string;
  readonly balance: number;
  readonly isMetered: boolean;
  readonly settlements: number;
  /** The processes of `open`, which refers to them by index. */
  readonly processes: readonly ProcessIdentity[];
  readonly open: readonly (readonly [
    task: string,
    retries: number,
    credits: number,
    process: number,
    at: string,
  ])[];
  readonly ended: readonly string[];
}

/** The position of a snapshot in a ledger. */
export interface LedgerPlace extends Pick<LedgerSnapshot, 'volume' | 'offset'> {
  readonly tail: Uint8Array;
}

/** The snapshot of `state`. */
export function toLedgerSnapshot(state: LedgerState, { volume, offset, tail }: LedgerPlace): LedgerSnapshot {
  const places = new Map<string, number>();
  const processes: ProcessIdentity[] = [];
  const placeOf = (by: ProcessIdentity): number => {
    const text = JSON.stringify(by);
    const known = places.get(text);
    if (known !== undefined) return known;
    places.set(text, processes.length);
    return processes.push(by) - 1;
  };
  return {
    version: VERSION,
    volume,
    offset,
    tail: Buffer.from(tail).toString('base64'),
    balance: state.balance,
    isMetered: state.isMetered,
    settlements: state.settlements,
    open: [...state.open.values()].map(({ task, retries, credits, by, at }) => {
      return [task, retries, credits, placeOf(by), at];
    }),
    processes,
    ended: [...state.ended],
  };
}

/** True for a document made by {@link toLedgerSnapshot}. */
export function isLedgerSnapshot(value: object | null): value is LedgerSnapshot {
  const snapshot = value as Partial<LedgerSnapshot> | null;
  return (
    snapshot !== null &&
    snapshot.version === VERSION &&
    Number.isSafeInteger(snapshot.volume) &&
    Number.isSafeInteger(snapshot.offset) &&
    typeof snapshot.tail === 'string' &&
    Number.isSafeInteger(snapshot.balance) &&
    Number.isSafeInteger(snapshot.settlements) &&
    Array.isArray(snapshot.open) &&
    Array.isArray(snapshot.processes) &&
    Array.isArray(snapshot.ended)
  );
}

/** The state in a snapshot. */
export function fromLedgerSnapshot(snapshot: LedgerSnapshot): LedgerState {
  const state = emptyLedger();
  state.balance = snapshot.balance;
  state.isMetered = snapshot.isMetered;
  state.settlements = snapshot.settlements;
  for (const [task, retries, credits, process, at] of snapshot.open) {
    const open: OpenReservation = { task, retries, credits, by: snapshot.processes[process]!, at };
    state.open.set(reservationName(open), open);
  }
  for (const name of snapshot.ended) state.ended.add(name);
  return state;
}

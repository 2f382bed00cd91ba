/**
 * The state of a ledger, computed from its lines. Pure, and the same in every process: the order of the lines decides which
 * of two reservations gets the last credit, so no locks are needed.
 */
import type { ProcessIdentity } from '../platform/disk/process-identity.ts';
import type { CreditEntry, ReserveEntry } from './ledger-entry.ts';

/** A reservation that has not ended. */
export interface OpenReservation {
  readonly task: string;
  readonly retries: number;
  readonly credits: number;
  readonly by: ProcessIdentity;
  readonly at: string;
}

/** The effect of a line. `stale`: too many reservations were settled since its writer's check; it must check again. */
export type EntryOutcome = 'counted' | 'repeated' | 'stale' | 'insufficient';

/**
 * How many ended reservations the state remembers. A writer checks the task itself before it appends; this memory covers
 * the time between that check and the line.
 */
export const REMEMBERED_ENDS = 1_024;

export interface LedgerState {
  /** Sum of all lines that counted. */
  balance: number;
  /** True from the first grant on. */
  isMetered: boolean;
  /** By `<task>.<retries>`, oldest first. */
  readonly open: Map<string, OpenReservation>;
  /** The latest names that were spent or refunded, oldest first. A released one is not kept: it can be reserved again. */
  readonly ended: Set<string>;
  /** How many reservations were ever spent or refunded. */
  settlements: number;
}

/** A ledger without lines. */
export function emptyLedger(): LedgerState {
  return { balance: 0, isMetered: false, open: new Map(), ended: new Set(), settlements: 0 };
}

/** The name of a reservation in `open` and `ended`. */
export function reservationName(of: { readonly task: string; readonly retries: number }): string {
  return `${of.task}.${of.retries}`;
}

/** Applies one line to `state` and returns its effect. */
export function applyEntry(state: LedgerState, entry: CreditEntry): EntryOutcome {
  if (entry.kind === 'grant') {
    state.balance += entry.credits;
    state.isMetered = true;
    return 'counted';
  }
  const name = reservationName(entry);
  if (entry.kind === 'reserve') {
    const outcome = checkReserve(state, entry);
    if (outcome !== 'counted') return outcome;
    const { task, retries, credits, by, at } = entry;
    state.balance -= credits;
    state.open.set(name, { task, retries, credits, by, at });
    return outcome;
  }
  const reservation = state.open.get(name);
  if (reservation === undefined) return 'repeated';
  state.open.delete(name);
  if (entry.kind !== 'spend') state.balance += reservation.credits;
  if (entry.kind !== 'release') remember(state, name);
  return 'counted';
}

/** The effect that a reservation would have. Changes nothing. */
export function checkReserve(state: LedgerState, entry: ReserveEntry): EntryOutcome {
  const name = reservationName(entry);
  if (state.open.has(name) || state.ended.has(name)) return 'repeated';
  if (state.settlements - entry.seen > REMEMBERED_ENDS) return 'stale';
  return state.balance < entry.credits ? 'insufficient' : 'counted';
}

function remember(state: LedgerState, name: string): void {
  state.settlements++;
  state.ended.add(name);
  if (state.ended.size <= REMEMBERED_ENDS) return;
  const [oldest] = state.ended;
  if (oldest !== undefined) state.ended.delete(oldest);
}

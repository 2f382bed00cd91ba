/**
 * What a ledger's lines add up to. Pure, and the same for every reader: the order of the lines alone decides which of
 * two reservations got the last credit, so nobody has to lock anything.
 */
import type { ProcessIdentity } from '../disk/process-identity.ts';
import type { CreditEntry, ReserveEntry } from './ledger-entry.ts';

/** A reservation that has not ended. */
export interface OpenReservation {
  readonly task: string;
  readonly retries: number;
  readonly credits: number;
  readonly by: ProcessIdentity;
  readonly at: string;
}

/** What a line did. `stale`: too much was settled since its writer looked; it must look and write again. */
export type EntryOutcome = 'counted' | 'repeated' | 'stale' | 'insufficient';

/**
 * How many ended reservations are cached. A repeat that comes later is told by the task itself, which the writer
 * looks at before it writes; the memory covers what may happen between that look and the line.
 */
export const REMEMBERED_ENDS = 1_024;

export interface LedgerState {
  /** Sum of all lines that counted. */
  balance: number;
  /** True from the first grant on. */
  isMetered: boolean;
  /** By `<task>.<retries>`, oldest first. */
  readonly open: Map<string, OpenReservation>;
  /** The latest keys that were spent or refunded, oldest first. Not those released: they may be reserved again. */
  readonly ended: Set<string>;
  /** How many were ever spent or refunded. */
  settlements: number;
}

/** A ledger without lines. */
export function emptyLedger(): LedgerState {
  return { balance: 0, isMetered: false, open: new Map(), ended: new Set(), settlements: 0 };
}

/** The key of a reservation in `open` and `ended`. */
export function reservationName(of: { readonly task: string; readonly retries: number }): string {
  return `${of.task}.${of.retries}`;
}

/** Changes `state` by one line and says what the line did. */
export function applyEntry(state: LedgerState, entry: CreditEntry): EntryOutcome {
  if (entry.kind === 'grant') {
    state.balance += entry.credits;
    state.isMetered = true;
    return 'counted';
  }
  const name = reservationName(entry);
  if (entry.kind === 'reserve') {
    const outcome = judgeReserve(state, entry);
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

/** What a reservation would do, without doing it. */
export function judgeReserve(state: LedgerState, entry: ReserveEntry): EntryOutcome {
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

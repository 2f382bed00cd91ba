/** The lines of a ledger: their types, their text, and the check that skips damaged lines. Pure. */
import type { ProcessIdentity } from '../platform/disk/process-identity.ts';

interface EntryBase {
  /** Unique id, by which the writer finds its line when it reads the log back. */
  readonly entry: string;
  /** ISO 8601 in UTC. For people; it does not affect balances. */
  readonly at: string;
}

/** Adds credits. */
export interface GrantEntry extends EntryBase {
  readonly kind: 'grant';
  readonly credits: number;
  readonly note?: string;
}

/** Reserves credits for a task, if the balance is sufficient. */
export interface ReserveEntry extends EntryBase {
  readonly kind: 'reserve';
  readonly task: string;
  readonly retries: number;
  readonly credits: number;
  /** The ledger's `settlements` when the writer last checked that the task was not accepted yet. */
  readonly seen: number;
  /** The process that will create the task. */
  readonly by: ProcessIdentity;
}

/** Ends a reservation: `release` (not accepted) and `refund` (FAILED) return the credits, `spend` (SUCCEEDED) does not. */
export interface EndEntry extends EntryBase {
  readonly kind: 'release' | 'refund' | 'spend';
  readonly task: string;
  readonly retries: number;
}

/** A line that changes credits. */
export type CreditEntry = GrantEntry | ReserveEntry | EndEntry;

/** Ends a volume. Later lines of the same file do not count; their writers append them to the next volume. */
export interface CloseEntry extends EntryBase {
  readonly kind: 'close';
}

export type LedgerEntry = CreditEntry | CloseEntry;

/** The text of the lines. It begins with a line break, which ends the incomplete line of a writer that crashed. */
export function formatLedgerEntries(entries: readonly LedgerEntry[]): string {
  return `\n${entries.map((entry) => JSON.stringify(entry)).join('\n')}\n`;
}

/** Null for an empty line, an incomplete line after a crash, and a line of an unknown kind. */
export function parseLedgerEntry(line: string): LedgerEntry | null {
  if (line === '') return null;
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    return null;
  }
  return isEntry(value) ? value : null;
}

function isEntry(value: unknown): value is LedgerEntry {
  if (!isObject(value) || typeof value.entry !== 'string') return false;
  if (value.kind === 'grant') return isCount(value.credits);
  if (value.kind === 'close') return typeof value.at === 'string';
  if (typeof value.task !== 'string' || !isCount(value.retries)) return false;
  if (value.kind === 'reserve') return isCount(value.credits) && isCount(value.seen) && isObject(value.by);
  return value.kind === 'release' || value.kind === 'refund' || value.kind === 'spend';
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null;
const isCount = (value: unknown): boolean => Number.isSafeInteger(value) && (value as number) >= 0;

/** One line of a ledger: what is written, and what a damaged or torn line is told by. Pure. */
import type { ProcessIdentity } from '../disk/process-identity.ts';

interface EntryBase {
  /** Unique: by it the writer finds out what became of its line. */
  readonly entry: string;
  /** ISO 8601 in UTC. For people; nothing is decided by it. */
  readonly at: string;
}

/** Credits come in. */
export interface GrantEntry extends EntryBase {
  readonly kind: 'grant';
  readonly credits: number;
  readonly note?: string;
}

/** Credits are set aside for a task, if there are enough. */
export interface ReserveEntry extends EntryBase {
  readonly kind: 'reserve';
  readonly task: string;
  readonly retries: number;
  readonly credits: number;
  /** The ledger's `settlements` when the writer last made sure that the task had not been accepted before. */
  readonly seen: number;
  /** Who will make the task. */
  readonly by: ProcessIdentity;
}

/** A reservation ends: `release` (never accepted) and `refund` (FAILED) give back, `spend` (SUCCEEDED) keeps. */
export interface EndEntry extends EntryBase {
  readonly kind: 'release' | 'refund' | 'spend';
  readonly task: string;
  readonly retries: number;
}

/** A line that changes credits. */
export type CreditEntry = GrantEntry | ReserveEntry | EndEntry;

/** The volume ends here: whatever stands behind it in the same file does not count, and goes into the next volume. */
export interface CloseEntry extends EntryBase {
  readonly kind: 'close';
}

export type LedgerEntry = CreditEntry | CloseEntry;

/** Begins with a line break: it ends what a writer that died in the middle of its line left behind. */
export function formatLedgerEntries(entries: readonly LedgerEntry[]): string {
  return `\n${entries.map((entry) => JSON.stringify(entry)).join('\n')}\n`;
}

/** Null for an empty line, one that was torn by a crash, and one of a kind that this version does not know. */
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

/**
 * How two commands with one output folder share manifest.json: each adds its run and its listings to what the others
 * wrote. Of a listing that both have, the entry that says most stays. Pure.
 */
import type { Manifest, ManifestEntry, ManifestRun } from './manifest.ts';

/** A video that exists counts more than one that is being made, and that one more than a failure. */
const RANKS: Readonly<Record<ManifestEntry['state'], number>> = {
  SUCCEEDED: 5,
  RUNNING: 4,
  FAILED: 3,
  PENDING: 2,
  NOT_STARTED: 1,
  INVALID: 0,
};

export function isState(state: unknown): boolean {
  return typeof state === 'string' && Object.hasOwn(RANKS, state);
}

export interface OwnPart {
  readonly run: ManifestRun;
  readonly listings: readonly ManifestEntry[];
}

/** @param before - The manifest that is in place; null when there is none, or a damaged one. */
export function mergeManifest(
  before: Pick<Manifest, 'runs' | 'listings'> | null,
  { run, listings }: OwnPart,
  isAlive: (run: ManifestRun) => boolean,
): { runs: ManifestRun[]; listings: ManifestEntry[] } {
  const isJoining = before?.runs.some(({ id }) => id === run.id) === true;
  const others = (before?.runs ?? []).filter(({ id }) => id !== run.id);
  const isGoing = (other: ManifestRun): boolean => other.ended_at === null && isAlive(other);
  // A run that meets no other begins anew.
  if (!isJoining && !others.some(isGoing)) return { runs: [run], listings: [...listings] };
  const runs = [...others.filter((other) => other.ended_at !== null || isGoing(other)), run];
  const ids = new Set(runs.map(({ id }) => id));
  const known = new Map<string, ManifestEntry>();
  for (const entry of before?.listings ?? []) {
    // Of a run that was killed, only what it finished stays.
    const isKept = ids.has(entry.run_id) || entry.state === 'SUCCEEDED' || entry.state === 'FAILED';
    if (entry.run_id !== run.id && isKept) known.set(keyOf(entry), entry);
  }
  const own = listings.map((entry) => {
    const other = known.get(keyOf(entry));
    known.delete(keyOf(entry));
    return other === undefined || replaces(entry, other) ? entry : other;
  });
  return { runs, listings: [...own, ...known.values()] };
}

/** @param other - Of another run. */
function replaces(own: ManifestEntry, other: ManifestEntry): boolean {
  const [ownRank, otherRank] = [RANKS[own.state], RANKS[other.state] ?? -1];
  // "Unchanged" says that the other run has made it.
  return ownRank > otherRank || (ownRank === otherRank && !own.is_unchanged);
}

function keyOf({ folder, listing_file: file }: ManifestEntry): string {
  return folder === null ? `file ${file}` : `folder ${folder}`;
}

/** How two commands share one manifest.json. */
import { describe, expect, it } from 'vitest';
import type { ManifestEntry, ManifestRun } from '../../../src/cli/create/reporters/manifest.ts';
import { mergeManifest } from '../../../src/cli/create/reporters/merge-manifest.ts';

const runOf = (id: string, endedAt: string | null = null): ManifestRun => ({
  ...{ id, process: { pid: 1, host: 'h', boot: 'b', space: 's', started: null }, started_at: '2026' },
  ...{ ended_at: endedAt, exit_code: endedAt === null ? null : 0, error: null },
});
const entry = (run: string, name: string, state: ManifestEntry['state'], isUnchanged = false) => ({
  ...{ run_id: run, listing_file: `${name}.json`, folder: name, state, is_unchanged: isUnchanged },
});
const alive = () => true;
const dead = () => false;
const shown = ({ listings }: { listings: readonly ManifestEntry[] }) =>
  listings.map(({ run_id, folder, state }) => `${run_id} ${folder} ${state}`);

describe('a manifest', () => {
  it.each([
    ['of an earlier run, which has ended', runOf('a', '2026'), alive],
    ['of a run that was killed', runOf('a'), dead],
  ])('%s, is replaced', (_, run, isAlive) => {
    const before = { runs: [run], listings: [entry('a', 'old', 'SUCCEEDED')] };
    const merged = mergeManifest(
      before,
      { run: runOf('b'), listings: [entry('b', 'x', 'PENDING')] },
      isAlive,
    );
    expect([merged.runs.map(({ id }) => id), shown(merged)]).toEqual([['b'], ['b x PENDING']]);
  });

  it('of a run that goes on gets the listings of the other one', () => {
    const before = { runs: [runOf('a')], listings: [entry('a', 'x', 'RUNNING'), entry('a', 'y', 'PENDING')] };
    const own = [entry('b', 'x', 'PENDING'), entry('b', 'y', 'RUNNING'), entry('b', 'z', 'PENDING')];
    const merged = mergeManifest(before, { run: runOf('b'), listings: own }, alive);
    expect(merged.runs.map(({ id }) => id)).toEqual(['a', 'b']);
    expect(shown(merged)).toEqual(['a x RUNNING', 'b y RUNNING', 'b z PENDING']);
    // The first one writes again: it finished x, and has another listing.
    const first = [entry('a', 'x', 'SUCCEEDED'), entry('a', 'y', 'PENDING'), entry('a', 'w', 'FAILED')];
    const next = mergeManifest(merged, { run: runOf('a', '2026'), listings: first }, alive);
    expect(shown(next)).toEqual(['a x SUCCEEDED', 'b y RUNNING', 'a w FAILED', 'b z PENDING']);
  });

  it('keeps what exists: no failure, and no "unchanged" of another run replaces it', () => {
    const before = {
      runs: [runOf('a', '2026'), runOf('b')],
      listings: [entry('a', 'x', 'SUCCEEDED'), entry('a', 'y', 'SUCCEEDED'), entry('a', 'z', 'FAILED')],
    };
    const own = [entry('b', 'x', 'FAILED'), entry('b', 'y', 'SUCCEEDED', true), entry('b', 'z', 'SUCCEEDED')];
    const merged = mergeManifest(before, { run: runOf('b'), listings: own }, alive);
    expect(shown(merged)).toEqual(['a x SUCCEEDED', 'a y SUCCEEDED', 'b z SUCCEEDED']);
  });

  it('loses what a killed run had begun, but not what it finished', () => {
    const before = {
      runs: [runOf('a'), runOf('b')],
      listings: [entry('a', 'x', 'RUNNING'), entry('a', 'y', 'SUCCEEDED'), entry('a', 'z', 'PENDING')],
    };
    const merged = mergeManifest(before, { run: runOf('b'), listings: [entry('b', 'x', 'PENDING')] }, dead);
    expect(shown(merged)).toEqual(['b x PENDING', 'a y SUCCEEDED']);
    expect(merged.runs.map(({ id }) => id)).toEqual(['b']);
  });
});

/** When `--keep` trusts the clock. */
import { describe, expect, it } from 'vitest';
import { decideSweep, type SweepRecord } from '../../../src/api/server/upkeep/sweep-clock.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const KEEP = 30 * DAY;
const NOW = Date.UTC(2026, 10, 22);

/** Whether each of these sweeps deletes; times are relative to NOW. */
function sweepsAt(timesMs: readonly number[], newestMs: number | null = NOW): boolean[] {
  let record: SweepRecord | null = null;
  return timesMs.map((at) => {
    const decision = decideSweep(record, newestMs, NOW + at, KEEP);
    record = decision.record;
    return decision.refusal === null;
  });
}

describe('a sweep', () => {
  it('deletes while the clock goes on, also after a week without the server', () => {
    expect(sweepsAt([0, HOUR, 2 * HOUR, 7 * DAY, 7 * DAY + HOUR])).toEqual([true, true, true, true, true]);
  });

  it('deletes nothing for a day after the clock jumped ahead, and nothing when it is set right again', () => {
    const years = 3_650 * DAY;
    expect(sweepsAt([0, years, years + HOUR, 2 * HOUR, 3 * HOUR, DAY + 3 * HOUR])).toEqual([
      ...[true, false, false, false, false, true],
    ]);
  });

  it('deletes nothing for a day after the clock jumped back', () => {
    expect(sweepsAt([0, -2 * HOUR, -HOUR, DAY])).toEqual([true, false, false, true]);
    expect(sweepsAt([0, -HOUR / 2])).toEqual([true, true]);
  });

  it('compares the clock with the newest task when there was no sweep before', () => {
    expect(sweepsAt([0, HOUR, DAY], NOW - 31 * DAY)).toEqual([false, false, true]);
    expect(sweepsAt([0], NOW + 2 * HOUR)).toEqual([false]);
    expect(sweepsAt([0], null)).toEqual([true]);
  });

  it('says what the clock says, what it said before, and until when nothing is deleted', () => {
    const { refusal } = decideSweep({ seenMs: NOW, holdUntilMs: null }, null, NOW + 365 * DAY, KEEP);
    expect(refusal).toBe(
      'the clock says 2027-11-22T00:00:00.000Z, but the data folder was last used at 2026-11-22T00:00:00.000Z: ' +
        'nothing is deleted before 2027-11-23T00:00:00.000Z',
    );
  });

  it('waits no longer than the tasks are kept', () => {
    const { record } = decideSweep({ seenMs: NOW, holdUntilMs: null }, null, NOW + DAY, HOUR);
    expect(record.holdUntilMs).toBe(NOW + DAY + HOUR);
  });
});

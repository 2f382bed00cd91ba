/** Notes about the last use of a key never reach the request that caused them. */
import { describe, expect, it } from 'vitest';
import { KeyUses } from '../../../src/task/accounts/key-uses.ts';
import { ManualClock, settled } from '../manual-clock.ts';

const clock = new ManualClock(Date.UTC(2026, 10, 20));

describe('the last use of a key', () => {
  it('is written in the background, so a disk that hangs delays no request, one key at a time', async () => {
    const written: string[] = [];
    let finish = () => {};
    const uses = new KeyUses(clock, (id) => {
      written.push(id);
      return new Promise((resolve) => {
        finish = resolve;
      });
    });
    for (const id of ['a', 'a', 'b']) uses.note(id);
    expect(written).toEqual(['a']);
    finish();
    await settled();
    expect(written).toEqual(['a', 'b']);
    finish();
    await uses.idle();
  });

  it('that cannot be written fails no request, and is tried again only after a minute', async () => {
    let tries = 0;
    const uses = new KeyUses(clock, () => {
      tries += 1;
      return Promise.reject(new Error('ENOSPC'));
    });
    for (let second = 0; second < 60; second++) {
      uses.note('a');
      await uses.idle();
      clock.jump(1_000);
    }
    expect(tries).toBe(1);
    uses.note('a');
    await uses.idle();
    expect(tries).toBe(2);
  });
});

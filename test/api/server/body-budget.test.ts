/** How many bodies are in memory at once, and whose. */
import { expect, it } from 'vitest';
import { BodyBudget } from '../../../src/api/server/requests/body-budget.ts';

const budget = () => new BodyBudget({ maxBodies: 4, maxBytes: 1_000 });

it('one client takes at most half, by number and by bytes', () => {
  const byNumber = budget();
  expect([1, 2, 3].map(() => byNumber.enter('a', 1) !== null)).toEqual([true, true, false]);
  expect([1, 2, 3].map(() => byNumber.enter('b', 1) !== null)).toEqual([true, true, false]);
  expect(byNumber.enter('c', 1)).toBeNull();

  const byBytes = budget();
  expect([300, 300, 200].map((bytes) => byBytes.enter('a', bytes) !== null)).toEqual([true, false, true]);
  expect([400, 101].map((bytes) => byBytes.enter('b', bytes) !== null)).toEqual([true, false]);
  expect(byBytes.enter('c', 101)).toBeNull();
  expect(byBytes.enter('c', 100)).not.toBeNull();
});

it('a client with less takes the place of a body that is still being received, of the client with most', () => {
  const all = budget();
  const gone: string[] = [];
  for (const [client, bytes] of [
    ['a', 300],
    ['a', 200],
    ['b', 250],
    ['b', 240],
  ] as const) {
    all.enter(client, bytes)!.onGiveWay(() => gone.push(`${client} ${bytes}`));
  }
  const place = all.enter('c', 100)!;
  place.onGiveWay(() => gone.push('c'));
  expect(gone).toEqual(['a 300']);
  expect(place.grow(150)).toBe(true);
  expect(gone).toEqual(['a 300']);
  // Nobody takes a place from a client that has no more than itself.
  expect(all.enter('a', 300)).toBeNull();
  expect(gone).not.toContain('c');
});

it('bytes that were not announced count when they come', () => {
  const all = budget();
  const place = all.enter('a', 0)!;
  expect([place.grow(400), place.grow(101), place.grow(100)]).toEqual([true, false, true]);
  expect(all.enter('a', 1)).toBeNull();
});

it('what is given back can be taken again, once', () => {
  const all = budget();
  for (let n = 0; n < 100; n++) {
    const places = [all.enter('a', 200), all.enter('a', 0), all.enter('b', 500)];
    expect(places).not.toContain(null);
    expect(places[1]!.grow(300)).toBe(true);
    for (const place of [...places, ...places]) place!.leave();
  }
});

it('large bodies are handled one in a turn of the event loop, small ones at once', async () => {
  const place = budget().enter('a', 0)!;
  const events: string[] = [];
  let isOver = false;
  const turn = (): void => {
    events.push('|');
    if (!isOver) setImmediate(turn);
  };
  setImmediate(turn);
  await Promise.all([
    ...['L1', 'L2', 'L3'].map((name) => place.waitForTurn(4_000_000).then(() => events.push(name))),
    ...['s1', 's2'].map((name) => place.waitForTurn(10_000).then(() => events.push(name))),
  ]);
  isOver = true;
  expect(events.join(' ')).toMatch(/^s1 s2 \| L1 \| L2 \| L3$/);
});

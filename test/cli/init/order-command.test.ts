/** The texts that order photos. */
import { describe, expect, it } from 'vitest';
import { applyOrderCommand, type PhotoOrder } from '../../../src/cli/init/order-command.ts';

const order = (sequence: readonly number[], left: readonly number[] = []): PhotoOrder => ({
  sequence,
  left: new Set(left),
});

describe('applyOrderCommand', () => {
  it.each([
    ['7', [7, 1, 2, 3, 4, 5, 6, 8], 7],
    ['5 1 3', [5, 1, 3, 2, 4, 6, 7, 8], 5],
    [' #5, #1,3 ', [5, 1, 3, 2, 4, 6, 7, 8], 5],
    ['6-8 2', [6, 7, 8, 2, 1, 3, 4, 5], 6],
    ['3-1', [3, 2, 1, 4, 5, 6, 7, 8], 3],
    ['8 7 6 5 4 3 2 1', [8, 7, 6, 5, 4, 3, 2, 1], 8],
    ['5 to 2', [1, 5, 2, 3, 4, 6, 7, 8], 5],
    ['1 TO 8', [2, 3, 4, 5, 6, 7, 8, 1], 1],
    ['1 2 to 8', [3, 4, 5, 6, 7, 8, 1, 2], 1],
    ['2 last', [1, 3, 4, 5, 6, 7, 8, 2], 2],
    ['7 8 before 2', [1, 7, 8, 2, 3, 4, 5, 6], 7],
    ['1 after 4', [2, 3, 4, 1, 5, 6, 7, 8], 1],
  ])('%j gives %j', (text, sequence, moved) => {
    expect(applyOrderCommand(order([1, 2, 3, 4, 5, 6, 7, 8]), text)).toEqual({
      ok: true,
      order: order(sequence),
      moved,
    });
  });

  it('keeps the numbers of photos when others move', () => {
    const once = applyOrderCommand(order([1, 2, 3, 4]), '4');
    const twice = applyOrderCommand((once as { order: PhotoOrder }).order, '2 after 3');
    expect(twice).toMatchObject({ order: { sequence: [4, 1, 3, 2] } });
  });

  it('leaves photos out and takes them back, also by moving them', () => {
    const out = applyOrderCommand(order([1, 2, 3, 4]), '-4 -2') as { order: PhotoOrder };
    expect(out.order).toEqual(order([1, 2, 3, 4], [4, 2]));
    expect(applyOrderCommand(out.order, '+2')).toMatchObject({ order: order([1, 2, 3, 4], [4]) });
    expect(applyOrderCommand(out.order, '4')).toMatchObject({ order: order([4, 1, 2, 3], [2]) });
  });

  it.each([
    ['9', 'there is no photo 9: the photos have the numbers 1 to 4'],
    ['0', 'there is no photo 0: the photos have the numbers 1 to 4'],
    ['2 to 5', 'there is no photo 5: the photos have the numbers 1 to 4'],
    ['1-9999', 'there is no photo 9999: the photos have the numbers 1 to 4'],
    ['2 3 2', '2 is named twice'],
    ['2 before 2', '2 cannot stand next to itself'],
    ['kitchen', '"kitchen" is not an order: type 7, 9 1 3, 5 to 2, 5 last or -4'],
    ['2 to', '"2 to" is not an order: type 7, 9 1 3, 5 to 2, 5 last or -4'],
    ['to 2', 'a number is missing: type 7, 9 1 3, 5 to 2, 5 last or -4'],
    ['1-2-3', '"1-2-3" is not an order: type 7, 9 1 3, 5 to 2, 5 last or -4'],
    ['-', 'a number is missing: type 7, 9 1 3, 5 to 2, 5 last or -4'],
    ['99999999999999999999', '"99999999999999999999" is not an order: type 7, 9 1 3, 5 to 2, 5 last or -4'],
  ])('refuses %j', (text, fault) => {
    expect(applyOrderCommand(order([1, 2, 3, 4]), text)).toEqual({ ok: false, fault });
  });
});

/** The patches that the studio's forms make, and how they read what is typed. */
import { describe, expect, it } from 'vitest';
import { addAgent } from '../../src/studio/components/forms/agent-edits.ts';
import { putValue } from '../../src/studio/components/forms/listing-edits.ts';
import { AREA, COUNT, FULL_BATHROOMS, TEXT } from '../../src/studio/components/forms/read-values.ts';
import { moveInFrame, toCrops } from '../../src/studio/components/photos/crops.ts';
import { applyPatch, type ListingObject } from '../../src/studio/document/json.ts';
import type { ListingPath } from '../../src/studio/editor/protocol.ts';

function put(listing: ListingObject, path: ListingPath, value: unknown): unknown {
  return applyPatch(listing, putValue(listing, path, value));
}

describe('setting a field', () => {
  it('makes what is missing above it, and keeps what it does not know', () => {
    const listing = { mls: { seq: 4 }, agents: [{ id: 'a', offices: null, x: 1 }] };
    expect(put(listing, ['agents', 0, 'offices', 0, 'phone_number', 'number'], '12')).toEqual({
      mls: { seq: 4 },
      agents: [{ id: 'a', offices: [{ phone_number: { number: '12' } }], x: 1 }],
    });
  });

  it('never overwrites a value of another type above it', () => {
    for (const address of ['12 Main', 7, ['x']]) {
      expect(putValue({ address }, ['address', 'street'], '1 Elm')).toEqual([]);
      expect(putValue({ address }, ['address', 'street'], undefined)).toEqual([]);
    }
  });

  it('removes a cleared field, and an address or office that has nothing else', () => {
    expect(put({ id: 'x', bedrooms: 4 }, ['bedrooms'], undefined)).toEqual({ id: 'x' });
    expect(put({ address: { street: 'a' } }, ['address', 'street'], undefined)).toEqual({});
    expect(put({ address: { street: 'a', zip4: '1' } }, ['address', 'street'], undefined)).toEqual({
      address: { zip4: '1' },
    });
    const office = { agents: [{ offices: [{ phone_number: { number: '1' } }, { name: 'B' }] }] };
    const path = ['agents', 0, 'offices', 0, 'phone_number', 'number'];
    expect(put(office, path, undefined)).toEqual({ agents: [{ offices: [{}, { name: 'B' }] }] });
    expect(putValue({}, ['address', 'street'], undefined)).toEqual([]);
  });
});

describe('a new agent', () => {
  it('has an unused id and the look that all others have in common', () => {
    const look = (price: string) => ({
      ratio: '1920:1080',
      template_id: 'modern',
      template_data: { price, status: 'Sold' },
      metadata: { crm: price },
    });
    const listing = {
      agents: [{ id: 'agent-3', video_options: look('1') }, 7, { id: 'b', video_options: look('2') }],
    };
    expect((applyPatch(listing, addAgent(listing)) as typeof listing).agents.at(-1)).toEqual({
      id: 'agent-4',
      first_name: '',
      last_name: '',
      video_options: { ratio: '1920:1080', template_id: 'modern', template_data: { status: 'Sold' } },
    });
    expect(applyPatch({}, addAgent({}))).toEqual({
      agents: [{ id: 'agent-1', first_name: '', last_name: '' }],
    });
    expect(addAgent({ agents: 'June' })).toEqual([]);
  });
});

describe('what is typed', () => {
  it('is a number where one is meant, and otherwise stays as it is, with a reason', () => {
    expect(AREA.read(' 2,840 ')).toBe(2840);
    expect(AREA.show(2840)).toBe('2,840');
    expect(AREA.explain!(0.5)).toBe('Enter a number such as 2,840.');
    expect(COUNT.read('four')).toBe('four');
    expect(COUNT.explain!('four')).toBe('Enter a whole number such as 3.');
    expect(COUNT.explain!(0)).toBeNull();
    expect(FULL_BATHROOMS.explain!(2.5)).toMatch(/half bathrooms have their own field/);
    expect(TEXT.read('  ')).toBeUndefined();
    expect(TEXT.show({ a: [1] })).toBe('{"a":[1]}');
    expect(TEXT.explain!({ a: [1] })).toBe('Expected text, found {"a":[1]}.');
  });
});

describe('the focus of a photo', () => {
  const UPRIGHT = { kind: 'photo', focus: { x: 0.2, y: 0.7 }, subject: null } as const;

  it('moves with the photo in a frame, and no further than the frame shows more', () => {
    const crops = toCrops(1.5, null, UPRIGHT);
    // The middle of what is kept: the wide frame shows the whole width, the upright one the whole height.
    expect(crops.focus.x).toBeCloseTo(0.2);
    expect(crops.focus.y).toBeCloseTo(1 - crops.parts['1920:1080'].height / 2, 1);
    const right = moveInFrame(crops, '1080:1920', { x: -0.1, y: -0.3 });
    expect(right).toEqual({ x: expect.closeTo(0.3), y: crops.focus.y });
    const { width } = crops.parts['1080:1920'];
    expect(moveInFrame(crops, '1080:1920', { x: 9, y: 0 }).x).toBeCloseTo(width / 2);
    expect(moveInFrame(crops, '1920:1080', { x: 9, y: 9 }).x).toBe(crops.focus.x);
    // A focus in a corner is in both frames.
    const corner = toCrops(1.5, { x: 1, y: 0 }, null).parts;
    expect(corner['1080:1920'].left + corner['1080:1920'].width).toBeCloseTo(1);
    expect(corner['1920:1080'].top).toBe(0);
  });
});

/** The patches that the studio's forms make, and how they read what is typed. */
import { signal } from '@preact/signals';
import { describe, expect, it } from 'vitest';
import { addAgent } from '../../src/studio/components/forms/agent-edits.ts';
import { fieldWords } from '../../src/studio/components/forms/field-words.ts';
import { putValue } from '../../src/studio/components/forms/listing-edits.ts';
import { AREA, COUNT, TEXT } from '../../src/studio/components/forms/read-values.ts';
import { keepListingIn, type ListingView } from '../../src/studio/components/listing.ts';
import { moveInFrame, toCrops } from '../../src/studio/components/photos/crops.ts';
import { agents } from '../../src/studio/components/shown-agent.ts';
import { counterWords } from '../../src/studio/components/words.ts';
import { explainNumber } from '../../src/studio/document/explain-number.ts';
import { applyPatch, type ListingObject } from '../../src/studio/document/json.ts';
import type { ListingPath, StudioScene } from '../../src/studio/editor/protocol.ts';
import { sameScene, sceneOfField, sceneOfPhoto } from '../../src/studio/page/stage/same-scene.ts';

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

it('an agent is known by name from the first moment, before there is a plan of the videos', () => {
  const listing = { agents: [{ id: 'a', first_name: 'Ann', last_name: 'Ruiz' }, 7, { id: 'b' }] };
  keepListingIn({
    view: signal({ listing, violations: [] } as unknown as ListingView),
    edit() {},
    storeFile,
  });
  expect(agents.value).toEqual([
    { id: 'a', name: 'Ann Ruiz' },
    { id: 'b', name: 'Agent 3' },
  ]);
});

const storeFile = async () => ({ problem: 'none' });

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
    expect(explainNumber(['interior_square_footage'], 0.5)).toBe('Enter a number such as 2,840.');
    expect(COUNT.read('four')).toBe('four');
    expect(explainNumber(['bedrooms'], 'four')).toBe('Enter a whole number such as 3.');
    expect(explainNumber(['bedrooms'], 0)).toBeNull();
    expect(explainNumber(['bathrooms'], 2.5)).toMatch(/half bathrooms have their own field/);
    const length = ['agents', 0, 'video_options', 'template_data', 'length'];
    expect(explainNumber(length, '5s')).toBe('Enter 10 to 90 seconds.');
    expect(explainNumber(length, 'Long')).toBeNull();
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

describe('a check', () => {
  const licenses = [{ number: '1' }, { number: '2' }];
  const agents = [
    { first_name: 'June', last_name: 'Takemori', licenses },
    { first_name: '', last_name: '', licenses: licenses.slice(1) },
  ];

  it.each([
    ['License of the second agent: state', ['agents', 1, 'licenses', 0, 'state']],
    ['Second license of June Takemori: state', ['agents', 0, 'licenses', 1, 'state']],
    ['Licenses of June Takemori', ['agents', 0, 'licenses']],
    ['Office of June Takemori: street and number', ['agents', 0, 'offices', 0, 'address', 'street']],
    ['First name of the second agent', ['agents', 1, 'first_name']],
    ['The second agent', ['agents', 1]],
    ['Video of June Takemori: shape', ['agents', 0, 'video_options', 'ratio']],
    ['Video of June Takemori: price', ['agents', 0, 'video_options', 'template_data', 'price']],
    ['Address: state', ['address', 'state']],
    ['Full bathrooms', ['bathrooms']],
    ['Photo 3: caption', ['assets', 2, 'caption']],
    ['Constructor', ['constructor']],
    ['', []],
  ] as const)('names its field in words: %s', (words, path) => {
    expect(fieldWords({ agents }, path)).toBe(words);
    if (path[2] === 'video_options')
      expect(fieldWords({ agents: agents.slice(0, 1) }, path)).toBe(words.replace(/ of June Takemori/, ''));
  });
});

describe('a limit', () => {
  it('is counted from 100 of 120 characters on', () => {
    expect(counterWords('x'.repeat(99), 120)).toBeNull();
    expect(counterWords('x'.repeat(100), 120)).toBe('100 of 120 characters.');
    expect(counterWords('é'.repeat(121), 120)).toBe('121 of 120 characters.');
    expect(counterWords('x'.repeat(1000), null)).toBeNull();
  });
});

describe('the scene to look at', () => {
  const scene = (id: string, kind: string, photo_indexes: number[], ...texts: string[]): StudioScene => ({
    ...{ id, kind, label: id, photo_indexes, texts },
    ...{ from_frame: 0, to_frame: 60, rest_frame: 30 },
  });
  const wide = [
    scene('1', 'hook', [4]),
    scene('2', 'hero', [0], '128 HARBOR PINE LANE'),
    scene('3', 'pair', [1, 2]),
    scene('4', 'facts', [3], '$500,000'),
    scene('5', 'photo', [4]),
    scene('6', 'card', [0]),
  ];
  const vertical = [
    scene('1', 'hook', [2]),
    scene('2', 'hero', [0]),
    scene('3', 'photo', [1]),
    scene('4', 'photo', [2]),
    scene('5', 'facts', [4]),
    scene('6', 'pair', [3, 4]),
    scene('7', 'card', [1]),
  ];

  it('of a photo is the one in which it stands longest', () => {
    const of = (photo: number) => sceneOfPhoto(wide, photo)?.id;
    expect([0, 1, 2, 3, 4, 7].map(of)).toEqual(['2', '3', '3', '4', '5', '6']);
    expect(sceneOfPhoto([], 0)).toBeNull();
  });

  it('of the other shape shows the same photo, or is for the same words', () => {
    const of = (at: number, photo: number | null = null) => sameScene(vertical, wide[at]!, photo)?.id;
    expect([0, 1, 2, 3, 4, 5].map((at) => of(at))).toEqual(['6', '2', '3', '5', '6', '7']);
    expect(of(2, 2)).toBe('4');
  });

  it('of a field is the one that says it, else the one made for it', () => {
    const data = (name: string): ListingPath => ['agents', 0, 'video_options', 'template_data', name];
    const of = (path: ListingPath, shown = '') => sceneOfField(wide, path, shown)?.id ?? null;
    expect(of(['address', 'state'], '128 Harbor Pine Lane')).toBe('2');
    expect(of(['agents', 1, 'phones', 0, 'number'])).toBe('6');
    expect(of(data('price'), '$500,000')).toBe('4');
    expect(of(data('price'), '$7')).toBe('4');
    expect(of(data('status'), 'Sold')).toBe('2');
    expect(of(data('accent'), '#fff')).toBeNull();
    expect(of(['bedrooms'], '4')).toBe('4');
    expect(of(['agents', 0, 'video_options', 'ratio'])).toBeNull();
  });
});

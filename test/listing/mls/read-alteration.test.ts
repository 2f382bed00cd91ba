/** What the words of feeds say about altered photos. */
import { describe, expect, it } from 'vitest';
import {
  pairOriginals,
  readAlteration,
  saysOnlyChange,
  saysOriginal,
} from '../../../src/listing/mls/read-alteration.ts';

describe('the label of a photo', () => {
  it.each([
    // The lookup of the Data Dictionary 2.0.
    ['None', null],
    ['Decluttered - Item Removed', 'Digitally altered: items removed'],
    ['Virtual Staging - Item Addition', 'Virtually staged'],
    ['Twilight Conversion', 'Digitally altered: day to twilight'],
    ['Virtual Enhancements', 'Digitally altered'],
    ['Virtual Renovation', 'Virtually renovated'],
    ['Virtual Representation - To Be Built', 'Rendering'],
    ['Virtual Representation - Under Construction', 'Rendering'],
    ['Model Home', 'Model home'],
    ['Other Media Modification', 'Digitally altered'],
  ])('is read from MediaAlteration %s as %s', (value, label) => {
    expect(readAlteration({ MediaAlteration: [value] })?.label ?? null).toBe(label);
    expect(readAlteration({ MediaAlteration: value })?.label ?? null).toBe(label);
  });

  it.each([
    ['Living room, virtually staged', 'Virtually staged'],
    ['VIRTUALLY-STAGED', 'Virtually staged'],
    ['Virtual staging by Acme', 'Virtually staged'],
    ['Virtually staged. Original photo follows', 'Virtually staged'],
    ['Original hardwood floors, virtually staged', 'Virtually staged'],
    ['No furniture is included; virtually staged', 'Virtually staged'],
    ['Digitally enhanced', 'Digitally altered'],
    ['Photo has been digitally altered', 'Digitally altered'],
    ['AI-generated image', 'Digitally altered'],
    ['Photoshopped lawn', 'Digitally altered'],
    ['Sky replaced', 'Digitally altered: sky replaced'],
    ["Artist's conception", 'Rendering'],
    ['Artist’s concept of the lobby', 'Rendering'],
    ['Renderings by the architect', 'Rendering'],
    ['Not virtually staged', null],
    ['Unaltered photo', null],
    ['Original photo before virtual staging', null],
    ['Living room (original)', null],
    ['Freshly rendered walls, professionally staged', null],
    ['The former model home', null],
    ['Main floor with AI-ready wiring', null],
  ])('is read from the description %s as %s', (text, label) => {
    expect(readAlteration({ ShortDescription: text })?.label ?? null).toBe(label);
    expect(readAlteration({ LongDescription: text })?.label ?? null).toBe(label);
  });

  it('names its source, the field that says it most clearly first', () => {
    const record = { MediaAlteration: ['Twilight Conversion'], ShortDescription: 'Virtually staged' };
    expect(readAlteration(record)?.source).toBe('MediaAlteration');
    expect(readAlteration({ MediaCategory: 'Renderings' })?.source).toBe('MediaCategory');
  });
});

it.each([
  ['Virtually staged', true],
  ['This photo has been digitally altered.', true],
  ['Sky replaced', true],
  ['Living room, virtually staged', false],
  ['Living room', false],
])('of %j it says that it is about the change alone: %j', (text, isOnly) => {
  expect(saysOnlyChange(text)).toBe(isOnly);
});

it.each([
  ['Original', true],
  ['Original of photo 4', true],
  ['Original, unedited photo', true],
  ['Unaltered photo', true],
  ['Living room - original', true],
  ['Before virtual staging', true],
  ['Original hardwood floors', false],
  ['An original by a local architect', false],
  ['Virtually staged, original photo follows', false],
])('%j says that a photo is an original: %j', (ShortDescription, isOriginal) => {
  expect(saysOriginal({ ShortDescription })).toBe(isOriginal);
});

describe('the pair of an original', () => {
  const staged = { ShortDescription: 'Virtually staged' };
  const original = { ShortDescription: 'Original' };
  const pairsOf = (...records: object[]) => [...pairOriginals(records as Record<string, unknown>[])];

  it('is the altered photo before it, or after it', () => {
    expect(pairsOf(staged, original, {})).toEqual([[1, 0]]);
    expect(pairsOf({}, original, staged)).toEqual([[1, 2]]);
    expect(pairsOf(staged, original, staged, original)).toEqual([
      [1, 0],
      [3, 2],
    ]);
    expect(pairsOf(original, staged, original, staged)).toEqual([
      [0, 1],
      [2, 3],
    ]);
  });

  it('is the one that its description numbers, by order or by place', () => {
    const of = (number: number) => ({ ShortDescription: `Unaltered photo of ${number}` });
    expect(pairsOf(staged, {}, {}, of(1))).toEqual([[3, 0]]);
    expect(pairsOf({ ...staged, Order: 7 }, { ...of(7), Order: 9 })).toEqual([[1, 0]]);
  });

  it('is none where no photo says that it is altered', () => {
    expect(pairsOf({}, original, {})).toEqual([[1, null]]);
  });
});

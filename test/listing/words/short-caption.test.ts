import { expect, test } from 'vitest';
import { captionBeginnings, shortCaption } from '../../../src/listing/words/short-caption.ts';

test.each([
  ['A soaking tub under an arched window, with two vanities', 'A soaking tub under an arched window'],
  ['The kitchen has oak beams – and two islands', 'The kitchen has oak beams'],
  ['Steps from St. James Park. Quiet street', 'Steps from St. James Park'],
  ['A bright, airy living room: the heart of the house', 'A bright, airy living room'],
  ['مطبخ مفتوح على الحديقة، مع جزيرتين', 'مطبخ مفتوح على الحديقة'],
  ['客厅朝南带大阳台，采光很好', '客厅朝南带大阳台'],
])('the first phrase of %j', (caption, short) => {
  expect(shortCaption(caption)).toBe(short);
});

test.each([
  'Butler’s pantry, new',
  'In the late evening, the pool glows',
  'A pool of 1,200 square feet',
  'The corner bedroom gets the morning sun.',
  'Kitchen with island (new, 2024)',
])('%j has no shorter form', (caption) => {
  expect(shortCaption(caption)).toBeUndefined();
});

test('a caption loses phrase by phrase', () => {
  expect(captionBeginnings('Flat acre behind the house, fenced, with room for a pool')).toEqual([
    'Flat acre behind the house, fenced, with room for a pool',
    'Flat acre behind the house, fenced',
    'Flat acre behind the house',
  ]);
  expect(captionBeginnings('Pantry, new')).toEqual(['Pantry, new']);
});

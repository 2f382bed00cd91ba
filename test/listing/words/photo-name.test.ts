/** How sentences name photos. */
import { expect, it } from 'vitest';
import { photoName, photoNames } from '../../../src/listing/words/photo-name.ts';

it('by number and the end of the address, however long and strange that is', () => {
  expect(photoName(3, 'https://e.com/a/kitchen.jpg?q=1')).toBe('4 (kitchen.jpg)');
  expect(photoName(0, `https://e.com/a/${'x'.repeat(500)}\u202e.jpg?q=1`)).toBe(`1 (${'x'.repeat(60)})`);
  expect(photoName(0, 'C:\\photos\\front.jpg')).toBe('1 (front.jpg)');
  expect(photoName(6, 'https://e.com/')).toBe('7');
  const two = [
    { number: 4, url: 'kitchen.jpg' },
    { number: 7, url: 'bath.jpg' },
  ];
  expect(photoNames(two)).toBe('4 (kitchen.jpg) and 7 (bath.jpg)');
});

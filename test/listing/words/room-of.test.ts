/** Which room a photo shows, by its words. */
import { describe, expect, it } from 'vitest';
import { type Room, roomOf } from '../../../src/listing/words/room-of.ts';

describe('the caption says it', () => {
  it.each<[string, Room | null]>([
    ['Kitchen', 'kitchen'],
    ['The kitchen, with a marble waterfall island', 'kitchen'],
    ['The primary bedroom, over the garden', 'bedroom'],
    ['Bedroom with an ensuite bath', 'bedroom'],
    ['Primary Bathroom', 'bath'],
    ['Primary bedroom bath', 'bath'],
    ['Powder room', 'bath'],
    ['Dining Room', 'dining'],
    ['Living room with a view of the lake', 'living'],
    ['Fireplace', 'living'],
    ['Entry', 'living'],
    ['Home office', 'other'],
    ['Deck off the primary bedroom', 'outside'],
    ['Outdoor kitchen', 'outside'],
    ['Front of Structure', 'outside'],
    ['Back of house at dusk', 'outside'],
    ['Pool', 'outside'],
    ['Garden-level bedroom', 'bedroom'],
    ['The guest room looks over the garden', 'bedroom'],
    ['Morning light', null],
    ['', null],
  ])('%s: %s', (caption, room) => {
    expect(roomOf({ url: 'https://e.com/1.jpg', caption })).toBe(room);
  });
});

describe('else the name of the file', () => {
  it.each<[string, Room | null]>([
    ['02-kitchen.jpg', 'kitchen'],
    ['IMG_kitchen_2.jpg', 'kitchen'],
    ['https://e.com/a/MasterBedroom01.JPG?w=2048', 'bedroom'],
    ['guest%20bath.png', 'bath'],
    ['01-frontal.jpg', 'outside'],
    ['front.jpg', 'outside'],
    ['IMG_2231_view.jpg', 'outside'],
    ['12-garden-street-5.jpg', null],
    ['12-front-street-kitchen.jpg', 'kitchen'],
    ['IMG_2231.jpg', null],
    ['bad%E0%A4%A.jpg', null],
  ])('%s: %s', (url, room) => {
    expect(roomOf({ url })).toBe(room);
  });

  it('where the caption names no room, or has a hint only', () => {
    expect(roomOf({ url: 'bath.jpg', caption: 'Heated floors' })).toBe('bath');
    expect(roomOf({ url: '07-kitchen.jpg', caption: 'Morning sun and a view of the lake' })).toBe('kitchen');
  });
});

/** Which room of the house a photo shows, by what the listing says of it: its caption, else the name of its file. Pure. */
import type { Asset } from '../listing.ts';
import { fileWords, toWords } from './photo-name.ts';

export type Room = 'outside' | 'living' | 'kitchen' | 'dining' | 'bedroom' | 'bath' | 'other';

/**
 * The values of the RESO lookup `ImageOf` (Data Dictionary 2.0), and other words for the same rooms. The first word of
 * a text counts: `Deck off the bedroom` is outside. Of two that start at one place the longer counts.
 */
const ROOMS: readonly (readonly [Room, string])[] = [
  [
    'bath',
    '(?:(?:half|full|primary|master|guest|hall) )?(?:bed ?room )?(?:baths?|bath ?rooms?|bath ?tubs?)|powder(?: room)?|en ?suite|shower|toilet|wc|vanity',
  ],
  [
    'bedroom',
    '(?:primary |master |guest |kids )?bed(?: ?rooms?)?|(?:primary|master|guest|junior) suite|(?:guest|spare) room|nursery|guest quarters|bunk room',
  ],
  ['kitchen', 'kitchens?|kitchenette|breakfast(?: (?:nook|bar|area|room))?|butler s pantry|pantry'],
  ['dining', 'dining(?: (?:room|area))?'],
  [
    'living',
    'living(?: ?(?:room|area))?|lounge|great ?room|family ?room|sitting ?(?:room|area)|front room|den|entry(?: ?way)?|front entry|foyer|(?:entrance )?hall(?: ?way)?|lobby|sun ?room',
  ],
  [
    'other',
    'basement|bonus room|closet|wardrobe|exercise room|game room|gym|home (?:office|theater|gym)|laundry(?: room)?|library|loft|media room|mud ?room|office|play ?room|rec(?:reation)? room|stairs?|stair(?:case|way)|study|theater|utility room|wine cellar|workshop|attic',
  ],
  [
    'outside',
    'exterior|front(?:al)? (?:exterior|view|elevation|facade|of (?:the )?(?:house|home|structure|building|property)|yard|porch|door|garden)|frontal|fa(?:c|ç)ade|curb appeal|street ?view|elevation|outside|outdoors?(?: (?:kitchen|living(?: area)?|dining|shower|fireplace))?|aerial(?: view)?|drone|(?:back|front|side) ?yard|yard|balcony|barn|courtyard|deck|dock|driveway|garage|parking|patio|pergola|pier|porch|lanai|roof ?(?:top|deck|terrace)|terrace|stable|(?:swimming )?pool(?: (?:deck|house))?|other structure',
  ],
];
/** These say where a photo was taken only if nothing else does: a bedroom has a view of the garden. */
const HINTS: readonly (readonly [Room, string])[] = [
  [
    'outside',
    'front|back|rear|side|community|fence|garden|golf(?: course)?|house|home|building|lake|lot|buildings|pond|(?:street )?view|water(?:front)?|skyline|beach',
  ],
  ['living', 'fire ?place'],
];
/** What cameras, agents, copies and the time of day add to a file's name. */
const BESIDE_NAME =
  /^(?:\d+|[a-z]|day|dusk|evening|night|sunset|twilight|img|image|photo|pic|picture|dsc|dji|pxl|copy|of|the|and|final|edit|web|mls)$/;

const PATTERNS = toPatterns(ROOMS);
const HINT_PATTERNS = toPatterns(HINTS);

/**
 * Null where nothing says it. Rooms that are named and have no place of their own are `other`. A file that names a room
 * counts before a caption that only hints at one: `07-kitchen.jpg`, "Morning sun and a view of the lake".
 */
export function roomOf({ url, caption = '' }: Pick<Asset, 'url' | 'caption'>): Room | null {
  const words = toWords(caption);
  const file = fileWords(url);
  return (
    firstOf(words, PATTERNS) ?? firstOf(file, PATTERNS) ?? firstOf(words, HINT_PATTERNS) ?? hintInFile(file)
  );
}

/** The room that a caption, or a value of `ImageOf`, names. */
export function roomIn(text: string): Room | null {
  const words = toWords(text);
  return firstOf(words, PATTERNS) ?? firstOf(words, HINT_PATTERNS);
}

/** The name of a street can be in the file's: `12-garden-street-3.jpg` shows no garden. */
function hintInFile(words: string): Room | null {
  const rest = HINT_PATTERNS.reduce((left, [, pattern]) => left.replaceAll(pattern, ' '), words);
  const saysOnlyHints = rest.split(' ').every((word) => word === '' || BESIDE_NAME.test(word));
  return saysOnlyHints ? firstOf(words, HINT_PATTERNS) : null;
}

function toPatterns(table: typeof ROOMS): readonly (readonly [Room, RegExp])[] {
  return table.map(([room, words]) => [room, new RegExp(` (?:${words})(?= )`, 'gu')]);
}

function firstOf(words: string, patterns: ReturnType<typeof toPatterns>): Room | null {
  const found = patterns.flatMap(([room, pattern]) =>
    [...words.matchAll(pattern)].map((match) => ({ room, at: match.index, length: match[0].length })),
  );
  found.sort((a, b) => a.at - b.at || b.length - a.length);
  return found[0]?.room ?? null;
}

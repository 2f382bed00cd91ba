/** What a Media record says was changed in its photo, and which photo is the original of which. Pure. */
import { type MlsRecord, numberOf, textOf, textsOf } from './mls-record.ts';

/** A label for viewers, and the field that it is from. */
export interface FoundAlteration {
  readonly label: string;
  readonly source: string;
}

/** Where people write what was changed. CRMLS rule 11.5.2 asks for it in the description. */
const DESCRIPTIONS = ['ShortDescription', 'LongDescription', 'MediaCategory'];
const USUAL_LABEL = 'Digitally altered';

/** The first that is found names the change best. Of the values of `MediaAlteration` in the dictionary, and of people. */
const LABELS: readonly (readonly [pattern: RegExp, label: string])[] = [
  [/virtual(?:ly)?[\s-]+(?:stag|furnish)/, 'Virtually staged'],
  [/virtual(?:ly)?[\s-]+renovat/, 'Virtually renovated'],
  [
    /virtual(?:ly)?[\s-]+represent|\brenderings?\b|(?:3d|computer|digital(?:ly)?)[\s-]+render|artist\W?s? (?:concept|impress)/,
    'Rendering',
  ],
  [
    /twilight conversion|(?:virtual|digital|ai)(?:ly)?[\s-]+(?:twilight|dusk)/,
    `${USUAL_LABEL}: day to twilight`,
  ],
  [
    /declutter\w*\W+items? remov|(?:virtual|digital)(?:ly)?[\s-]+(?:declutter|remov|clear|empt)/,
    `${USUAL_LABEL}: items removed`,
  ],
  [/sky (?:was |has been )?replace|replaced sky/, `${USUAL_LABEL}: sky replaced`],
  [/(?:digital|virtual)(?:ly)?[\s-]+(?:alter|enhance|edit|modif|manipulat|landscap)/, USUAL_LABEL],
  [
    /\b(?:ai|artificial intelligence)[\s-]+(?:generat|alter|enhance|edit|modif|stag)|photo-?shopped/,
    USUAL_LABEL,
  ],
  [
    /altered (?:photo|image|picture)|(?:photo|image|picture) (?:was |has been |is )?altered|^altered$/,
    USUAL_LABEL,
  ],
];
/** What stands before a change that was not made: `not virtually staged`, `unaltered photo`. */
const DENIAL = /\b(?:not|never|without|non|un)(?:[\s-]+(?:been|any))?[\s-]*$/;

const UNCHANGED = '(?:original|un-?altered|un-?edited|un-?staged|un-?touched)';
/** `Original photo`, `Unaltered photo of 4`, `Living room (original)`, `Before virtual staging`; not `Original floors`. */
const ORIGINAL = new RegExp(
  [
    String.raw`\b${UNCHANGED},? (?:${UNCHANGED} )?(?:photo|image|picture|version|shot)\b`,
    String.raw`^\W*${UNCHANGED}(?=\s*(?:$|[^\s\w]|of\b|for\b))`,
    String.raw`[-–:,(]\s*(?:${UNCHANGED}|before)\W*$`,
    String.raw`\bbefore (?:the )?(?:virtual|digital|staging|editing|alter)`,
  ].join('|'),
);

/** Words that say nothing but the change. */
const ABOUT_CHANGES =
  /\b(?:virtual(?:ly)?|digital(?:ly)?|staged|staging|altered|alteration|enhanced|edited|modified|renderings?|photo(?:shopped)?|image|picture|this|the|has|have|been|was|is|and|ai|generated|artist|s|concept(?:ion)?|sky|replaced|items?|removed)\b|[\W_]/g;

/** Null for a photo that nothing says to be altered. */
export function readAlteration(record: MlsRecord): FoundAlteration | null {
  const values = textsOf(record, 'MediaAlteration').filter((value) => !/^(?:none|no|false|n)$/i.test(value));
  if (values.length > 0) {
    const text = values.join(', ').toLowerCase();
    const label = text.includes('model home') ? 'Model home' : (findChange(text)?.label ?? USUAL_LABEL);
    return { label, source: 'MediaAlteration' };
  }
  for (const source of DESCRIPTIONS) {
    const text = textOf(record, source)?.toLowerCase() ?? '';
    const change = isOfOriginal(text) ? null : findChange(text);
    if (change !== null) return { label: change.label, source };
  }
  return null;
}

/** True for a description that says no more than the label of its photo does. */
export function saysOnlyChange(text: string): boolean {
  const lower = text.toLowerCase();
  return findChange(lower) !== null && lower.replace(ABOUT_CHANGES, '') === '';
}

/** True where a description says that this is the photo before another one was changed. */
export function saysOriginal(record: MlsRecord): boolean {
  const isAltered = readAlteration(record) !== null;
  return !isAltered && DESCRIPTIONS.some((name) => isOfOriginal(textOf(record, name)?.toLowerCase() ?? ''));
}

/**
 * The altered photo of each original: the one that its description numbers, else the one right before it, else right
 * after it, as MLSs ask for.
 *
 * @param records - In the order of the feed.
 * @returns Index of the altered photo by that of its original; null where there is none.
 */
export function pairOriginals(records: readonly MlsRecord[]): ReadonlyMap<number, number | null> {
  const taken = new Set<number>();
  const isFree = (index: number) =>
    !taken.has(index) && records[index] !== undefined && readAlteration(records[index]) !== null;
  const pairs = new Map<number, number | null>();
  const places = placesByOrder(records);
  for (const [index, record] of records.entries()) {
    if (!saysOriginal(record)) continue;
    const number = alteredNumber(record);
    const named = number === null ? undefined : places.get(number);
    const altered = [named ?? -1, (number ?? 0) - 1, index - 1, index + 1].find(isFree) ?? null;
    if (altered !== null) taken.add(altered);
    pairs.set(index, altered);
  }
  return pairs;
}

/** The first record of each `Order`. */
function placesByOrder(records: readonly MlsRecord[]): ReadonlyMap<number | null, number> {
  const places = new Map<number | null, number>();
  for (const [index, record] of records.entries()) {
    const order = numberOf(record, 'Order');
    if (!places.has(order)) places.set(order, index);
  }
  return places;
}

/** 4 of `unaltered photo of 4` and `Original for photo #4`. */
function alteredNumber(record: MlsRecord): number | null {
  const text = DESCRIPTIONS.map((name) => textOf(record, name) ?? '').join(' ');
  const [, number] =
    /\b(?:of|for)\s+(?:(?:photo|image|picture)\s*)?(?:no\.?|number|#)?\s*(\d{1,3})\b/i.exec(text) ?? [];
  return number === undefined ? null : Number(number);
}

/** `Original photo, virtually staged one follows` is of the original; `Virtually staged, original photo follows` is not. */
function isOfOriginal(text: string): boolean {
  const original = ORIGINAL.exec(text);
  return original !== null && original.index <= (findChange(text)?.index ?? text.length);
}

/** @param text - In lower case. */
function findChange(text: string): { readonly label: string; readonly index: number } | null {
  for (const [pattern, label] of LABELS) {
    const found = pattern.exec(text);
    if (found !== null && !DENIAL.test(text.slice(0, found.index))) return { label, index: found.index };
  }
  return null;
}

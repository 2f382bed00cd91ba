/** What is wrong with a listing that was sent, in words and with its places in the text. Pure. */
import { findJsonFault, locateSpan, placeAt } from '../../../../listing/json/json-places.ts';
import type { ListingWarning, Violation } from '../../../../listing/listing.ts';
import { explainViolation } from '../../../../listing/rules/explain-violation.ts';
import { countWords } from '../../../../listing/words/count-words.ts';
import type { Finding } from '../../../components/finding-list.tsx';
import { fieldWords } from '../../../components/forms/field-words.ts';
import { sentence } from '../../../components/words.ts';
import { explainNumber } from '../../../document/explain-number.ts';
import { isSame, type ListingObject, valueAt } from '../../../document/json.ts';
import type { StudioViolation } from '../../../editor/protocol.ts';
import type { ApiProblem } from '../api.ts';
import { explainProblem, unknownTemplate } from './explain-problem.ts';

/** One mistake and where it is. Offsets are half-open. */
export interface Mistake {
  readonly line: number;
  /** From 1. */
  readonly column: number;
  readonly start: number;
  readonly end: number;
  readonly loc: Violation['loc'];
  /** A sentence that does not name the place. */
  readonly words: string;
  /** Shown beside the line. */
  readonly note: string;
  /** So many entries a list needs that has too few. */
  readonly least?: number;
}

export interface Findings {
  readonly heading: string;
  /** Undefined: there are only mistakes. */
  readonly words?: string;
  readonly mistakes: readonly Mistake[];
  /** The text that they are about, and the listing in it; null for what is no JSON. */
  readonly text: string;
  readonly listing: ListingObject | null;
  /** Of what is no mistake in the text: false as soon as it is over. Absent: while the text stays. */
  readonly isOpen?: () => boolean;
}

/** Something to say that has no place in the text. */
export function fault(text: string, heading: string, words: string, isOpen?: () => boolean): Findings {
  return { heading, words, mistakes: [], text, listing: null, ...(isOpen && { isOpen }) };
}

/** Why a text cannot be sent; null if it can. @param hasForms - Photos and forms are above it. */
export function findFault(text: string, hasForms: boolean): Findings | null {
  if (text.trim() === '') {
    const ways = 'paste a listing, choose a file, or insert the example';
    const words = hasForms ? `Add at least 5 photos and an agent. Or ${ways}.` : `${sentence(ways)}`;
    return fault(text, 'There is no listing yet', words);
  }
  const found = findJsonFault(text);
  if (found === null) return null;
  const { offset, length, message, hint } = found;
  const { line, column } = placeAt(text, offset, length);
  const words = sentence(hint === undefined ? message : `${message}; ${hint}`);
  const end = Math.min(text.length, offset + length);
  const mistake = { line, column, start: offset, end, loc: ['body'], words, note: words };
  return { heading: 'This is not JSON', mistakes: [mistake], text, listing: null };
}

/** What the service's answer says about the text. @param agentCount - Further agents were added when it was sent. */
export function toFindings(
  problem: ApiProblem,
  text: string,
  listing: ListingObject | null,
  agentCount: number,
): Findings {
  const detail = problem.detail ?? unknownTemplate(problem, listing);
  if (detail === null) return { ...explainProblem(problem), mistakes: [], text, listing: null };
  const mistakes = detail
    .filter(({ loc }) => loc[1] !== 'agents' || typeof loc[2] !== 'number' || loc[2] < agentCount)
    .map((violation) => toMistake(violation, text));
  return { heading: headingOf(mistakes), mistakes, text, listing };
}

function toMistake(violation: Violation, text: string): Mistake {
  const { loc, type, input, ctx } = violation;
  const isMissing = type === 'missing';
  const own = explainNumber(loc.slice(1), input) ?? explainViolation(violation);
  const words = sentence(isMissing ? 'this is needed' : own);
  return {
    ...placeOf(text, loc),
    loc,
    words,
    // The line of a missing property is that of its holder, which does not show its name.
    note: isMissing ? `${loc.at(-1)}: this is needed.` : words,
    ...(type === 'too_short' && { least: Number(ctx?.min_length) }),
  };
}

function headingOf({ length }: readonly Mistake[]): string {
  return `${countWords(length, 'mistake')} to fix`;
}

function placeOf(text: string, loc: Violation['loc']) {
  const { start, end } = locateSpan(text, loc) ?? { start: 0, end: 0 };
  const { line, column } = placeAt(text, start, 1);
  return { start, end, line, column };
}

/** What is still to say: a mistake is over when its value has changed. @param listing - As it stands now. */
export function stillOpen(found: Findings | null, text: string, listing: ListingObject): Findings | null {
  if (found === null || found.listing === null) {
    const isOpen = found?.isOpen?.() ?? found?.text === text;
    return isOpen ? found : null;
  }
  const mistakes = found.mistakes.filter((mistake) => !isOver(mistake, found.listing, listing));
  if (mistakes.length === found.mistakes.length) return found;
  return mistakes.length === 0 ? null : { ...found, heading: headingOf(mistakes), mistakes };
}

function isOver({ loc, least }: Mistake, sent: ListingObject | null, listing: ListingObject): boolean {
  const path = loc.slice(1);
  const value = valueAt(listing, path);
  // A few photos more are not enough yet.
  if (least !== undefined && Array.isArray(value)) return value.length >= least;
  return !isSame(valueAt(sent, path), value);
}

/** The mistakes as forms show them at their fields. */
export function toViolations(open: Findings | null): StudioViolation[] {
  const { mistakes = [] } = open ?? {};
  return mistakes.flatMap(({ loc, words }) =>
    loc.length === 1 ? [] : [{ path: loc.slice(1), message: words }],
  );
}

/** @param leadsTo - The text, whose line then is part of the finding, or the field of a form. */
export function toFinding(
  { text, listing }: Findings,
  mistake: Mistake,
  leadsTo: 'line' | 'field',
  onOpen: () => void,
): Finding {
  const { line, loc, words } = mistake;
  const subject = fieldWords(listing ?? {}, loc.slice(1));
  const finding = { kind: 'violation', words, subject, onOpen } as const;
  return leadsTo === 'field'
    ? finding
    : { ...finding, place: `Line ${line}`, source: sourceLine(text, mistake) };
}

/** A property that no listing has, in the text as it stands. */
export interface UnknownProperty {
  readonly line: number;
  readonly start: number;
  readonly end: number;
  readonly words: string;
}

export function placeUnknown(text: string, { loc, message }: ListingWarning): UnknownProperty {
  const { line, start, end } = placeOf(text, loc.length > 1 ? [...loc, '[key]'] : loc);
  return { line, start, end, words: sentence(message) };
}

/** The line of a mistake in three parts, the middle one wrong. */
function sourceLine(text: string, { line, column, start, end }: Mistake): [string, string, string] {
  const source = text.split('\n')[line - 1] ?? '';
  const at = column - 1;
  // A line can be the whole file, so only the text around the place is shown.
  const from = Math.max(0, at - 60);
  const until = Math.min(source.length, at + end - start);
  const before = (from > 0 ? '…' : '') + source.slice(from, at).trimStart();
  return [before, source.slice(at, Math.min(until, at + 120)), source.slice(until, until + 40)];
}

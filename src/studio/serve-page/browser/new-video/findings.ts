/** What is wrong with a listing that was sent, in words and with its places in the text. Pure. */
import { findJsonFault, locateSpan, placeAt } from '../../../../listing/json/json-places.ts';
import { countWords } from '../../../../listing/words/count-words.ts';
import type { Finding } from '../../../components/finding-list.tsx';
import { isSame, type ListingObject, valueAt } from '../../../document/json.ts';
import type { StudioViolation } from '../../../editor/protocol.ts';
import type { ApiProblem, Violation } from '../api.ts';
import { locWords } from '../words.ts';

/** One mistake and where it is. Offsets are half-open. */
export interface Mistake {
  readonly line: number;
  /** From 1. */
  readonly column: number;
  readonly start: number;
  readonly end: number;
  readonly loc: Violation['loc'];
  readonly msg: string;
  /** Nothing is there: the place is that of the holder. */
  readonly isMissing: boolean;
  /** Shown beside the line. */
  readonly note: string;
}

export interface Findings {
  readonly heading: string;
  /** Undefined: there are only mistakes. */
  readonly words?: string;
  readonly mistakes: readonly Mistake[];
  /** The text that they are about, and the listing in it. */
  readonly text: string;
  readonly listing: ListingObject | null;
}

/** Something to say that has no place in the text. */
export function fault(heading: string, words: string): Findings {
  return { heading, words, mistakes: [], text: '', listing: null };
}

/** Why a text cannot be sent; null if it can. */
export function findFault(text: string): Findings | null {
  if (text.trim() === '')
    return fault('There is no listing yet', 'Paste one, pick a file, or insert the example.');
  const found = findJsonFault(text);
  if (found === null) return null;
  const { offset, length, message, hint } = found;
  const { line, column } = placeAt(text, offset, length);
  const msg = hint === undefined ? message : `${message}; ${hint}`;
  const end = Math.min(text.length, offset + length);
  const mistake = { line, column, start: offset, end, loc: ['body'], msg, isMissing: false, note: msg };
  return { heading: 'This is not JSON', mistakes: [mistake], text, listing: null };
}

/** What the service's answer says about the text. */
export function toFindings(problem: ApiProblem, text: string, listing: ListingObject | null): Findings {
  if (problem.detail === null) return explain(problem);
  const mistakes = problem.detail.map(({ loc, msg, type }) => {
    const isMissing = type === 'missing';
    // The line of a missing property is that of its holder, which does not show its name.
    return { ...placeOf(text, loc), loc, msg, isMissing, note: isMissing ? `${loc.at(-1)}: ${msg}` : msg };
  });
  return { heading: `${countWords(mistakes.length, 'mistake')} to fix`, mistakes, text, listing };
}

function explain({ status, code, context, message, retryAfterMs }: ApiProblem): Findings {
  if (status === 0) {
    const words =
      'Nothing is lost. Send the listing again when the service is back: it is never rendered twice.';
    return fault('No connection', words);
  }
  if (status === 401) return fault('A key is needed', 'Send the listing again and enter a key.');
  if (code === 'insufficient_balance' && context !== null) {
    const cost = countWords(Number(context.required), 'credit');
    return fault('Not enough credits', `This listing costs ${cost}; your balance is ${context.balance}.`);
  }
  if (code === 'template_not_found' && Array.isArray(context?.available)) {
    return fault('No such template', `${message} Available: ${context.available.join(', ')}.`);
  }
  if ((status === 429 || status === 503) && retryAfterMs !== null) {
    const heading = status === 429 ? 'Too many requests' : 'Not available right now';
    return fault(heading, `${message} Try again in ${Math.ceil(retryAfterMs / 1000)} s.`);
  }
  return fault(status === 403 ? 'Not allowed' : 'The listing was not accepted', message);
}

function placeOf(text: string, loc: Violation['loc']) {
  const { start, end } = locateSpan(text, loc) ?? { start: 0, end: 0 };
  const { line, column } = placeAt(text, start, 1);
  return { start, end, line, column };
}

/** The mistakes in fields whose values nobody has changed since. @param listing - As it stands now. */
export function toViolations(findings: Findings | null, listing: ListingObject): StudioViolation[] {
  const { mistakes = [], listing: sent = null } = findings ?? {};
  return mistakes.flatMap(({ loc, msg, isMissing }) => {
    const path = loc.slice(1);
    const isOld = path.length === 0 || !isSame(valueAt(sent, path), valueAt(listing, path));
    return isOld ? [] : { path, message: isMissing ? 'this is needed' : msg };
  });
}

export function toFinding(text: string, mistake: Mistake, onOpen: () => void): Finding {
  const { line, loc, msg } = mistake;
  const [place, source] = [`Line ${line}`, sourceLine(text, mistake)];
  return { kind: 'violation', place, words: msg, subject: locWords(loc), source, onOpen };
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

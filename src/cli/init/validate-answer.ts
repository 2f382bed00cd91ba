/** The rules for the answers of `init`, typed or given by options, beside those that hold for every listing. */
import { existsSync, statSync } from 'node:fs';
import type { License } from '../../listing/listing.ts';
import { faultAt } from '../../listing/rules/fault-at.ts';
import { misspelledState } from '../../listing/warnings/misspelled-state.ts';
import { parseLicense } from '../../listing/words/license-words.ts';
import { parseLink } from '../../listing/words/link.ts';
import { readPhone } from '../../listing/words/phone.ts';
import { formatPrice, spelledAmount } from '../../listing/words/price.ts';
import { stateCode } from '../../listing/words/us-states.ts';
import { LENGTH_FORMS, parseVideoLength } from '../../platform/video-length.ts';
import { toAssetUrl } from '../../video/photos/asset-url.ts';
import { isUrl, toPlace } from '../terminal/typed-path.ts';

/** An answer as it will be used, or what is wrong with it and what would be valid. */
export type AnswerCheck<T> =
  | { readonly ok: true; readonly value: T; readonly meant?: Meant | null }
  | { readonly ok: false; readonly fault: string };

/** What was probably meant in place of a valid answer. */
export interface Meant {
  /** The answer to take instead. */
  readonly text: string;
  readonly words: string;
}

/** Validates the text of one answer; an empty text is no answer. */
export type Rule<T> = (text: string) => AnswerCheck<T>;

export const valid = <T>(value: T, meant: Meant | null = null): AnswerCheck<T> => ({
  ok: true,
  value,
  ...(meant !== null && { meant }),
});
export const invalid = <T>(fault: string): AnswerCheck<T> => ({ ok: false, fault });

/** `rule`, but no answer is an answer too. */
export function optional<T>(rule: Rule<T>): Rule<T | null> {
  return (text) => (text.trim() === '' ? valid(null) : rule(text));
}

export const required: Rule<string> = (text) =>
  text.trim() === '' ? invalid('an answer is needed') : valid(text.trim());

/** `read`, and then the rules of a listing for this place, such as `agents.0.phones.0.number`. */
export function listingRule<T = string>(place: string, read: Rule<T> = required as Rule<never>): Rule<T> {
  return (text) => {
    const checked = read(text);
    const fault = checked.ok ? faultAt(place, checked.value) : null;
    return fault === null ? checked : invalid(fault);
  };
}

/** A file that exists, or an `http` URL, as a listing in `folder` names it. */
export function fileRule(cwd: string, folder: string): Rule<string> {
  return (text) => {
    const file = toPlace(text, cwd);
    if (isUrl(file)) return valid(file);
    if (file.includes('\0') || !existsSync(file)) return invalid(`no such file: ${file}`);
    return statSync(file).isFile() ? valid(toAssetUrl(file, folder)) : invalid(`not a file: ${file}`);
  };
}

const numberRule = (pattern: RegExp, example: string): Rule<number> => {
  return (text) => {
    const digits = text.trim().replace(/(?<=\d)[,\s](?=\d{3}\b)/g, '');
    return pattern.test(digits) ? valid(Number(digits)) : invalid(`expected a ${example}`);
  };
};

export const validateCount = numberRule(/^\d{1,6}$/, 'whole number such as 3');

/** An area of at least 1, `2,840` or `2840.5`. */
export const validateArea = numberRule(/^[1-9]\d{0,8}(\.\d+)?$/, 'number such as 2840');

/** The half that people add to it has a question of its own. */
export function validateBathrooms(text: string): AnswerCheck<number> {
  return /^\d+[.,]5$/.test(text.trim())
    ? invalid('count full bathrooms only; half bathrooms are asked next')
    : validateCount(text);
}

export function validatePrice(text: string): AnswerCheck<string> {
  if (formatPrice(text) === null)
    return invalid('expected an amount such as 500000, or words such as Price on request');
  const amount = spelledAmount(text);
  return valid(text.trim(), amount === null ? null : { text: amount, words: formatPrice(amount)! });
}

export function validateLink(text: string): AnswerCheck<string> {
  const link = parseLink(text);
  return 'problem' in link ? invalid(`the link ${link.problem}`) : valid(text.trim());
}

export function validateLength(text: string): AnswerCheck<string> {
  return parseVideoLength(text) === null ? invalid(`expected ${LENGTH_FORMS}`) : valid(text.trim());
}

/** A phone number in any form; the value is as its country writes it. */
export function validatePhone(text: string): AnswerCheck<string> {
  const phone = readPhone({ number: text.trim() });
  return phone === null
    ? invalid('expected a phone number such as (503) 555-0128 or +44 20 7946 0958')
    : valid(phone.display);
}

/** A state by name or code; one of the US becomes its code. */
export const validateState: Rule<string> = (text) => valid(stateCode(text), meantState(text));

/** Codes of two letters are in use all over the world. */
function meantState(text: string): Meant | null {
  const state = text.trim().length < 4 ? null : misspelledState(text);
  return state === null ? null : { text: state, words: state };
}

/** @param houseState - That of a license that names none; null: not known. */
export function licenseRule(houseState: string | null): Rule<License> {
  return (text) => {
    const license = parseLicense(text, houseState);
    if (license === null) return invalid('expected state and number, such as OR 201234567');
    const state = misspelledState(license.state);
    const meant = `${state} ${license.number}`;
    return valid(license, state === null ? null : { text: meant, words: meant });
  };
}

/** `0.25,0.6`: from the left and from the top. */
export function validateFocus(text: string): AnswerCheck<{ x: number; y: number }> {
  const [x, y, ...rest] = text.split(',').map((part) => (part.trim() === '' ? Number.NaN : Number(part)));
  const isPair = Number.isFinite(x) && Number.isFinite(y) && rest.length === 0;
  return isPair
    ? valid({ x: x!, y: y! })
    : invalid('expected two numbers from 0 to 1, from the left and from the top, such as 0.25,0.6');
}

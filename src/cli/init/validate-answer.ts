/** The rules for the answers of `init`, typed or given by options. */
import { isEmailAddress } from '../../listing/rules/email-address.ts';
import { parseLink } from '../../listing/words/link.ts';
import { readPhone } from '../../listing/words/phone.ts';
import { formatPrice } from '../../listing/words/price.ts';
import { stateCode } from '../../listing/words/us-states.ts';

/** An answer as it will be used, or what is wrong with it and what would be valid. */
export type AnswerCheck<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly fault: string };

/** Validates the text of one answer; an empty text is no answer. */
export type Rule<T> = (text: string) => AnswerCheck<T>;

export const valid = <T>(value: T): AnswerCheck<T> => ({ ok: true, value });
export const invalid = <T>(fault: string): AnswerCheck<T> => ({ ok: false, fault });

/** `rule`, but no answer is an answer too. */
export function optional<T>(rule: Rule<T>): Rule<T | null> {
  return (text) => (text.trim() === '' ? valid(null) : rule(text));
}

/** Text of 1 to `maxLength` code points; white space around it is dropped. */
export function textRule(what: string, maxLength = 255): Rule<string> {
  return (text) => {
    const trimmed = text.trim();
    if (trimmed === '') return invalid(`${what} is needed`);
    const length = [...trimmed].length;
    return length > maxLength ? invalid(`at most ${maxLength} characters, not ${length}`) : valid(trimmed);
  };
}

export function validateCount(text: string): AnswerCheck<number> {
  const value = Number(plainDigits(text));
  return /^\d{1,6}$/.test(plainDigits(text)) ? valid(value) : invalid('expected a whole number such as 3');
}

/** The half that people add to it has a question of its own. */
export function validateBathrooms(text: string): AnswerCheck<number> {
  return /^\d+[.,]5$/.test(text.trim())
    ? invalid('count full bathrooms only; half bathrooms are asked next')
    : validateCount(text);
}

/** An area of at least 1, `2,840` or `2840.5`. */
export function validateArea(text: string): AnswerCheck<number> {
  const value = Number(plainDigits(text));
  return /^\d{1,9}(\.\d+)?$/.test(plainDigits(text)) && value >= 1
    ? valid(value)
    : invalid('expected a number such as 2840');
}

export function validatePrice(text: string): AnswerCheck<string> {
  return formatPrice(text) === null
    ? invalid('expected an amount such as 500000, or words such as Price on request')
    : valid(text.trim());
}

export function validateLink(text: string): AnswerCheck<string> {
  const link = parseLink(text);
  return 'problem' in link ? invalid(`the link ${link.problem}`) : valid(text.trim());
}

/** A phone number in any form; the value is as its country writes it. */
export function validatePhone(text: string): AnswerCheck<string> {
  const phone = readPhone({ number: text.trim() });
  return phone === null
    ? invalid('expected a phone number such as (503) 555-0128 or +44 20 7946 0958')
    : valid(phone.display);
}

export function validateEmailAnswer(text: string): AnswerCheck<string> {
  return isEmailAddress(text)
    ? valid(text.trim())
    : invalid('expected an e-mail address, such as june@example.com');
}

/** A state by name or code; one of the US becomes its code. */
export const validateState: Rule<string> = (text) => valid(stateCode(text));

/**
 * `OR 201234567`: the state, then the number. Without a state it is that of the house.
 *
 * @param houseState - Null: not known.
 */
export function licenseRule(houseState: string | null): Rule<{ state: string; number: string }> {
  return (text) => {
    const [, said, number = ''] = /^(?:(.*\S)\s+)?(\S+)$/.exec(text.trim()) ?? [];
    const state = said === undefined ? houseState : stateCode(said);
    if (state === null || !/\d/.test(number))
      return invalid('expected state and number, such as OR 201234567');
    if ([...state].length > 64) return invalid('the state has at most 64 characters');
    if ([...number].length > 100) return invalid('the number has at most 100 characters');
    return valid({ state, number });
  };
}

function plainDigits(text: string): string {
  return text.trim().replace(/(?<=\d)[,\s](?=\d{3}\b)/g, '');
}

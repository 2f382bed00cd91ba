/** The one check for contact: what a text says about how to reach an agent, and who the agents and offices are. Pure. */
import type { Listing, Phone } from '../../listing.ts';
import { readPhone } from '../phone.ts';
import { getCountryCallingCode, isSupportedCountry } from '../phone-library.ts';
import { cutOut, mergeSpans } from './cut-out.ts';
import { findNames, toSpellings } from './names.ts';
import { findPhoneNumbers, type KnownPhone } from './phone-numbers.ts';
import { toPlainText } from './plain-text.ts';
import { findWebAddresses } from './web-addresses.ts';

export interface WithoutContact {
  /** Tidied; empty when no word is left. */
  readonly text: string;
  /** As they were written, in their order. */
  readonly cut: readonly string[];
}

/** What to look for: the same for all texts of a listing. */
export interface ContactCheck {
  /** @param isByLaw - The law asks for the sentence: names stay in it. */
  readonly cutOut: (text: string, options?: { readonly isByLaw?: boolean }) => WithoutContact;
}

export function createContactCheck({ agents }: Pick<Listing, 'agents'>): ContactCheck {
  const spellings = toSpellings(agents);
  const phones = agents.flatMap(({ phones = [], offices = [] }) => [
    ...phones,
    ...offices.flatMap(({ phone_number }) => phone_number ?? []),
  ]);
  const known = phones.flatMap(toKnown);
  const cutOnce = (text: string, isByLaw: boolean): WithoutContact => {
    const plain = toPlainText(text);
    const found = [
      ...findWebAddresses(plain.text, spellings.inAddresses),
      ...findPhoneNumbers(plain.text, known),
      ...(isByLaw ? [] : findNames(plain.text, spellings)),
    ];
    if (found.length === 0) return { text, cut: [] };
    const spans = mergeSpans(found.map(plain.toWritten));
    return { text: cutOut(text, spans), cut: spans.map(({ start, end }) => text.slice(start, end).trim()) };
  };
  return {
    cutOut: (text, { isByLaw = false } = {}) => {
      let left: WithoutContact = { text, cut: [] };
      // A cut joins what stood around it, and that can be contact again.
      for (;;) {
        const next = cutOnce(left.text, isByLaw);
        if (next.cut.length === 0) return left;
        left = { text: next.text, cut: [...left.cut, ...next.cut] };
      }
    },
  };
}

function toKnown(phone: Phone): KnownPhone[] {
  const read = readPhone(phone);
  if (read === null || !isSupportedCountry(read.region)) return [];
  const { e164, region } = read;
  const callingCode = getCountryCallingCode(region);
  return [{ callingCode, nationalDigits: e164.slice(1 + callingCode.length), region }];
}

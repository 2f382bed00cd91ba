/** A postal address in the lines a video shows. Pure words; where they stand is the template's. */

import type { Address } from '../listing.ts';
import { displayTextOrNull } from './display-text.ts';

export interface AddressWords {
  /** `128 Harbor Pine Lane`; empty when there is nothing to show. */
  readonly street: string;
  /** `Portland, OR`; empty when neither is known. */
  readonly cityLine: string;
  /** `128 Harbor Pine Lane, Portland, OR 97205`. */
  readonly full: string;
  /** The same without the postal code. */
  readonly short: string;
}

/** Cleaned for display; what is null or blank is left out with its comma. */
export function addressWords(address: Address): AddressWords {
  const street = displayTextOrNull(address.street);
  const city = displayTextOrNull(address.city);
  const state = stateWord(address.state);
  const postalCode = displayTextOrNull(address.postal_code);
  const region = [state, postalCode].filter((word) => word !== null).join(' ');
  return {
    street: street ?? '',
    cityLine: joined([city, state]),
    full: joined([street, city, region]),
    short: joined([street, city, state]),
  };
}

/** An abbreviation is written in capitals, however it was sent. */
function stateWord(state: string | null | undefined): string | null {
  const word = displayTextOrNull(state);
  return word !== null && /^[a-z]{2}$/i.test(word) ? word.toUpperCase() : word;
}

function joined(words: readonly (string | null)[]): string {
  return words.filter((word) => word !== null && word !== '').join(', ');
}

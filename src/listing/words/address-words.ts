/** A postal address in the lines that a video shows. The template places them. */

import type { Address } from '../listing.ts';
import { displayTextOrNull } from './display-text.ts';

export interface AddressWords {
  /** `128 Harbor Pine Lane`, or empty. */
  readonly street: string;
  /** `Portland, OR`, or empty. */
  readonly cityLine: string;
  /** `128 Harbor Pine Lane, Portland, OR 97205`. */
  readonly full: string;
  /** {@link full} without the postal code. */
  readonly short: string;
}

/** Cleans each part for display and leaves out the empty ones with their commas. */
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

/** An abbreviation in capitals; any other name as it is. */
function stateWord(state: string | null | undefined): string | null {
  const word = displayTextOrNull(state);
  return word !== null && /^[a-z]{2}$/i.test(word) ? word.toUpperCase() : word;
}

function joined(words: readonly (string | null)[]): string {
  return words.filter((word) => word !== null && word !== '').join(', ');
}

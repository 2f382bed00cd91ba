/** What is probably a slip in a listing, whatever its templates. Pure. */
import type { Listing, ListingWarning } from '../listing.ts';
import { warnOfAddresses } from './warn-of-addresses.ts';
import { warnOfNumbers } from './warn-of-numbers.ts';

export function warnOfSlips(listing: Listing): ListingWarning[] {
  return [...warnOfAddresses(listing), ...warnOfNumbers(listing)];
}

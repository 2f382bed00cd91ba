/** Warns of slips in addresses, and of misspelled states of licenses, which cards must show. Pure. */
import type { Address, Listing, ListingWarning } from '../listing.ts';
import { fullName } from '../words/agent-name.ts';
import { stateCode, US_STATES } from '../words/us-states.ts';
import { misspelledState } from './misspelled-state.ts';

/** `97205` and `97205-1234`, as the Postal Service writes them. */
const ZIP = /^\d{5}(?:[-\s]?\d{4})?$/;

export function warnOfAddresses({ address, agents }: Pick<Listing, 'address' | 'agents'>): ListingWarning[] {
  return [
    ...ofAddress(address, ['body', 'address'], 'the address'),
    ...agents.flatMap((agent, at) => {
      const place = ['body', 'agents', at];
      const person = fullName(agent.first_name.trim(), agent.last_name.trim()) || `agent "${agent.id}"`;
      const licenses = (agent.licenses ?? []).flatMap(({ state }, index) =>
        warn(state, [...place, 'licenses', index, 'state'], `a license of ${person}`),
      );
      const offices = (agent.offices ?? []).flatMap(({ address: own }, index) =>
        ofAddress(own, [...place, 'offices', index, 'address'], `an office of ${person}`),
      );
      return [...licenses, ...offices];
    }),
  ];
}

function ofAddress(
  address: Address | null | undefined,
  loc: ListingWarning['loc'],
  of: string,
): ListingWarning[] {
  const state = address?.state ?? '';
  // Codes of two letters are in use all over the world.
  const states = state.trim().length < 4 ? [] : warn(state, [...loc, 'state'], of);
  return [...states, ...warnOfPostalCode(address?.postal_code ?? '', state, [...loc, 'postal_code'], of)];
}

function warnOfPostalCode(
  postalCode: string,
  state: string,
  loc: ListingWarning['loc'],
  of: string,
): ListingWarning[] {
  const text = postalCode.trim();
  const isOfUs = US_STATES.some(({ code }) => code === stateCode(state));
  if (!isOfUs || text === '' || ZIP.test(text)) return [];
  const found = `the postal code of ${of} is "${text.slice(0, 32)}"`;
  return [{ loc, message: `${found}: in the US it has 5 digits, or 5 and 4, such as 97205-1234` }];
}

function warn(state: string, loc: ListingWarning['loc'], of: string): ListingWarning[] {
  const suggestion = misspelledState(state);
  if (suggestion === null) return [];
  const message = `the state of ${of} is "${state.slice(0, 64)}"; did you mean "${suggestion}"?`;
  return [{ loc, message, suggestion }];
}

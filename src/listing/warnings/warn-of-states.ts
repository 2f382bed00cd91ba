/** Warns of states that are probably misspelled: of licenses, which cards must show, and of addresses. Pure. */
import type { Address, Listing, ListingWarning } from '../listing.ts';
import { fullName } from '../words/agent-name.ts';
import { misspelledState } from './misspelled-state.ts';

export function warnOfStates({ address, agents }: Pick<Listing, 'address' | 'agents'>): ListingWarning[] {
  return [
    ...ofAddress(address, ['body', 'address', 'state'], 'the address'),
    ...agents.flatMap((agent, at) => {
      const place = ['body', 'agents', at];
      const person = fullName(agent.first_name.trim(), agent.last_name.trim()) || `agent "${agent.id}"`;
      const licenses = (agent.licenses ?? []).flatMap(({ state }, index) =>
        warn(state, [...place, 'licenses', index, 'state'], `a license of ${person}`),
      );
      const offices = (agent.offices ?? []).flatMap(({ address: own }, index) =>
        ofAddress(own, [...place, 'offices', index, 'address', 'state'], `an office of ${person}`),
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
  return state.trim().length < 4 ? [] : warn(state, loc, of);
}

function warn(state: string, loc: ListingWarning['loc'], of: string): ListingWarning[] {
  const suggestion = misspelledState(state);
  if (suggestion === null) return [];
  const message = `the state of ${of} is "${state.slice(0, 64)}"; did you mean "${suggestion}"?`;
  return [{ loc, message, suggestion }];
}

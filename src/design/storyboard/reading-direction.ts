/** Whether the scenes and the card of a video are read from right to left. Pure. */
import type { Agent, Listing } from '../../listing/listing.ts';
import { isRtlText } from '../text/order-runs.ts';

/**
 * One direction for all lines of a column: that of the address (else of the headline) in the scenes, of the agent's
 * name on the card. A price in Latin digits then stands at the same edge as the Arabic address above it.
 */
export function readsFromRight(
  { address }: Pick<Listing, 'address'>,
  { first_name, last_name }: Agent,
  headline = '',
): { readonly scenes: boolean; readonly card: boolean } {
  return {
    scenes: isRtlText([address?.street, address?.city, headline].filter(Boolean).join(' ')),
    card: isRtlText(`${first_name} ${last_name}`),
  };
}

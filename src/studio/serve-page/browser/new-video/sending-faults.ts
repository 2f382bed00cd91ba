/** Why the listing is not sent. What the service finds is in `findings.ts`. */

import { countWords } from '../../../../listing/words/count-words.ts';
import { unsentCount, uploads } from '../../../components/photos/uploads.ts';
import type { ListingObject } from '../../../document/json.ts';
import { takesPhotos } from '../account.ts';
import { inBothShapes } from './both-shapes-field.tsx';
import { draft, readListing, unknownProperties } from './draft.ts';
import { type Findings, fault, findFault } from './findings.ts';

/** Twice as many are the most that a listing can have. */
const MAX_AGENTS_IN_BOTH = 10;

/** Null if it can be sent. */
export function findSendingFault(text: string): Findings | null {
  return photosFault(text) ?? findFault(text, takesPhotos.value) ?? shapesFault(text) ?? slipsFault(text);
}

export function agentCount(listing: ListingObject | null): number {
  return Array.isArray(listing?.agents) ? listing.agents.length : 0;
}

/** The slips of the listing that was to be sent last. */
let saidSlips = '';

/** For the next listing. */
export function saySlipsAgain(): void {
  saidSlips = '';
}

/** Once: the service takes a listing with fields that it does not know. */
function slipsFault(text: string): Findings | null {
  const slips = () => unknownProperties.value.map(({ words }) => words).join('\n');
  const found = slips();
  if (found === saidSlips) return null;
  saidSlips = found;
  const { length } = unknownProperties.value;
  if (length === 0) return null;
  const heading = `${countWords(length, 'field')} will be left out`;
  const those = length === 1 ? 'it: see the line' : 'them: see the lines';
  const words = `The service does not know ${those} above. Correct the listing, or press “Create the videos” again to send it as it is.`;
  return fault(text, heading, words, () => slips() === found);
}

function shapesFault(text: string): Findings | null {
  const isTooMany = () => inBothShapes.value && agentCount(readListing(draft.value)) > MAX_AGENTS_IN_BOTH;
  if (!isTooMany()) return null;
  const words = `A listing in both shapes can have ${MAX_AGENTS_IN_BOTH} agents at most. Create one shape after the other.`;
  return fault(text, 'Too many agents for both shapes', words, isTooMany);
}

function photosFault(text: string): Findings | null {
  if (unsentCount.value > 0) {
    const words = 'Create the videos when all photos are there. It takes a moment.';
    return fault(text, 'Photos are still on their way', words, () => unsentCount.value > 0);
  }
  const failed = failedNames();
  if (failed.length === 0) return null;
  const words = `Send them again or remove them: ${failed.slice(0, 3).join(', ')}.`;
  return fault(text, 'Some photos were not taken', words, () => failedNames().length > 0);
}

function failedNames(): string[] {
  return uploads.value.filter(({ state }) => state === 'failed').map(({ file }) => file.name);
}

/** Why the service does not take a listing, for people. Pure. */
import type { Violation } from '../../../../listing/listing.ts';
import { countWords } from '../../../../listing/words/count-words.ts';
import { noTemplateWords } from '../../../components/forms/no-template.ts';
import { isObject, type ListingObject } from '../../../document/json.ts';
import type { ApiProblem } from '../api.ts';

interface Explained {
  readonly heading: string;
  readonly words: string;
}

export function explainProblem({ status, code, context, message, retryAfterMs }: ApiProblem): Explained {
  if (status === 0) {
    const words =
      'Nothing is lost. Send the listing again when the service is back: it is never rendered twice.';
    return { heading: 'No connection', words };
  }
  if (status === 401) return { heading: 'A key is needed', words: 'Send the listing again and enter a key.' };
  if (code === 'insufficient_balance' && context !== null) {
    const cost = countWords(Number(context.required), 'credit');
    const words = `This listing costs ${cost}; your balance is ${context.balance}.`;
    return { heading: 'Not enough credits', words };
  }
  if ((status === 429 || status === 503) && retryAfterMs !== null) {
    const heading = status === 429 ? 'Too many requests' : 'Not available right now';
    return { heading, words: `${message} Try again in ${Math.ceil(retryAfterMs / 1000)} s.` };
  }
  return { heading: status === 403 ? 'Not allowed' : 'The listing was not accepted', words: message };
}

/** A template that does not exist, as a violation at its field; null for another problem. */
export function unknownTemplate(
  { code, context }: ApiProblem,
  listing: ListingObject | null,
): Violation[] | null {
  const agents = Array.isArray(listing?.agents) ? listing.agents : [];
  const place = agents.findIndex((agent) => isObject(agent) && agent.id === context?.agent_id);
  if (code !== 'template_not_found' || place < 0) return null;
  const available = Array.isArray(context?.available) ? context.available.map(String) : [];
  const msg = noTemplateWords(String(context?.template_id), available);
  return [
    { loc: ['body', 'agents', place, 'video_options', 'template_id'], msg, type: 'template_not_found' },
  ];
}

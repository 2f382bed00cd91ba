/** How long the card of a listing's agents lasts. Pure. */
import type { Agent } from '../../../listing/listing.ts';
import { readingSec } from './reading-time.ts';

/** A card is not read word by word: names and numbers are seen at a glance. */
const SKIMMED = 0.55;
/** The longest card, as a multiple of the template's time: two pages of it are read in that. */
const MOST = 1.3;

/**
 * Seconds of the ending: those of the template, or longer for the words of the fullest card. The same for all agents,
 * whose videos are equal up to the card.
 *
 * @param announced - Texts that every card shows: open house, call to action, link.
 */
export function cardSec(endSec: number, agents: readonly Agent[], announced: readonly string[]): number {
  const reading = agents.map((agent) => readingSec([...wordsOf(agent), ...announced].join(' ')));
  return Math.max(endSec, Math.min(MOST * endSec, SKIMMED * Math.max(...reading)));
}

function wordsOf(agent: Agent): string[] {
  const { phones = [], emails = [], licenses = [], offices = [] } = agent;
  const [office] = offices;
  return [
    agent.first_name,
    agent.last_name,
    agent.designation ?? '',
    ...phones.slice(0, 2).map(({ number }) => number),
    ...emails.slice(0, 1).map(({ address }) => address),
    ...licenses.slice(0, 2).map(({ number, state }) => `${state} ${number}`),
    office?.name ?? '',
    office?.address?.street ?? '',
    office?.address?.city ?? '',
  ];
}

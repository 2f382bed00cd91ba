/** The text beside a video, to be pasted where it is uploaded: title, description, chapters, contact. Pure. */

import type { Storyboard, StoryboardWords } from '../../design/storyboard/storyboard.ts';
import type { Agent, Listing } from '../../listing/listing.ts';
import { agentCard } from '../../listing/words/agent-card.ts';
import type { Delivery } from '../destinations/delivery.ts';
import { formatChapters } from './format-chapters.ts';
import { toLine } from './to-line.ts';

export interface DescribedVideo {
  readonly storyboard: Storyboard;
  readonly listing: Listing;
  /** Null for a video without branding, whose text has no contact either. */
  readonly agent: Agent | null;
  readonly delivery: Pick<Delivery, 'chapters'>;
}

/** The first line is the title, and all after the empty line the description. */
export function formatDescription({ storyboard, listing, agent, delivery }: DescribedVideo): string {
  const { words, title, comment } = storyboard;
  const about: Partial<StoryboardWords> = words ?? {};
  const blocks = [
    [about.headline, about.status, about.address, comment, about.openHouse, about.link],
    formatChapters(storyboard, delivery.chapters),
    agent === null ? [] : contactOf(agent, listing),
    [about.disclosure, about.originals ? `Original photos: ${about.originals}` : ''],
  ];
  const paragraphs = blocks.map((lines) =>
    [...new Set(lines.map((line = '') => toLine(line)).filter((line) => line !== ''))].join('\n'),
  );
  return `${[toLine(title), ...paragraphs].filter((paragraph) => paragraph !== '').join('\n\n')}\n`;
}

/** As the card says it. */
function contactOf(agent: Agent, listing: Listing): string[] {
  const { name, designation, phones, email, licenses, office } = agentCard(agent, listing);
  return [
    [name, designation].filter(Boolean).join(', '),
    ...phones.map(({ display }) => display),
    email ?? '',
    ...licenses,
    [office?.name, office?.address?.full].filter(Boolean).join(', '),
    office?.phone?.display ?? '',
  ];
}

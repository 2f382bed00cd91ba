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

/** A text for uploads, in the parts that a person can change and the one that always follows. */
export interface UploadText {
  /** One line. */
  readonly title: string;
  readonly description: string;
  /** Chapters, contact, disclosure and originals; empty for none. */
  readonly rest: string;
}

/** The first line is the title, and all after the empty line the description. */
export function formatDescription(video: DescribedVideo): string {
  const { title, description, rest } = toUploadText(video);
  return `${joinParagraphs([title, description, rest])}\n`;
}

export function toUploadText({ storyboard, listing, agent, delivery }: DescribedVideo): UploadText {
  const { words, title, comment } = storyboard;
  const about: Partial<StoryboardWords> = words ?? {};
  const made = [about.headline, about.status, about.address, comment, about.openHouse, about.link];
  const rest = [
    formatChapters(storyboard, delivery.chapters),
    agent === null ? [] : contactOf(agent, listing),
    [about.disclosure, about.originals ? `Original photos: ${about.originals}` : ''],
  ];
  return {
    title: toLine(title),
    description: about.description || toParagraph(made),
    rest: joinParagraphs(rest.map(toParagraph)),
  };
}

function toParagraph(lines: readonly (string | undefined)[]): string {
  return [...new Set(lines.map((line = '') => toLine(line)).filter((line) => line !== ''))].join('\n');
}

function joinParagraphs(paragraphs: readonly string[]): string {
  return paragraphs.filter((paragraph) => paragraph !== '').join('\n\n');
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

/** The text beside a video, to be pasted where it is uploaded: title, description, chapters, contact. Pure. */

import { describeStoryboard } from '../../design/storyboard/describe-storyboard.ts';
import type { SceneKind, Storyboard, StoryboardWords } from '../../design/storyboard/storyboard.ts';
import type { Agent, Listing } from '../../listing/listing.ts';
import { agentCard } from '../../listing/words/agent-card.ts';
import { formatClock } from '../format-clock.ts';
import { toLine } from './to-line.ts';

/** A kind that is absent goes on with the chapter before it. */
const CHAPTERS: Partial<Readonly<Record<SceneKind, string>>> = {
  hook: 'Opening',
  hero: 'Opening',
  photo: 'Photos',
  facts: 'Facts',
  floor_plan: 'Floor plan',
  originals: 'Original photos',
  card: 'Contact',
  closing: 'Address',
};

export interface DescribedVideo {
  readonly storyboard: Storyboard;
  readonly listing: Listing;
  /** Null for a video without branding, whose text has no contact either. */
  readonly agent: Agent | null;
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

export function toUploadText({ storyboard, listing, agent }: DescribedVideo): UploadText {
  const { words, title, comment } = storyboard;
  const about: Partial<StoryboardWords> = words ?? {};
  const made = [about.headline, about.status, about.address, comment, about.openHouse, about.link];
  const rest = [
    formatChapters(storyboard),
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

/** `0:00 Opening`: one line for each group of scenes; YouTube makes chapters of such lines. */
function formatChapters(storyboard: Storyboard): string[] {
  const lines: string[] = [];
  let last = '';
  for (const { kind, startSec } of describeStoryboard(storyboard)) {
    const name = CHAPTERS[kind] ?? last;
    if (name === '' || name === last) continue;
    last = name;
    lines.push(`${formatClock(startSec)} ${name}`);
  }
  return lines;
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

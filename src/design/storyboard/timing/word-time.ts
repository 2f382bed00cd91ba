/** How long the opening and the card of a listing last, so that their words can be read. Pure. */
import type { Agent } from '../../../listing/listing.ts';
import type { RatioDesign } from '../../template/template.ts';
import { plain } from '../elements/text-element.ts';
import type { Texts } from '../texts.ts';
import { isQuick } from './pacing.ts';
import { PAGE_SEC } from './page-lengths.ts';
import { leastReadingSec, readingSec } from './reading-time.ts';

/** Until the last line of most openings has come. */
const ARRIVAL_SEC = 1;
/** Longer than for its longest line, and people have seen enough of one photo. */
const MAX_HOLD_SEC = 3.5;
/** Of the greatest length of a video: the photos and their captions need the rest. */
const OPENING_SHARE = 0.15;
const CARD_SHARE = 0.16;
/** Price and facts are not counted: a scene of their own shows them again. */
const READ = ['status', 'headline', 'street', 'city', 'open_house_line'];
/** A card is not read word by word: names and numbers are seen at a glance. */
const SKIMMED = 0.55;
/** The longest card, as a multiple of the template's time; two pages always have theirs, which a beat shortens by 3 %. */
const MOST_OF_CARD = 1.3;
const PAGES_SEC = (2 * PAGE_SEC) / 0.97;

/**
 * The design with an opening and a card that suit their words; the same object for the same times. A card lasts as long
 * for all agents, whose videos are equal up to it.
 *
 * @param agents - None: the video has no card.
 */
export function withWordTime(design: RatioDesign, texts: Texts, agents: readonly Agent[]): RatioDesign {
  const { heroTurnsSec: turnsSec = 0, ...pacing } = design.pacing;
  const heroTurnsSec = texts.headline && texts.open_house_line ? turnsSec : 0;
  const heroSec = Math.max(pacing.heroSec, openingSec(pacing.capSec, texts), heroTurnsSec);
  const endSec = Math.max(pacing.endSec, cardSec(pacing, texts, agents));
  if (heroSec === pacing.heroSec && endSec === pacing.endSec && turnsSec === heroTurnsSec) return design;
  const timed = designs.get(design) ?? new Map<string, RatioDesign>();
  const key = `${heroSec} ${endSec} ${heroTurnsSec}`;
  const known = timed.get(key) ?? { ...design, pacing: { ...pacing, heroSec, endSec, heroTurnsSec } };
  designs.set(design, timed.set(key, known));
  return known;
}

/** The first words are read while the last ones come; those of quick cuts snap in. */
const BRIEF_ARRIVAL_SEC = { usual: 0.8, quick: 0.25 };
/** What opening and facts give to captions that find no time otherwise, and the least that they keep. */
const MOST_GIVEN_SEC = { usual: 1.25, quick: 1.75 };
const LEAST_OPENING_SEC = 2.4;
const BRIEF_FACTS = 0.78;

/** The times of a video whose captions need more than their share. */
export function withBriefTime(pacing: RatioDesign['pacing'], texts: Texts): RatioDesign['pacing'] {
  const speed = isQuick(pacing) ? 'quick' : 'usual';
  const longest = BRIEF_ARRIVAL_SEC[speed] + Math.max(...linesOf(texts).map(leastReadingSec));
  const given = pacing.heroSec - MOST_GIVEN_SEC[speed];
  const heroSec = Math.max(LEAST_OPENING_SEC, longest, given, pacing.heroTurnsSec ?? 0);
  return {
    ...pacing,
    heroSec: Math.min(pacing.heroSec, heroSec),
    factsSec: BRIEF_FACTS * pacing.factsSec,
  };
}

/** Plans are kept by their design. */
const designs = new WeakMap<RatioDesign, Map<string, RatioDesign>>();

function linesOf(texts: Texts): string[] {
  return READ.map((name) => plain(texts[name] ?? ''));
}

function openingSec(capSec: number, texts: Texts): number {
  const lines = linesOf(texts);
  const longest = ARRIVAL_SEC + Math.max(...lines.map(readingSec));
  const all = ARRIVAL_SEC + Math.min(MAX_HOLD_SEC, readingSec(lines.join(' ')));
  return Math.max(longest, Math.min(all, OPENING_SHARE * capSec));
}

function cardSec(
  { endSec, capSec }: RatioDesign['pacing'],
  { open_house_line, cta, link }: Texts,
  agents: readonly Agent[],
): number {
  const announced = [open_house_line, cta, link].map((text) => text ?? '');
  const words = agents.map((agent) => [...wordsOf(agent), ...announced].join(' '));
  const reading = SKIMMED * Math.max(0, ...words.map(readingSec));
  return Math.min(reading, Math.max(PAGES_SEC, Math.min(MOST_OF_CARD * endSec, CARD_SHARE * capSec)));
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

/** How long the opening and the card of a listing last, so that their words can be read. Pure. */
import type { Agent } from '../../../listing/listing.ts';
import type { RatioDesign } from '../../template/template.ts';
import { plain } from '../elements/text-element.ts';
import { NO_OPEN_HOUSE } from '../scenes/announcements.ts';
import { showAny } from '../scenes/omissions/missing-places.ts';
import type { Texts } from '../texts.ts';
import { FACTS_AGAIN_SEC, isQuick } from './pacing.ts';
import { PAGE_SEC } from './page-lengths.ts';
import { leastReadingSec, readingSec } from './reading-time.ts';

/** Until the last line of most openings has come; those of quick cuts snap in. */
const ARRIVAL_SEC = { usual: 1, quick: 0.25 };
/** Longer than for its longest line, and people have seen enough of one photo. */
const MAX_HOLD_SEC = 3.5;
/** An open house comes again on the last scene. */
const MAX_DATE_SEC = 2.5;
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

/** The texts of an opening, and the open house where the facts say it in its place; else empty. */
export interface SaidWords {
  readonly opening: Texts;
  readonly openHouse: string;
}

export function saidWords(texts: Texts, isOpenHouseInFacts: boolean): SaidWords {
  if (!isOpenHouseInFacts) return { opening: texts, openHouse: '' };
  return { opening: { ...texts, ...NO_OPEN_HOUSE }, openHouse: plain(texts.open_house_line ?? '') };
}

/**
 * The design with an opening, facts and a card that suit their words; the same object for the same times. A card lasts as
 * long for all agents, whose videos are equal up to it.
 *
 * @param agents - None: the video has no card.
 */
export function withWordTime(
  design: RatioDesign,
  texts: Texts,
  agents: readonly Agent[],
  isOpenHouseInFacts = false,
): RatioDesign {
  const { opening, openHouse } = saidWords(texts, isOpenHouseInFacts);
  const { factsAgainSec = FACTS_AGAIN_SEC, ...pacing } = design.pacing;
  const arrivalSec = ARRIVAL_SEC[isQuick(pacing) ? 'quick' : 'usual'];
  const dateSec = openHouse === '' ? 0 : arrivalSec + Math.min(MAX_DATE_SEC, readingSec(openHouse));
  const sec = {
    heroSec: Math.max(pacing.heroSec, openingSec(design, opening)),
    factsSec: Math.max(pacing.factsSec, dateSec),
    factsAgainSec: Math.max(factsAgainSec, dateSec),
    endSec: Math.max(pacing.endSec, cardSec(pacing, texts, agents)),
  };
  const timed = designs.get(design) ?? new Map<string, RatioDesign>();
  const key = JSON.stringify(sec);
  const known = timed.get(key) ?? { ...design, pacing: { ...pacing, ...sec } };
  designs.set(design, timed.set(key, known));
  return known;
}

/** The first words are read while the last ones come. */
const BRIEF_ARRIVAL_SEC = { usual: 0.8, quick: 0.25 };
/** What opening and facts give to captions that find no time otherwise, and the least that they keep. */
const MOST_GIVEN_SEC = { usual: 1.25, quick: 1.75 };
const LEAST_OPENING_SEC = 2.4;
const BRIEF_FACTS = 0.78;

/** The times of a video whose captions need more than their share. */
export function withBriefTime(
  pacing: RatioDesign['pacing'],
  { opening, openHouse }: SaidWords,
): RatioDesign['pacing'] {
  const speed = isQuick(pacing) ? 'quick' : 'usual';
  const arrivalSec = BRIEF_ARRIVAL_SEC[speed];
  const longest = arrivalSec + Math.max(...linesOf(opening).map(leastReadingSec));
  const dateSec = openHouse === '' ? 0 : arrivalSec + leastReadingSec(openHouse);
  const given = pacing.heroSec - MOST_GIVEN_SEC[speed];
  const heroSec = Math.max(LEAST_OPENING_SEC, longest, given);
  return {
    ...pacing,
    heroSec: Math.min(pacing.heroSec, heroSec),
    factsSec: Math.min(pacing.factsSec, Math.max(BRIEF_FACTS * pacing.factsSec, dateSec)),
  };
}

/** Plans are kept by their design. */
const designs = new WeakMap<RatioDesign, Map<string, RatioDesign>>();

function linesOf(texts: Texts, names: readonly string[] = READ): string[] {
  return names.map((name) => plain(texts[name] ?? ''));
}

/** What the hook has just said is seen again, not read. */
function openingSec({ pacing, scenes }: RatioDesign, texts: Texts): number {
  const isNew = (name: string) => pacing.hook === undefined || !showAny(scenes.hook, [`{${name}}`]);
  const arrivalSec = ARRIVAL_SEC[isQuick(pacing) ? 'quick' : 'usual'];
  const longest = arrivalSec + Math.max(...linesOf(texts).map(readingSec));
  const unread = linesOf(texts, READ.filter(isNew)).join(' ');
  const all = arrivalSec + Math.min(MAX_HOLD_SEC, readingSec(unread));
  return Math.max(longest, Math.min(all, OPENING_SHARE * pacing.capSec));
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

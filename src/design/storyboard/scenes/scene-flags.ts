/** What a layout can say and ask for beside the texts of the listing: photos and fact of a scene, parts of a card. Pure. */
import type { Agent } from '../../../listing/listing.ts';
import type { Fact } from '../../../listing/words/facts.ts';
import { RTL_LETTER } from '../../text/order-runs.ts';
import { labelOf } from '../elements/facts-element.ts';
import type { SceneContext, ScenePhoto } from '../elements/scene-context.ts';
import type { PlannedScene } from '../plan/planned-scene.ts';
import type { KnownRoom } from '../plan/rate-rooms.ts';
import type { Texts } from '../texts.ts';
import { BODY_ROLES } from '../timing/pacing.ts';
import { isShortCaption } from '../timing/reading-time.ts';
import { calmPlaces } from './calm-band.ts';
import type { CardContent } from './card/pages.ts';
import { canFillAsCloseUp } from './close-up.ts';

/** The photos in the order of their scenes in the body, or of those that show them first: the hook shows what comes again. */
export function inOrderOfScenes(plan: readonly PlannedScene[]): readonly number[] {
  const isOfBody = ({ role }: PlannedScene) => BODY_ROLES.has(role);
  const body = new Set(plan.filter(isOfBody).flatMap(({ photos }) => photos));
  const numbered = plan.filter(({ role }) => role !== 'hook');
  return [
    ...new Set(
      numbered.flatMap((scene) =>
        isOfBody(scene) ? scene.photos : scene.photos.filter((photo) => !body.has(photo)),
      ),
    ),
  ];
}

/** Which photos the scene shows, as `06` or `09 – 11`, and how many the listing has. */
export function photoTexts(
  { photos }: PlannedScene,
  order: readonly number[],
  photoCount: number,
): Record<string, string> {
  const number = (photo: number) => String(order.indexOf(photo) + 1).padStart(2, '0');
  const [first, last] = [photos[0], photos.at(-1)];
  return {
    index:
      first === undefined || last === undefined
        ? ''
        : first === last
          ? number(first)
          : `${number(first)} – ${number(last)}`,
    photo_count: String(photoCount),
  };
}

export function factTexts(fact: Fact | undefined): Record<string, string> {
  if (!fact) return {};
  const label = labelOf(fact, 'short', { texts: {} });
  return { fact_number: fact.value || label, fact_label: fact.value ? label : '', fact_kind: fact.kind };
}

export function listingFlags(
  shownCount: number,
  factCount: number,
  photoCount: number,
  hasNextFact: boolean,
): Set<string> {
  const flags = new Set<string>();
  // Layouts for four facts also hold more.
  if (factCount > 0) flags.add('facts').add(`facts-${Math.min(factCount, 4)}`);
  if (hasNextFact) flags.add('fact');
  if (photoCount === 1) flags.add('lone');
  for (let number = 1; number <= shownCount; number += 1) flags.add(`photo-${number}`);
  return flags;
}

/** What the first photo of a scene allows: that it fills a phone with a part of itself, and where words lie on it. */
export function leadFlags(
  { role, captions }: PlannedScene,
  photo: ScenePhoto & { readonly room: KnownRoom },
  lightOf: SceneContext['lightOf'],
  frame: { readonly w: number; readonly h: number },
): string[] {
  const caption = role === 'single' ? captions[0]! : '';
  const isLarge = role === 'single' || role === 'closing';
  const flags = isLarge && canFillAsCloseUp(photo, { x: 0, y: 0, ...frame }) ? ['close-up'] : [];
  if (isShortCaption(caption)) flags.push('short-caption');
  if (role === 'single') flags.push(...calmPlaces(photo, lightOf?.(photo), frame));
  return flags;
}

export function cardFlags(
  {
    portrait,
    logo,
    photos,
    agent,
  }: {
    readonly portrait: unknown;
    readonly logo: unknown;
    readonly photos: readonly unknown[];
    readonly agent: Agent;
  },
  { texts, licenses }: CardContent,
): Set<string> {
  const flags = new Set(photos.map((_, index) => `photo-${index + 1}`));
  if (portrait) flags.add('portrait');
  if (logo) flags.add('logo');
  // Chinese, Japanese and Korean names are one word, family name first.
  const isInParts = texts.name === `${texts.first_name} ${texts.last_name}`;
  if (isInParts && !RTL_LETTER.test(`${agent.first_name}${agent.last_name}`)) {
    flags.add('name-in-parts');
  }
  const has = (names: readonly string[], of: Texts) => names.some((name) => of[name]);
  if (has(['phone', 'email', 'website', 'open_house', 'cta'], texts) || licenses.length > 0)
    flags.add('contact-lines');
  if (has(['office', 'office_address', 'office_phone'], texts)) flags.add('office-lines');
  return flags;
}

/** Which scenes a film has, which photos each shows and how long it lasts. No layout yet. Pure. */
import type { BodyLayout, RatioDesign, SceneRole } from '../template/template.ts';
import { BY_SIZE, paceBody, positionAfter, SEATS } from './pacing.ts';

export interface PlannedScene {
  readonly role: SceneRole;
  /** Indexes into the usable photos, in the order of the scene's boxes. */
  readonly photos: readonly number[];
  readonly sec: number;
}

export interface PlanQuestion {
  readonly photoCount: number;
  /** Whether the photo with that index has a caption that a single has no good place for. */
  readonly needsCaptionSlot: (photo: number) => boolean;
  /** True for a photo that cannot fill the frame: it is paired with a neighbour of its kind. */
  readonly wantsCompany: (photo: number) => boolean;
  readonly hasFacts: boolean;
  /** Speed of the film; seconds are divided by it. */
  readonly pace: number;
}

/** With fewer photos the facts scene shows the opening's again, so that none is taken from the body. */
const OWN_FACTS_PHOTO_FROM = 9;
/** Time of a single that became a pair, against the single's. */
const PAIRED_SINGLE = 1.25;
/** From this count on the facts scene takes all its photos from the body's. */
const ALL_FACTS_PHOTOS_FROM = 14;

/**
 * Opening, body with the facts scene after 40 % of it, card. Every photo is shown; the order is the listing's.
 *
 * A lone photo is shown in the opening and again in the body: a film of one page would be a card.
 */
export function planScenes(design: RatioDesign, question: PlanQuestion): PlannedScene[] {
  const { photoCount, hasFacts, pace } = question;
  const heroPhotos = indexes(0, Math.min(design.heroPhotos, photoCount));
  const bodyFrom = photoCount > heroPhotos.length ? heroPhotos.length : 0;
  const reserved = !hasFacts
    ? 0
    : photoCount < OWN_FACTS_PHOTO_FROM
      ? 0
      : photoCount < ALL_FACTS_PHOTOS_FROM
        ? 1
        : design.factsPhotos;
  const paced = paceBody(design.pacing, {
    photoCount,
    bodyPhotos: photoCount - bodyFrom,
    hasFacts,
    reservedPhotos: reserved,
    pace,
  });
  const factsAt = hasFacts ? positionAfter(paced, design.pacing.factsAt) : -1;
  const body: PlannedScene[] = [];
  let next = bodyFrom;
  const facts = (): void => {
    const own = indexes(next, next + reserved);
    next += reserved;
    const shown = [...own, ...heroPhotos].slice(0, Math.min(design.factsPhotos, photoCount));
    body.push({ role: 'facts', photos: shown, sec: design.pacing.factsSec / pace });
  };
  paced.forEach((scene, index) => {
    if (index === factsAt) facts();
    const left = photoCount - next - (index < factsAt ? reserved : 0);
    if (left <= 0) return;
    const layout = companionedLayout(scene.layout, next, left, design, question);
    const seated = SEATS[layout] <= left ? layout : BY_SIZE.find((smaller) => SEATS[smaller] <= left)!;
    body.push({
      role: seated,
      photos: indexes(next, next + SEATS[seated]),
      sec: scene.sec * (layout === scene.layout ? 1 : PAIRED_SINGLE),
    });
    next += SEATS[seated];
  });
  if (factsAt === paced.length) facts();
  // Captions that made pairs of singles may leave scenes over, never photos; what is left all the same is shown.
  while (next < photoCount) body.push({ role: 'single', photos: [next++], sec: body.at(-1)!.sec });
  return [
    { role: 'hero', photos: heroPhotos, sec: design.pacing.heroSec },
    ...body,
    { role: 'card', photos: heroPhotos.slice(0, 1), sec: design.pacing.endSec },
  ];
}

/** Where a single has no room for its caption, or cannot fill the frame, it takes a second photo and the pair's layout. */
function companionedLayout(
  layout: BodyLayout,
  photo: number,
  left: number,
  design: RatioDesign,
  { needsCaptionSlot, wantsCompany }: PlanQuestion,
): BodyLayout {
  if (layout !== 'single' || left < 2) return layout;
  const forCaption = design.captionMakesPair === true && needsCaptionSlot(photo);
  const forShape = wantsCompany(photo) && wantsCompany(photo + 1);
  return forCaption || forShape ? 'pair' : layout;
}

function indexes(from: number, to: number): number[] {
  return Array.from({ length: Math.max(0, to - from) }, (_, index) => from + index);
}

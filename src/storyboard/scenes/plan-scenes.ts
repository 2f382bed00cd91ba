/** Plans which scenes a video has, which photos each shows and how long it lasts; no layout yet. Pure. */
import type { BodyLayout, ExtraScene, RatioDesign, SceneRole } from '../../template/template.ts';
import { BY_SIZE, paceBody, positionAfter, SEATS } from '../timing/pacing.ts';

/** A scene before it has a layout. */
export interface PlannedScene {
  readonly role: SceneRole;
  /** Indexes into the usable photos, in the order of the scene's boxes. */
  readonly photos: readonly number[];
  readonly sec: number;
}

/** What a plan depends on. */
export interface PlanRequest {
  readonly photoCount: number;
  /** The last scene; default the card. */
  readonly ending?: 'card' | 'closing';
  /** Whether the photo with that index has a caption that a single has no good place for. */
  readonly needsCaptionSlot: (photo: number) => boolean;
  /** True for a photo that does not suit the frame: it makes a pair with a neighbour of its kind. */
  readonly needsPair: (photo: number) => boolean;
  readonly hasFacts: boolean;
  /** Scenes of text whose texts are there. */
  readonly extras?: readonly ExtraScene[];
  /** Speed of the video; seconds are divided by it. */
  readonly pace: number;
}

/** With fewer photos the facts scene shows the opening's again and takes none from the body. */
const OWN_FACTS_PHOTO_FROM = 9;
/** A single that became a pair lasts this many times as long. */
const PAIRED_SINGLE = 1.25;
/** From this count on the facts scene takes all its photos from the body. */
const ALL_FACTS_PHOTOS_FROM = 14;
/** With fewer photos the closing repeats photos of the body. */
const OWN_CLOSING_PHOTOS_FROM = 5;

/**
 * Opening, body with the facts scene in its middle, card or closing. Every photo is shown, in the listing's order.
 *
 * A lone photo is shown in the opening and again in the body, so that the video is more than a card.
 */
export function planScenes(design: RatioDesign, request: PlanRequest): PlannedScene[] {
  const { photoCount, hasFacts, pace, ending = 'card' } = request;
  const heroPhotos = indexes(0, Math.min(design.heroPhotos, photoCount));
  const closingPhotos = ending === 'closing' ? lastPhotos(design, photoCount) : [];
  const takenByClosing = photoCount >= OWN_CLOSING_PHOTOS_FROM ? closingPhotos.length : 0;
  const bodyEnd = photoCount - takenByClosing;
  const bodyFrom = bodyEnd > heroPhotos.length ? heroPhotos.length : 0;
  const reserved = !hasFacts
    ? 0
    : photoCount < OWN_FACTS_PHOTO_FROM
      ? 0
      : photoCount < ALL_FACTS_PHOTOS_FROM
        ? Math.min(1, design.factsPhotos)
        : design.factsPhotos;
  const paced = paceBody(design.pacing, {
    photoCount,
    bodyPhotos: bodyEnd - bodyFrom,
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
    const left = bodyEnd - next - (index < factsAt ? reserved : 0);
    if (left <= 0) return;
    const layout = companionedLayout(scene.layout, next, left, design, request);
    const seated = SEATS[layout] <= left ? layout : BY_SIZE.find((smaller) => SEATS[smaller] <= left)!;
    body.push({
      role: seated,
      photos: indexes(next, next + SEATS[seated]),
      sec: scene.sec * (layout === scene.layout ? 1 : PAIRED_SINGLE),
    });
    next += SEATS[seated];
  });
  if (factsAt === paced.length) facts();
  // Photos that are still left get singles.
  while (next < bodyEnd) body.push({ role: 'single', photos: [next++], sec: body.at(-1)!.sec });
  return [
    { role: 'hero', photos: heroPhotos, sec: design.pacing.heroSec },
    ...withExtras(body, request.extras ?? [], photoCount),
    {
      role: ending,
      photos: ending === 'card' ? heroPhotos.slice(0, 1) : closingPhotos,
      sec: design.pacing.endSec,
    },
  ];
}

/** The last photos in reverse order: the video ends on the listing's last. */
function lastPhotos({ closingPhotos }: RatioDesign, photoCount: number): number[] {
  return indexes(Math.max(0, photoCount - closingPhotos), photoCount).reverse();
}

function withExtras(
  body: readonly PlannedScene[],
  extras: readonly ExtraScene[],
  photoCount: number,
): PlannedScene[] {
  const total = body.reduce((sum, { sec }) => sum + sec, 0);
  const scenes = [...body];
  for (const { role, at, sec, photo } of [...extras].sort((a, b) => a.at - b.at)) {
    let elapsed = 0;
    let place = 0;
    while (place < scenes.length && elapsed + scenes[place]!.sec / 2 <= at * total) {
      elapsed += scenes[place]!.sec;
      place += 1;
    }
    scenes.splice(place, 0, { role, photos: [photo === 'last' ? photoCount - 1 : 0], sec });
  }
  return scenes;
}

/** A single that has no room for its caption, or does not suit the frame, becomes a pair with the next photo. */
function companionedLayout(
  layout: BodyLayout,
  photo: number,
  left: number,
  design: RatioDesign,
  { needsCaptionSlot, needsPair }: PlanRequest,
): BodyLayout {
  if (layout !== 'single' || left < 2) return layout;
  const forCaption = design.captionMakesPair === true && needsCaptionSlot(photo);
  const forShape = needsPair(photo) && needsPair(photo + 1);
  return forCaption || forShape ? 'pair' : layout;
}

function indexes(from: number, to: number): number[] {
  return Array.from({ length: Math.max(0, to - from) }, (_, index) => from + index);
}

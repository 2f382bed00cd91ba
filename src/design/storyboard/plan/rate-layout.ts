/** How well a layout of the template suits the next photos of a listing. Pure; no text is set. */
import type { BodyLayout, RatioDesign, SceneVariant } from '../../template/template.ts';
import { toPx } from '../box.ts';
import { placeMosaic, placePhoto } from '../elements/place-photo.ts';
import { enlargement, MAX_ENLARGEMENT, type PhotoShape, subjectLoss } from '../scenes/fit-photo.ts';
import { countCaptions, sceneCaptions } from '../scenes/scene-captions.ts';
import type { Box } from '../storyboard.ts';
import { matches, type Texts } from '../texts.ts';
import { sum } from '../timing/limit-length.ts';
import { SEATS } from '../timing/pacing.ts';

/** A run is rated photo by photo, as singles. */
type RatedLayout = Exclude<BodyLayout, 'run'>;

interface LayoutRequest {
  readonly design: Pick<RatioDesign, 'scenes'>;
  readonly frame: { readonly w: number; readonly h: number };
  readonly photos: readonly PhotoShape[];
  readonly texts: Texts;
}

interface LayoutRating {
  /** 0 where the layout shows these photos as it was drawn for; rhythm and captions are not part of it. */
  readonly cost: number;
  readonly missingCaptions: number;
}

/** A body scene should not show less photo than this share of the frame. */
export const MIN_PHOTO_SHARE = 0.4;

// Costs; a change of the rhythm costs 1 (`plan-body.ts`).
/** Per share of the frame that large photos of 3:2 would fill and these do not, up to what is always enough. */
const LOST_SHARE = 4;
const ENOUGH_SHARE = 0.7;
/** Below {@link MIN_PHOTO_SHARE}, and per share that is missing: more than any rhythm is worth. */
const SMALL = 6;
const MISSING_SHARE = 15;
/** A photo that shows so much of what its pixels allow is not small: it stands alone rather than beside another room. */
const REACHED = 0.8;
/** For a layout that none of its variants can hold within the limits of crop and enlargement. */
const UNFIT = 1;
/**
 * For photos that are shown smaller than their own pixels where a single would show much more, and times the mean
 * share by which they are smaller. Together they outweigh the rhythm of up to 18 photos and not that of 30, which
 * would last 80 s.
 */
const SHRUNK_AT_ALL = 1.15;
const SHRUNK = 5;
/** For a photo of a group that is less wide or high than these shares of the frame's shorter side: a stamp. */
const MIN_CELL = { w: 500 / 1080, h: 440 / 1080 };
const SMALL_CELL = 25;
/**
 * For a group on a phone with a photo that is so many times as wide as high. Three wide ones are low bands: they save time, and
 * cost less than rooms that are strangers. Four are seen by nobody.
 */
const BANDS = [
  { aspect: 2.25, cost: 17 },
  { aspect: 1.6, cost: 10 },
];
/** For a photo that is too small for its place beside others. */
const FLOATS = 3;
/** Per share of its house that a photo loses: a third is worth another layout. */
const LOST_HOUSE = 3;
/** Less than this counts for nothing where it lets captions be read. */
const UNSEEN_SHRUNK = 0.1;
/** So many times the area is much more. */
const LARGER_ALONE = 2;

const IDEAL: PhotoShape = { widthPx: 6000, heightPx: 4000 };

/** The rating of a layout from a photo on, with the captions of its photos. The body must have enough photos from there. */
export function createLayoutRater(
  request: LayoutRequest,
): (layout: RatedLayout, from: number, captions: readonly string[]) => LayoutRating {
  const shares = new Map<string, number>();
  const laidBefore = knownLaid(request);
  return rate;

  function rate(layout: RatedLayout, from: number, captions: readonly string[]): LayoutRating {
    const { photos, frame } = request;
    const group = photos.slice(from, from + SEATS[layout]);
    const laid = layOut(layout, group, captions);
    const ideal = idealShare(layout, captions);
    const unseen = captions.some((caption) => caption !== '') ? UNSEEN_SHRUNK : 0;
    const shrunk = group.map((photo, index) => {
      const box = laid.boxes[index];
      // A photo that is wider than the frame is shown smaller everywhere.
      if (!box || layout === 'single' || photo.widthPx >= frame.w) return 0;
      const isLargerAlone = singleShare(photo) * frame.w * frame.h >= LARGER_ALONE * box.w * box.h;
      const smaller = Math.max(0, 1 - enlargement(photo, box));
      return isLargerAlone && smaller > unseen ? smaller : 0;
    });
    const meanShrunk = sum(shrunk) / group.length;
    const minShare = Math.min(MIN_PHOTO_SHARE, REACHED * reachOf(group));
    const isSmall = laid.share < minShare;
    return {
      missingCaptions: laid.missingCaptions,
      cost:
        LOST_SHARE * Math.max(0, Math.min(ideal, ENOUGH_SHARE) - laid.share) +
        (isSmall ? SMALL + MISSING_SHARE * (minShare - laid.share) : 0) +
        (laid.fits ? 0 : UNFIT) +
        (laid.floats ? FLOATS : 0) +
        (group.length > 1 && laid.boxes.some((box) => box && isStamp(box, frame)) ? SMALL_CELL : 0) +
        (group.length > 1 ? bandCost(laid.boxes, frame) : 0) +
        LOST_HOUSE * laid.houseLoss +
        (meanShrunk > 0 ? SHRUNK_AT_ALL : 0) +
        SHRUNK * meanShrunk,
    };
  }

  /** Share of the frame that photos fill at their greatest enlargement. */
  function reachOf(group: readonly PhotoShape[]): number {
    const sides = group.map(({ widthPx, heightPx }) => ({
      w: Math.min(request.frame.w, MAX_ENLARGEMENT * widthPx),
      h: Math.min(request.frame.h, MAX_ENLARGEMENT * heightPx),
    }));
    return sum(sides.map(({ w, h }) => w * h)) / (request.frame.w * request.frame.h);
  }

  function shareOf(
    key: string,
    layout: RatedLayout,
    photos: PhotoShape[],
    captions: readonly string[],
  ): number {
    const share = shares.get(key) ?? layOut(layout, photos, captions).share;
    shares.set(key, share);
    return share;
  }

  function singleShare(photo: PhotoShape): number {
    const { widthPx, heightPx } = photo;
    return shareOf(`${widthPx} ${heightPx}`, 'single', [{ widthPx, heightPx }], ['']);
  }

  /** Depends on the places of captions, which change the layout. */
  function idealShare(layout: RatedLayout, captions: readonly string[]): number {
    const places = captions.map((caption) => (caption === '' ? 0 : 1)).join('');
    const photos = captions.map(() => IDEAL);
    return shareOf(`${layout} ${places}`, layout, photos, captions);
  }

  function layOut(layout: RatedLayout, photos: readonly PhotoShape[], captions: readonly string[]): Laid {
    const key = `${layout}${captions.map((caption) => wordsKey(caption, captions)).join('')}${photos.map(shapeKey).join('')}`;
    let laid = laidBefore.get(key);
    if (laid === undefined) {
      laid = layOutAnew(layout, photos, captions);
      if (laidBefore.size >= MAX_KNOWN) laidBefore.clear();
      laidBefore.set(key, laid);
    }
    return laid;
  }

  /** The variant that `build-scene.ts` would take, apart from turns and from texts that are too long. */
  function layOutAnew(layout: RatedLayout, photos: readonly PhotoShape[], captions: readonly string[]): Laid {
    const { design, frame } = request;
    const texts = { ...request.texts, ...sceneCaptions(captions, frame.h > frame.w) };
    const flags = new Set(['fact', ...photos.map((_, index) => `photo-${index + 1}`)]);
    let best: Laid | undefined;
    for (const variant of design.scenes[layout]) {
      if (!matches(variant.when, texts, flags)) continue;
      const { shown, all } = countCaptions(variant, texts, flags);
      const laid = { ...place(variant, photos, texts, flags, frame), missingCaptions: all - shown };
      if (!best || isBetter(laid, best)) best = laid;
      if (best.fits && best.missingCaptions === 0) break;
    }
    return best ?? { boxes: [], share: 0, houseLoss: 0, floats: false, fits: false, missingCaptions: 0 };
  }
}

/** Of each design, how photos stand in its layouts beside the texts of the last listing: plans are tried in many ways. */
const known = new WeakMap<
  RatioDesign['scenes'],
  { readonly key: string; readonly laid: Map<string, Laid> }
>();
/** A hundred photos in all layouts, each with words and without. */
const MAX_KNOWN = 2000;

function knownLaid({ design, frame, texts }: LayoutRequest): Map<string, Laid> {
  // Conditions ask whether there is a text, not what it says.
  const words = Object.keys(texts).filter((name) => texts[name]?.trim());
  const key = `${frame.w} ${frame.h} ${words.join(' ')}`;
  let own = known.get(design.scenes);
  if (own?.key !== key) {
    own = { key, laid: new Map() };
    known.set(design.scenes, own);
  }
  return own.laid;
}

/** Equal captions count once. */
function wordsKey(caption: string, captions: readonly string[]): string {
  if (caption === '') return '-';
  return `${captions.indexOf(caption)}${caption.trim() === '' ? '_' : ''}`;
}

function shapeKey({ widthPx, heightPx, subject, bareFrom }: PhotoShape): string {
  const house = subject
    ? `${subject.left} ${subject.right} ${subject.tip} ${subject.top} ${subject.bottom}`
    : '';
  return ` ${widthPx} ${heightPx} ${house} ${bareFrom ?? ''}`;
}

function isStamp(box: Box, frame: LayoutRequest['frame']): boolean {
  const side = Math.min(frame.w, frame.h);
  return box.w < MIN_CELL.w * side - 1 || box.h < MIN_CELL.h * side - 1;
}

function bandCost(boxes: readonly (Box | undefined)[], frame: LayoutRequest['frame']): number {
  if (frame.h < frame.w) return 0;
  const widest = Math.max(...boxes.map((box) => (box ? box.w / box.h : 0)));
  return BANDS.find(({ aspect }) => widest > aspect)?.cost ?? 0;
}

interface Laid extends Placed {
  readonly missingCaptions: number;
}

/** Of two that do not fit, the later one: templates give the layout that accepts any photo last. */
function isBetter(laid: Laid, best: Laid): boolean {
  if (laid.fits !== best.fits) return laid.fits;
  return !laid.fits || laid.missingCaptions < best.missingCaptions;
}

interface Placed {
  /** By the photo's index in the scene. */
  readonly boxes: readonly (Box | undefined)[];
  readonly share: number;
  /** Of the photo that loses most of its house; a camera that crosses its photo shows all. */
  readonly houseLoss: number;
  /** A photo stands on a mat beside others that fill their places. */
  readonly floats: boolean;
  readonly fits: boolean;
}

function place(
  variant: SceneVariant,
  photos: readonly PhotoShape[],
  texts: Texts,
  flags: ReadonlySet<string>,
  frame: { readonly w: number; readonly h: number },
): Placed {
  const boxes: (Box | undefined)[] = [];
  let fits = true;
  let houseLoss = 0;
  let floats = false;
  for (const element of variant.elements) {
    if (!matches(element.when, texts, flags)) continue;
    if (element.type === 'mosaic') {
      placeMosaic(element, photos, frame).forEach(({ box, mat }, index) => {
        boxes[index] = box;
        floats ||= mat !== undefined;
        houseLoss = Math.max(houseLoss, subjectLoss(photos[index]!, box));
      });
    }
    const photo = element.type === 'photo' ? photos[element.photo] : undefined;
    if (element.type !== 'photo' || !photo) continue;
    const placed = placePhoto(element, photo, toPx(element.box, frame));
    boxes[element.photo] = placed.box;
    if (element.camera !== 'pan') houseLoss = Math.max(houseLoss, subjectLoss(photo, placed.box));
    fits &&= placed.fits;
  }
  const area = boxes.reduce((total, box) => total + (box ? box.w * box.h : 0), 0);
  return { boxes, fits, houseLoss, floats, share: Math.min(1, area / (frame.w * frame.h)) };
}

/** What a plan is made of, and how the emphasis, labels and originals of photos change the time of their scene. Pure. */
import type { Asset } from '../../../listing/listing.ts';
import type { VideoLength } from '../../../platform/video-length.ts';
import type { ExtraScene, Pacing, RatioDesign, SceneRole } from '../../template/template.ts';
import type { PhotoTint } from '../elements/scene-context.ts';
import { isPanorama, type PhotoShape } from '../scenes/fit-photo.ts';
import type { Box } from '../storyboard.ts';
import type { Texts } from '../texts.ts';
import { isQuick } from '../timing/pacing.ts';
import type { KnownRoom } from './rate-rooms.ts';

export interface Plan {
  readonly scenes: readonly PlannedScene[];
  /** The greatest length of the video, or the length that the listing asks for. */
  readonly maxSec: number;
  /** Photos for which a length has no time: indexes into the usable photos, ascending. */
  readonly leftOut: readonly number[];
  /** Whether a length has no time for the facts. */
  readonly hasLeftOutFacts: boolean;
}

export interface PlannedScene {
  readonly role: SceneRole;
  /** Indexes into the usable photos, in the order of the scene's boxes. */
  readonly photos: readonly number[];
  /** Of a scene of the body, one per photo; empty where a photo has none or there is no time for it. */
  readonly captions: readonly string[];
  readonly sec: number;
  /**
   * Of opening and facts: other views, the best first; one that words leave free takes the photo's place halfway. Its own
   * photo is shown nearer.
   */
  readonly next?: readonly number[];
  /** Of a run: a cut leads to it. */
  readonly isInRun?: boolean;
  /** Its photo and the original of it stand one above the other. */
  readonly isComparison?: boolean;
  /** Its captions share the time of a video that has little of it. */
  readonly isReadFast?: boolean;
}

/** A usable photo, as far as the plan depends on it. */
export interface PlannedPhoto extends PhotoShape {
  /** Tells two photos apart that are alike in all else. */
  readonly digest?: string;
  /** A floor plan: alone and late in the video. */
  readonly isFloorPlan?: boolean;
  /** Default `normal`. A high one stands alone and longer, a low one shares a scene. */
  readonly emphasis?: NonNullable<Asset['emphasis']>;
  /** Not repeated where another photo serves as well. */
  readonly isAltered?: boolean;
  /** Its original follows in the same scene. */
  readonly hasOriginal?: boolean;
  /** On a phone: the original does not follow it, but stands under it. */
  readonly isOverOriginal?: boolean;
  /** What it shows; null or absent where the listing does not say it. */
  readonly room?: KnownRoom;
  /** Shown nowhere. */
  readonly isLeftOut?: boolean;
  /** Shares no scene of the body. */
  readonly standsAlone?: boolean;
  /** The same, where its caption is shown. */
  readonly captionStandsAlone?: boolean;
}

/** What a photo looks like, by its decoded pixels. */
export interface PhotoLook {
  /** Mean, 0 black to 1 white. */
  readonly light: number;
  /** Share (0 to 1) of bare wall, ceiling or asphalt where it fills a box. */
  readonly plain: number;
  readonly tint?: PhotoTint;
}

export interface PlanRequest {
  readonly photos: readonly PlannedPhoto[];
  readonly captions: readonly string[];
  readonly frame: { readonly w: number; readonly h: number };
  readonly texts: Texts;
  /** Photos of the opening; default as the template says. */
  readonly heroPhotos?: number;
  /** The last scene; default the card. */
  readonly ending?: 'card' | 'closing';
  readonly hasFacts: boolean;
  /** Where the facts say the open house: seconds of the opening of a video without them, which says it. */
  readonly heroSecWithoutFacts?: number;
  /** Photos of the hook come again only with a caption or an original. */
  readonly hookIsEnough?: boolean;
  /** There are so many photos that few stand alone: opening and facts are brief, and those of the hook do not come again. */
  readonly isCrowded?: boolean;
  /** Rooms that do not belong together would share scenes in the order of the listing: each room comes in one place. */
  readonly isGathered?: boolean;
  /** There is so little time that captions get none, and photos of the opening come again only with an original. */
  readonly isBrief?: boolean;
  /** Captions would be lost: what is no photo is short. */
  readonly isPressed?: boolean;
  /** All captions are whole, and the opening keeps its time, also where the video has too little. */
  readonly keepsCaptions?: boolean;
  /** There is too little time for groups to be seen as long as they should. */
  readonly isHurried?: boolean;
  /** What a photo looks like in a box; absent, or undefined where its pixels cannot be read: light, and nowhere bare. */
  readonly lookOf?: (photo: number, box: Box) => PhotoLook | undefined;
  /** Whether the listing says where the original photos are. */
  readonly hasOriginalsAddress?: boolean;
  readonly extras?: readonly ExtraScene[];
  /** Of the music, seconds; null without one. */
  readonly beatSec?: number | null;
  /** Speed of the video; seconds are divided by it. */
  readonly pace: number;
  /** What the listing asks for; absent: the usual length. */
  readonly length?: VideoLength;
  /** Added to the length, so that with beats and captions the video has it. */
  readonly correctionSec?: number;
}

/** A photo of high emphasis stands so many times as long. */
const HIGH_TIMES = 2;
/** The camera crosses a panorama from end to end. */
const PANORAMA_TIMES = 1.3;
/** An altered photo stands so long, so that its label is read. */
const MIN_ALTERED_SEC = 1.6;
/** Among quick cuts, before its original: the label stands until the wipe has ended, a quarter of a second later. */
const MIN_QUICK_ALTERED_SEC = 1.2;
const ORIGINAL_SEC = { usual: 2, quick: 1.2 };
/** Of both in one frame: their labels are read, then the eye goes from one to the other. */
const COMPARISON_SEC = { usual: 3.6, quick: 2.4 };

/** The design of a video without a scene of facts: its opening says the open house, and has the time for it. */
export function withoutFacts(design: RatioDesign, { heroSecWithoutFacts = 0 }: PlanRequest): RatioDesign {
  const { pacing } = design;
  return { ...design, pacing: { ...pacing, heroSec: Math.max(heroSecWithoutFacts, pacing.heroSec) } };
}

export function isHigh({ emphasis }: PlannedPhoto): boolean {
  return emphasis === 'high';
}

/** How many times as long as others a scene of these photos lasts. */
export function timesOf(photos: readonly PlannedPhoto[]): number {
  return photos.some(isHigh) ? HIGH_TIMES : photos.some(isPanorama) ? PANORAMA_TIMES : 1;
}

/** On a phone, where a camera crosses it from end to end. */
export function isCrossed(photo: PlannedPhoto, { frame }: Pick<PlanRequest, 'frame'>): boolean {
  return frame.h > frame.w && isPanorama(photo);
}

/** How much longer an original and its wipe make a scene, seconds. */
export function originalSec(pacing: Pacing): number {
  return isQuick(pacing) ? ORIGINAL_SEC.quick : ORIGINAL_SEC.usual;
}

/** The least seconds of an altered photo over its original. */
export function comparisonSec(pacing: Pacing): number {
  return isQuick(pacing) ? COMPARISON_SEC.quick : COMPARISON_SEC.usual;
}

/** Seconds of a scene that would have `sec` without labels and originals. */
export function alteredSec(photos: readonly PlannedPhoto[], sec: number, pacing: Pacing): number {
  if (photos.some(({ isOverOriginal }) => isOverOriginal)) return Math.max(sec, comparisonSec(pacing));
  const hasOriginal = photos.some((photo) => photo.hasOriginal);
  const least = hasOriginal && isQuick(pacing) ? MIN_QUICK_ALTERED_SEC : MIN_ALTERED_SEC;
  const own = photos.some(({ isAltered }) => isAltered) ? Math.max(sec, least) : sec;
  return hasOriginal ? own + originalSec(pacing) : own;
}

/** So long a camera takes at least from end to end of a panorama that fills a phone; of the body at most a share. */
const MIN_PANORAMA_SEC = { usual: 4, quick: 3 };
const SHARE_OF_PANORAMAS = 0.5;

/** The least seconds of a scene of a panorama on a phone. @param bodySec - Of all scenes of the body. */
export function panoramaSec(pacing: Pacing, bodySec: number, panoramas: number): number {
  const leastSec = isQuick(pacing) ? MIN_PANORAMA_SEC.quick : MIN_PANORAMA_SEC.usual;
  return Math.min(leastSec, (SHARE_OF_PANORAMAS * bodySec) / panoramas);
}

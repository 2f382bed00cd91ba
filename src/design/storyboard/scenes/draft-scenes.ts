/** From a listing to the scenes of its video, with texts and photos in place, before anything moves. Pure. */

import type { Agent, AspectRatio, Listing } from '../../../listing/listing.ts';
import { alteredLabel } from '../../../listing/words/altered-label.ts';
import { displayText } from '../../../listing/words/display-text.ts';
import { roomOf } from '../../../listing/words/room-of.ts';
import { parseVideoLength } from '../../../platform/video-length.ts';
import type { Graphic, ListingPhoto, Photo } from '../../photo.ts';
import type { Template } from '../../template/template.ts';
import type { TextMeasurer } from '../../text/text.ts';
import { canStandOverOriginal } from '../elements/comparison.ts';
import { inRoom, withFocus, withGround } from '../elements/in-room.ts';
import type { PhotoLight, ScenePhoto } from '../elements/scene-context.ts';
import { type GradeOf, gradePhotos, type PhotoTone } from '../grade-photos.ts';
import { pictureKind } from '../picture-kind.ts';
import { shownPhotos } from '../plan/divide-photos.ts';
import type { PhotoLook, PlannedPhoto, PlanRequest } from '../plan/planned-scene.ts';
import type { KnownRoom } from '../plan/rate-rooms.ts';
import { createFaultRater, lastViews } from '../plan/rate-views.ts';
import type { Box } from '../storyboard.ts';
import { matches } from '../texts.ts';
import type { BeatGrid } from '../timing/snap-to-beats.ts';
import { withWordTime } from '../timing/word-time.ts';
import { cardPhotos } from './card/photos.ts';
import { createPlanDrafter, type LayoutDeps } from './draft-plan.ts';
import { type DraftedPlan, draftUntilAllFit } from './draft-until-all-fit.ts';
import { describeOmissions, type Omissions } from './omissions/describe-omissions.ts';
import type { CaptionedPhoto } from './omissions/missing-captions.ts';
import { factsSayOpenHouse } from './omissions/missing-places.ts';
import { plainShare } from './plain-share.ts';
import {
  assetCaptions,
  type CardTexts,
  type ListingTexts,
  toCardTexts,
  toListingTexts,
} from './scene-texts.ts';
import type { SharedScenes } from './shared-scenes.ts';
import { type OptionalText, toUnbrandedTexts } from './without-contact.ts';

export interface StoryboardRequest {
  readonly listing: Listing;
  readonly agent: Agent;
  readonly template: Template;
  /** As the client sent it; `fillDataLayers` checks it. */
  readonly templateData: Readonly<Record<string, string>>;
  readonly ratio: AspectRatio;
  /** The usable photos in the listing's order; at least one. */
  readonly photos: readonly ListingPhoto[];
  readonly portrait: Photo | null;
  readonly logo: Graphic | null;
  readonly images?: ReadonlyMap<string, Graphic>;
  /** How light a photo is; absent: photos under type count as white. */
  readonly lightOf?: (photo: Photo) => PhotoLight | undefined;
  /** Absent: no photo is lifted. */
  readonly toneOf?: (photo: Photo) => PhotoTone | undefined;
  /** What a template without branding says of these; absent: all that is given. */
  readonly unbrandedKeep?: readonly OptionalText[];
  readonly measurer: TextMeasurer;
  /** With other agents' videos of the same listing, template and data; absent: none is planned. */
  readonly shared?: SharedScenes;
  /**
   * The video is a cut of the one of this length ('': the usual), whose scenes it shows; absent: it is planned for its
   * length.
   */
  readonly cutOf?: string;
  /** Beats of the template's own music, for scene changes to fall on; absent where it has none. */
  readonly beats?: BeatGrid | null;
}

export interface VideoDrafts {
  /** Its `maxSec` is the length itself where the listing asks for one. */
  readonly made: DraftedPlan;
  readonly hasLength: boolean;
  readonly listingTexts: ListingTexts;
  readonly cardTexts: CardTexts;
  readonly disclosure: string;
  readonly photos: readonly PlannedPhoto[];
  readonly gradeOf: GradeOf;
  /** What of the listing is not shown where the video has these scenes. */
  describe(made: DraftedPlan): Omissions;
}

/** @param correctionSec - Added to the length that the listing asks for. */
export function draftScenes(request: StoryboardRequest, deps: LayoutDeps, correctionSec = 0): VideoDrafts {
  const { agent, template, toneOf = () => undefined } = request;
  const { frame } = deps;
  const isUnbranded = template.branding === 'none';
  const neutral = isUnbranded
    ? toUnbrandedTexts(request, deps.data, request.unbrandedKeep)
    : { listing: request.listing, data: deps.data, warnings: [] };
  const { listing, data } = neutral;
  const listingTexts = toListingTexts(listing, data);
  const cardTexts = toCardTexts(agent, listing, data, listingTexts.link);
  const timedTexts = { ...listingTexts.texts, cta: cardTexts.texts.cta ?? '' };
  const agents = isUnbranded ? [] : listing.agents;
  const designWhere = (isInFacts: boolean) => withWordTime(deps.design, timedTexts, agents, isInFacts);
  const isOpenHouseInFacts =
    listingTexts.texts.open_house_line !== '' && factsSayOpenHouse(deps.design.scenes.facts);
  const design = designWhere(isOpenHouseInFacts);
  const captions = assetCaptions(listing, data);
  const captioned = request.photos.map(
    ({ url, assetIndex }): CaptionedPhoto => ({
      number: assetIndex + 1,
      url,
      caption: captions[assetIndex]!,
    }),
  );
  // Where neither a photo nor its original says what it shows, sky over a house is told from its pixels.
  const rooms = captioned.map((photo, index): KnownRoom => {
    const { subject, original } = request.photos[index]!;
    return roomOf(photo) ?? (original ? roomOf(original) : null) ?? (subject ? 'outside' : null);
  });
  const photos = toScenePhotos(listing, request.photos, rooms);
  const length = parseVideoLength(data.values.length ?? '') ?? 'normal';
  const looks = new Map<string, PhotoLook>();
  // Plans are tried in several ways, and each asks again.
  const lookOf = (index: number, box: Box): PhotoLook | undefined => {
    const key = `${index} ${box.w} ${box.h}`;
    const light = looks.has(key) ? undefined : request.lightOf?.(photos[index]!);
    if (light) {
      const plain = plainShare(photos[index]!, light, box);
      looks.set(key, { light: meanOf(light.luma), plain, ...(light.tint && { tint: light.tint }) });
    }
    return looks.get(key);
  };
  const plannedPhotos = photos.map((photo, index) => ({
    ...photo,
    isFloorPlan: isFloorPlan(listing, request.photos[index]!),
    emphasis: listing.assets[request.photos[index]!.assetIndex]!.emphasis ?? 'normal',
    isAltered: photo.label !== undefined,
    hasOriginal: photo.original !== undefined,
    isOverOriginal: canStandOverOriginal(photo, frame),
    room: rooms[index]!,
  }));
  const gradeOf: GradeOf =
    data.values.grade === 'gentle' ? gradePhotos(plannedPhotos, toneOf) : () => undefined;
  const planRequest: PlanRequest = {
    photos: plannedPhotos,
    captions: captioned.map(({ caption }) => caption),
    frame,
    texts: listingTexts.texts,
    ending: isUnbranded ? 'closing' : 'card',
    hasFacts: listingTexts.facts.length > 0,
    ...(isOpenHouseInFacts && { heroSecWithoutFacts: designWhere(false).pacing.heroSec }),
    hasOriginalsAddress: listingTexts.originals !== null,
    extras: design.extras.filter(({ when }) => matches(when, listingTexts.texts, new Set())),
    pace: Number(data.values.pace ?? 1) || 1,
    beatSec: request.beats ? 60 / request.beats.bpm : null,
    ...(request.lightOf && { lookOf }),
    ...(length !== 'normal' && { length, correctionSec }),
  };
  const disclosure = displayText(data.values.disclosure ?? '');
  const shownAtAll = shownPhotos(planRequest.photos);
  const faultOf = createFaultRater(design, planRequest, shownAtAll);
  // Where its place crops the best one too much, the next one.
  const cardShows = (best: readonly number[]) => {
    const order = [...best, ...lastViews(planRequest, shownAtAll, { faultOf, seen: [] }), ...shownAtAll];
    return cardPhotos(
      [...new Set(order)].map((index) => photos[index]!),
      photos[0]!,
      design,
      frame,
    );
  };
  const draftPlan = createPlanDrafter(
    { ...deps, design, data },
    {
      ...request,
      listingTexts,
      cardTexts,
      disclosure,
      isOpenHouseInFacts,
      photos,
      rooms,
      gradeOf,
      cardShows,
    },
  );
  const made = draftUntilAllFit(design, planRequest, draftPlan);
  return {
    made,
    hasLength: planRequest.length !== undefined,
    photos: planRequest.photos,
    gradeOf,
    listingTexts,
    cardTexts,
    disclosure,
    describe: (shown) =>
      describeOmissions(shown, {
        listing,
        listingTexts,
        photos: request.photos,
        captioned,
        plannedPhotos,
        originalsUrl: data.values.originals_url,
        leftOut: { unbranded: neutral.warnings, card: isUnbranded ? [] : cardTexts.leftOut },
      }),
  };
}

function meanOf(values: ArrayLike<number>): number {
  let total = 0;
  for (let at = 0; at < values.length; at += 1) total += values[at]!;
  return total / values.length;
}

function toScenePhotos(
  listing: Listing,
  photos: readonly ListingPhoto[],
  rooms: readonly KnownRoom[],
): ScenePhoto[] {
  return photos.map((listed, index) => {
    const { assetIndex, original, looksLike: _, ...decoded } = listed;
    const asset = listing.assets[assetIndex]!;
    const ofRoom = inRoom(decoded, rooms[index]!);
    const photo = isFloorPlan(listing, listed) ? withGround(ofRoom) : withFocus(ofRoom, asset.focus);
    const label = alteredLabel(asset);
    if (label === null) return photo;
    return { ...photo, label, ...(original && { original: inRoom(original, rooms[index]!) }) };
  });
}

function isFloorPlan(listing: Listing, photo: ListingPhoto): boolean {
  return pictureKind(listing.assets[photo.assetIndex]!, photo).kind === 'floor_plan';
}

/** Builds the scenes of a video with their texts and photos in place, before anything moves. Pure. */

import type { Agent, AspectRatio, Listing } from '../../../listing/listing.ts';
import { alteredLabel } from '../../../listing/words/altered-label.ts';
import { displayText } from '../../../listing/words/display-text.ts';
import type { Fact } from '../../../listing/words/facts.ts';
import { roomOf } from '../../../listing/words/room-of.ts';
import { parseVideoLength } from '../../../platform/video-length.ts';
import type { Graphic, ListingPhoto, Photo } from '../../photo.ts';
import type { DataValues } from '../../template/data-layers.ts';
import type { Palette, RatioDesign, Template } from '../../template/template.ts';
import type { TextMeasurer } from '../../text/text.ts';
import { canStandOverOriginal, comparedPhotos } from '../elements/comparison.ts';
import { inRoom, withFocus, withGround } from '../elements/in-room.ts';
import type { PhotoLight, SceneContext, ScenePhoto } from '../elements/scene-context.ts';
import { type GradeOf, gradedLight, gradePhotos, type PhotoTone } from '../grade-photos.ts';
import { pictureKind } from '../picture-kind.ts';
import { shownPhotos } from '../plan/divide-photos.ts';
import { planScenes } from '../plan/plan-scenes.ts';
import type { PhotoLook, Plan, PlannedPhoto, PlannedScene, PlanRequest } from '../plan/planned-scene.ts';
import { type KnownRoom, suitsFact } from '../plan/rate-rooms.ts';
import { createFaultRater, lastViews } from '../plan/rate-views.ts';
import type { TypeSetter } from '../set-type.ts';
import type { Box, MissingCaption } from '../storyboard.ts';
import { matches } from '../texts.ts';
import { BODY_ROLES } from '../timing/pacing.ts';
import { PAGE_SEC } from '../timing/page-lengths.ts';
import type { BeatGrid } from '../timing/snap-to-beats.ts';
import { withWordTime } from '../timing/word-time.ts';
import { alteredWarnings } from './altered-warnings.ts';
import { NO_OPEN_HOUSE } from './announcements.ts';
import { buildScene, type SceneDraft } from './build-scene.ts';
import { type CardContent, layOutCard } from './card/pages.ts';
import { cardPhotos } from './card/photos.ts';
import { warnOfControls } from './control-warnings.ts';
import { withCaptionsAtOnce } from './earlier-layers.ts';
import { type CaptionedPhoto, describeMissingCaptions, findMissingCaptions } from './missing-captions.ts';
import { factsSayOpenHouse, warnOfMissingPlaces } from './missing-places.ts';
import { plainShare } from './plain-share.ts';
import { sceneCaptions } from './scene-captions.ts';
import { cardFlags, factTexts, inOrderOfScenes, leadFlags, listingFlags, photoTexts } from './scene-flags.ts';
import {
  assetCaptions,
  type CardTexts,
  type ListingTexts,
  toCardTexts,
  toListingTexts,
} from './scene-texts.ts';
import { SharedScenes } from './shared-scenes.ts';
import { type OptionalText, toUnbrandedTexts } from './without-contact.ts';

/** So much of its way a zoom has gone halfway: it slows down. */
const HALFWAY = 0.6;

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

/** The scenes of a video, and what its length leaves out. */
export interface DraftedPlan extends Omit<Plan, 'scenes'> {
  readonly plan: readonly PlannedScene[];
  readonly drafts: readonly SceneDraft[];
}

interface Omissions {
  readonly missingCaptions: readonly MissingCaption[];
  readonly warnings: readonly string[];
}

interface LayoutDeps {
  readonly design: RatioDesign;
  readonly frame: { readonly w: number; readonly h: number };
  readonly fps: number;
  readonly data: DataValues;
  readonly palette: Palette;
  readonly type: TypeSetter;
  readonly cardType: TypeSetter;
}

/** @param correctionSec - Added to the length that the listing asks for. */
export function draftScenes(request: StoryboardRequest, deps: LayoutDeps, correctionSec = 0): VideoDrafts {
  const { agent, template, shared = new SharedScenes() } = request;
  const { frame, palette, type, fps } = deps;
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
  const { lightOf, toneOf = () => undefined } = request;
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
  const roomAt = (index: number): KnownRoom => planRequest.photos[index]!.room ?? null;
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
  const base = {
    frame,
    fps,
    palette,
    facts: listingTexts.facts,
    link: listingTexts.link,
    originals: listingTexts.originals,
    disclosure,
    originalLabel: displayText(data.values.label_original ?? ''),
    notice: design.notice,
    hasEqualHousing: data.values.equal_housing !== 'false',
    // Layouts are chosen by the photos as they are, so that a grade changes none.
    ...(lightOf && { lightOf: (photo: Photo) => gradedLight(lightOf(photo), gradeOf(photo.digest)) }),
  };
  const portrait = request.portrait && withGround(request.portrait);
  // The logo belongs to the agent, and nothing of the agent is seen before the card.
  const images = new Map([...(request.images ?? [])].filter(([name]) => name !== 'logo'));
  const noticeFlags = (shown: readonly ScenePhoto[]) =>
    disclosure !== '' || shown.some(({ label }) => label !== undefined) ? ['disclosure'] : [];
  const cardContext = (
    { texts, licenses }: CardContent,
    hasLogo: boolean,
    cardShows: readonly ScenePhoto[],
  ): SceneContext => {
    const logo = hasLogo ? request.logo : null;
    return {
      ...base,
      type: deps.cardType,
      texts,
      flags: new Set([
        ...noticeFlags(cardShows),
        ...cardFlags({ ...request, logo, photos: cardShows }, { texts, licenses }),
      ]),
      licenses,
      photos: cardShows,
      portrait,
      logo,
      link: texts.link ? base.link : null,
      images: logo ? new Map([...images, ['logo', logo]]) : images,
    };
  };
  // The same for plans that end on the same photos.
  const canBeTwo = design.pacing.endSec >= 2 * PAGE_SEC;
  const cardPages = new Map<string, readonly SceneDraft[]>();
  const cardOf = (best: readonly number[]) => {
    const shows = cardShows(best);
    const contextOf = (content: CardContent, hasLogo: boolean) => cardContext(content, hasLogo, shows);
    const key = shows.map(({ digest }) => digest).join();
    const pages = cardPages.get(key) ?? layOutCard(design.scenes.card, cardTexts, contextOf, canBeTwo);
    return cardPages.set(key, pages) && pages;
  };
  const draftPlan = (plan: readonly PlannedScene[], photoCount: number): SceneDraft[] => {
    const turns = new Map<string, number>();
    const order = inOrderOfScenes(plan);
    // The price has its places in opening and facts: it is dealt last.
    const isSaidLater = isOpenHouseInFacts && plan.some(({ role }) => role === 'facts');
    const isPrice = ({ kind }: Fact) => Number(kind === 'price');
    const factsLeft = listingTexts.facts.toSorted((a, b) => isPrice(a) - isPrice(b));
    return plan.flatMap((planned): readonly SceneDraft[] => {
      if (planned.role === 'card') return cardOf(planned.photos);
      const { isComparison = false } = planned;
      const isOpening = planned.role === 'hero' || planned.role === 'hook';
      const listed = planned.photos.map((index) => photos[index]!);
      const shown = isComparison
        ? comparedPhotos(listed[0]!, base.originalLabel)
        : listed.map(({ original, ...photo }) =>
            isOpening || original === undefined ? photo : { ...photo, original },
          );
      const rooms = planned.photos.map((index) => roomAt(index));
      // A run is over before a fact is read.
      const nextFact = planned.isInRun ? undefined : factsLeft.find(({ kind }) => suitsFact(rooms, kind));
      const isOfBody = BODY_ROLES.has(planned.role);
      const lead = { ...shown[0]!, room: rooms[0]! };
      if (planned.next !== undefined) {
        const views = planned.next.map((index) => photos[index]!);
        const { hero, heroTravel = 0 } = design.camera;
        const approach = hero === 'in' ? 1 + HALFWAY * heroTravel : 1;
        const dissolveSec = design.pacing.nextViewSec!;
        shown[0] = { ...shown[0]!, next: { photos: views, dissolveSec, approach } };
      }
      const context: SceneContext = {
        ...base,
        type,
        texts: {
          ...listingTexts.texts,
          ...photoTexts(planned, order, photoCount),
          ...(isOpening && isSaidLater && NO_OPEN_HOUSE),
          ...(isOfBody
            ? { ...sceneCaptions(planned.captions, frame.h > frame.w), ...factTexts(nextFact) }
            : {}),
        },
        flags: new Set([
          ...noticeFlags(shown),
          ...listingFlags(
            shown.length,
            listingTexts.facts.length,
            photos.length,
            isOfBody && !isComparison && nextFact !== undefined,
          ),
          ...(planned.role === 'hook' && plan[1]?.role !== 'hook' && shown.length === 1 ? ['lone'] : []),
          ...(isComparison ? ['original'] : []),
          ...(rooms.includes('bedroom') ? ['bedroom'] : []),
          ...(rooms.includes('outside') ? ['outside'] : []),
          ...(planned.isInRun ? ['run'] : []),
          ...leadFlags(planned, lead, request.lightOf, frame),
        ]),
        licenses: [],
        photos: shown,
        portrait: null,
        logo: null,
        images,
      };
      const layout = isComparison ? 'pair' : planned.role;
      const turn = turns.get(layout) ?? 0;
      if (!planned.isInRun && !isComparison) turns.set(layout, turn + 1);
      const place = planned.isInRun ? 'run' : turn;
      const { captions } = planned;
      const { facts, link, originals } = listingTexts;
      const draft = shared.draft(
        [
          layout,
          planned.photos,
          planned.next,
          captions,
          place,
          context.texts,
          [...context.flags],
          facts,
          link,
          originals,
        ],
        () => buildScene(design.scenes[layout], context, captions, place),
      );
      if (draft.variant.dealsFact) factsLeft.splice(factsLeft.indexOf(nextFact!), 1);
      return [planned.isReadFast ? { ...draft, layers: withCaptionsAtOnce(draft.layers) } : draft];
    });
  };
  const planAround = ({ altered, captions, followed }: Alone, heroPhotos?: number) => {
    const withAlone = planRequest.photos.map((photo, index) => ({
      ...photo,
      standsAlone: altered.has(index),
      captionStandsAlone: captions.has(index),
      isOverOriginal: photo.isOverOriginal === true && !followed.has(index),
    }));
    const { scenes, ...planned } = planScenes(design, {
      ...planRequest,
      photos: withAlone,
      ...(heroPhotos === undefined ? {} : { heroPhotos }),
    });
    const drafts = draftPlan(scenes, photos.length - planned.leftOut.length);
    // A card of two pages is two scenes.
    const pages = Array.from({ length: drafts.length - scenes.length }, () => scenes.at(-1)!);
    return { ...planned, plan: [...scenes, ...pages], drafts };
  };
  const alone: Alone = { altered: new Set(), captions: new Set(), followed: new Set() };
  let made = planAround(alone);
  let { plan, drafts } = made;
  const hero = plan.findIndex(({ role }) => role === 'hero');
  const opened = photosShown(plan[hero]!, drafts[hero]!, request.photos);
  // The opening's layout shows fewer photos than planned: the body shows the others.
  const heroPhotos = opened < plan[hero]!.photos.length ? opened : undefined;
  if (heroPhotos !== undefined) ({ plan, drafts } = made = planAround(alone, heroPhotos));
  for (;;) {
    const altered = alteredInCrowds(plan, drafts, photos).filter((index) => !alone.altered.has(index));
    const captions = captionsInCrowds(plan, drafts).filter((index) => !alone.captions.has(index));
    const followed = unfitComparisons(plan, drafts);
    if (altered.length + captions.length + followed.length === 0) break;
    for (const index of altered) alone.altered.add(index);
    for (const index of captions) alone.captions.add(index);
    for (const index of followed) alone.followed.add(index);
    ({ plan, drafts } = made = planAround(alone, heroPhotos));
  }
  const describe = (shown: DraftedPlan): Omissions => {
    const isShown = (index: number) => !shown.leftOut.includes(index);
    const missingCaptions = findMissingCaptions(captioned, shown.plan, shown.drafts, isShown);
    return {
      missingCaptions,
      warnings: [
        ...neutral.warnings,
        ...describeMissingCaptions(missingCaptions),
        ...warnOfControls(withFactsOfOpening(shown, listingTexts.facts), captioned, planRequest.photos),
        ...alteredWarnings(listing, photosIn(shown.drafts, request.photos), data.values.originals_url),
        ...listingTexts.warnings,
        ...warnOfMissingPlaces(
          listingTexts,
          shown.drafts.map(({ variant }) => variant),
        ),
        ...(isUnbranded ? [] : cardTexts.leftOut),
        ...new Set(shown.drafts.flatMap((draft) => draft.warnings)),
      ],
    };
  };
  return {
    made,
    hasLength: planRequest.length !== undefined,
    photos: planRequest.photos,
    gradeOf,
    listingTexts,
    cardTexts,
    disclosure,
    describe,
  };
}

function meanOf(values: ArrayLike<number>): number {
  let total = 0;
  for (let at = 0; at < values.length; at += 1) total += values[at]!;
  return total / values.length;
}

/** Facts that the opening says are not left out. */
function withFactsOfOpening(made: DraftedPlan, facts: readonly Fact[]): DraftedPlan {
  const opening = made.drafts[made.plan.findIndex(({ role }) => role === 'hero')];
  const said = new Set(opening?.layers.map(({ id }) => id));
  const isSaid = ({ kind }: Fact) => said.has('facts') || said.has(`fact-${kind}`) || said.has(kind);
  return { ...made, hasLeftOutFacts: made.hasLeftOutFacts && !facts.every(isSaid) };
}

/** Photos that share no scene of the body, by their index: always, or while their caption is shown. */
interface Alone {
  readonly altered: Set<number>;
  readonly captions: Set<number>;
  /** Their originals follow them. */
  readonly followed: Set<number>;
}

/** Altered photos that no layout shows over their originals, with all that is said of them. */
function unfitComparisons(plan: readonly PlannedScene[], drafts: readonly SceneDraft[]): number[] {
  return plan.flatMap(({ isComparison, photos, captions }, at) => {
    if (!isComparison) return [];
    const { fits, strayCaptions, layers } = drafts[at]!;
    const isSaid = captions[0] === '' || layers.some(({ id }) => id.startsWith('caption'));
    return fits && isSaid && strayCaptions.length === 0 ? [] : photos;
  });
}

/** Photos in groups of the body whose captions have no place of their own there. */
function captionsInCrowds(plan: readonly PlannedScene[], drafts: readonly SceneDraft[]): number[] {
  return plan.flatMap(({ role, photos, isComparison }, at) =>
    BODY_ROLES.has(role) && !isComparison ? drafts[at]!.strayCaptions.map((place) => photos[place]!) : [],
  );
}

/** Altered photos in scenes of the body that have no room for their labels. */
function alteredInCrowds(
  plan: readonly PlannedScene[],
  drafts: readonly SceneDraft[],
  photos: readonly ScenePhoto[],
): number[] {
  return plan.flatMap(({ role, photos: own }, at) =>
    drafts[at]!.hasRoomForNotices || !BODY_ROLES.has(role) || own.length < 2
      ? []
      : own.filter((index) => photos[index]!.label !== undefined),
  );
}

function photosShown(planned: PlannedScene, draft: SceneDraft, photos: readonly ListingPhoto[]): number {
  const ofScene = planned.photos.map((index) => photos[index]!);
  return Math.max(1, photosIn([draft], ofScene).length);
}

function photosIn(drafts: readonly SceneDraft[], photos: readonly ListingPhoto[]): ListingPhoto[] {
  const layers = drafts.flatMap((draft) => draft.layers);
  const digests = new Set(layers.map((layer) => (layer.type === 'photo' ? layer.digest : '')));
  return photos.filter(({ digest }) => digests.has(digest));
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

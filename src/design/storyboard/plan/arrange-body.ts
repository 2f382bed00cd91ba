/** Asks for the body that suits photos, captions, rooms and emphasis of a listing, and leaves out captions without time. Pure. */
import { captionBeginnings } from '../../../listing/words/short-caption.ts';
import type { BodyLayout, RatioDesign } from '../../template/template.ts';
import { limitsOf } from '../frame-limits.ts';
import { canCover, isPanorama } from '../scenes/fit-photo.ts';
import { captionEntranceSec } from '../scenes/scene-captions.ts';
import { MAX_CUT, sum } from '../timing/limit-length.ts';
import {
  isQuick,
  layoutSec,
  leastLayoutSec,
  paceBody,
  positionAfter,
  rhythmOf,
  roomOf,
  SEATS,
} from '../timing/pacing.ts';
import {
  captionsSec,
  lingerSec,
  type ReadingPace,
  unreadSec,
  withoutLinger,
} from '../timing/reading-time.ts';
import { saidWords, withBriefTime } from '../timing/word-time.ts';
import type { BodyPlan, BodyRequest } from './body-request.ts';
import { FEW, type Parts } from './divide-photos.ts';
import { planBody } from './plan-body.ts';
import {
  alteredSec,
  isCrossed,
  isHigh,
  type PlannedPhoto,
  type PlanRequest,
  timesOf,
} from './planned-scene.ts';
import { createLayoutRater } from './rate-layout.ts';
import { areAkin, factsRoomCost, fillFacts, hookRoomCost, type KnownRoom, roomCost } from './rate-rooms.ts';
import { areSideBySide, emptyBandsCost, shapeCost, standsInWindow } from './rate-shapes.ts';
import { canStandTogether, differenceOf, viewCost } from './rate-views.ts';
import { factsPhotosOf } from './usual-length.ts';

/** Cost of a caption without a place: more than a scene of little photo (`rate-layout.ts`). */
const MISSING_CAPTION = 8;
/** Of one that there is no time for: more than rooms that are strangers. The longest one gives most time for it. */
const LOST_CAPTION = 40;
/** What the rest of a caption is worth where only its first phrases are shown: each, and for its share of the letters. */
const SHORTENED = { each: 0.1, share: 0.25 };
/** How much more the first caption is worth than the last: the last ones are lost first. */
const FIRST_CAPTION = 0.5;
/** How many times as much those of the listing's first photos are worth, which sell it. */
const LEADING = { photos: 2, times: 1.4 };
/**
 * What a second costs at most: where captions are read and the body can be longer; where captions can be lost, or there are
 * none; and where nothing else makes the video shorter: rooms that do not belong together, photos as small as layouts have them.
 */
const MAX_SECOND = { free: 1.5, dear: 20, last: 300 };
/** Rooms that were brought together to stand beside their like: beside others they cost more than a caption. */
const GATHERED_TIMES = 10;
/** For each altered photo that shares a scene: less than time is worth when there is too little of it. */
const ALTERED_IN_GROUP = 1.5;
/** Three photos or more without words right after the opening; upright ones fill a wide frame like one picture. */
const CROWD_FIRST = 30;
/** For a group of which some have captions: the others look forgotten. */
const HALF_WORDED = 4;
/** For each photo of a group after the first of which nothing says what it shows, more where it is unlike the one before. */
const UNKNOWN_ROOM = 4.5;
/** A front under trees shows no sky, but so much green (0.1 and more; rooms with plants 0.06): it stands beside no other unknown. */
const GREEN_OUTSIDE = 0.08;
/** Per second that the captions of a group keep it too long: its photos rather stand alone, each with its own. */
const LINGERS = 6;
/** For a photo of low emphasis that stands alone: more than any layout is worth. */
const LOW_ALONE = 30;
/** How much more than in a hook it costs that a lesser room stands alone among many photos. */
const ALONE = 2;
const ALONE_IN_WINDOW = 2.5;
/** For each page of a crowded phone: a third of its scenes show one photo. */
const PAGE_OF_MANY = 3;
/** What a photo's room and faults count where it has a scene of its own: a dim bathroom rather shares one, or is in a run. */
const WEAK_ALONE = { from: 1, each: 0.25 };
/** Seconds until a caption is read: of a slow entrance the first words are read while the others come. */
const USUAL_ENTRANCE_SEC = 0.75;
/** A design of hard cuts and plates that snap in gains half a second for each caption. */
const QUICK_ENTRANCE_SEC = 0.5;
/** What the faults of a photo count beside the facts, which can also show another one again. */
const WEAK = 0.3;
/** For a soft one there: more than it costs that it stands small in a scene of its own. */
const SOFT_BESIDE = 12;
/** What comes before the facts becomes longer with its beats. */
const UNSNAPPED = 0.95;
/** Of a longer text a layout shows about so much, then an ellipsis. */
const SHOWN_CHARACTERS = 160;

function entranceOf(sec: number): number {
  return sec < QUICK_ENTRANCE_SEC ? sec : USUAL_ENTRANCE_SEC;
}

interface ArrangedBody {
  readonly plan: BodyPlan;
  /** The captions that there is time for, one per photo of the body. */
  readonly shown: readonly string[];
  /** Whether the scenes have the time that they need. */
  readonly isInTime: boolean;
  /** Whether the captions need more time than the video has, and come at once. */
  readonly isReadFast: boolean;
  /** The design with the times of opening and facts that leave room for the captions. */
  readonly design: RatioDesign;
}

/**
 * The scenes of the body's photos. Where the captions take more time than the video has, they are read faster; then
 * opening and facts become shorter; then layouts become quick, and at last captions are shortened to their first phrase or
 * left out, the longest ones first.
 */
export function arrangeBody(design: RatioDesign, request: PlanRequest, parts: BodyParts): ArrangedBody {
  const captions = parts.body.map((photo) => request.captions[photo] ?? '');
  const hasCaptions = captions.some((caption) => caption !== '');
  const arrange = (by: RatioDesign, words: Words): ArrangedBody => {
    const asked = toBodyRequest(by, request, { ...parts, captions, words });
    const { plan, isInTime } = planBody(asked);
    const filled = words.canBeLost ? withCaptionsInTime(asked, plan) : plan;
    const shown = filled.flatMap(({ photoCount, captions: own }) =>
      Array.from({ length: photoCount }, (_, at) => own[at] ?? ''),
    );
    return { shown, design: by, plan: filled, isInTime, isReadFast: words.pace === 'fast' };
  };
  const isInFacts = request.hasFacts && request.heroSecWithoutFacts !== undefined;
  const brief = { ...design, pacing: withBriefTime(design.pacing, saidWords(request.texts, isInFacts)) };
  const usual = request.isCrowded === true || request.isHurried === true ? brief : design;
  const whole = arrange(usual, { pace: 'easy', canBeLost: false });
  if (whole.isInTime || !hasCaptions) return whole;
  for (const by of new Set([usual, brief])) {
    const faster = arrange(by, { pace: 'fast', canBeLost: false });
    if (faster.isInTime || request.keepsCaptions === true) return faster;
  }
  return arrange(brief, { pace: 'fast', canBeLost: true });
}

type BodyParts = Pick<Parts, 'body' | 'shown' | 'repeatable' | 'faultOf' | 'isSoft'>;

/** How captions are read, and whether some can be left out. */
interface Words {
  readonly pace: ReadingPace;
  readonly canBeLost: boolean;
}

/** The plan with captions that it left out and still has time for, the shortest first. */
function withCaptionsInTime({ optionsOf, roomSec }: BodyRequest, plan: BodyPlan): BodyPlan {
  let spare = roomSec - sum(plan.map(({ minSec }) => minSec));
  const filled = [...plan];
  const more = plan.flatMap(({ layout, from, minSec, captions }, at) => {
    if (layout === 'facts' || layout === 'run') return [];
    const options = optionsOf(layout, from);
    const own = options.findIndex((option) => option.captions.join() === captions.join());
    return options.slice(0, own).map((option) => ({ at, ...option, moreSec: option.minSec - minSec }));
  });
  for (const { at, cost, minSec, captions } of more.sort((a, b) => a.moreSec - b.moreSec)) {
    const sec = minSec - filled[at]!.minSec;
    if (sec > spare || cost === Number.POSITIVE_INFINITY) continue;
    spare -= sec;
    filled[at] = { ...filled[at]!, minSec, captions };
  }
  return filled;
}

function toBodyRequest(
  design: RatioDesign,
  request: PlanRequest,
  {
    body,
    shown,
    repeatable,
    faultOf,
    isSoft,
    captions,
    words,
  }: BodyParts & { captions: readonly string[]; words: Words },
): BodyRequest {
  const { hasFacts, pace, frame, texts, beatSec = null } = request;
  const { pacing } = design;
  const photos = body.map((photo) => request.photos[photo]!);
  // Of all photos that share the rhythm: it picks the row of the pacing.
  const photoCount = shown.length;
  const reserved = hasFacts ? factsPhotosOf(design, photoCount, photos.length) : 0;
  const { layouts, cycle } = rhythmOf(pacing, photoCount, photos.length, reserved);
  const paced = paceBody(pacing, layouts, { ...request, photoCount, beatSec });
  const factsAt = positionAfter(paced, pacing.factsAt);
  const rate = createLayoutRater({ design, frame, photos, texts });
  const readSec = (own: readonly string[]): number => {
    const secAt = (reading: ReadingPace) =>
      captionsSec(own.map(shownPart), reading) + unreadOf(design, reading);
    return words.pace === 'fast' ? secAt('fast') : withoutLinger(secAt('easy'), secAt('fast'));
  };
  const worthOf = (photo: number) =>
    words.canBeLost ? lostCaption(body[photo]!, request.photos.length) : MISSING_CAPTION;
  const isFree = !words.canBeLost && captions.some((caption) => caption !== '');
  const box = { x: 0, y: 0, ...frame };
  const isWindow = (photo: number) =>
    frame.h > frame.w &&
    !photos[photo]!.isOverOriginal &&
    (captions[photo] === ''
      ? standsInWindow(photos[photo]!, frame)
      : !canCover(photos[photo]!, box, limitsOf(frame).fullBleedLoss));
  const shortened = (caption: string, own: string) =>
    SHORTENED.each + SHORTENED.share * (1 - own.length / caption.length);
  // Few photos have a scene each, and many share them from end to end.
  const hasPages = shown.length > FEW && request.isCrowded !== true;
  const strangeTimes = request.isGathered === true ? GATHERED_TIMES : 1;
  const lookAt = (photo: number) => request.lookOf?.(body[photo]!, box);
  const groupOf = (layout: BodyLayout, from: number) => photos.slice(from, from + SEATS[layout]);
  const costOf = (layout: BodyLayout, from: number, own: readonly string[]): number => {
    const group = groupOf(layout, from);
    const isAlone = (photo: PlannedPhoto, index: number) =>
      photo.hasOriginal ||
      isCrossed(photo, request) ||
      isHigh(photo) ||
      photo.standsAlone ||
      (photo.captionStandsAlone && own[index]);
    if (group.length > 1 && layout !== 'run' && !canStandTogether(group)) return Number.POSITIVE_INFINITY;
    if (group.length > 1 && group.some(isAlone)) return Number.POSITIVE_INFINITY;
    const lowCost =
      layout === 'run' || layout === 'single'
        ? LOW_ALONE * group.filter(({ emphasis }) => emphasis === 'low').length
        : 0;
    // Few of many stand alone: those that sell the house and fill the frame.
    const isAmongMany = request.isCrowded === true && (layout === 'run' || (layout === 'single' && !own[0]));
    const lesser = group.map(
      ({ room }, index) => (room ? hookRoomCost(room) : 0) + (isWindow(from + index) ? ALONE_IN_WINDOW : 0),
    );
    const isSilent = own.every((caption) => caption === '');
    const worthCost = (): number => {
      if (isAmongMany) return (ALONE * sum(lesser)) / group.length;
      if (request.isCrowded === true)
        return frame.h > frame.w && isSilent && group.every(({ room }) => room) ? PAGE_OF_MANY : 0;
      if (layout !== 'single' || !isSilent) return 0;
      const cost = viewCost(group[0]!.room ?? null, faultOf(body[from]!));
      return WEAK_ALONE.each * Math.max(0, cost - WEAK_ALONE.from);
    };
    const altered = group.length > 1 ? group.filter(({ isAltered }) => isAltered).length : 0;
    if (layout === 'run') {
      // A label needs more time to be read.
      if (altered > 0) return Number.POSITIVE_INFINITY;
      const costs = group.map(
        (photo, index) =>
          rate('single', from + index, ['']).cost + emptyBandsCost([photo], frame, () => false),
      );
      const shapes = sum(group.map((photo) => shapeCost([photo], frame)));
      return Math.max(...costs) + shapes + lowCost + worthCost();
    }
    // Its scene is laid out as that of a pair, or, where none suits it, planned anew without this.
    const isComparison = layout === 'single' && group[0]!.isOverOriginal === true;
    const { cost, missingCaptions } = isComparison
      ? { cost: 0, missingCaptions: 0 }
      : rate(layout, from, own);
    const isGreen = (photo: number) => (lookAt(photo)?.tint?.green ?? 0) > GREEN_OUTSIDE;
    const seenRooms = group.map(
      ({ room }, at): KnownRoom => room ?? (group.length > 1 && isGreen(from + at) ? 'outside' : null),
    );
    const seen = group.map((photo, at): PlannedPhoto => ({ ...photo, room: seenRooms[at]! }));
    const rooms = roomCost(seenRooms) * (areAkin(seenRooms) ? 1 : strangeTimes);
    // Pixels tell the outside only; where none are known, neither is that.
    const unknown = group.flatMap(({ room = null }, at) => (room === null ? [lookAt(from + at)] : []));
    const differences = unknown.slice(1).map((look, at) => differenceOf(unknown[at], look));
    const unknownCost = request.lookOf ? UNKNOWN_ROOM * sum(differences) : 0;
    const lingers = group.length > 1 && own.some((caption) => caption !== '') ? lingerSec(readSec(own)) : 0;
    const isCrowdFirst = from === 0 && group.length > 2 && isSilent && !areSideBySide(group, frame);
    const isWorded = own.some((caption) => caption !== '') && own.some((caption) => caption === '');
    return sum([
      ...[
        cost,
        rooms,
        unknownCost,
        lowCost,
        worthCost(),
        shapeCost(group, frame),
        hasPages ? emptyBandsCost(seen, frame, (at) => own[at] !== '') : 0,
        isWorded ? HALF_WORDED : 0,
        isCrowdFirst ? CROWD_FIRST : 0,
      ],
      ...[worthOf(from) * missingCaptions, ALTERED_IN_GROUP * altered, LINGERS * lingers],
    ]);
  };
  const minSecOf = (layout: BodyLayout, from: number, own: readonly string[]): number => {
    const sec = layoutSec(pacing, layout, { photoCount, pace, beatSec });
    if (layout === 'run') return sec;
    // So many photos have none of their usual times.
    const isCrowded = request.isCrowded === true;
    const group = groupOf(layout, from);
    if (own.every((caption) => caption === '')) {
      const seenSec = leastLayoutSec(pacing, layout, { ...request, beatSec });
      const least = Math.max(seenSec, isCrowded ? 0 : sec * (1 - MAX_CUT)) * timesOf(group);
      return alteredSec(group, least, pacing);
    }
    // A caption stands over the altered photo and its original.
    return words.pace === 'fast'
      ? Math.max(readSec(own), alteredSec(group, pacing.minSceneSec, pacing))
      : alteredSec(group, Math.max(pacing.minSceneSec, readSec(own)), pacing);
  };
  return {
    photoCount: photos.length,
    rhythm: layouts,
    cycle,
    isWindow,
    // Two photos fill a phone: where few have time to stand alone, they are better than bands, but not among quick cuts.
    pageSeats: frame.h > frame.w && request.isCrowded === true && !isQuick(pacing) ? 3 : 2,
    maxSecondCost: isFree
      ? MAX_SECOND.free
      : request.hookIsEnough === true
        ? MAX_SECOND.last
        : MAX_SECOND.dear,
    optionsOf: (layout, from) => {
      const all = captions.slice(from, from + SEATS[layout]);
      const isRun = layout === 'run';
      const choices = isRun ? [all.map(() => '')] : words.canBeLost ? fewerCaptions(all) : [all];
      return choices.map((own) => {
        const lost = all.map((caption, index) =>
          caption === own[index]
            ? 0
            : worthOf(from + index) * (own[index] === '' ? 1 : shortened(caption, own[index]!)),
        );
        return {
          captions: own,
          cost: costOf(layout, from, own) + sum(lost),
          minSec: minSecOf(layout, from, own),
        };
      });
    },
    roomSec:
      request.length === undefined
        ? Math.max(roomOf(pacing, hasFacts, pace), sum(paced) * (1 - MAX_CUT))
        : roomOf(pacing, hasFacts, pace),
    facts: hasFacts
      ? {
          photos: reserved,
          before: sum(layouts.slice(0, factsAt).map((layout) => SEATS[layout])),
          latestSec:
            UNSNAPPED * pacing.factsAt * pacing.capSec -
            pacing.heroSec -
            (1 - pacing.factsAt) * (pacing.hook?.sec ?? 0),
          areBetweenPages: frame.h > frame.w,
          costOf: createFactsRater(
            design,
            request,
            { photos, body, repeatable, faultOf, isSoft, captions },
            (photo) => (words.canBeLost ? worthOf(photo) : Number.POSITIVE_INFINITY),
          ),
        }
      : null,
  };
}

/** What it costs that the facts scene shows the photos of the body from one on. */
function createFactsRater(
  { factsPhotos }: RatioDesign,
  request: PlanRequest,
  {
    photos,
    body,
    repeatable,
    faultOf,
    isSoft,
    captions,
  }: { photos: readonly PlannedPhoto[]; captions: readonly string[] } & Omit<BodyParts, 'shown'>,
  worthOf: (photo: number) => number,
): (from: number, own: number) => number {
  const rooms = [...photos, ...repeatable.map((photo) => request.photos[photo]!)].map(
    ({ room = null }) => room,
  );
  const roomAt = (photo: number) => rooms[photo]!;
  const beside = [...repeatable.keys()].map((photo) => photos.length + photo);
  const wordsCost = (photo: number) => (captions[photo] === '' ? 0 : worthOf(photo));
  return (from, own) => {
    const shown = Array.from({ length: own }, (_, index) => from + index);
    const isAlone = (photo: PlannedPhoto) => photo.isAltered === true || isHigh(photo) || isPanorama(photo);
    if (shown.some((photo) => isAlone(photos[photo]!))) return Number.POSITIVE_INFINITY;
    const filled = fillFacts(shown, beside, { seats: factsPhotos, roomAt });
    const faults = shown.map((photo) => faultOf(body[photo]!, 'facts'));
    const unknown = request.lookOf ? shown.filter((photo) => roomAt(photo) === null).length : 0;
    return sum([
      factsRoomCost(filled.map(roomAt)),
      UNKNOWN_ROOM * Math.max(0, unknown - 1),
      WEAK * sum(faults),
      SOFT_BESIDE * shown.filter((photo) => isSoft(body[photo]!)).length,
      ...shown.map(wordsCost),
    ]);
  };
}

function lostCaption(photo: number, photoCount: number): number {
  const times = photo < LEADING.photos ? LEADING.times : 1;
  return times * LOST_CAPTION * (1 + FIRST_CAPTION * (1 - photo / photoCount));
}

/** Photos that share a scene keep their words or lose them together. */
function fewerCaptions(all: readonly string[]): (readonly string[])[] {
  if (all.every((caption) => caption === '')) return [all];
  const own = all.map(captionBeginnings);
  const most = Math.max(...own.map(({ length }) => length));
  const shorter = Array.from({ length: most }, (_, cut) => own.map((forms) => forms[cut] ?? forms.at(-1)!));
  return [...shorter, all.map(() => '')];
}

/** What a photo that stands alone for `sec` has time for of its caption. @param planned - What it was to show. */
export function keptCaption(design: RatioDesign, caption: string, planned: string, sec: number): string {
  const canBeRead = (words: string) =>
    sec >= unreadOf(design, 'fast') + captionsSec([shownPart(words)], 'fast') - 1e-6;
  return (
    captionBeginnings(caption).find((words) => words !== '' && (words === planned || canBeRead(words))) ?? ''
  );
}

/** As much of a caption as a layout shows. */
function shownPart(caption: string): string {
  return caption.slice(0, SHOWN_CHARACTERS);
}

/** Of a scene with captions, the seconds in which they are not read. */
function unreadOf({ scenes, transitions }: RatioDesign, pace: ReadingPace): number {
  const seconds = transitions.map((rule) => (rule.kind === 'cut' ? 0 : rule.sec));
  const { usual, atOnce } = captionEntranceSec(scenes.single);
  return pace === 'easy'
    ? unreadSec(entranceOf(usual), Math.max(0, ...seconds), pace)
    : // The last rule is that of most changes; among cuts, others take their share.
      unreadSec(
        atOnce,
        seconds.at(-1) || sum(seconds.map((sec, at) => sec / (transitions[at]!.every ?? 1))),
        pace,
      );
}

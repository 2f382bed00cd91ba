/** Makes the plan of a video from its photos, whatever its time. Pure. */
import type { Pacing, RatioDesign } from '../../template/template.ts';
import { isPanorama } from '../scenes/fit-photo.ts';
import { NEARLY_SEC, sum } from '../timing/limit-length.ts';
import { type BodyAim, capOf, hookSeconds, isQuick, paceBody, roomOf, runSeconds } from '../timing/pacing.ts';
import { arrangeBody, keptCaption } from './arrange-body.ts';
import type { BodyPlan } from './body-request.ts';
import { divide, FEW, type Parts, sharing, shownPhotos } from './divide-photos.ts';
import {
  alteredSec,
  comparisonSec,
  isCrossed,
  originalSec,
  type PlannedPhoto,
  type PlannedScene,
  type PlanRequest,
  panoramaSec,
  timesOf,
} from './planned-scene.ts';
import { areStrangers, fillFacts } from './rate-rooms.ts';
import { areSideBySide, isUpright } from './rate-shapes.ts';
import { specialScenes, withExtras } from './special-scenes.ts';

/** Several photos that share the one scene of a hook are seen in so much time: the least of its cuts. */
const TOGETHER_SEC = 1.3;
/** So many photos before the facts have just gone; the last of them and the next ones are near. */
const JUST_GONE = 4;
const NEAR = 2;
/** What it costs that the facts show one of these again, the opening's, one that comes twice already, or one whose words follow. */
const AGAIN = { near: 6, justGone: 1.5, opening: 4, twice: 3, beforeItsWords: 2 };

export interface MadePlan {
  readonly scenes: readonly PlannedScene[];
  /** Whether every scene has the time that it needs at least. */
  readonly isInTime: boolean;
  /** How many captions stand in no scene, not even their first phrase. */
  readonly lostCaptions: number;
  /** What is missing of the others: of each that is cut one half, and another half by its share of letters. */
  readonly cutCaptions: number;
}

/** @param aimOf - What a body of so many photos aims at. */
export function makePlan(
  design: RatioDesign,
  asked: PlanRequest,
  aimOf: (bodyPhotos: number) => BodyAim | undefined,
): MadePlan {
  const inOrder = (request: PlanRequest): MadePlan => {
    const made = planInOrder(design, request, aimOf);
    return { ...made, ...countMissing(made.scenes, asked) };
  };
  const listed = inOrder(asked);
  const strange = strangersIn(listed, asked);
  if (strange === 0 || isCrowded(design, asked)) return listed;
  const gathered = inOrder({ ...asked, isGathered: true });
  const isWorse = strangersIn(gathered, asked) >= strange || (listed.isInTime && !gathered.isInTime);
  return isWorse ? listed : gathered;
}

function countMissing(
  scenes: readonly PlannedScene[],
  { photos, captions }: PlanRequest,
): Pick<MadePlan, 'lostCaptions' | 'cutCaptions'> {
  const said = new Map(
    scenes.flatMap((scene) =>
      scene.photos.flatMap((photo, at) => (scene.captions[at] ? [[photo, scene.captions[at]] as const] : [])),
    ),
  );
  const due = [...captions.entries()].filter(
    ([photo, caption]) => caption !== '' && !photos[photo]!.isLeftOut,
  );
  const cut = due.map(([photo, { length }]) => 1 - (said.get(photo)?.length ?? length) / length);
  return {
    lostCaptions: due.filter(([photo]) => !said.has(photo)).length,
    cutCaptions: sum(cut.map((share) => (share === 0 ? 0 : (1 + share) / 2))),
  };
}

/** How many scenes show rooms that do not belong together. */
function strangersIn({ scenes }: Pick<MadePlan, 'scenes'>, { photos }: PlanRequest): number {
  const rooms = scenes.map((scene) => scene.photos.map((photo) => photos[photo]!.room ?? null));
  return rooms.filter(areStrangers).length;
}

function planInOrder(
  design: RatioDesign,
  asked: PlanRequest,
  aimOf: (bodyPhotos: number) => BodyAim | undefined,
): Pick<MadePlan, 'scenes' | 'isInTime'> {
  const request = { ...asked, isCrowded: isCrowded(design, asked) };
  const { hasFacts, pace, ending = 'card', beatSec = null } = request;
  const { shown, hook, hookTogether, heroPhotos, repeatable, body, lastAfter, floorPlans, faultOf } = divide(
    design,
    request,
  );
  const special = specialScenes(request, floorPlans, design.pacing);
  const photosAt = (indexes: readonly number[]) => indexes.map((photo) => request.photos[photo]!);
  // A template of one picture gives several in one scene the time of that picture.
  const isHookOneScene = hook.length <= hookTogether;
  const cuts = isHookOneScene
    ? Math.min(hook.length, design.pacing.hook?.cuts ?? 0)
    : hook.length + 1 - hookTogether;
  const ofCuts = hookSeconds(design.pacing, cuts, beatSec);
  const hookSec = isHookOneScene ? ofCuts.slice(0, Math.ceil(TOGETHER_SEC / ofCuts[0]!)) : ofCuts;
  const taken = sum([...special.map(({ sec }) => sec), ...hookSec]);
  const room = {
    ...design.pacing,
    capSec: Math.max(design.pacing.minSceneSec, capOf(design.pacing, shown.length) - taken),
  };
  // In a brief video a caption takes no time: it stands where it can be read.
  const captions = request.isBrief ? request.captions.map(() => '') : request.captions;
  const arranged = arrangeBody(
    { ...design, pacing: room },
    { ...request, captions },
    {
      body,
      shown,
      repeatable,
      faultOf,
    },
  );
  const { shown: shownCaptions, isInTime, isReadFast } = arranged;
  // The first photo comes last for its caption only: without time for that it does not come again.
  if (body.length > 1 && body.at(-1) === heroPhotos[0] && shownCaptions.at(-1) === '')
    return planInOrder(design, { ...asked, captions: asked.captions.with(heroPhotos[0]!, '') }, aimOf);
  const scenes = afterFirst(arranged.plan);
  // Few photos: none comes twice within two scenes.
  const before = special.length > 0 ? [] : scenes.slice(shown.length > FEW ? -1 : -2);
  const last = lastAfter(before.flatMap(({ from, photoCount: own }) => body.slice(from, from + own)));
  const { pacing } = arranged.design;
  // What hook and brief openings save is the body's.
  const bodyAim = aimOf(
    request.isCrowded ? Math.max(body.length, shown.length - heroPhotos.length) : body.length,
  );
  // On the beats, a hook of three photos is shorter than one of two: the body takes what is left, not the video.
  const isWithoutHook = (hook.length === 0 || hookSec.length < ofCuts.length) && !request.isCrowded;
  const hookLeftSec = isWithoutHook ? 0 : (design.pacing.hook?.sec ?? 0) - sum(hookSec);
  const fixedSec = (each: Pacing) => each.heroSec + each.factsSec;
  const savedSec = request.isCrowded ? fixedSec(design.pacing) - fixedSec(pacing) : 0;
  const aim = bodyAim && { ...bodyAim, sec: bodyAim.sec + hookLeftSec + savedSec };
  const isFollowed = ({ hasOriginal, isOverOriginal }: PlannedPhoto) => hasOriginal && !isOverOriginal;
  const pairs = photosAt(body).filter(isFollowed).length;
  const ofBody = scenes.flatMap(({ layout, from, photoCount }) =>
    layout === 'facts' ? [] : [{ layout, photos: photosAt(body.slice(from, from + photoCount)) }],
  );
  const isWide = (photo: PlannedPhoto) => isCrossed(photo, request);
  const wideSec = panoramaSec(pacing, roomOf(pacing, hasFacts, pace), photosAt(body).filter(isWide).length);
  const leastSecOf = (photos: readonly PlannedPhoto[]) => {
    if (photos.some(({ isOverOriginal }) => isOverOriginal)) return comparisonSec(pacing);
    return photos.some(isWide) ? wideSec : 0;
  };
  const seconds = paceBody(
    { ...pacing, capSec: pacing.capSec - pairs * originalSec(pacing) },
    ofBody.map(({ layout }) => layout),
    {
      ...request,
      photoCount: shown.length,
      beatSec,
      times: ofBody.map(({ photos }) => timesOf(photos)),
      leastSec: ofBody.map(({ photos }) => leastSecOf(photos)),
      // Of such a picture the camera sees little.
      areLongEnough: ofBody.map(({ photos }) => areSideBySide(photos, request.frame)),
      ...(aim && { aim }),
    },
  );
  // Where words wait for time that others have, no caption takes more of it.
  const least = scenes.flatMap(({ layout, minSec }) => (layout === 'facts' ? [] : [minSec]));
  const isTight = least.some((sec, at) => sec > seconds[at]! + NEARLY_SEC);
  const planned = scenes.flatMap(({ layout, from, photoCount: own }): PlannedScene[] => {
    const photos = body.slice(from, from + own);
    if (layout === 'run') {
      seconds.shift();
      return runSeconds(beatSec).map((sec, index) => ({
        role: 'single',
        photos: [photos[index]!],
        captions: [''],
        sec,
        isInRun: true,
      }));
    }
    if (layout !== 'facts') {
      const sec = seconds.shift()!;
      return [
        {
          role: layout,
          photos,
          captions:
            layout === 'single' && !isTight
              ? [keptCaption(design, request.captions[photos[0]!] ?? '', shownCaptions[from]!, sec)]
              : shownCaptions.slice(from, from + own),
          sec: alteredSec(photosAt(photos), sec, pacing),
          ...(isReadFast && { isReadFast }),
          ...(layout === 'single' && request.photos[photos[0]!]!.isOverOriginal && { isComparison: true }),
        },
      ];
    }
    const seen = repeatable.filter((photo) => !photos.includes(photo));
    // A photo of the hook comes in the body too, and one of the opening on the card or in the closing.
    const twice = [...hook, ...last];
    const justGone = body.slice(Math.max(0, from - JUST_GONE), from);
    const near = [...justGone.slice(-NEAR), ...body.slice(from + own, from + own + NEAR)];
    const againCost = (photo: number) =>
      faultOf(photo, 'facts') +
      (near.includes(photo) ? AGAIN.near : justGone.includes(photo) ? AGAIN.justGone : 0) +
      (heroPhotos.includes(photo) ? AGAIN.opening : 0) +
      (twice.includes(photo) ? AGAIN.twice : 0) +
      (request.captions[photo] && body.indexOf(photo) >= from + own ? AGAIN.beforeItsWords : 0);
    const roomAt = (photo: number) => request.photos[photo]!.room ?? null;
    // Where pixels tell the outside, a photo of which nothing says what it shows has no like.
    const isUnknown = (photo: number) => request.lookOf !== undefined && roomAt(photo) === null;
    const suitable = sharing(request, seen, seen.length).filter(
      (photo) => !isPanorama(request.photos[photo]!) && !(photos.length > 0 && isUnknown(photo)),
    );
    const withOthers = fillFacts(photos, suitable.length > 0 || photos.length > 0 ? suitable : seen, {
      seats: design.factsPhotos,
      roomAt,
      isUprightAt: (photo) => isUpright(request.photos[photo]!),
      costAt: againCost,
    });
    const seats = photos.length === 0 && isUnknown(withOthers[0]!) ? 1 : withOthers.length;
    return [{ role: 'facts', photos: withOthers.slice(0, seats), captions: [], sec: pacing.factsSec / pace }];
  });
  const all: PlannedScene[] = [
    ...hookScenes({ hook, hookTogether, hookSec }),
    { role: 'hero', photos: heroPhotos, captions: [], sec: pacing.heroSec },
    ...withExtras(planned, request.extras ?? [], repeatable),
    ...special,
    {
      role: ending,
      photos: last,
      captions: [],
      sec: design.pacing.endSec,
    },
  ];
  return { scenes: all, isInTime };
}

/** The facts do not follow the opening, which has said them; their photos need no order. */
function afterFirst([first, second, ...others]: BodyPlan): BodyPlan {
  if (first === undefined || second === undefined) return first ? [first] : [];
  return first.layout === 'facts' ? [second, first, ...others] : [first, second, ...others];
}

/** Photos for which there is so many times too little time to stand alone share scenes from end to end. */
const CROWD = 1.5;

/** A video whose length is asked for leaves out photos instead. */
export function isCrowded({ pacing }: RatioDesign, { photos, hasFacts, pace, length }: PlanRequest): boolean {
  const photoCount = shownPhotos(photos).length;
  // Quick cuts leave the facts to the opening where photos have no time: those that do are as crowded.
  const roomSec = roomOf({ ...pacing, capSec: capOf(pacing, photoCount) }, hasFacts || isQuick(pacing), pace);
  return length === undefined && photoCount * pacing.minSceneSec > CROWD * roomSec;
}

function hookScenes({
  hook,
  hookTogether,
  hookSec,
}: Pick<Parts, 'hook' | 'hookTogether'> & { readonly hookSec: readonly number[] }): PlannedScene[] {
  const scene = (photos: readonly number[], sec: number): PlannedScene => ({
    role: 'hook',
    photos,
    captions: [],
    sec,
  });
  if (hook.length <= hookTogether) return hook.length === 0 ? [] : [scene(hook, sum(hookSec))];
  const first = scene(hook.slice(0, hookTogether), hookSec[0]!);
  return [first, ...hook.slice(hookTogether).map((photo, cut) => scene([photo], hookSec[cut + 1]!))];
}

/** Makes the plan of a video from its photos, whatever its time. Pure. */
import type { Pacing, RatioDesign } from '../../template/template.ts';
import { NEARLY_SEC, sum } from '../timing/limit-length.ts';
import {
  type BodyAim,
  capOf,
  hookSeconds,
  isQuick,
  leastLayoutSec,
  paceBody,
  roomOf,
  runSeconds,
  timeByWorth,
} from '../timing/pacing.ts';
import { arrangeBody, keptCaption } from './arrange-body.ts';
import type { BodyPlan } from './body-request.ts';
import { divide, FEW, shownPhotos } from './divide-photos.ts';
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
import { areStrangers } from './rate-rooms.ts';
import { areSideBySide } from './rate-shapes.ts';
import { worthOf } from './rate-views.ts';
import { factsScene, hookScenes, openingScene, specialScenes, withExtras } from './special-scenes.ts';

/** Several photos that share the one scene of a hook are seen in so much time: the least of its cuts. */
const TOGETHER_SEC = 1.3;
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
  const parts = divide(design, request);
  const {
    shown,
    hook,
    hookTogether,
    hookKeepsFirst,
    heroPhotos,
    repeatable,
    body,
    lastAfter,
    floorPlans,
    faultOf,
  } = parts;
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
  const arranged = arrangeBody({ ...design, pacing: room }, { ...request, captions }, parts);
  const { shown: shownCaptions, isInTime, isReadFast } = arranged;
  // The first photo comes last for its caption only: without time for that it does not come again.
  const first = heroPhotos[0]!;
  if (body.length > 1 && body.at(-1) === first && shownCaptions.at(-1) === '' && asked.captions[first] !== '')
    return planInOrder(design, { ...asked, captions: asked.captions.with(first, '') }, aimOf);
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
  const paced = paceBody(
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
  const least = scenes.flatMap(({ layout, minSec }) => (layout === 'facts' ? [] : [minSec]));
  const roomAt = (photo: number) => request.photos[photo]!.room ?? null;
  // Words take the time that they take; labels, panoramas and what the listing stresses have their own.
  const hasOwnTime = (photo: number) =>
    request.captions[photo] || request.photos[photo]!.isAltered || timesOf(photosAt([photo])) !== 1;
  const leastSecs = ofBody.map(({ layout }) => leastLayoutSec(pacing, layout, { ...request, beatSec }));
  const worths = scenes.flatMap(({ layout, from, photoCount }) => {
    if (layout === 'facts') return [];
    const photos = body.slice(from, from + photoCount);
    return [layout === 'run' || photos.some(hasOwnTime) ? null : worthOf(photos, faultOf, roomAt)];
  });
  const seconds = timeByWorth(paced, leastSecs, worths);
  // Where words wait for time that others have, no caption takes more of it.
  const isTight = least.some((sec, at) => sec > paced[at]! + NEARLY_SEC);
  const withWords = { request, parts, pacing, last };
  const planned = scenes.flatMap(({ layout, from, photoCount: own }): PlannedScene[] => {
    const photos = body.slice(from, from + own);
    if (layout === 'run') {
      seconds.shift();
      const worthOfEach = photos.map((photo) => worthOf([photo], faultOf, roomAt));
      const best = worthOfEach.lastIndexOf(Math.max(...worthOfEach));
      return runSeconds(beatSec, best).map((sec, index) => ({
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
    return [factsScene(withWords, photos, { from, seats: design.factsPhotos })];
  });
  const inFacts = planned.flatMap(({ role, photos }) => (role === 'facts' ? photos : []));
  const all: PlannedScene[] = [
    ...hookScenes({ hook, hookTogether, hookKeepsFirst, hookSec }),
    openingScene(withWords, inFacts),
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

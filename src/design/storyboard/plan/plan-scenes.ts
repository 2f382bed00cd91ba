/** Plans which scenes a video has, which photos each shows and how long it lasts; no layout yet. Pure. */
import type { RatioDesign } from '../../template/template.ts';
import { sum } from '../timing/limit-length.ts';
import { capOf, hookSeconds, paceBody, runSeconds } from '../timing/pacing.ts';
import { arrangeBody } from './arrange-body.ts';
import { divide, photosOfEnding, sharing, shownPhotos } from './divide-photos.ts';
import { alteredSec, ORIGINAL_SEC, type PlannedScene, type PlanRequest, timesOf } from './planned-scene.ts';
import { factsRoomCost } from './rate-rooms.ts';
import { specialScenes, withExtras } from './special-scenes.ts';

/**
 * Opening, body with the facts scene in its middle, floor plans, the address of the originals, card or closing. Every
 * photo is shown, in the listing's order.
 *
 * A lone photo is shown in the opening and again in the body, so that the video is more than a card; so is a photo of
 * the opening that has a caption or an original, which then follows. Photos with a caption and altered ones are in the body wherever they can: neither
 * facts nor closing show captions.
 */
export function planScenes(design: RatioDesign, request: PlanRequest): readonly PlannedScene[] {
  const key = JSON.stringify({
    ...request,
    photos: request.photos.map((photo) => [
      ...[photo.widthPx, photo.heightPx, photo.isFloorPlan, photo.isAltered, photo.hasOriginal],
      ...[photo.room, photo.standsAlone, photo.captionStandsAlone, photo.subject, photo.emphasis],
    ]),
  });
  const known = plans.get(design);
  if (known?.key === key) return known.plan;
  const shown = shownPhotos(request.photos);
  const heroSec = design.pacing.heroSec * timesOf([request.photos[shown[0]!]!]);
  const pacing = { ...design.pacing, heroSec };
  const opened = { ...design, pacing, heroPhotos: request.heroPhotos ?? design.heroPhotos };
  const capSec = capOf(pacing, shown.length);
  const whole = makePlan(opened, request);
  const { hook, ...withoutHook } = pacing;
  const isInTime = !hook || sum(whole.map(({ sec }) => sec)) <= capSec + 1e-6;
  const plan = isInTime ? whole : makePlan({ ...opened, pacing: withoutHook }, request);
  plans.set(design, { key, plan });
  return plan;
}

/** The last plan of each design: the agents of a listing mostly have the same. */
const plans = new WeakMap<RatioDesign, { readonly key: string; readonly plan: readonly PlannedScene[] }>();

function makePlan(design: RatioDesign, request: PlanRequest): PlannedScene[] {
  const { hasFacts, pace, ending = 'card', beatSec = null } = request;
  const { shown, hook, heroPhotos, repeatable, body, closing, floorPlans } = divide(design, request);
  const special = specialScenes(request, floorPlans);
  const hasOriginal = (photo: number) => request.photos[photo]?.hasOriginal === true;
  const photosAt = (indexes: readonly number[]) => indexes.map((photo) => request.photos[photo]!);
  const hookSec = hookSeconds(design.pacing, hook.length, beatSec);
  const taken = sum([...special.map(({ sec }) => sec), ...hookSec]);
  const room = {
    ...design.pacing,
    capSec: Math.max(design.pacing.minSceneSec, capOf(design.pacing, shown.length) - taken),
  };
  const { plan: scenes, shown: shownCaptions } = arrangeBody({ ...design, pacing: room }, request, {
    body,
    shown,
    repeatable,
  });
  const pairs = body.filter(hasOriginal).length;
  const ofBody = scenes.flatMap(({ layout, from, photoCount }) =>
    layout === 'facts' ? [] : [{ layout, photos: photosAt(body.slice(from, from + photoCount)) }],
  );
  const seconds = paceBody(
    { ...room, capSec: room.capSec - pairs * ORIGINAL_SEC },
    ofBody.map(({ layout }) => layout),
    { photoCount: shown.length, hasFacts, pace, beatSec, times: ofBody.map(({ photos }) => timesOf(photos)) },
  );
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
          captions: shownCaptions.slice(from, from + own),
          sec: alteredSec(photosAt(photos), sec),
        },
      ];
    }
    const roomsOf = (of: readonly number[]) => photosAt(of).map(({ room = null }) => room);
    const unseen = repeatable.filter((photo) => !heroPhotos.includes(photo)).reverse();
    const all = [...unseen, ...repeatable].filter((photo) => !photos.includes(photo));
    const again = sharing(request, all, all.length);
    // A photo of the hook comes in the body too, and one of the opening on the card or in the closing.
    const twice = [...hook, ...heroPhotos.slice(0, photosOfEnding(design, request))];
    let others = [...new Set([...again.filter((photo) => !twice.includes(photo)), ...again])];
    const withOthers = [...photos];
    while (withOthers.length < design.factsPhotos && others.length > 0) {
      const costOf = (photo: number) => factsRoomCost(roomsOf([...withOthers, photo]));
      const [best] = others.toSorted((a, b) => costOf(a) - costOf(b));
      withOthers.push(best!);
      others = others.filter((photo) => photo !== best);
    }
    return [{ role: 'facts', photos: withOthers, captions: [], sec: design.pacing.factsSec / pace }];
  });
  return [
    ...hook.map(
      (photo, cut): PlannedScene => ({ role: 'hook', photos: [photo], captions: [], sec: hookSec[cut]! }),
    ),
    { role: 'hero', photos: heroPhotos, captions: [], sec: design.pacing.heroSec },
    ...withExtras(planned, request.extras ?? [], repeatable),
    ...special,
    {
      role: ending,
      photos: ending === 'card' ? heroPhotos.slice(0, 1) : closing,
      captions: [],
      sec: design.pacing.endSec,
    },
  ];
}

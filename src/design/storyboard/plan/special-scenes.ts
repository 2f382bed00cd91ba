/** Scenes that are no part of the rhythm: floor plans, the address of the originals, and those that a template adds. Pure. */
import type { ExtraScene, Pacing } from '../../template/template.ts';
import { isQuick } from '../timing/pacing.ts';
import { originalSec, type PlannedScene, type PlanRequest, timesOf } from './planned-scene.ts';

/** The law's three seconds, and the transitions around them. */
const ORIGINALS_ADDRESS_SEC = { usual: 4.5, quick: 3.3 };
/** A floor plan is read, not seen; of many each gets less. */
const FLOOR_PLAN_SEC = { usual: 4.5, quick: 3.5 };
const ONE_OF_MANY_PLANS_SEC = { usual: 3.5, quick: 1.85 };
const MANY_PLANS = 4;

/** Floor plans, each alone, and the address of the original photos. */
export function specialScenes(
  { photos, captions, hasOriginalsAddress, isPressed = false }: PlanRequest,
  floorPlans: readonly number[],
  pacing: Pacing,
): PlannedScene[] {
  const speed = isQuick(pacing) ? 'quick' : 'usual';
  const isLong = floorPlans.length < MANY_PLANS && !isPressed;
  const planSec = (isLong ? FLOOR_PLAN_SEC : ONE_OF_MANY_PLANS_SEC)[speed];
  const scenes = floorPlans.map(
    (photo): PlannedScene => ({
      role: 'floor_plan',
      photos: [photo],
      captions: [captions[photo] ?? ''],
      sec: planSec * timesOf([photos[photo]!]) + (photos[photo]!.hasOriginal ? originalSec(pacing) : 0),
    }),
  );
  if (hasOriginalsAddress !== true) return scenes;
  return [...scenes, { role: 'originals', photos: [], captions: [], sec: ORIGINALS_ADDRESS_SEC[speed] }];
}

export function withExtras(
  body: readonly PlannedScene[],
  extras: readonly ExtraScene[],
  photos: readonly number[],
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
    const shown = photo === 'last' ? Math.max(...photos) : photos[0]!;
    scenes.splice(place, 0, { role, photos: [shown], captions: [], sec });
  }
  return scenes;
}

/**
 * Divides the photos of the body among scenes: which photos share one, and in which layout. Of all divisions that
 * keep the order of the listing it takes the one with the least cost: layouts that suit their photos, captions with a
 * place, and the rhythm of the pacing. Pure.
 */
import type { BodyLayout } from '../../template/template.ts';
import { sum } from '../timing/limit-length.ts';
import { SEATS } from '../timing/pacing.ts';

export interface BodyRequest {
  readonly photoCount: number;
  /** The layouts that the pacing asks for, scene by scene; `cycle` goes on where they end. */
  readonly rhythm: readonly BodyLayout[];
  readonly cycle: readonly BodyLayout[];
  /** Whether the photo stands in a window of the frame where it is alone: no more than two of these in a row. */
  readonly isWindow: (photo: number) => boolean;
  /** The ways to show the photos from `from` on in this layout: with all of their captions, then with fewer. */
  readonly optionsOf: (layout: BodyLayout, from: number) => readonly SceneOption[];
  /** What a second costs at most when the scenes need more time than there is. */
  readonly maxSecondCost: number;
  readonly roomSec: number;
  /** Null without a facts scene. */
  readonly facts: {
    /** Photos that only the facts scene shows, where the body can spare them. */
    readonly photos: number;
    readonly before: number;
    /** What it costs that the facts scene shows the `own` photos from `from` on; infinite where it cannot. */
    readonly costOf: (from: number, own: number) => number;
  } | null;
}

export interface SceneOption {
  readonly cost: number;
  /** Seconds that the scene needs at least. */
  readonly minSec: number;
  /** That it shows, one per photo; empty where a photo has none or loses it. */
  readonly captions: readonly string[];
}

/** The scenes in playing order; every photo is in exactly one. */
export type BodyPlan = readonly (Pick<SceneOption, 'minSec' | 'captions'> & {
  readonly layout: BodyLayout | 'facts';
  readonly from: number;
  readonly photoCount: number;
})[];

// Costs.
/** A scene that the rhythm does not ask for, and each photo that it shows more: a body of few scenes is dull. */
const OTHER_LAYOUT = 1;
const MORE_PHOTOS = 0.8;
/** Two runs without a calm scene between them. */
const RUN_AFTER_RUN = 2;
/** Every single in a window after two of them. */
const THIRD_WINDOW = 1.5;
/** Per photo by which the facts scene is off its place. */
const FACTS_OFF = 0.5;
/** A facts scene that shows photos of the opening again, although it should have its own. */
const FACTS_AGAIN = 1;
/** What a second costs when the scenes need more time than there is; tried in order until they fit. */
const SECOND_COSTS = [0.2, 0.6, 1.5, 5, 10, 20, 300];
/** Halvings of the distance between a cost that is too low and one that is enough. */
const SEARCH_STEPS = 5;

/** The plan of least cost, and whether its scenes have the time that they need. Empty without photos and facts. */
export function planBody(request: BodyRequest): { readonly plan: BodyPlan; readonly isInTime: boolean } {
  const scenesFrom = priceScenes(request);
  const planAt = (secondCost: number) => {
    const plan = cheapestPlan(request, scenesFrom, secondCost);
    return { plan, isInTime: sum(plan.map(({ minSec }) => minSec)) <= request.roomSec };
  };
  let tooCheap = 0;
  let planned = planAt(0);
  if (planned.isInTime) return planned;
  for (const secondCost of SECOND_COSTS.filter((cost) => cost <= request.maxSecondCost)) {
    planned = planAt(secondCost);
    if (planned.isInTime) return closest(planAt, tooCheap, secondCost) ?? planned;
    tooCheap = secondCost;
  }
  return planned;
}

/** The plan of the lowest cost of a second between the two that still fits: it uses the time that there is. */
function closest(
  planAt: (secondCost: number) => { readonly plan: BodyPlan; readonly isInTime: boolean },
  tooCheap: number,
  enough: number,
): { readonly plan: BodyPlan; readonly isInTime: true } | undefined {
  let [low, high] = [tooCheap, enough];
  let best: { readonly plan: BodyPlan; readonly isInTime: true } | undefined;
  for (let step = 0; step < SEARCH_STEPS; step++) {
    const middle = low === 0 ? high / 2 : Math.sqrt(low * high);
    const { plan, isInTime } = planAt(middle);
    if (isInTime) [high, best] = [middle, { plan, isInTime }];
    else low = middle;
  }
  return best;
}

interface Step {
  readonly cost: number;
  readonly scene: BodyPlan[number] | null;
  readonly before: Step | null;
}

/**
 * Goes through the photos. A state is the number of photos shown, the number of scenes and whether the facts have been
 * shown: the cheapest way to it is all that later scenes depend on.
 */
function cheapestPlan(
  request: BodyRequest,
  scenesFrom: readonly PricedScene[][],
  secondCost: number,
): BodyPlan {
  const { photoCount, facts } = request;
  const steps: (Step | undefined)[] = [];
  const keyOf = (shown: number, scenes: number, hasFacts: boolean) =>
    (shown * (photoCount + 1) + scenes) * 2 + (hasFacts ? 1 : 0);
  const reach = (key: number, cost: number, scene: Step['scene'], before: Step | null): void => {
    const known = steps[key];
    if (!known || cost < known.cost - 1e-9) steps[key] = { cost, scene, before };
  };
  reach(keyOf(0, 0, facts === null), 0, null, null);
  let best: Step | undefined;
  for (let shown = 0; shown <= photoCount; shown++) {
    for (let scenes = 0; scenes <= shown; scenes++) {
      const without = steps[keyOf(shown, scenes, false)];
      if (without && facts) {
        for (const own of new Set([0, facts.photos])) {
          if (shown + own > photoCount) continue;
          const cost = without.cost + factsCost(facts, shown, own);
          // Photos of the facts count as shown; the rhythm has no scene for them.
          const scene = { layout: 'facts', from: shown, photoCount: own, minSec: 0, captions: [] } as const;
          reach(keyOf(shown + own, scenes, true), cost, scene, without);
        }
      }
      for (const hasFacts of [false, true]) {
        const step = steps[keyOf(shown, scenes, hasFacts)];
        if (!step) continue;
        if (shown === photoCount && hasFacts && (!best || step.cost < best.cost - 1e-9)) best = step;
        for (const { scene, cost } of scenesFrom[shown] ?? []) {
          const isRunAgain = scene.layout === 'run' && step.scene?.layout === 'run';
          const again =
            (isRunAgain ? RUN_AFTER_RUN : 0) + (isThirdWindow(request, step, scene) ? THIRD_WINDOW : 0);
          const rhythm = rhythmCost(request, scenes, scene.layout) + again;
          const total = step.cost + rhythm + cost + secondCost * scene.minSec;
          reach(keyOf(shown + scene.photoCount, scenes + 1, hasFacts), total, scene, step);
        }
      }
    }
  }
  return best ? toPlan(best) : [];
}

/** As far as the cheapest way to the step tells: the ways that cost more are not kept. */
function isThirdWindow({ isWindow }: BodyRequest, before: Step, scene: PricedScene['scene']): boolean {
  const last = [scene, before.scene, before.before?.scene];
  return last.every((each) => each?.layout === 'single' && isWindow(each.from));
}

interface PricedScene {
  readonly scene: BodyPlan[number] & { readonly layout: BodyLayout };
  readonly cost: number;
}

function priceScenes(request: BodyRequest): PricedScene[][] {
  const layouts = layoutsFor(request);
  return Array.from({ length: request.photoCount }, (_, from) =>
    layouts
      .filter((layout) => from + SEATS[layout] <= request.photoCount)
      .flatMap((layout) =>
        request.optionsOf(layout, from).map(({ cost, ...option }) => ({
          scene: { layout, from, photoCount: SEATS[layout], ...option },
          cost,
        })),
      )
      .filter(({ cost }) => cost < Number.POSITIVE_INFINITY),
  );
}

/** No scene shows more photos than the largest of the cycle and one more; only some cycles have runs. */
function layoutsFor({ cycle }: BodyRequest): BodyLayout[] {
  const most = Math.max(...cycle.map((layout) => SEATS[layout]));
  return (Object.keys(SEATS) as BodyLayout[]).filter(
    (layout) => SEATS[layout] <= most + 1 && (layout !== 'run' || cycle.includes('run')),
  );
}

function rhythmCost({ rhythm, cycle }: BodyRequest, scene: number, layout: BodyLayout): number {
  const asked = rhythm[scene] ?? cycle[scene % cycle.length]!;
  if (layout === asked) return 0;
  const isFewer = SEATS[layout] < SEATS[asked];
  return OTHER_LAYOUT + (isFewer ? 0 : MORE_PHOTOS * (SEATS[layout] - SEATS[asked]));
}

function factsCost(facts: NonNullable<BodyRequest['facts']>, at: number, own: number): number {
  return (
    FACTS_OFF * Math.abs(at - facts.before) + (own < facts.photos ? FACTS_AGAIN : 0) + facts.costOf(at, own)
  );
}

function toPlan(last: Step): BodyPlan {
  const scenes: BodyPlan[number][] = [];
  for (let step: Step | null = last; step; step = step.before) if (step.scene) scenes.unshift(step.scene);
  return scenes;
}

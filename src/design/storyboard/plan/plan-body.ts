/**
 * Divides the photos of the body among scenes: which photos share one, and in which layout. Of all divisions that
 * keep the order of the listing it takes the one with the least cost: layouts that suit their photos, captions with a
 * place, and the rhythm of the pacing. Pure.
 */
import type { BodyLayout } from '../../template/template.ts';
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
    /** Seconds of scenes after which the facts are late. */
    readonly latestSec: number;
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
/** Every page of photos without captions after two of them: a wall, where a photo alone would let the eye rest. */
const THIRD_PAGE = 12;
const PAGES_IN_A_ROW = 2;
/** Three photos or more right after the opening. */
const CROWD_FIRST = 14;
/** Per photo by which the facts scene is off its place. */
const FACTS_OFF = 0.5;
/** Per second by which it is late in the video, where captions come first that take their time. */
const FACTS_LATE = 10;
/** A facts scene that shows photos of the opening again, although it should have its own. */
const FACTS_AGAIN = 1;
/** What a second costs when the scenes need more time than there is; tried in order until they fit. */
const SECOND_COSTS = [0.2, 0.6, 1.5, 5, 10, 20, 300];
/** Halvings of the distance between a cost that is too low and one that is enough. */
const SEARCH_STEPS = 5;

/** The plan of least cost, and whether its scenes have the time that they need. Empty without photos and facts. */
export function planBody(request: BodyRequest): PlannedBody {
  const scenesFrom = priceScenes(request);
  let fitting: Step | undefined;
  const planAt = (secondCost: number): PlannedBody => {
    const ends = plansOf(request, scenesFrom, secondCost);
    for (const end of ends)
      if (end.sec <= request.roomSec && (!fitting || end.cost < fitting.cost - 1e-9)) fitting = end;
    const best = cheapest(ends, ({ cost, sec }) => cost + secondCost * sec);
    return { plan: toPlan(best), isInTime: best === undefined || best.sec <= request.roomSec };
  };
  let tooCheap = 0;
  let planned = planAt(0);
  if (planned.isInTime) return planned;
  for (const secondCost of SECOND_COSTS.filter((cost) => cost <= request.maxSecondCost)) {
    planned = planAt(secondCost);
    if (planned.isInTime) {
      searchBetween(planAt, tooCheap, secondCost);
      return { plan: toPlan(fitting), isInTime: true };
    }
    tooCheap = secondCost;
  }
  return planned;
}

interface PlannedBody {
  readonly plan: BodyPlan;
  readonly isInTime: boolean;
}

/** Plans at costs of a second between one that is too low and one that is enough: they use the time that there is. */
function searchBetween(planAt: (secondCost: number) => PlannedBody, tooCheap: number, enough: number): void {
  let [low, high] = [tooCheap, enough];
  for (let step = 0; step < SEARCH_STEPS; step++) {
    const middle = low === 0 ? high / 2 : Math.sqrt(low * high);
    if (planAt(middle).isInTime) high = middle;
    else low = middle;
  }
}

function cheapest(steps: readonly Step[], costOf: (step: Step) => number): Step | undefined {
  let best: Step | undefined;
  for (const step of steps) if (!best || costOf(step) < costOf(best) - 1e-9) best = step;
  return best;
}

interface Step {
  /** Without that of its seconds. */
  readonly cost: number;
  readonly sec: number;
  readonly scene: BodyPlan[number] | null;
  readonly before: Step | null;
}

/**
 * Goes through the photos. A state is the number of photos shown, the number of scenes, of pages right before, and whether
 * the facts have been shown: the cheapest way to it is all that later scenes depend on.
 *
 * @returns The last step of the cheapest plan of each number of scenes.
 */
function plansOf(request: BodyRequest, scenesFrom: readonly PricedScene[][], secondCost: number): Step[] {
  const { photoCount, facts } = request;
  const steps: (Step | undefined)[] = [];
  const keyOf = (shown: number, scenes: number, pages: number, hasFacts: boolean) =>
    ((shown * (photoCount + 1) + scenes) * (PAGES_IN_A_ROW + 1) + pages) * 2 + (hasFacts ? 1 : 0);
  const reach = (key: number, step: Step): void => {
    const known = steps[key];
    const total = step.cost + secondCost * step.sec;
    if (!known || total < known.cost + secondCost * known.sec - 1e-9) steps[key] = step;
  };
  reach(keyOf(0, 0, 0, facts === null), { cost: 0, sec: 0, scene: null, before: null });
  const ends: Step[] = [];
  for (let shown = 0; shown <= photoCount; shown++) {
    for (let scenes = 0; scenes <= shown; scenes++) {
      for (let pages = 0; pages <= PAGES_IN_A_ROW; pages++) {
        const without = steps[keyOf(shown, scenes, pages, false)];
        if (without && facts) {
          for (const own of new Set([0, facts.photos])) {
            if (shown + own > photoCount) continue;
            const cost = without.cost + factsCost(facts, without, shown, own);
            // Photos of the facts count as shown; the rhythm has no scene for them.
            const scene = {
              layout: 'facts',
              from: shown,
              photoCount: own,
              minSec: 0,
              captions: [],
            } as const;
            reach(keyOf(shown + own, scenes, 0, true), { cost, sec: without.sec, scene, before: without });
          }
        }
      }
      for (let pages = 0; pages <= PAGES_IN_A_ROW; pages++) {
        for (const hasFacts of [false, true]) {
          const step = steps[keyOf(shown, scenes, pages, hasFacts)];
          if (!step) continue;
          if (shown === photoCount && hasFacts) ends.push(step);
          for (const { scene, cost } of scenesFrom[shown] ?? []) {
            const next = isPage(scene) ? Math.min(pages + 1, PAGES_IN_A_ROW) : 0;
            reach(keyOf(shown + scene.photoCount, scenes + 1, next, hasFacts), {
              cost: step.cost + cost + orderCost(request, step, scenes, pages, scene),
              sec: step.sec + scene.minSec,
              scene,
              before: step,
            });
          }
        }
      }
    }
  }
  return ends;
}

/** What a scene costs by those before it. @param pages - How many pages came right before, as far as they count. */
function orderCost(
  request: BodyRequest,
  before: Step,
  scenes: number,
  pages: number,
  scene: PricedScene['scene'],
): number {
  const isRunAgain = scene.layout === 'run' && before.scene?.layout === 'run';
  return (
    rhythmCost(request, scenes, scene.layout) +
    (isRunAgain ? RUN_AFTER_RUN : 0) +
    (isThirdWindow(request, before, scene) ? THIRD_WINDOW : 0) +
    (isPage(scene) && pages === PAGES_IN_A_ROW ? THIRD_PAGE : 0) +
    (scenes === 0 && isPage(scene) && scene.photoCount > 2 ? CROWD_FIRST : 0)
  );
}

/** Several photos without words at once. */
function isPage({ layout, photoCount, captions }: PricedScene['scene']): boolean {
  return photoCount > 1 && layout !== 'run' && captions.every((caption) => caption === '');
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

function factsCost(facts: NonNullable<BodyRequest['facts']>, { sec }: Step, at: number, own: number): number {
  return (
    FACTS_OFF * Math.abs(at - facts.before) +
    FACTS_LATE * Math.max(0, sec - facts.latestSec) +
    (own < facts.photos ? FACTS_AGAIN : 0) +
    facts.costOf(at, own)
  );
}

function toPlan(last: Step | undefined): BodyPlan {
  const scenes: BodyPlan[number][] = [];
  for (let step = last ?? null; step; step = step.before) if (step.scene) scenes.unshift(step.scene);
  return scenes;
}

/** Goes through the photos of a body, scene by scene, and keeps the cheapest way to every state. Pure. */
import type { BodyRequest, BodyScene } from './body-request.ts';
import { type PricedFacts, type PricedScene, priceFacts, priceScenes } from './price-scenes.ts';

// Costs.
/** Two runs without a calm scene between them. */
const RUN_AFTER_RUN = 2;
/** Every single in a window after two of them. */
const THIRD_WINDOW = 1.5;
const WINDOWS_IN_A_ROW = 2;
/** Every page of photos without captions after two of them: a wall, where a photo alone would let the eye rest. */
const THIRD_PAGE = 12;
const PAGES_IN_A_ROW = 2;
/** Per second by which the facts are late in the video, where captions come first that take their time. */
const FACTS_LATE = 10;

/** The cheapest way of each number of scenes through all photos. */
export interface Ways {
  /** By way, in the order of their scenes. Without that of seconds. */
  readonly costs: readonly number[];
  readonly seconds: readonly number[];
  /** Valid until the next walk. */
  readonly scenesOf: (way: number) => BodyScene[];
}

interface BodyWalk {
  /** The least seconds of any way, whatever it costs; infinite where there is none. */
  readonly leastSec: number;
  /** @param secondCost - What each second of a scene costs. */
  readonly walk: (secondCost: number) => Ways;
}

/**
 * The walks through a body. A state is the number of photos shown, the number of scenes, of pages right before, and whether
 * the facts have been shown: the cheapest way to it is all that later scenes depend on. Its columns are arrays of numbers,
 * since a body of a hundred photos has half a million steps, and is walked a dozen times.
 */
export function createBodyWalk(request: BodyRequest): BodyWalk {
  const { photoCount, facts } = request;
  const scenesFrom = priceScenes(request);
  const factsFrom = facts ? priceFacts(facts, photoCount) : [];
  const latestSec = facts?.latestSec ?? 0;
  const stateCount = (photoCount + 1) * (photoCount + 1) * (PAGES_IN_A_ROW + 1) * 2;
  const totals = new Float64Array(stateCount);
  const costs = new Float64Array(stateCount);
  const seconds = new Float64Array(stateCount);
  const windows = new Uint8Array(stateCount);
  const befores = new Int32Array(stateCount);
  const scenes: (BodyScene | null)[] = new Array(stateCount).fill(null);
  const stateOf = (shown: number, scene: number, pages: number, hasFacts: number) =>
    ((shown * (photoCount + 1) + scene) * (PAGES_IN_A_ROW + 1) + pages) * 2 + hasFacts;
  const scenesOf = (end: number): BodyScene[] => {
    const all: BodyScene[] = [];
    for (let state = end; scenes[state]; state = befores[state]!) all.unshift(scenes[state]!);
    return all;
  };

  function walk(secondCost: number): Ways {
    // A state that no way has reached yet; ways can cost infinitely much.
    totals.fill(Number.NaN);
    const ends: number[] = [];
    const start = stateOf(0, 0, 0, facts ? 0 : 1);
    totals[start] = 0;
    costs[start] = 0;
    seconds[start] = 0;
    windows[start] = 0;
    scenes[start] = null;
    const reach = (state: number, before: number, cost: number, sec: number, scene: BodyScene): boolean => {
      const total = cost + secondCost * sec;
      if (total >= totals[state]! - 1e-9) return false;
      totals[state] = total;
      costs[state] = cost;
      seconds[state] = sec;
      befores[state] = before;
      scenes[state] = scene;
      return true;
    };
    for (let shown = 0; shown <= photoCount; shown++) {
      for (let count = 0; count <= shown; count++) {
        for (let pages = 0; facts && pages <= PAGES_IN_A_ROW; pages++) {
          const before = stateOf(shown, count, pages, 0);
          if (Number.isNaN(totals[before]!)) continue;
          const sec = seconds[before]!;
          const lateCost = FACTS_LATE * Math.max(0, sec - latestSec);
          for (const { scene, offCost, againCost, photosCost } of factsFrom[shown]!) {
            const state = stateOf(shown + scene.photoCount, count, facts.areBetweenPages ? pages : 0, 1);
            const cost = costs[before]! + (offCost + lateCost + againCost + photosCost);
            if (reach(state, before, cost, sec, scene)) windows[state] = 0;
          }
        }
        for (let pages = 0; pages <= PAGES_IN_A_ROW; pages++) {
          for (let hasFacts = 0; hasFacts <= 1; hasFacts++) {
            const before = stateOf(shown, count, pages, hasFacts);
            if (Number.isNaN(totals[before]!)) continue;
            if (shown === photoCount) {
              if (hasFacts === 1) ends.push(before);
              continue;
            }
            const isAfterRun = scenes[before]?.layout === 'run';
            const inWindows = windows[before]!;
            for (const { scene, cost, rhythmCosts, isPage, isWindow } of scenesFrom[shown]!) {
              const orderCost =
                rhythmCosts[count]! +
                (isAfterRun && scene.layout === 'run' ? RUN_AFTER_RUN : 0) +
                // As far as the cheapest way to the state tells: the ways that cost more are not kept.
                (isWindow && inWindows === WINDOWS_IN_A_ROW ? THIRD_WINDOW : 0) +
                (isPage && pages === PAGES_IN_A_ROW ? THIRD_PAGE : 0);
              const nextPages = isPage ? Math.min(pages + 1, PAGES_IN_A_ROW) : 0;
              const state = stateOf(shown + scene.photoCount, count + 1, nextPages, hasFacts);
              const sec = seconds[before]! + scene.minSec;
              if (reach(state, before, costs[before]! + cost + orderCost, sec, scene))
                windows[state] = isWindow ? Math.min(inWindows + 1, WINDOWS_IN_A_ROW) : 0;
            }
          }
        }
      }
    }
    return {
      costs: ends.map((end) => costs[end]!),
      seconds: ends.map((end) => seconds[end]!),
      scenesOf: (way) => scenesOf(ends[way]!),
    };
  }

  return { leastSec: leastSecOf(request, scenesFrom, factsFrom), walk };
}

function leastSecOf(
  { photoCount, facts }: BodyRequest,
  scenesFrom: readonly (readonly PricedScene[])[],
  factsFrom: readonly (readonly PricedFacts[])[],
): number {
  const newColumn = () => new Array<number>(photoCount + 1).fill(Number.POSITIVE_INFINITY);
  const [without, done] = [newColumn(), newColumn()];
  (facts ? without : done)[0] = 0;
  for (let shown = 0; shown <= photoCount; shown++) {
    for (const { scene } of factsFrom[shown] ?? []) {
      const after = shown + scene.photoCount;
      done[after] = Math.min(done[after]!, without[shown]!);
    }
    for (const { scene } of scenesFrom[shown] ?? [])
      for (const column of [without, done]) {
        const after = shown + scene.photoCount;
        column[after] = Math.min(column[after]!, column[shown]! + scene.minSec);
      }
  }
  return done[photoCount]!;
}

/**
 * Divides the photos of the body among scenes: which photos share one, and in which layout. Of all divisions that
 * keep the order of the listing it takes the one with the least cost: layouts that suit their photos, captions with a
 * place, and the rhythm of the pacing. Pure.
 */
import type { BodyPlan, BodyRequest } from './body-request.ts';
import { createBodyWalk } from './walk-scenes.ts';

/** What a second costs when the scenes need more time than there is; tried in order until they fit. */
const SECOND_COSTS = [0.2, 0.6, 1.5, 5, 10, 20, 300];
/** Halvings of the distance between a cost that is too low and one that is enough. */
const SEARCH_STEPS = 5;
/** Sums of equal costs can differ by their order. */
const EQUAL = 1e-9;

interface PlannedBody {
  readonly plan: BodyPlan;
  readonly isInTime: boolean;
}

/** The plan of least cost, and whether its scenes have the time that they need. Empty without photos and facts. */
export function planBody(request: BodyRequest): PlannedBody {
  const { roomSec } = request;
  const { leastSec, walk } = createBodyWalk(request);
  let fitting: { readonly plan: BodyPlan; readonly cost: number } | undefined;
  const planAt = (secondCost: number): PlannedBody => {
    const { costs, seconds, scenesOf } = walk(secondCost);
    const totalOf = (way: number) => costs[way]! + secondCost * seconds[way]!;
    let [best, fits] = [-1, -1];
    let fittingCost = fitting ? fitting.cost - EQUAL : undefined;
    for (const way of costs.keys()) {
      if (best < 0 || totalOf(way) < totalOf(best) - EQUAL) best = way;
      if (seconds[way]! > roomSec) continue;
      if (fittingCost !== undefined && costs[way]! >= fittingCost) continue;
      fits = way;
      fittingCost = costs[way]! - EQUAL;
    }
    if (fits >= 0) fitting = { plan: scenesOf(fits), cost: costs[fits]! };
    return best < 0
      ? { plan: [], isInTime: true }
      : { plan: scenesOf(best), isInTime: seconds[best]! <= roomSec };
  };
  const secondCosts = SECOND_COSTS.filter((cost) => cost <= request.maxSecondCost);
  // Whatever a second costs, there is no way that is in time.
  if (leastSec > roomSec && leastSec < Number.POSITIVE_INFINITY) return planAt(secondCosts.at(-1) ?? 0);
  let tooCheap = 0;
  let planned = planAt(0);
  if (planned.isInTime) return planned;
  for (const secondCost of secondCosts) {
    planned = planAt(secondCost);
    if (planned.isInTime) {
      searchBetween(planAt, tooCheap, secondCost);
      return { plan: fitting?.plan ?? [], isInTime: true };
    }
    tooCheap = secondCost;
  }
  return planned;
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

/** Every scene that a body can have, photo by photo, with its costs: its own, and those of its place. Pure. */
import type { BodyLayout } from '../../template/template.ts';
import { SEATS } from '../timing/pacing.ts';
import type { BodyRequest, BodyScene, FactsRequest } from './body-request.ts';

// Costs.
/** A scene that the rhythm does not ask for, and each photo that it shows more: a body of few scenes is dull. */
const OTHER_LAYOUT = 1;
const MORE_PHOTOS = 0.8;
/** Per photo by which the facts scene is off its place. */
const FACTS_OFF = 0.5;
/** A facts scene that shows photos of the opening again, although it should have its own. */
const FACTS_AGAIN = 1;

export interface PricedScene {
  readonly scene: BodyScene;
  readonly cost: number;
  /** What it costs as the scene of each number: the rhythm asks for one layout there. */
  readonly rhythmCosts: readonly number[];
  /** So many photos without words at once that few are seen. */
  readonly isPage: boolean;
  /** A photo alone in a window of the frame. */
  readonly isWindow: boolean;
}

export interface PricedFacts {
  readonly scene: BodyScene;
  /** Of its distance from its place, of showing photos again, and of its photos. */
  readonly offCost: number;
  readonly againCost: number;
  readonly photosCost: number;
}

/** The scenes that can show the next photos, by the number of photos shown before. */
export function priceScenes(request: BodyRequest): PricedScene[][] {
  const { photoCount } = request;
  const layouts = layoutsFor(request).map((layout) => ({
    layout,
    seats: SEATS[layout],
    rhythmCosts: Array.from({ length: photoCount }, (_, scene) => rhythmCost(request, scene, layout)),
  }));
  return Array.from({ length: photoCount }, (_, from) =>
    layouts
      .filter(({ seats }) => from + seats <= photoCount)
      .flatMap(({ layout, seats, rhythmCosts }) =>
        request
          .optionsOf(layout, from)
          .filter(({ cost }) => cost < Number.POSITIVE_INFINITY)
          .map(({ cost, ...option }) => ({
            cost,
            rhythmCosts,
            scene: { layout, from, photoCount: seats, ...option },
            isPage:
              seats >= request.pageSeats &&
              layout !== 'run' &&
              option.captions.every((caption) => caption === ''),
            isWindow: layout === 'single' && request.isWindow(from),
          })),
      ),
  );
}

/** The facts scenes that can come after so many photos: with none of the body, then with its own. */
export function priceFacts(facts: FactsRequest, photoCount: number): PricedFacts[][] {
  return Array.from({ length: photoCount + 1 }, (_, from) =>
    [...new Set([0, facts.photos])]
      .filter((own) => from + own <= photoCount)
      .map((own) => ({
        // Photos of the facts count as shown; the rhythm has no scene for them.
        scene: { layout: 'facts', from, photoCount: own, minSec: 0, captions: [] },
        offCost: FACTS_OFF * Math.abs(from - facts.before),
        againCost: own < facts.photos ? FACTS_AGAIN : 0,
        photosCost: facts.costOf(from, own),
      })),
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

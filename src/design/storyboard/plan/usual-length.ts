/** How long the body of a video usually lasts, by its number of photos: a curve that never falls. Pure. */
import type { RatioDesign } from '../../template/template.ts';
import { sum } from '../timing/limit-length.ts';
import { capOf, FACTS_AGAIN_SEC, hookSeconds, paceBody, rhythmOf } from '../timing/pacing.ts';
import type { PlanRequest } from './planned-scene.ts';

/** With fewer photos the facts scene shows the opening's again and takes none from the body. */
const OWN_FACTS_PHOTO_FROM = 9;
/** From this count on the facts scene takes all its photos from the body. */
const ALL_FACTS_PHOTOS_FROM = 14;
/** With fewer photos the opening takes most of them, and there is no rhythm. */
const FROM_PHOTOS = 5;
const TO_PHOTOS = 100;
/** The opening has the first photo; others of it come again in most bodies. */
export const OF_OPENING = 1;

type Basis = Pick<PlanRequest, 'hasFacts' | 'pace'> & { readonly beatSec: number | null };

/**
 * Seconds of a body of photos that suit every layout; null where the photos are too few for a rhythm.
 *
 * Each row of the pacing has its own rhythm, and with the first photo of a row the sum can fall by a third. The curve is
 * the nearest one, by least squares, that rises or stays level (pool adjacent violators).
 */
export function usualBodySec(design: RatioDesign, photoCount: number, basis: Basis): number | null {
  if (photoCount < FROM_PHOTOS) return null;
  const ofDesign = curves.get(design) ?? new Map<string, readonly number[]>();
  curves.set(design, ofDesign);
  const key = `${basis.hasFacts} ${basis.pace} ${basis.beatSec}`;
  let curve = ofDesign.get(key);
  if (curve === undefined) {
    const counts = Array.from({ length: TO_PHOTOS - FROM_PHOTOS + 1 }, (_, index) => FROM_PHOTOS + index);
    curve = withoutFalls(counts.map((count) => rhythmSec(design, count, basis)));
    ofDesign.set(key, curve);
  }
  return curve[Math.min(photoCount, TO_PHOTOS) - FROM_PHOTOS]!;
}

const curves = new WeakMap<RatioDesign, Map<string, readonly number[]>>();

/** By the rhythm of the row alone. */
export function rhythmSec(
  design: RatioDesign,
  photoCount: number,
  { hasFacts, pace, beatSec }: Basis,
): number {
  const { pacing } = design;
  const bodyPhotos = Math.max(1, photoCount - OF_OPENING);
  const reserved = hasFacts ? factsPhotosOf(design, photoCount, bodyPhotos) : 0;
  const { layouts } = rhythmOf(pacing, photoCount, bodyPhotos, reserved);
  const hookSec = sum(hookSeconds(pacing, pacing.hook?.cuts ?? 0, beatSec));
  const room = { ...pacing, capSec: capOf(pacing, photoCount) - hookSec };
  return sum(paceBody(room, layouts, { photoCount, hasFacts, pace, beatSec, isHurried: true }));
}

const SAY_FACTS: ReadonlySet<string> = new Set(['facts', 'facts-line', 'fact-cells']);

/** Seconds of the facts scene: fewer where an opening of the design says them too. */
export function factsSecOf({ pacing, scenes }: RatioDesign): number {
  const says = scenes.hero.some(({ elements }) =>
    elements.some(
      (element) =>
        SAY_FACTS.has(element.type) ||
        (element.type === 'stack' && element.items.some((item) => 'line' in item)),
    ),
  );
  return says ? Math.min(pacing.factsSec, pacing.factsAgainSec ?? FACTS_AGAIN_SEC) : pacing.factsSec;
}

/** How many photos only the facts scene shows; the body keeps at least one. */
export function factsPhotosOf({ factsPhotos }: RatioDesign, photoCount: number, bodyPhotos: number): number {
  if (photoCount < OWN_FACTS_PHOTO_FROM) return 0;
  const own = photoCount < ALL_FACTS_PHOTOS_FROM ? Math.min(1, factsPhotos) : factsPhotos;
  return Math.min(own, bodyPhotos - 1);
}

/** The numbers as a sequence that never falls: neighbors that fall become their mean. */
function withoutFalls(numbers: readonly number[]): number[] {
  const pools: { mean: number; count: number }[] = [];
  for (const number of numbers) {
    let pool = { mean: number, count: 1 };
    for (let last = pools.at(-1); last && last.mean > pool.mean; last = pools.at(-1)) {
      pools.pop();
      const count = last.count + pool.count;
      pool = { mean: (last.mean * last.count + pool.mean * pool.count) / count, count };
    }
    pools.push(pool);
  }
  return pools.flatMap(({ mean, count }) => Array<number>(count).fill(mean));
}

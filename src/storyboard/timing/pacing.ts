/** Applies a template's pacing table: how many photos each scene of the body shows and how long it lasts. Pure. */
import type { BodyLayout, Pacing, PacingRow } from '../../template/template.ts';
import { sum } from './keep-cap.ts';

/** Photos of a layout. */
export const SEATS: Readonly<Record<BodyLayout, number>> = { single: 1, pair: 2, three: 3, four: 4, six: 6 };
/** Largest first. */
export const BY_SIZE: readonly BodyLayout[] = ['six', 'four', 'three', 'pair', 'single'];

/** A scene of the body before it knows its photos. */
interface PacedScene {
  readonly layout: BodyLayout;
  readonly sec: number;
}

interface PacingRequest {
  /** Usable photos of the listing; picks the row. */
  readonly photoCount: number;
  /** Photos left for the body once the opening has taken its own. */
  readonly bodyPhotos: number;
  readonly hasFacts: boolean;
  /** Photos that only the facts scene shows; the last large scenes of the body become smaller by as many. */
  readonly reservedPhotos: number;
  /** Seconds are divided by it: 1.25 plays a quarter faster. */
  readonly pace: number;
}

/**
 * The scenes of the body, in order, without the facts scene.
 *
 * The body follows the cycle of the row for this photo count; its end takes the next smaller layout. A layout without a time
 * in the row lasts as long as a single. Over the template's cap all scenes shrink alike, none below `minSceneSec`. Without a
 * facts scene the body takes over its seconds.
 */
export function paceBody(pacing: Pacing, request: PacingRequest): PacedScene[] {
  const row = rowFor(pacing, request.photoCount);
  const layouts = toLayouts(row, request.bodyPhotos);
  const seconds = layouts.map((layout) => secondsOf(row, layout) * pacing.factor);
  giveUpSeats(layouts, request.reservedPhotos);
  const paced = seconds.map((sec) => sec / request.pace);
  const body = sum(paced);
  const targetSec = body + (request.hasFacts ? 0 : pacing.factsSec);
  const room =
    pacing.capSec - pacing.heroSec - pacing.endSec - (request.hasFacts ? pacing.factsSec / request.pace : 0);
  const stretched = body === 0 ? 1 : Math.min(stretchLimit(targetSec / body), room / body);
  const scale = scaleWithFloor(paced, stretched, pacing.minSceneSec);
  return layouts.map((layout, index) => ({
    layout,
    sec: Math.max(pacing.minSceneSec, paced[index]! * scale),
  }));
}

/** The scale at which the sum reaches `scale` times the total although no scene falls below the floor. */
function scaleWithFloor(seconds: readonly number[], scale: number, floor: number): number {
  const goal = sum(seconds) * scale;
  let fitting = scale;
  for (let turn = 0; turn < seconds.length; turn++) {
    const held = seconds.filter((sec) => sec * fitting < floor);
    const free = sum(seconds) - sum(held);
    const next = free > 0 ? (goal - held.length * floor) / free : fitting;
    if (Math.abs(next - fitting) < 1e-9 || next <= 0) break;
    fitting = next;
  }
  return fitting;
}

/** Index of the scene boundary nearest to this share of the body's time. */
export function positionAfter(scenes: readonly PacedScene[], share: number): number {
  const goal = sum(scenes.map((scene) => scene.sec)) * share;
  let best = { index: 0, distance: Number.POSITIVE_INFINITY };
  let elapsed = 0;
  for (let index = 1; index <= scenes.length; index++) {
    elapsed += scenes[index - 1]!.sec;
    const distance = Math.abs(elapsed - goal);
    if (distance < best.distance) best = { index, distance };
  }
  return best.index;
}

function rowFor(pacing: Pacing, photoCount: number): PacingRow {
  return pacing.rows.find((row) => photoCount <= row.maxPhotos) ?? pacing.rows.at(-1)!;
}

function secondsOf(row: PacingRow, layout: BodyLayout): number {
  return row.sec[layout] ?? row.sec.single ?? Math.min(...Object.values(row.sec));
}

function toLayouts(row: PacingRow, photos: number): BodyLayout[] {
  const layouts: BodyLayout[] = [];
  let left = photos;
  for (let turn = 0; left > 0; turn++) {
    const planned = row.cycle[turn % row.cycle.length]!;
    const layout = SEATS[planned] <= left ? planned : BY_SIZE.find((smaller) => SEATS[smaller] <= left)!;
    layouts.push(layout);
    left -= SEATS[layout];
  }
  return layouts;
}

/**
 * Removes as many photos from the layouts. Of several large scenes the last becomes one size smaller, so rhythm and time
 * stay; a lone large scene is kept, and the end of the body gives up the photo.
 */
function giveUpSeats(layouts: BodyLayout[], seats: number): void {
  for (let given = 0; given < seats && layouts.length > 0; ) {
    const large = layouts.flatMap((layout, index) => (SEATS[layout] > 2 ? [index] : []));
    const target = large.length > 1 ? large.at(-1)! : layouts.length - 1;
    const layout = layouts[target]!;
    if (layout === 'single') {
      layouts.pop();
      given++;
      continue;
    }
    const smaller = BY_SIZE[BY_SIZE.indexOf(layout) + 1]!;
    given += SEATS[layout] - SEATS[smaller];
    layouts[target] = smaller;
    // A six gives up two; where one is enough, a single takes the other.
    const single = layouts.lastIndexOf('single');
    if (given > seats && single >= 0) {
      layouts[single] = 'pair';
      given--;
    }
  }
}

/** A very short body with the facts scene's time would crawl. */
function stretchLimit(scale: number): number {
  return Math.min(scale, 1.4);
}

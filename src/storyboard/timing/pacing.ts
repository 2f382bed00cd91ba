/** How many photos each scene of the body shows and how long it lasts: the pacing table of a template, applied. Pure. */
import type { BodyLayout, Pacing, PacingRow } from '../../template/template.ts';
import { sum } from './keep-cap.ts';

/** Photos a layout seats. */
export const SEATS: Readonly<Record<BodyLayout, number>> = { single: 1, pair: 2, three: 3, four: 4, six: 6 };
/** Largest first. */
export const BY_SIZE: readonly BodyLayout[] = ['six', 'four', 'three', 'pair', 'single'];

/** A scene of the body before it knows its photos. */
export interface PacedScene {
  readonly layout: BodyLayout;
  readonly sec: number;
}

export interface PacingRequest {
  /** Usable photos of the listing; picks the row. */
  readonly photoCount: number;
  /** Photos left for the body once the opening has taken its own. */
  readonly bodyPhotos: number;
  readonly hasFacts: boolean;
  /** Photos that the facts scene shows and no other scene repeats; their seats are given up by the largest late scenes. */
  readonly reservedPhotos: number;
  /** Seconds are divided by it: 1.25 plays a quarter faster. */
  readonly pace: number;
}

/**
 * The scenes of the body, in order, without the facts scene.
 *
 * The cycle of the count's row is followed; what is left at the end takes the next smaller layout. A layout the row gives
 * no time for lasts as long as a single. Over the template's cap all scenes shrink alike, never under its least scene.
 * Without a facts scene its seconds are spread over the body.
 */
export function paceBody(pacing: Pacing, request: PacingRequest): PacedScene[] {
  const row = rowFor(pacing, request.photoCount);
  const layouts = toLayouts(row, request.bodyPhotos);
  const seconds = layouts.map((layout) => secondsOf(row, layout) * pacing.factor);
  giveUpSeats(layouts, request.reservedPhotos);
  const paced = seconds.map((sec) => sec / request.pace);
  const body = sum(paced);
  const wanted = body + (request.hasFacts ? 0 : pacing.factsSec);
  const room =
    pacing.capSec - pacing.heroSec - pacing.endSec - (request.hasFacts ? pacing.factsSec / request.pace : 0);
  const stretched = body === 0 ? 1 : Math.min(stretchLimit(wanted / body), room / body);
  const scale = scaleWithFloor(paced, stretched, pacing.minSceneSec);
  return layouts.map((layout, index) => ({
    layout,
    sec: Math.max(pacing.minSceneSec, paced[index]! * scale),
  }));
}

/** The scale under which the sum is as wanted although no scene falls under the floor; scenes above it give more. */
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

/** Before which scene of the body another stands that is to come after a share of its time: at the nearest boundary. */
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
    const wanted = row.cycle[turn % row.cycle.length]!;
    const layout = SEATS[wanted] <= left ? wanted : BY_SIZE.find((smaller) => SEATS[smaller] <= left)!;
    layouts.push(layout);
    left -= SEATS[layout];
  }
  return layouts;
}

/**
 * Of several large scenes the last becomes one size smaller: rhythm and time stay. Where only one large scene breaks the
 * rhythm it is kept, and the end of the film gives up the seat.
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
    // A six gives up two; where one was asked for, a single takes the other.
    const single = layouts.lastIndexOf('single');
    if (given > seats && single >= 0) {
      layouts[single] = 'pair';
      given--;
    }
  }
}

/** A facts scene's time given to a very short body would make it crawl. */
function stretchLimit(scale: number): number {
  return Math.min(scale, 1.4);
}

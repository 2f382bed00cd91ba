/** Where words on a photo that fills the frame cover least. A guess. Pure. */
import { overlaps } from '../box.ts';
import type { PhotoLight } from '../elements/scene-context.ts';
import { limitsOf } from '../frame-limits.ts';
import type { Box } from '../storyboard.ts';
import { type FramedPhoto, restingPart } from './fit-photo.ts';
import { plainShare } from './plain-share.ts';

/** Height of a caption on a phone, share of the frame's. */
const BAND = 0.1;
/** The lower place is in the middle of a phone: it must be calmer by so much. */
const HIGHER = 0.6;
/** Of a caption in a lower corner of a wide frame, shares of the frame. */
const CORNER = { w: 0.42, h: 0.26 };
/** Over a house at least, for a caption there: its roof is found where it is wide, share of the frame's height. */
const SKY = 0.2;
/** The same on a phone, whose words begin under the buttons of its apps. */
const SKY_OF_PHONE = 0.26;
/** One corner is calmer than the other by so much; captions else begin at the left, or change sides. */
const ASIDE = 0.1;
/** Captions name counters and basins, which are low in a room: its ceiling can have so much more detail. */
const CEILING = 0.25;
/** A corner is calm if words cost less in it. Measured on 26 photos of four houses: walls, carpets and bedspreads are. */
const CALM = 0.55;
/** For a band that lies on what matters. */
const COVERS = 0.5;
const AROUND_FOCUS = 0.05;

/**
 * On a phone `calm-above`: in the upper third rather than in the lower one; `calm-high`: in the sky over a house. In a
 * wide frame `calm-right` and `calm-left`: in that lower corner rather than in the other one; `calm-low`: at least one
 * of both is calm; `calm-above`: in the sky over a house; `calm-high`: at the upper left, in the sky or on a
 * ceiling, rather than in both lower corners.
 *
 * @param light - Absent: every band counts as calm.
 */
export function calmPlaces(
  photo: FramedPhoto,
  light: PhotoLight | undefined,
  frame: { readonly w: number; readonly h: number },
): readonly string[] {
  const costOf = costIn(photo, light, frame);
  if (frame.w > frame.h) {
    const [w, h] = [CORNER.w * frame.w, CORNER.h * frame.h];
    const low = frame.h - h;
    const [left, right] = [costOf({ x: 0, y: low, w, h }), costOf({ x: frame.w - w, y: low, w, h })];
    const [above, least] = [costOf({ x: 0, y: 0, w, h }), Math.min(left, right)];
    const isAbove = skyOver(photo, frame) >= SKY;
    const isHigh = photo.subject ? isAbove && above + ASIDE < least : above - CEILING < least;
    const isLeft = left + ASIDE < right;
    const isRight = right + ASIDE < left;
    return [
      ...(isAbove ? ['calm-above'] : []),
      ...(isHigh ? ['calm-high'] : []),
      ...(isLeft ? ['calm-left'] : []),
      ...(isRight ? ['calm-right'] : []),
      ...(least < CALM ? ['calm-low'] : []),
    ];
  }
  const { safe } = limitsOf(frame);
  const h = BAND * frame.h;
  const bandAt = (y: number): Box => ({ x: 0, y, w: frame.w, h });
  const isAbove = costOf(bandAt(safe.y)) <= costOf(bandAt(safe.y + safe.h - h)) + HIGHER;
  return [
    ...(isAbove ? ['calm-above'] : []),
    ...(skyOver(photo, frame) >= SKY_OF_PHONE ? ['calm-high'] : []),
  ];
}

/** From the upper edge of the frame that the photo fills to where its house is wide, share of the frame's height. */
function skyOver(photo: FramedPhoto, frame: { readonly w: number; readonly h: number }): number {
  if (photo.subject === undefined) return 0;
  const part = restingPart(photo, { x: 0, y: 0, ...frame });
  return (photo.subject.top - part.top) / part.height;
}

/** What words cost in a band of the frame that the photo fills: how little of it is plain, and what matters there. */
function costIn(
  photo: FramedPhoto,
  light: PhotoLight | undefined,
  frame: { readonly w: number; readonly h: number },
): (band: Box) => number {
  const whole: Box = { x: 0, y: 0, ...frame };
  return (band) =>
    (light ? 1 - plainShare(photo, light, whole, band) : 0) + (covers(photo, whole, band) ? COVERS : 0);
}

/** Whether the band lies on the photo's house, or on its focus where no house is known. */
function covers(photo: FramedPhoto, whole: Box, band: Box): boolean {
  const part = restingPart(photo, whole);
  const { focus } = photo;
  const {
    left,
    right,
    tip: top,
    bottom,
  } = photo.subject ?? {
    left: focus.x - AROUND_FOCUS,
    right: focus.x + AROUND_FOCUS,
    tip: focus.y - AROUND_FOCUS,
    bottom: focus.y + AROUND_FOCUS,
  };
  const [across, down] = [whole.w / part.width, whole.h / part.height];
  const matters = {
    x: (left - part.left) * across,
    y: (top - part.top) * down,
    w: (right - left) * across,
    h: (bottom - top) * down,
  };
  return overlaps(matters, band);
}

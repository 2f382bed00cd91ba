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
const HIGHER = 0.45;
/** Of a caption in a lower corner of a wide frame, shares of the frame. */
const CORNER = { w: 0.42, h: 0.26 };
/** Captions begin at the left; the right must be calmer by so much. */
const ASIDE = 0.1;
/** For a band that lies on what matters. */
const COVERS = 0.5;
const AROUND_FOCUS = 0.05;

/**
 * `calm-above` on a phone: in the upper third rather than in the lower one. `calm-right` in a wide frame: in the lower
 * right corner rather than in the left one.
 *
 * @param light - Absent: every band counts as calm.
 */
export function calmPlaces(
  photo: FramedPhoto,
  light: PhotoLight | undefined,
  frame: { readonly w: number; readonly h: number },
): readonly string[] {
  const whole: Box = { x: 0, y: 0, ...frame };
  const costOf = (band: Box) =>
    (light ? 1 - plainShare(photo, light, whole, band) : 0) + (covers(photo, whole, band) ? COVERS : 0);
  if (frame.w > frame.h) {
    const [w, h] = [CORNER.w * frame.w, CORNER.h * frame.h];
    const [left, right] = [0, frame.w - w].map((x): Box => ({ x, y: frame.h - h, w, h })) as [Box, Box];
    return costOf(right) + ASIDE < costOf(left) ? ['calm-right'] : [];
  }
  const { safe } = limitsOf(frame);
  const h = BAND * frame.h;
  const bandAt = (y: number): Box => ({ x: 0, y, w: frame.w, h });
  return costOf(bandAt(safe.y)) <= costOf(bandAt(safe.y + safe.h - h)) + HIGHER ? ['calm-above'] : [];
}

/** Of the height of a house, in the upper half of the frame: words there cover less of it than low. */
const LOW_HOUSE = 1 / 3;

/** `calm-above` in a wide frame: the house stands so low that the words of an opening belong in the sky over it. */
export function calmOpening(
  photo: FramedPhoto,
  frame: { readonly w: number; readonly h: number },
): readonly string[] {
  const { subject } = photo;
  if (!subject || frame.w < frame.h) return [];
  const part = restingPart(photo, { x: 0, y: 0, ...frame });
  const upper = part.top + part.height / 2 - subject.top;
  return upper < LOW_HOUSE * (subject.bottom - subject.top) ? ['calm-above'] : [];
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

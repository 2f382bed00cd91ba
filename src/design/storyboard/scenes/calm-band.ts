/** Where words on a photo that fills a phone cover least: high in the safe area, or low in it. A guess. Pure. */
import type { PhotoLight } from '../elements/scene-context.ts';
import { limitsOf } from '../frame-limits.ts';
import type { Box } from '../storyboard.ts';
import { type FramedPhoto, restingPart } from './fit-photo.ts';
import { plainShare } from './plain-share.ts';

/** Height of a caption, share of the frame's. */
const BAND = 0.1;
/** The lower place is in the middle of a phone: it must be calmer by so much. */
const HIGHER = 0.45;
/** For a band that lies on what matters, up and down. */
const COVERS = 0.5;
const AROUND_FOCUS = 0.05;

/** @param light - Absent: every band counts as calm. */
export function isCalmAbove(
  photo: FramedPhoto,
  light: PhotoLight | undefined,
  frame: { readonly w: number; readonly h: number },
): boolean {
  const { safe } = limitsOf(frame);
  const h = BAND * frame.h;
  const bandAt = (y: number): Box => ({ x: 0, y, w: frame.w, h });
  const whole: Box = { x: 0, y: 0, ...frame };
  const costOf = (band: Box) =>
    (light ? 1 - plainShare(photo, light, whole, band) : 0) + (covers(photo, whole, band) ? COVERS : 0);
  return costOf(bandAt(safe.y)) <= costOf(bandAt(safe.y + safe.h - h)) + HIGHER;
}

/** Whether the band lies on the photo's house, or on its focus where no house is known. */
function covers(photo: FramedPhoto, whole: Box, band: Box): boolean {
  const { top, height } = restingPart(photo, whole);
  const { subject, focus } = photo;
  const matters = subject ?? { top: focus.y - AROUND_FOCUS, bottom: focus.y + AROUND_FOCUS };
  const toFrame = (y: number) => ((y - top) / height) * whole.h;
  return toFrame(matters.top) < band.y + band.h && toFrame(matters.bottom) > band.y;
}

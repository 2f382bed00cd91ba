/**
 * `grade: gentle`: lifts dim photos, each by itself. Quiet on purpose: no photo may look filtered, and none gets another
 * color, because pixels cannot tell paint from light. Pure.
 *
 * Judged on 48 photos of an MLS (4 houses): most rooms get 0.2 to 0.5 stops.
 */

import { fractionalPower } from '../fractional-power.ts';
import type { Photo } from '../photo.ts';
import type { PhotoLight } from './elements/scene-context.ts';
import { lumaOf, mapChannels } from './palette.ts';
import type { KnownRoom } from './plan/rate-rooms.ts';
import { clamp } from './scenes/fit-photo.ts';
import type { Color, PhotoGrade, Scene } from './storyboard.ts';

export interface PhotoTone {
  /** Mean of the middle luma, in stops below white: 0 white, about -2 for a daylit room. */
  readonly stops: number;
}

/** What the grade of a photo depends on. */
export interface GradablePhoto extends Photo {
  readonly original?: Photo;
  readonly room?: KnownRoom;
  readonly isFloorPlan?: boolean;
}

/** By digest; undefined for a photo that stays as it is. */
export type GradeOf = (digest: string) => PhotoGrade | undefined;

/** A room this light needs no lift. */
const LIGHT_STOPS = -1.6;
/** Part of the way there that a photo goes. */
const SHARE = 0.6;
const MAX_LIFT_STOPS = 0.6;
/** Dusk stays dusk. */
const OUTSIDE_SHARE = 0.5;
/** A photo darker than this was meant to be: night, a cinema room. */
const DARK_STOPS = -3.8;
/** Less than this is not seen, and the photo stays as it is, byte for byte. */
const MIN_STOPS = 0.04;

/**
 * The grades of the listing's own photos, each measured when it is first asked for. An altered photo and its original
 * are compared: both get the lift of the (first) altered one.
 */
export function gradePhotos(
  photos: readonly GradablePhoto[],
  toneOf: (photo: Photo) => PhotoTone | undefined,
): GradeOf {
  const measured = new Map<string, GradablePhoto>();
  for (const photo of photos) {
    if (!photo.original) continue;
    const first = measured.get(photo.original.digest) ?? photo;
    measured.set(photo.original.digest, first).set(photo.digest, first);
  }
  for (const photo of photos) if (!measured.has(photo.digest)) measured.set(photo.digest, photo);
  const grades = new Map<GradablePhoto, PhotoGrade | undefined>();
  return (digest) => {
    const photo = measured.get(digest);
    if (photo === undefined || photo.isFloorPlan) return undefined;
    if (!grades.has(photo)) grades.set(photo, gradeOfTone(toneOf(photo), photo.room === 'outside'));
    return grades.get(photo);
  };
}

function gradeOfTone(tone: PhotoTone | undefined, isOutside: boolean): PhotoGrade | undefined {
  if (tone === undefined || tone.stops < DARK_STOPS) return undefined;
  const room = clamp((LIGHT_STOPS - tone.stops) * SHARE, 0, MAX_LIFT_STOPS);
  const stops = isOutside ? OUTSIDE_SHARE * room : room;
  // Rounded, so that equal photos get equal segment keys on every machine.
  return stops < MIN_STOPS ? undefined : { stops: Math.round(stops * 1e4) / 1e4 };
}

export function gradeScenes(scenes: readonly Scene[], gradeOf: GradeOf): readonly Scene[] {
  return scenes.map((scene) => ({
    ...scene,
    layers: scene.layers.map((layer) => {
      const grade = layer.type === 'photo' ? gradeOf(layer.digest) : undefined;
      return layer.type === 'photo' && grade !== undefined ? { ...layer, grade } : layer;
    }),
  }));
}

/** From this share of white on, saturation is no longer kept up: blown windows and lamps stay as they are. */
const FADE_FROM = 0.8;
/** More would show the noise of dark corners. */
const MAX_GAIN = 1.25;

/**
 * What a grade makes of a luma, 0 black to 1 white, and the gain of its chroma. Black and white stay where they are;
 * the middle moves by a power.
 */
export function gradedLuma(
  luma: number,
  { stops }: PhotoGrade,
): { readonly luma: number; readonly gain: number } {
  if (luma <= 0 || luma >= 1) return { luma, gain: 1 };
  // A stop doubles the light of the middle gray, whose code is 1/2: (1/2)^power = 1/2 * 2^(stops / 2.2).
  const lifted = fractionalPower(luma, 1 - stops / 2.2);
  const fade = clamp((luma - FADE_FROM) / (1 - FADE_FROM), 0, 1);
  return {
    luma: lifted,
    gain: 1 + (Math.min(MAX_GAIN, lifted / luma) - 1) * (1 - fade * fade * (3 - 2 * fade)),
  };
}

/** By light of a photo as it is: plans ask for it again and again, always with one grade. */
const graded = new WeakMap<PhotoLight, { readonly grade: PhotoGrade; readonly light: PhotoLight }>();

/** How light a graded photo is: words and colors beside it are chosen for what is seen. */
export function gradedLight(
  light: PhotoLight | undefined,
  grade: PhotoGrade | undefined,
): PhotoLight | undefined {
  if (light === undefined || grade === undefined) return light;
  const known = graded.get(light);
  if (known?.grade.stops === grade.stops) return known.light;
  const { edge, sides } = light;
  const lumas = Float32Array.from({ length: 256 }, (_, level) => gradedLuma(level / 255, grade).luma);
  const colorOf = (color: Color) => gradedColor(color, grade);
  const made = {
    ...light,
    luma: Float32Array.from(light.luma, (luma) => lumas[Math.round(255 * luma)]!),
    ...(edge && { edge: colorOf(edge) }),
    ...(sides && {
      sides: {
        top: colorOf(sides.top),
        bottom: colorOf(sides.bottom),
        left: colorOf(sides.left),
        right: colorOf(sides.right),
      },
    }),
  };
  graded.set(light, { grade, light: made });
  return made;
}

function gradedColor(color: Color, grade: PhotoGrade): Color {
  const own = lumaOf(color);
  const { luma, gain } = gradedLuma(own, grade);
  return mapChannels(color, (channel) => 255 * clamp(luma + gain * (channel / 255 - own), 0, 1));
}

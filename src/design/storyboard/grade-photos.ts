/**
 * `grade: gentle`: brings exposure and white balance of one listing's photos closer to each other. Quiet on purpose:
 * no photo may look filtered. Pure.
 *
 * Judged on 48 photos of an MLS (12 houses) and the 12 of the sample, before and after, side by side. The lift helps
 * dim rooms. The color cannot tell paint from light: yellow walls lost some of their yellow. So the default is
 * `none`.
 */

import { clamp } from './scenes/fit-photo.ts';
import type { PhotoGrade, Scene } from './storyboard.ts';

export interface PhotoTone {
  /** Mean of the middle luma, in stops below white: 0 white, about -2 for a daylit room. */
  readonly stops: number;
  /** Median chroma of what is nearly gray, as shares of the way from gray at white luma; 0 is neutral. */
  readonly blue: number;
  readonly red: number;
  /** Share of the photo that is nearly gray, 0 to 1. */
  readonly neutralShare: number;
}

/** Part of the way to the middle of the listing that a photo goes. */
const EXPOSURE_SHARE = 0.4;
const COLOR_SHARE = 0.4;
const MAX_LIFT_STOPS = 0.25;
/** A light room sells: it is hardly darkened. */
const MAX_DROP_STOPS = 0.08;
const MAX_GAIN = 0.03;
/** A photo this much darker than the middle of the listing was meant to be: dusk, night, a cinema room. */
const DARK_STOPS = -1.2;
/** Less than this is not seen, and the photo stays as it is, byte for byte. */
const MIN_STOPS = 0.04;
const MIN_GAIN = 0.006;
/** With less gray than this in a photo, its color is known only in part. */
const SURE_SHARE = 0.15;

/** By digest, as the tones of all photos of the listing are; absent where none is needed. Independent of the order. */
export function gradePhotos(tones: ReadonlyMap<string, PhotoTone>): Map<string, PhotoGrade> {
  const all = [...tones.values()];
  const grades = new Map<string, PhotoGrade>();
  if (all.length < 2) return grades;
  const middle = {
    stops: median(all.map(({ stops }) => stops)),
    blue: median(all.map(({ blue }) => blue)),
    red: median(all.map(({ red }) => red)),
  };
  for (const [digest, tone] of tones) {
    const away = tone.stops - middle.stops;
    if (away < DARK_STOPS) continue;
    const sureness = Math.min(1, tone.neutralShare / SURE_SHARE);
    const toward = (own: number, wanted: number) => {
      const gain = COLOR_SHARE * sureness * (wanted - own);
      // Only a cast is reduced, at most to neutral: white never gets the color of the other photos.
      const limit = Math.min(MAX_GAIN, Math.abs(own));
      return gain * own < 0 ? atLeast(clamp(gain, -limit, limit), MIN_GAIN) : 0;
    };
    const grade = {
      stops: atLeast(clamp(-EXPOSURE_SHARE * away, -MAX_DROP_STOPS, MAX_LIFT_STOPS), MIN_STOPS),
      blue: toward(tone.blue, middle.blue),
      red: toward(tone.red, middle.red),
    };
    if (grade.stops !== 0 || grade.blue !== 0 || grade.red !== 0) grades.set(digest, grade);
  }
  return grades;
}

function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const half = sorted.length / 2;
  return (sorted[Math.ceil(half) - 1]! + sorted[Math.floor(half)]!) / 2;
}

/** Rounded, so that equal photos get equal segment keys on every machine. */
function atLeast(value: number, least: number): number {
  return Math.abs(value) < least ? 0 : Math.round(value * 1e4) / 1e4;
}

export function gradeScenes(
  scenes: readonly Scene[],
  grades: ReadonlyMap<string, PhotoGrade>,
): readonly Scene[] {
  return scenes.map((scene) => ({
    ...scene,
    layers: scene.layers.map((layer) => {
      const grade = layer.type === 'photo' ? grades.get(layer.digest) : undefined;
      return layer.type === 'photo' && grade !== undefined ? { ...layer, grade } : layer;
    }),
  }));
}

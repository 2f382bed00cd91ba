/** The frame of a scene that stands for it: in posters, stills, and as the first frame of a video. Pure. */
import type { Scene, Track } from '../storyboard.ts';

/** From the start of a scene until its entrances are over: most of them, and all of them. */
export const MOSTLY_ENTERED_SEC = 0.9;
const ENTERED_SEC = 1.5;

/** A frame of the scene, from its start: what enters stands there, and nothing has left. */
export function posedFrame({ layers }: Pick<Scene, 'layers'>, fps: number): number {
  const leaves = layers
    .flatMap(({ tracks = [] }) => tracks.filter(isWayOut).map(({ startFrame }) => startFrame))
    .filter((frame) => frame > MOSTLY_ENTERED_SEC * fps);
  return Math.min(Math.round(ENTERED_SEC * fps), ...leaves);
}

/** Words that others replace are shown while they stand. */
export function isWayOut({ property, from, to }: Track): boolean {
  return property === 'opacity' ? to < from : property.startsWith('clip') ? to > from : to !== 0;
}

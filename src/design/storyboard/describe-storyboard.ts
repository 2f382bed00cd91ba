/** A storyboard in short, for `--dry-run` and the report: what plays when. Pure. */
import type { Scene, SceneKind, Storyboard } from './storyboard.ts';

interface SceneDescription {
  readonly id: string;
  readonly kind: SceneKind;
  /** Seconds of the video; a scene ends where the next one starts. */
  readonly startSec: number;
  readonly endSec: number;
  /** Texts a person can read, in painting order. */
  readonly texts: readonly string[];
  /** Digests, in painting order. */
  readonly photos: readonly string[];
  /** Kind of the transition out of the scene: `crossfade`, `push`, `match-zoom`, `cut` … */
  readonly transition: string;
}

/** One entry per scene, in playing order. */
export function describeStoryboard(storyboard: Storyboard): SceneDescription[] {
  let startFrame = 0;
  return storyboard.scenes.map((scene) => {
    const endFrame = startFrame + scene.durationFrames;
    const description = describeScene(scene, startFrame / storyboard.fps, endFrame / storyboard.fps);
    startFrame = endFrame;
    return description;
  });
}

function describeScene(scene: Scene, startSec: number, endSec: number): SceneDescription {
  return {
    id: scene.id,
    kind: scene.kind,
    startSec: round(startSec),
    endSec: round(endSec),
    texts: scene.layers.flatMap((layer) =>
      layer.type === 'text' && layer.reads !== '' ? [layer.reads] : [],
    ),
    photos: scene.layers.flatMap((layer) => (layer.type === 'photo' ? [layer.digest] : [])),
    transition: scene.transition.kind,
  };
}

function round(value: number): number {
  return Math.round(value * 1000) / 1000;
}

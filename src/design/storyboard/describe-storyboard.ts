/** A storyboard in short, for `--dry-run` and the report: what plays when. Pure. */
import type { Scene, SceneKind, Storyboard } from './storyboard.ts';

interface SceneDescription {
  readonly id: string;
  readonly kind: SceneKind;
  /** Seconds of the video; a scene ends where the next one starts. */
  readonly startSec: number;
  readonly endSec: number;
  readonly texts: readonly string[];
  readonly photos: readonly string[];
  readonly transition: string;
}

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

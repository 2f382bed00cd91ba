/**
 * A storyboard at half size and half frame rate, for drafts. It shows what the whole storyboard shows: the same photos,
 * lines, breaks and times. Nothing is laid out again. Pure.
 */
import type {
  Box,
  CameraPath,
  Layer,
  LayerMask,
  Scene,
  Storyboard,
  Track,
  Transition,
} from '../design/storyboard/storyboard.ts';

/** Frames per second of a draft. */
export const DRAFT_FPS = 15;

/**
 * Lengths in pixels and frames halved. Scenes and transitions last whole frames: each scene starts in the frame nearest to
 * its time, so that roundings do not add up. All other times keep their halves.
 */
export function toDraftStoryboard(storyboard: Storyboard): Storyboard {
  let endFrame = 0;
  return {
    ...storyboard,
    widthPx: storyboard.widthPx / 2,
    heightPx: storyboard.heightPx / 2,
    fps: DRAFT_FPS,
    scenes: storyboard.scenes.map((scene) => {
      const startFrame = endFrame;
      endFrame += scene.durationFrames;
      return halveScene(scene, Math.round(endFrame / 2) - Math.round(startFrame / 2));
    }),
  };
}

function halveScene(scene: Scene, durationFrames: number): Scene {
  return {
    ...scene,
    durationFrames,
    layers: scene.layers.map(halveLayer),
    transition: halveTransition(scene.transition),
  };
}

function halveLayer(layer: Layer): Layer {
  const base = {
    box: halveBox(layer.box),
    ...(layer.tracks ? { tracks: layer.tracks.map(halveTrack) } : {}),
    ...(layer.mask ? { mask: halveMask(layer.mask) } : {}),
  };
  switch (layer.type) {
    case 'photo':
      return { ...layer, ...base, camera: halveCamera(layer.camera) };
    case 'text':
      return {
        ...layer,
        ...base,
        style: { ...layer.style, sizePx: layer.style.sizePx / 2 },
        lines: halveLines(layer.lines),
        ...(layer.steps
          ? {
              steps: layer.steps.map((step) => ({
                ...step,
                startFrame: step.startFrame / 2,
                lines: halveLines(step.lines),
              })),
            }
          : {}),
      };
    case 'fill':
    case 'graphic':
    case 'mark':
      return { ...layer, ...base };
  }
}

function halveBox({ x, y, w, h }: Box): Box {
  return { x: x / 2, y: y / 2, w: w / 2, h: h / 2 };
}

function halveTrack(track: Track): Track {
  const scale = track.property === 'dx' || track.property === 'dy' ? 0.5 : 1;
  return {
    ...track,
    from: track.from * scale,
    to: track.to * scale,
    startFrame: track.startFrame / 2,
    endFrame: track.endFrame / 2,
  };
}

function halveMask(mask: LayerMask): LayerMask {
  return mask.shape === 'rounded' ? { ...mask, radiusPx: mask.radiusPx / 2 } : mask;
}

function halveCamera(camera: CameraPath): CameraPath {
  return { ...camera, startFrame: camera.startFrame / 2, endFrame: camera.endFrame / 2 };
}

function halveLines(lines: (Layer & { type: 'text' })['lines']): (Layer & { type: 'text' })['lines'] {
  return lines.map((line) => ({ ...line, xPx: line.xPx / 2, baselineYPx: line.baselineYPx / 2 }));
}

function halveTransition(transition: Transition): Transition {
  if (transition.kind === 'cut') return transition;
  const durationFrames = Math.max(1, Math.round(transition.durationFrames / 2));
  // Times within a transition keep their share of it.
  const scale = durationFrames / transition.durationFrames;
  switch (transition.kind) {
    case 'crossfade':
    case 'over':
      return { ...transition, durationFrames };
    case 'push':
      return { ...transition, durationFrames, gutterPx: transition.gutterPx / 2 };
    case 'wipe':
      return { ...transition, durationFrames, barPx: transition.barPx / 2 };
    case 'match-zoom':
    case 'aperture':
      return { ...transition, durationFrames, fadeFrames: transition.fadeFrames * scale };
    case 'dip':
      return { ...transition, durationFrames, outFrames: transition.outFrames * scale };
  }
}

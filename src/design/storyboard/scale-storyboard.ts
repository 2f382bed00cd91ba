/**
 * Size and frame rate of each quality, and a storyboard in them. It shows what the whole storyboard shows: the same
 * photos, lines, breaks and times. Nothing is laid out again. Pure.
 */
import type { Layer, PhotoLayer, Scene, Storyboard, TextLayer, Track, Transition } from './storyboard.ts';

/** `standard` is for delivery, `draft` for a quick look, `high` for masters. */
export type Quality = 'draft' | 'standard' | 'high';

/** Size against the layout's, and frames per second: a divisor of 48000, so that a frame has whole audio samples. */
const FORMATS: Readonly<Record<Quality, { readonly size: number; readonly fps: number }>> = {
  draft: { size: 0.5, fps: 15 },
  standard: { size: 1, fps: 30 },
  high: { size: 1, fps: 30 },
};

interface Scale {
  /** Factor of lengths in pixels. */
  readonly size: number;
  /** Factor of times in frames. */
  readonly time: number;
}

/**
 * The storyboard in the size and at the frame rate of a quality. Scenes and transitions last whole frames: each scene
 * starts in the frame nearest to its time, so that roundings do not add up. All other times keep their fractions.
 */
export function toQuality(storyboard: Storyboard, quality: Quality): Storyboard {
  const { size, fps } = FORMATS[quality];
  if (size === 1 && fps === storyboard.fps) return storyboard;
  const scale = { size, time: fps / storyboard.fps };
  let endFrame = 0;
  return {
    ...storyboard,
    widthPx: storyboard.widthPx * size,
    heightPx: storyboard.heightPx * size,
    fps,
    scenes: storyboard.scenes.map((scene): Scene => {
      const startFrame = endFrame;
      endFrame += scene.durationFrames;
      return {
        ...scene,
        durationFrames: Math.round(endFrame * scale.time) - Math.round(startFrame * scale.time),
        layers: scene.layers.map((layer) => scaleLayer(layer, scale)),
        transition: scaleTransition(scene.transition, scale),
      };
    }),
  };
}

function scaleLayer(layer: Layer, scale: Scale): Layer {
  const { size } = scale;
  const { x, y, w, h } = layer.box;
  const { tracks, mask } = layer;
  const base = {
    box: { x: x * size, y: y * size, w: w * size, h: h * size },
    ...(tracks ? { tracks: tracks.map((track) => scaleTrack(track, scale)) } : {}),
    ...(mask ? { mask: mask.shape === 'rounded' ? { ...mask, radiusPx: mask.radiusPx * size } : mask } : {}),
  };
  if (layer.type === 'photo') return { ...layer, ...base, camera: scaleCamera(layer.camera, scale) };
  if (layer.type !== 'text') return { ...layer, ...base };
  const steps = layer.steps?.map((step) => ({
    ...step,
    startFrame: step.startFrame * scale.time,
    lines: scaleLines(step.lines, scale),
  }));
  return {
    ...layer,
    ...base,
    style: { ...layer.style, sizePx: layer.style.sizePx * size },
    lines: scaleLines(layer.lines, scale),
    ...(steps ? { steps } : {}),
  };
}

function scaleTrack(track: Track, { size, time }: Scale): Track {
  const factor = track.property === 'dx' || track.property === 'dy' ? size : 1;
  return {
    ...track,
    from: track.from * factor,
    to: track.to * factor,
    startFrame: track.startFrame * time,
    endFrame: track.endFrame * time,
  };
}

function scaleCamera(camera: PhotoLayer['camera'], { time }: Scale): PhotoLayer['camera'] {
  return { ...camera, startFrame: camera.startFrame * time, endFrame: camera.endFrame * time };
}

function scaleLines(lines: TextLayer['lines'], { size }: Scale): TextLayer['lines'] {
  return lines.map((line) => ({ ...line, xPx: line.xPx * size, baselineYPx: line.baselineYPx * size }));
}

function scaleTransition(transition: Transition, { size, time }: Scale): Transition {
  if (transition.kind === 'cut') return transition;
  const durationFrames = Math.max(1, Math.round(transition.durationFrames * time));
  // Times within a transition keep their share of it.
  const share = durationFrames / transition.durationFrames;
  switch (transition.kind) {
    case 'crossfade':
    case 'over':
      return { ...transition, durationFrames };
    case 'push':
      return { ...transition, durationFrames, gutterPx: transition.gutterPx * size };
    case 'wipe':
      return { ...transition, durationFrames, barPx: transition.barPx * size };
    case 'match-zoom':
    case 'aperture':
      return { ...transition, durationFrames, fadeFrames: transition.fadeFrames * share };
    case 'dip':
      return { ...transition, durationFrames, outFrames: transition.outFrames * share };
  }
}

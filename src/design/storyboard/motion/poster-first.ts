/** One frame of the finished opening as the first of the video, for places that take it as the poster. Pure. */
import { LAYOUT_FPS, type Layer, type Scene } from '../storyboard.ts';
import { isWayOut, posedFrame } from './posed-frame.ts';

/** One frame of the finished opening ahead of all; the next scene gives it up, so that changes stay on their beats. */
export function withPosterFirst(scenes: readonly Scene[]): Scene[] {
  const opening = scenes.find(({ kind }) => kind === 'hero')!;
  const poster: Scene = {
    ...opening,
    id: 'scene-00-poster',
    kind: 'hook',
    durationFrames: 1,
    layers: opening.layers.filter((layer) => !comesLater(layer, posedFrame(opening, LAYOUT_FPS))).map(atRest),
    transition: { kind: 'cut', durationFrames: 0 },
  };
  const [next, ...others] = scenes;
  return [poster, { ...next!, durationFrames: next!.durationFrames - 1 }, ...others];
}

/** Whether it is to replace what stands in this frame. */
function comesLater({ tracks = [] }: Layer, frame: number): boolean {
  return tracks.some((track) => !isWayOut(track) && track.startFrame >= frame);
}

/** The layer as it stands when it has entered, halfway along the camera's way. */
function atRest({ tracks: _, ...layer }: Layer): Layer {
  if (layer.type === 'text') {
    const { steps, ...text } = layer;
    return { ...text, lines: steps?.at(-1)?.lines ?? text.lines };
  }
  if (layer.type !== 'photo') return layer;
  const { from, to } = layer.camera;
  const view = {
    cx: (from.cx + to.cx) / 2,
    cy: (from.cy + to.cy) / 2,
    span: Math.sqrt(from.span * to.span),
  };
  return { ...layer, camera: { from: view, to: view, startFrame: 0, endFrame: 1 } };
}

/** When altered photos and their originals are visible. Pure. In doubt a photo counts as visible. */
import type { AlteredPhoto, Box, PhotoLayer, Scene, Transition } from '../storyboard/storyboard.ts';
import type { FrameSpan, Timeline } from './timeline.ts';
import { trackValue } from './track-value.ts';

export interface AlteredSpans {
  readonly photo: AlteredPhoto;
  /** Ascending, apart from each other. */
  readonly spans: readonly FrameSpan[];
  /** Of the original, likewise; empty without one. */
  readonly originalSpans: readonly FrameSpan[];
}

/** @returns One for each altered photo of the storyboard, in its order. */
export function alteredSpans(timeline: Pick<Timeline, 'storyboard' | 'sceneSpans'>): AlteredSpans[] {
  const { altered } = timeline.storyboard;
  const wanted = new Set(altered.flatMap(({ digest, originalDigest }) => [digest, originalDigest ?? digest]));
  const found = wanted.size === 0 ? new Map<string, FrameSpan[]>() : findSpans(timeline, wanted);
  const spansOf = (digest: string | null) => (digest === null ? [] : (found.get(digest) ?? []));
  return altered.map((photo) => ({
    photo,
    spans: spansOf(photo.digest),
    originalSpans: spansOf(photo.originalDigest),
  }));
}

function findSpans(
  { storyboard, sceneSpans }: Pick<Timeline, 'storyboard' | 'sceneSpans'>,
  wanted: ReadonlySet<string>,
): Map<string, FrameSpan[]> {
  const { scenes, widthPx, heightPx } = storyboard;
  const page = { x: 0, y: 0, w: widthPx, h: heightPx };
  const frames = new Map<string, Set<number>>();
  scenes.forEach((scene, index) => {
    const photos = scene.layers.filter((layer): layer is PhotoLayer => layer.type === 'photo');
    if (!photos.some(({ digest }) => wanted.has(digest))) return;
    const { startFrame } = sceneSpans[index]!;
    const before = scenes[index - 1]?.transition ?? CUT;
    const after = index === scenes.length - 1 ? CUT : scene.transition;
    const seen = seenFrames(scene, before, after);
    for (let frame = seen.startFrame; frame < seen.endFrame; frame += 1) {
      const zoomed = zoomedLayer(scene, before, after, frame);
      photos.forEach((layer, at) => {
        if (!wanted.has(layer.digest)) return;
        if (layer.id !== zoomed && isHidden(layer, frame, page)) return;
        if (zoomed === null && photos.slice(at + 1).some((above) => covers(above, layer, frame))) return;
        frames.set(layer.digest, (frames.get(layer.digest) ?? new Set()).add(startFrame + frame));
      });
    }
  });
  return new Map([...frames].map(([digest, of]) => [digest, toSpans([...of].sort((a, b) => a - b))]));
}

const CUT: Transition = { kind: 'cut', durationFrames: 0 };

/** The scene frames in which something of the scene is painted, with the transitions into it and out of it. */
function seenFrames({ durationFrames }: Scene, before: Transition, after: Transition): FrameSpan {
  const goneAt = coveredAt(after) ?? after.durationFrames;
  return {
    startFrame: firstSeen(before) - before.durationFrames,
    endFrame: durationFrames - after.durationFrames + Math.ceil(goneAt),
  };
}

/** While a photo zooms into that of another scene, it is painted whatever its tracks say, and what covers it fades. */
function zoomedLayer(
  { durationFrames }: Scene,
  before: Transition,
  after: Transition,
  frame: number,
): string | null {
  if (before.kind === 'match-zoom' && frame < 0) return before.toLayerId;
  const isLeaving = frame >= durationFrames - after.durationFrames;
  return after.kind === 'match-zoom' && isLeaving ? after.fromLayerId : null;
}

/** In its first frame a transition has changed nothing yet; only layers that enter over the leaving scene can be there. */
function firstSeen(transition: Transition): number {
  return transition.kind === 'over' || transition.kind === 'cut'
    ? 0
    : Math.floor(coveredAt(transition) ?? 0) + 1;
}

/** The frame of a transition in which one color covers the screen; null where none does. */
function coveredAt(transition: Transition): number | null {
  if (transition.kind === 'dip') return transition.outFrames;
  return transition.kind === 'aperture' ? transition.fadeFrames : null;
}

/** True when the layer's own tracks leave nothing of it on the page. */
function isHidden(layer: PhotoLayer, frame: number, page: Box): boolean {
  const { box, clipFixed = false } = layer;
  const { opacity, dx, dy, left, top, right, bottom } = stateAt(layer, frame);
  if (opacity <= 0 || left + right >= 1 || top + bottom >= 1) return true;
  if (clipFixed && (Math.abs(dx) >= box.w || Math.abs(dy) >= box.h)) return true;
  const [x, y] = [box.x + dx, box.y + dy];
  return x >= page.w || y >= page.h || x + box.w <= 0 || y + box.h <= 0;
}

/** True when `above` is drawn whole, opaque and at rest in the box of `below`. */
function covers(above: PhotoLayer, below: PhotoLayer, frame: number): boolean {
  if (!isSame(above.box, below.box)) return false;
  if (above.mask !== undefined && JSON.stringify(above.mask) !== JSON.stringify(below.mask)) return false;
  const { opacity, dx, dy, left, top, right, bottom } = stateAt(above, frame);
  return opacity >= 1 && dx === 0 && dy === 0 && Math.max(left, top, right, bottom) <= 0;
}

function isSame(a: Box, b: Box): boolean {
  return a.x === b.x && a.y === b.y && a.w === b.w && a.h === b.h;
}

function stateAt({ tracks }: PhotoLayer, frame: number) {
  return {
    opacity: trackValue(tracks, 'opacity', frame, 1),
    dx: trackValue(tracks, 'dx', frame, 0),
    dy: trackValue(tracks, 'dy', frame, 0),
    left: trackValue(tracks, 'clipLeft', frame, 0),
    top: trackValue(tracks, 'clipTop', frame, 0),
    right: trackValue(tracks, 'clipRight', frame, 0),
    bottom: trackValue(tracks, 'clipBottom', frame, 0),
  };
}

/** @param frames - Ascending, each once. */
function toSpans(frames: readonly number[]): FrameSpan[] {
  const spans: { startFrame: number; endFrame: number }[] = [];
  for (const frame of frames) {
    const last = spans.at(-1);
    if (last?.endFrame === frame) last.endFrame += 1;
    else spans.push({ startFrame: frame, endFrame: frame + 1 });
  }
  return spans;
}

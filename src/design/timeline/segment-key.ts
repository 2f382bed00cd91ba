/** The key of a segment: a hash of everything its pixels and bits depend on, and of nothing else. */
import { createHash } from 'node:crypto';
import type { Layer, Scene, Storyboard } from '../storyboard/storyboard.ts';
import { layersSeenOnEntering } from './seen-on-entering.ts';
import type { FrameSpan } from './timeline.ts';

/**
 * SHA-256 (hex) over canonical JSON of the fingerprint, the size and rate of the frames, the number of frames, and
 * for every scene seen in the segment its layers, its transition and its start relative to the segment. Of a scene
 * that is only seen in the transition into it, only the layers visible there count.
 *
 * Two videos share a segment when its pixels are equal: the position in the video, scene ids, and facts about the
 * agent that show elsewhere play no part.
 */
export function segmentKey(
  storyboard: Storyboard,
  sceneSpans: readonly FrameSpan[],
  span: FrameSpan,
  fingerprint: string,
): string {
  const { scenes, widthPx, heightPx, fps } = storyboard;
  const seen: unknown[] = [];
  scenes.forEach((scene, index) => {
    const own = sceneSpans[index]!;
    const entering = scenes[index - 1]?.transition.durationFrames ?? 0;
    // A scene is seen from the first frame of the transition into it.
    const isSeen = own.startFrame - entering < span.endFrame && own.endFrame > span.startFrame;
    if (!isSeen) return;
    const leaves = own.endFrame - scene.transition.durationFrames < span.endFrame;
    const isEntering = own.startFrame >= span.endFrame;
    seen.push({
      startFrame: own.startFrame - span.startFrame,
      durationFrames: isEntering ? null : scene.durationFrames,
      look: lookOf(scene.background, isEntering ? layersSeenOnEntering(scene) : scene.layers),
      // The transition shows only when it lies inside the segment.
      transition: leaves ? scene.transition : null,
    });
  });
  const input = { fingerprint, widthPx, heightPx, fps, frames: span.endFrame - span.startFrame, seen };
  return createHash('sha256').update(canonicalJson(input)).digest('hex');
}

/** What the renderer uses of a scene: `reads` is not rendered. */
function lookOf(background: Scene['background'], layers: readonly Layer[]): unknown {
  return {
    background,
    layers: layers.map((layer) => {
      if (layer.type !== 'text') return layer;
      const { reads: _, ...look } = layer;
      return look;
    }),
  };
}

/** JSON with keys in alphabetical order and without absent properties: equal values give equal texts. */
export function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map((item) => canonicalJson(item ?? null)).join(',')}]`;
  if (typeof value === 'object' && value !== null) {
    const fields = Object.entries(value)
      .filter(([, field]) => field !== undefined)
      .sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0))
      .map(([name, field]) => `${JSON.stringify(name)}:${canonicalJson(field)}`);
    return `{${fields.join(',')}}`;
  }
  return JSON.stringify(value ?? null);
}

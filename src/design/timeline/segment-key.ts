/** The key of a segment: a hash of everything its pixels and bits depend on, and of nothing else. */
import { createHash } from 'node:crypto';
import type { Scene, Storyboard } from '../storyboard/storyboard.ts';
import { canonicalJson } from './canonical-json.ts';
import type { FrameSpan } from './timeline.ts';

/**
 * SHA-256 (hex) over canonical JSON of the fingerprint, the size and rate of the frames, and what they show: of a scene
 * that stands alone its layers; of a transition, in which parts of two scenes are seen, all that is drawn.
 *
 * Two videos share a segment when its pixels are equal: the position in the video, scene ids, and facts about the
 * agent that show elsewhere play no part.
 *
 * @param drawn - Digest of what the frames of the transition out of a scene show.
 */
export function segmentKey(
  storyboard: Storyboard,
  sceneSpans: readonly FrameSpan[],
  span: FrameSpan,
  drawn: (sceneIndex: number) => string,
  fingerprint: string,
): string {
  const { scenes, widthPx, heightPx, fps } = storyboard;
  const parts = scenes.flatMap((scene, index): unknown[] => {
    const own = sceneSpans[index]!;
    const isLast = index === scenes.length - 1;
    const leavesAt = own.endFrame - (isLast ? 0 : scene.transition.durationFrames);
    const [from, to] = [Math.max(span.startFrame, own.startFrame), Math.min(span.endFrame, leavesAt)];
    return [
      ...(from < to ? [{ ...lookOf(scene), from: from - own.startFrame, to: to - own.startFrame }] : []),
      // No cut lies within a transition.
      ...(leavesAt < own.endFrame && span.startFrame <= leavesAt && leavesAt < span.endFrame
        ? [drawn(index)]
        : []),
    ];
  });
  const hash = createHash('sha256').update(canonicalJson({ fingerprint, widthPx, heightPx, fps, parts }));
  return hash.digest('hex');
}

/** What is drawn of a scene that stands alone: `reads` is not. */
function lookOf({ background, layers }: Scene): object {
  return {
    background,
    layers: layers.map((layer) => {
      if (layer.type !== 'text') return layer;
      const { reads: _, ...look } = layer;
      return look;
    }),
  };
}

/** The types of a timeline: when each scene plays, and the segments that videos can share. */
import type { Storyboard } from '../storyboard/storyboard.ts';

/** Half-open, `[startFrame, endFrame)`, in frames of the video. */
export interface FrameSpan {
  readonly startFrame: number;
  readonly endFrame: number;
}

/**
 * A closed GOP, encoded once and joined by stream copy. `key` is the SHA-256 (hex) of everything its bytes depend on:
 * two segments with the same key are the same bytes.
 */
export interface Segment extends FrameSpan {
  readonly key: string;
  /** It is the beginning of this longer segment of another video, which has the key. */
  readonly of?: SegmentOf;
}

export interface SegmentOf {
  readonly timeline: Timeline;
  readonly segment: Segment;
}

/** The segment as it is encoded, in the video whose frames it has. */
export function encodedSegment(timeline: Timeline, segment: Segment): SegmentOf {
  return segment.of ?? { timeline, segment };
}

export interface Timeline {
  readonly storyboard: Storyboard;
  readonly sceneSpans: readonly FrameSpan[];
  /** Cover `[0, totalFrames)` without gap or overlap, ascending. */
  readonly segments: readonly Segment[];
  readonly totalFrames: number;
}

/** Renders and encodes the segments that are not in the cache, and takes posters and stills from their frames. */

import type { Segment, Timeline } from '../../design/timeline/timeline.ts';
import {
  type CameraMove,
  encodedFrames,
  encodeSegments,
  FADE_FRAMES,
  MoveRefused,
  toCameraMove,
} from '../../media/encode/encode-segments.ts';
import { fadingViews, leadingViews } from '../../media/render/leading-views.ts';
import { countRepeats, type RenderedFrame, type StillRequest } from '../../media/render/render-pool.ts';
import type { RenderDeps } from '../render-deps.ts';
import type { Quality } from '../video-task.ts';
import type { WantedFrame } from './frame-stills.ts';
import type { MakeDeps } from './make-deps.ts';

export interface SegmentRequest extends MakeDeps, Pick<RenderDeps, 'onMoveRefused'> {
  /** In the order of the agents. */
  readonly timelines: readonly Timeline[];
  readonly quality: Quality;
  /** Keys of the segments that are wanted. Absent: all. */
  readonly wanted?: ReadonlySet<string> | undefined;
  /** Chooses which of the missing segments are rendered here; null: all of them. Absent: all. */
  choose?(missing: readonly MissingSegment[]): Promise<ReadonlySet<string> | null>;
  /** The frames of a video that are also wanted as pictures, from those that are rendered here. */
  wantedFrames(timeline: Timeline): readonly WantedFrame[];
  /** Runs the rendering in a slot that all tasks of this process share. */
  limitRender<T>(work: (hasWaited: boolean) => Promise<T>): Promise<T>;
  onFrames(done: number, total: number): void;
  /** Counts and renders what is missing. Absent: {@link framesToRender} and {@link renderSegments}. */
  readonly renderer?: SegmentRenderer;
}

export interface SegmentRenderer {
  readonly framesToRender: typeof framesToRender;
  readonly renderSegments: typeof renderSegments;
}

/** A segment that is not in the cache, with the first timeline that shows it. */
export interface MissingSegment extends Segment {
  readonly timeline: Timeline;
}

interface PlannedSegment extends MissingSegment {
  /** Frames at its end that repeat the last rendered frame: they are neither rendered nor encoded. */
  readonly heldFrames: number;
  /** Of its first frames only some are rendered and encoded. */
  readonly move: CameraMove | undefined;
}

/** Number of frames that a segment costs: those that are rendered and encoded. */
export function framesToRender(segment: MissingSegment, photos: SegmentRequest['photos']): number {
  return renderedFrames(planSegment(segment, photos)).length;
}

function planSegment(segment: MissingSegment, photos: SegmentRequest['photos']): PlannedSegment {
  const heldFrames = heldFramesOf(segment, photos);
  const frames = segment.endFrame - segment.startFrame - heldFrames;
  const { storyboard } = segment.timeline;
  const fading = fadingViews(storyboard, segment);
  const move =
    fading.length > 0
      ? toCameraMove(fading, frames, FADE_FRAMES)
      : toCameraMove(leadingViews(storyboard, photos, segment), frames);
  return { ...segment, heldFrames, move };
}

/** Indexes in the video, ascending. */
function renderedFrames(segment: PlannedSegment): number[] {
  const { ofMove, ofRest } = encodedFrames(segment);
  const frames = new Set([...ofMove, ...ofRest]);
  return [...frames].map((frame) => segment.startFrame + frame);
}

function heldFramesOf(segment: MissingSegment, photos: SegmentRequest['photos']): number {
  return countRepeats(segment.timeline.storyboard, photos, segment);
}

/**
 * One encoder process per frame size, one after the other.
 *
 * @param folder - Existing; gets the segment files.
 * @param onSegment - Called as soon as a segment's file is complete.
 * @returns Number of rendered frames, without held ones.
 * @throws {@link ListingVideoError} `render_failed`, `encode_failed`, `disk_full`; the signal's reason.
 */
export async function renderSegments(
  missing: readonly MissingSegment[],
  folder: string,
  request: SegmentRequest,
  onSegment: (segment: MissingSegment, file: string) => Promise<void>,
): Promise<number> {
  const planned = missing.map((segment) => planSegment(segment, request.photos));
  const groups = groupBySize(planned).map(withUsualFrames);
  const meter = new FrameMeter(groups.flat(), request.onFrames);
  for (const group of groups) {
    const finished = new Set<string>();
    const encode = (segments: readonly PlannedSegment[]) => {
      const { widthPx, heightPx, fps } = segments[0]!.timeline.storyboard;
      return encodeSegments({
        ffmpeg: request.ffmpeg.path,
        format: { widthPx, heightPx, fps, quality: request.quality },
        frames: meter.count(renderAll(segments, request)),
        segments,
        outDir: folder,
        signal: request.signal,
        onSegment: async (segment, file) => {
          await onSegment(segment, file);
          finished.add(segment.key);
        },
      });
    };
    try {
      await encode(group);
    } catch (error) {
      if (!(error instanceof MoveRefused)) throw error;
      request.onMoveRefused?.(error.message);
      const left = group.filter(({ key }) => !finished.has(key)).map(withoutMove);
      meter.expect(left);
      await encode(left);
    }
  }
  return meter.done;
}

/** Frames of the segments in their order; neighbors in one timeline are one request. */
async function* renderAll(
  segments: readonly PlannedSegment[],
  { pool, wantedFrames, photos, graphics, signal }: SegmentRequest,
): AsyncGenerator<RenderedFrame> {
  let from = 0;
  while (from < segments.length) {
    const { timeline } = segments[from]!;
    let to = from;
    while (to < segments.length && segments[to]!.timeline === timeline) to += 1;
    const run = segments.slice(from, to);
    const requests = new Map(stillsIn(wantedFrames(timeline), run));
    const request = {
      timeline,
      photos,
      graphics,
      stills: [...requests.keys()],
      spans: run.flatMap(renderedFrames).map((frame) => ({ startFrame: frame, endFrame: frame + 1 })),
      onStill: (still: StillRequest, rgba: Uint8Array) => requests.get(still)!.take(rgba),
    };
    yield* pool.renderSpans(request, signal);
    from = to;
  }
}

/** Those that are rendered in `segments`; a held frame is taken from the last rendered one. */
function stillsIn(
  wanted: readonly WantedFrame[],
  segments: readonly PlannedSegment[],
): [StillRequest, WantedFrame][] {
  const rendered = new Set(segments.flatMap(renderedFrames));
  return wanted.flatMap((still): [StillRequest, WantedFrame][] => {
    const { frame, widthPx, heightPx } = still;
    const owner = segments.find(({ startFrame, endFrame }) => startFrame <= frame && frame < endFrame);
    if (owner === undefined) return [];
    const index = Math.min(frame, owner.endFrame - owner.heldFrames - 1);
    return rendered.has(index) ? [[{ index, widthPx, heightPx }, still]] : [];
  });
}

function groupBySize(segments: readonly PlannedSegment[]): PlannedSegment[][] {
  const groups = new Map<string, PlannedSegment[]>();
  for (const segment of segments) {
    const { widthPx, heightPx } = segment.timeline.storyboard;
    const size = `${widthPx}x${heightPx}`;
    groups.set(size, [...(groups.get(size) ?? []), segment]);
  }
  return [...groups.values()];
}

/** The usual encoder names the parameters of all streams, so it needs a segment. */
function withUsualFrames(segments: readonly PlannedSegment[]): readonly PlannedSegment[] {
  if (segments.some((segment) => encodedFrames(segment).ofRest.length > 0)) return segments;
  return segments.map((segment, n) => (n === 0 ? withoutMove(segment) : segment));
}

function withoutMove(segment: PlannedSegment): PlannedSegment {
  return { ...segment, move: undefined };
}

/** Reports how many frames have been rendered. */
class FrameMeter {
  done = 0;
  #total = 0;
  readonly #report: SegmentRequest['onFrames'];

  constructor(segments: readonly PlannedSegment[], report: SegmentRequest['onFrames']) {
    this.#report = report;
    this.expect(segments);
  }

  /** Besides what was expected before. */
  expect(segments: readonly PlannedSegment[]): void {
    this.#total += segments.reduce((sum, segment) => sum + renderedFrames(segment).length, 0);
  }

  async *count(frames: AsyncIterable<RenderedFrame>): AsyncGenerator<RenderedFrame> {
    for await (const frame of frames) {
      yield frame;
      this.done += 1;
      this.#report(this.done, this.#total);
    }
  }
}

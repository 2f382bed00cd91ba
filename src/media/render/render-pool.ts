/** Frames from worker threads: in order, a bounded number ahead, can be stopped. The entry point of this folder. */
import type { Graphic, Photo } from '../../design/photo.ts';
import type { TextRasterizer } from '../../design/text/text.ts';
import { createTextRasterizer } from '../../design/text/text-rasterizer.ts';
import type { FrameSpan, Timeline } from '../../design/timeline/timeline.ts';
import { ListingVideoError } from '../../platform/errors.ts';
import { totalFrames } from './compose/locate-frame.ts';
import { frameBytes } from './draw/yuv-image.ts';
import { assertEvenSides } from './frame-renderer.ts';
import { planFrames } from './plan-frames.ts';
import { RenderThread } from './render-thread.ts';
import { SpanJob } from './span-job.ts';
import { type SpanStills, type StillsOfSpans, toSpanStills } from './span-stills.ts';
import { StillJob } from './still-job.ts';
import { TextMasks } from './text-masks.ts';

export { countRepeats } from './plan-frames.ts';
export type { StillRequest } from './worker-messages.ts';

/** A frame, on loan from the pool. */
export interface RenderedFrame {
  /** Of the video. */
  readonly index: number;
  /** I420 without padding (Y, U, V; BT.709 limited range), in shared memory; good until `release`. */
  readonly data: Uint8Array;
  /** The frame yielded just before has the same bytes. */
  readonly sameAsPrevious: boolean;
  /** Returns the bytes to the pool, which runs dry after about 8 unreleased frames. A second call does nothing. */
  release(): void;
}

/** What frames are rendered from. Photos and graphics by digest. */
export interface RenderSources {
  readonly timeline: Timeline;
  readonly photos: ReadonlyMap<string, Photo>;
  readonly graphics: ReadonlyMap<string, Graphic>;
}

/** Frames to render in order. */
export interface RenderSpansRequest extends RenderSources, StillsOfSpans {
  /** Rendered in this order; gaps between them are allowed. */
  readonly spans: readonly FrameSpan[];
}

interface RenderStillsRequest extends RenderSources {
  /** Frame indexes of the video, in any order. */
  readonly frames: readonly number[];
  readonly size: { readonly widthPx: number; readonly heightPx: number };
}

/** A video whose stills are asked for one by one. */
export interface OpenStills {
  /**
   * As {@link RenderPool.renderStills}. Calls are answered in their order; after a failed one, later calls can succeed.
   *
   * @throws {@link ListingVideoError} `render_failed`; `cancelled` once it is closed.
   */
  render(index: number, size: RenderStillsRequest['size']): Promise<Uint8Array>;
  /** Frees its memory. */
  close(): void;
}

/** Renders frames in worker threads. */
export interface RenderPool {
  /**
   * Renders the frames of the spans, in order, ahead in the threads. One call at a time; `renderStills` can run
   * meanwhile.
   *
   * @throws {@link ListingVideoError} `render_failed`; the signal's reason, within the time of one frame.
   */
  renderSpans(
    request: RenderSpansRequest,
    signal?: AbortSignal,
  ): AsyncGenerator<RenderedFrame, void, undefined>;
  /**
   * Renders single frames as opaque sRGB RGBA without padding, scaled by area averaging, in the order of the request.
   *
   * @throws {@link ListingVideoError} `render_failed`; the signal's reason.
   */
  renderStills(request: RenderStillsRequest, signal?: AbortSignal): Promise<Uint8Array[]>;
  /** Ends all threads; a running request fails with `cancelled`. Frames on loan stay readable. */
  close(): Promise<void>;
}

export interface StillOpener {
  /** Stills of one video, asked for one by one. What they are painted with stays in a thread until `close`. */
  openStills(sources: RenderSources): OpenStills;
}

export interface RenderPoolOptions {
  /** Worker threads; default 1. Each holds the photos of the scenes in view, so memory grows with their number. */
  readonly threads?: number;
  /** Default: the one with the bundled fonts. */
  readonly rasterizer?: TextRasterizer;
  /** Bytes of photos that each thread keeps in memory after their use. Default 0. */
  readonly keptPhotoBytes?: number;
}

/** Finished frames that can wait for the encoder, over all threads. */
const SLOTS = 8;
/** Fewer are painted by one thread: each thread prepares photos and texts for itself. */
const FRAMES_OF_A_THREAD = 16;

/**
 * A pool of render threads, which start with the first job. Close it when done; idle, it does not keep the process
 * alive.
 */
export function createRenderPool(options: RenderPoolOptions = {}): RenderPool & StillOpener {
  const { rasterizer, keptPhotoBytes } = options;
  const threads = Array.from(
    { length: Math.max(1, options.threads ?? 1) },
    () => new RenderThread(keptPhotoBytes === undefined ? {} : { keptPhotoBytes }),
  );
  let loading: Promise<TextRasterizer> | undefined;
  const texts = new TextMasks(() => {
    loading ??= rasterizer === undefined ? createTextRasterizer() : Promise.resolve(rasterizer);
    return loading;
  });
  let nextJob = 1;
  let isBusy = false;
  let isClosed = false;

  const assertUsable = ({ timeline: { storyboard, totalFrames: expected } }: RenderSources): void => {
    if (isClosed) throw new ListingVideoError('internal_error', 'The render pool is closed.');
    assertEvenSides(storyboard.widthPx, storyboard.heightPx);
    if (totalFrames(storyboard) === expected) return;
    throw new ListingVideoError(
      'render_failed',
      `The timeline has ${expected} frames, its scenes have ${totalFrames(storyboard)}.`,
    );
  };

  const startJob = (
    request: RenderSpansRequest,
    frames: readonly number[],
    stills: SpanStills,
    used: readonly RenderThread[],
  ) => {
    const { storyboard } = request.timeline;
    return new SpanJob({
      job: nextJob++,
      storyboard,
      start: { photos: [...request.photos.values()], graphics: [...request.graphics.values()] },
      frames,
      stills: stills.requests,
      threads: used,
      slotsPerThread: Math.max(2, Math.ceil(SLOTS / used.length)),
      texts,
      frameBytes: frameBytes(storyboard.widthPx, storyboard.heightPx),
      onStill: stills.deliver,
    });
  };

  const startStills = ({ timeline, photos, graphics }: RenderSources) =>
    new StillJob({
      thread: threads[0] as RenderThread,
      texts,
      job: nextJob++,
      storyboard: timeline.storyboard,
      start: { photos: [...photos.values()], graphics: [...graphics.values()] },
    });

  return {
    async *renderSpans(request, signal) {
      assertUsable(request);
      signal?.throwIfAborted();
      if (isBusy)
        throw new ListingVideoError('internal_error', 'The render pool is rendering another run of frames.');
      isBusy = true;
      const planned = planFrames(request.timeline.storyboard, request.photos, request.spans);
      const painted = planned.filter((frame) => !frame.sameAsPrevious).map(({ index }) => index);
      const used = threads.slice(0, Math.max(1, Math.floor(painted.length / FRAMES_OF_A_THREAD)));
      const job = startJob(request, painted, toSpanStills(request, planned), used);
      const abort = (): void => job.fail(signal?.reason);
      signal?.addEventListener('abort', abort, { once: true });
      let current: Awaited<ReturnType<SpanJob['frame']>> | undefined;
      try {
        let position = 0;
        for (const { index, sameAsPrevious } of planned) {
          signal?.throwIfAborted();
          if (!sameAsPrevious || current === undefined) {
            // Release before waiting: with all slots on loan, the next frame may need this one.
            current?.release();
            current = undefined;
            current = await job.frame(position++);
          }
          yield lendFrame(current, index, sameAsPrevious);
        }
      } finally {
        signal?.removeEventListener('abort', abort);
        current?.release();
        job.end();
        isBusy = false;
      }
    },

    async renderStills(request, signal) {
      assertUsable(request);
      signal?.throwIfAborted();
      const job = startStills(request);
      const abort = (): void => job.fail(signal?.reason);
      signal?.addEventListener('abort', abort, { once: true });
      try {
        return await Promise.all(request.frames.map((index) => job.render(index, request.size)));
      } finally {
        signal?.removeEventListener('abort', abort);
        job.end();
      }
    },

    openStills(sources) {
      assertUsable(sources);
      let job = startStills(sources);
      let isClosed = false;
      return {
        render: (index, size) => {
          if (isClosed) return Promise.reject(new ListingVideoError('cancelled', 'The stills were closed.'));
          if (job.hasFailed) {
            job.end();
            job = startStills(sources);
          }
          return job.render(index, size);
        },
        close() {
          isClosed = true;
          job.fail(new ListingVideoError('cancelled', 'The stills were closed.'));
          job.end();
        },
      };
    },

    async close() {
      isClosed = true;
      await Promise.all(threads.map((thread) => thread.close()));
    },
  };
}

function lendFrame(
  slot: Awaited<ReturnType<SpanJob['frame']>>,
  index: number,
  sameAsPrevious: boolean,
): RenderedFrame {
  slot.hold();
  let isReleased = false;
  return {
    index,
    data: slot.data,
    sameAsPrevious,
    release() {
      if (isReleased) return;
      isReleased = true;
      slot.release();
    },
  };
}

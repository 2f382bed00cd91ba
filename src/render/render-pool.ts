/** Frames from worker threads: in order, a bounded number ahead, can be stopped. The entry point of this folder. */
import type { Graphic, Photo } from '../assets/photo.ts';
import { ListingVideoError } from '../errors.ts';
import type { TextRasteriser } from '../text/text.ts';
import { createTextRasteriser } from '../text/text-rasteriser.ts';
import type { FrameSpan, Timeline } from '../timeline/timeline.ts';
import { scenesOfFrame, totalFrames } from './compose/locate-frame.ts';
import { frameBytes } from './draw/yuv-image.ts';
import { assertEvenSides } from './frame-renderer.ts';
import type { KernelBackend } from './kernel/load-kernel.ts';
import { planFrames } from './plan-frames.ts';
import { RenderThread } from './render-thread.ts';
import { SpanJob } from './span-job.ts';
import { type SpanStills, type StillsOfSpans, toSpanStills } from './span-stills.ts';
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
interface RenderSources {
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

/** Renders frames in worker threads. */
export interface RenderPool {
  /**
   * Renders the frames of the spans, in order, ahead in the threads. One call at a time; `renderStills` can run meanwhile.
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
  /** Sentences for the report, for example when the slow kernel is used. Grows while rendering. */
  readonly warnings: readonly string[];
  /** Ends all threads; a running request fails with `cancelled`. Frames on loan stay readable. */
  close(): Promise<void>;
}

/** Options of {@link createRenderPool}. */
export interface RenderPoolOptions {
  /** Worker threads; default 1. Each holds the photos of the scenes in view, so memory grows with their number. */
  readonly threads?: number;
  /** Default: the one with the bundled fonts. */
  readonly rasteriser?: TextRasteriser;
  /** `typescript` for the slow kernel; default: the fastest available. */
  readonly backend?: KernelBackend;
}

/** Finished frames that can wait for the encoder, over all threads. */
const SLOTS = 8;
const SLOW_KERNEL =
  'The frame kernel runs without WebAssembly SIMD on this machine: rendering takes many times longer.';

/** A pool of render threads, which start with the first job. Close it when done; idle, it does not keep the process alive. */
export function createRenderPool(options: RenderPoolOptions = {}): RenderPool {
  const { backend, rasteriser } = options;
  const threads = Array.from(
    { length: Math.max(1, options.threads ?? 1) },
    () => new RenderThread(backend === undefined ? {} : { backend }),
  );
  let loading: Promise<TextRasteriser> | undefined;
  const texts = new TextMasks(() => {
    loading ??= rasteriser === undefined ? createTextRasteriser() : Promise.resolve(rasteriser);
    return loading;
  });
  const warnings: string[] = [];
  const addBackendWarning = (used: string): void => {
    if (used === 'typescript' && !warnings.includes(SLOW_KERNEL)) warnings.push(SLOW_KERNEL);
  };
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
      onBackend: addBackendWarning,
      onStill: stills.deliver,
    });
  };

  return {
    warnings,

    async *renderSpans(request, signal) {
      assertUsable(request);
      signal?.throwIfAborted();
      if (isBusy)
        throw new ListingVideoError('internal_error', 'The render pool is rendering another run of frames.');
      isBusy = true;
      const planned = planFrames(request.timeline.storyboard, request.photos, request.spans);
      const painted = planned.filter((frame) => !frame.sameAsPrevious).map(({ index }) => index);
      const job = startJob(request, painted, toSpanStills(request, planned), threads);
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
      return renderStills(threads[0] as RenderThread, texts, nextJob++, request, addBackendWarning, signal);
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

/** A separate job on one thread: renders one frame at a time into one slot and scales it there. */
async function renderStills(
  thread: RenderThread,
  texts: TextMasks,
  job: number,
  { timeline: { storyboard }, photos, graphics, frames, size }: RenderStillsRequest,
  onBackend: (backend: string) => void,
  signal: AbortSignal | undefined,
): Promise<Uint8Array[]> {
  const stop = new SharedArrayBuffer(4);
  const stills: Uint8Array[] = [];
  const { promise, resolve, reject } = withResolvers<void>();
  const abort = (): void => reject(signal?.reason);
  signal?.addEventListener('abort', abort, { once: true });
  thread.start(
    {
      type: 'start',
      job,
      storyboard,
      photos: [...photos.values()],
      graphics: [...graphics.values()],
      frames,
      stills: [],
      slots: 1,
      stop,
    },
    {
      onFailure: reject,
      onMessage(message) {
        if (message.type === 'started') onBackend(message.backend);
        if (message.type !== 'still') return;
        stills.push(message.rgba);
        if (stills.length === frames.length) resolve();
      },
    },
  );
  const ask = async (): Promise<void> => {
    const scenes = new Set(frames.flatMap((index) => scenesOfFrame(storyboard, index)));
    for (const scene of scenes) {
      thread.post({ type: 'texts', job, texts: await texts.ofScene(storyboard, scene) });
    }
    for (const index of frames) thread.post({ type: 'still', job, index, ...size });
    if (frames.length === 0) resolve();
  };
  ask().catch(reject);
  try {
    await promise;
    return stills;
  } finally {
    signal?.removeEventListener('abort', abort);
    Atomics.store(new Int32Array(stop), 0, 1);
    thread.post({ type: 'end', job });
  }
}

/** `Promise.withResolvers`, which Node 20 lacks. */
function withResolvers<T>() {
  let resolve!: (value: T) => void;
  let reject!: (error: unknown) => void;
  const promise = new Promise<T>((yes, no) => {
    [resolve, reject] = [yes, no];
  });
  return { promise, resolve, reject };
}

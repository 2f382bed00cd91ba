/** The render thread: handles the messages of worker-messages.ts in order. Started by frame-worker-entry.js. */
import { type MessagePort, parentPort, workerData } from 'node:worker_threads';
import type { Storyboard } from '../../design/storyboard/storyboard.ts';
import type { AlphaMask } from '../../design/text/text.ts';
import { ListingVideoError } from '../../platform/errors.ts';
import { scenesOfFrame } from './compose/locate-frame.ts';
import { FrameRenderer } from './frame-renderer.ts';
import { type Kernel, loadKernel } from './kernel/load-kernel.ts';
import { PhotoPlaneStore } from './photos/photo-planes.ts';
import { StillScaler } from './still-scaler.ts';
import type {
  FromRenderThread,
  RenderThreadData,
  SentError,
  StillRequest,
  ToRenderThread,
} from './worker-messages.ts';

interface Job {
  readonly storyboard: Storyboard;
  readonly renderer: FrameRenderer;
  readonly texts: Map<string, AlphaMask>;
  readonly frames: readonly number[];
  readonly slots: readonly number[];
  readonly stop: Int32Array;
  readonly stills: readonly StillRequest[];
  /** By the size they scale to. */
  readonly scalers: Map<string, StillScaler>;
  /** The scenes of the last rendered frame, joined. */
  window: string;
}

/** What all jobs of the thread share. */
interface RenderDeps {
  readonly kernel: Kernel;
  readonly planes: PhotoPlaneStore;
}

const jobs = new Map<number, Job>();

function start(
  { kernel, planes }: RenderDeps,
  message: ToRenderThread & { type: 'start' },
): FromRenderThread {
  const texts = new Map<string, AlphaMask>();
  const { storyboard, frames, stills, stop } = message;
  const renderer = new FrameRenderer(kernel, planes, storyboard, {
    photos: new Map(message.photos.map((photo) => [photo.digest, photo])),
    graphics: new Map(message.graphics.map((graphic) => [graphic.digest, graphic])),
    texts,
  });
  const slots = Array.from({ length: message.slots }, () => kernel.memory.allocate(renderer.frameBytes));
  jobs.set(message.job, {
    storyboard,
    renderer,
    texts,
    frames,
    stills,
    slots,
    stop: new Int32Array(stop),
    scalers: new Map(),
    window: '',
  });
  const { buffer } = kernel.memory.wasmMemory;
  return { type: 'started', job: message.job, buffer, slots };
}

/** Renders a frame into a slot; when its scenes are new, starts to load the photos of the next scenes. */
async function render(job: Job, index: number, slot: number): Promise<void> {
  const { renderer, storyboard, frames } = job;
  await renderer.prepare(index);
  const window = scenesOfFrame(storyboard, index).join();
  if (window !== job.window) {
    job.window = window;
    const next = frames
      .slice(frames.indexOf(index))
      .find((frame) => scenesOfFrame(storyboard, frame).join() !== window);
    if (next !== undefined) renderer.prepareAhead(next);
  }
  renderer.render(index, job.slots[slot] as number);
}

function sendStill(
  kernel: Kernel,
  jobId: number,
  job: Job,
  { index, widthPx, heightPx }: StillRequest,
  slot: number,
  port: MessagePort,
): void {
  const size = `${widthPx}x${heightPx}`;
  const scaler = job.scalers.get(size) ?? new StillScaler(kernel, job.storyboard, { widthPx, heightPx });
  job.scalers.set(size, scaler);
  const rgba = scaler.toRgba(job.slots[slot] as number);
  const answer: FromRenderThread = { type: 'still', job: jobId, index, widthPx, heightPx, rgba };
  port.postMessage(answer, [rgba.buffer]);
}

function end(kernel: Kernel, jobId: number): void {
  const job = jobs.get(jobId);
  if (job === undefined) return;
  jobs.delete(jobId);
  job.renderer.dispose();
  for (const scaler of job.scalers.values()) scaler.free();
  for (const slot of job.slots) kernel.memory.free(slot);
}

async function handle(deps: RenderDeps, message: ToRenderThread, port: MessagePort): Promise<void> {
  if (message.type === 'start') {
    port.postMessage(start(deps, message));
    return;
  }
  if (message.type === 'end') {
    end(deps.kernel, message.job);
    return;
  }
  const job = jobs.get(message.job);
  if (job === undefined || Atomics.load(job.stop, 0) !== 0) return;
  if (message.type === 'texts') {
    for (const [key, mask] of message.texts) job.texts.set(key, mask);
  } else if (message.type === 'render') {
    await render(job, message.index, message.slot);
    const { position, slot } = message;
    for (const still of job.stills) {
      if (still.index === message.index) sendStill(deps.kernel, message.job, job, still, slot, port);
    }
    port.postMessage({ type: 'rendered', job: message.job, position, slot } satisfies FromRenderThread);
  } else {
    await render(job, message.index, 0);
    sendStill(deps.kernel, message.job, job, message, 0, port);
  }
}

function toSentError(error: unknown): SentError {
  const { message, stack } = error instanceof Error ? error : new Error(String(error));
  const { hint, context } =
    error instanceof ListingVideoError ? error : { hint: undefined, context: undefined };
  return { message, stack, hint, context };
}

if (parentPort !== null) {
  const port = parentPort;
  const data = workerData as RenderThreadData;
  const deps = loadKernel().then(
    (kernel): RenderDeps => ({ kernel, planes: new PhotoPlaneStore(kernel, data.keptPhotoBytes) }),
  );
  // Each message reports it.
  deps.catch(() => {});
  let queue: Promise<void> = Promise.resolve();
  port.on('message', (message: ToRenderThread) => {
    queue = queue.then(async () => {
      try {
        await handle(await deps, message, port);
      } catch (error) {
        const failed: FromRenderThread = { type: 'failed', job: message.job, error: toSentError(error) };
        port.postMessage(failed);
      }
    });
  });
}

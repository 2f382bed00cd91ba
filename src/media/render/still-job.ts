/**
 * Single frames of one video as small images, made by one thread. What they are painted with stays there between
 * requests.
 */
import type { Storyboard } from '../../design/storyboard/storyboard.ts';
import { scenesOfFrame } from './compose/locate-frame.ts';
import type { Size } from './photos/sharp-pixels.ts';
import type { RenderThread } from './render-thread.ts';
import type { TextMasks } from './text-masks.ts';
import type { ToRenderThread } from './worker-messages.ts';

interface StillJobRequest {
  readonly thread: RenderThread;
  readonly texts: TextMasks;
  readonly job: number;
  readonly storyboard: Storyboard;
  readonly start: Pick<ToRenderThread & { type: 'start' }, 'photos' | 'graphics'>;
}

interface Waiter {
  resolve(rgba: Uint8Array): void;
  reject(error: unknown): void;
}

/** Renders one frame at a time into one slot and scales it there. */
export class StillJob {
  readonly #request: StillJobRequest;
  readonly #stop = new SharedArrayBuffer(4);
  readonly #textsSent = new Set<number>();
  /** In the order of the requests to the thread, which answers in that order. */
  readonly #waiters: Waiter[] = [];
  #failure: { readonly error: unknown } | undefined;

  constructor(request: StillJobRequest) {
    this.#request = request;
    const { thread, job, storyboard, start } = request;
    thread.start(
      { type: 'start', job, storyboard, ...start, frames: [], stills: [], slots: 1, stop: this.#stop },
      {
        onFailure: (error) => this.fail(error),
        onMessage: (message) => {
          if (message.type === 'still') this.#waiters.shift()?.resolve(message.rgba);
        },
      },
    );
  }

  /** True after a failure: every further call fails too. */
  get hasFailed(): boolean {
    return this.#failure !== undefined;
  }

  /** A frame as opaque sRGB RGBA without padding. Several calls are answered in their order. */
  async render(index: number, { widthPx, heightPx }: Size): Promise<Uint8Array> {
    const { thread, texts, job, storyboard } = this.#request;
    for (const scene of scenesOfFrame(storyboard, index)) {
      if (this.#textsSent.has(scene)) continue;
      const masks = await texts.ofScene(storyboard, scene);
      this.#textsSent.add(scene);
      thread.post({ type: 'texts', job, texts: masks });
    }
    return new Promise((resolve, reject) => {
      if (this.#failure !== undefined) {
        reject(this.#failure.error);
        return;
      }
      this.#waiters.push({ resolve, reject });
      thread.post({ type: 'still', job, index, widthPx, heightPx });
    });
  }

  /** Waiting calls get `error`. */
  fail(error: unknown): void {
    if (this.#failure !== undefined) return;
    this.#failure = { error };
    for (const { reject } of this.#waiters.splice(0)) reject(error);
  }

  /** Frees its memory. Waiting calls never end: let them end, or `fail` before. */
  end(): void {
    Atomics.store(new Int32Array(this.#stop), 0, 1);
    this.#request.thread.post({ type: 'end', job: this.#request.job });
  }
}

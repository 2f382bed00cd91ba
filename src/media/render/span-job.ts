/** One run of frames over the render threads: hands out slots, keeps the order, counts the readers of each frame. */
import type { Storyboard } from '../../design/storyboard/storyboard.ts';
import { scenesOfFrame } from './compose/locate-frame.ts';
import type { RenderThread } from './render-thread.ts';
import type { TextMasks } from './text-masks.ts';
import type { StillRequest, ToRenderThread } from './worker-messages.ts';

/** A finished frame in a thread's memory; it does not change while it has readers. */
interface FilledSlot {
  readonly data: Uint8Array;
  hold(): void;
  /** The last release frees the slot for another frame. */
  release(): void;
}

interface Lane {
  readonly thread: RenderThread;
  /** Frames of this thread, with their positions in the request. */
  readonly frames: readonly { readonly index: number; readonly position: number }[];
  readonly freeSlots: number[];
  readonly textsSent: Set<number>;
  buffer: SharedArrayBuffer | undefined;
  addresses: readonly number[];
  /** Called when a slot is free again or the job has ended. */
  wake: () => void;
}

interface Waiter {
  resolve(slot: FilledSlot): void;
  reject(error: unknown): void;
}

interface SpanJobRequest {
  readonly job: number;
  readonly storyboard: Storyboard;
  readonly start: Pick<ToRenderThread & { type: 'start' }, 'photos' | 'graphics'>;
  /** Frames to paint, in order; frame k goes to thread k modulo their number. */
  readonly frames: readonly number[];
  /** Stills of some of `frames`. */
  readonly stills: readonly StillRequest[];
  readonly threads: readonly RenderThread[];
  readonly slotsPerThread: number;
  readonly texts: TextMasks;
  readonly frameBytes: number;
  /** Called before the frame of the still is handed out. */
  onStill(still: StillRequest, rgba: Uint8Array): void;
}

/** A run of frames, made by all threads in parallel and handed out in order. */
export class SpanJob {
  readonly #request: SpanJobRequest;
  readonly #lanes: readonly Lane[];
  readonly #stop = new Int32Array(new SharedArrayBuffer(4));
  readonly #filled = new Map<number, FilledSlot>();
  readonly #waiters = new Map<number, Waiter>();
  #failure: { readonly error: unknown } | undefined;
  #readers = 0;
  #hasEnded = false;

  constructor(request: SpanJobRequest) {
    this.#request = request;
    const { threads, frames, slotsPerThread } = request;
    this.#lanes = threads.map((thread, n) => ({
      thread,
      frames: frames
        .map((index, position) => ({ index, position }))
        .filter(({ position }) => position % threads.length === n),
      freeSlots: Array.from({ length: slotsPerThread }, (_, slot) => slot),
      textsSent: new Set(),
      buffer: undefined,
      addresses: [],
      wake: () => {},
    }));
    for (const lane of this.#lanes) {
      if (lane.frames.length > 0) this.#start(lane);
    }
  }

  /** Waits for the frame at `position` of the request's `frames`. The caller is its first reader. */
  frame(position: number): Promise<FilledSlot> {
    return new Promise((resolve, reject) => {
      if (this.#failure !== undefined) {
        reject(this.#failure.error);
        return;
      }
      const slot = this.#filled.get(position);
      this.#filled.delete(position);
      if (slot !== undefined) resolve(slot);
      else this.#waiters.set(position, { resolve, reject });
    });
  }

  /** Stops the threads within the time of a frame; all waiting calls get `error`. */
  fail(error: unknown): void {
    if (this.#failure !== undefined || this.#hasEnded) return;
    this.#failure = { error };
    Atomics.store(this.#stop, 0, 1);
    for (const { reject } of this.#waiters.values()) reject(error);
    this.#waiters.clear();
    for (const lane of this.#lanes) lane.wake();
  }

  /** Ends the run. Memory is freed when the last frame on loan is released. */
  end(): void {
    if (this.#hasEnded) return;
    Atomics.store(this.#stop, 0, 1);
    this.#hasEnded = true;
    for (const lane of this.#lanes) lane.wake();
    for (const slot of this.#filled.values()) slot.release();
    this.#filled.clear();
    this.#finishWhenRead();
  }

  #start(lane: Lane): void {
    const { job, storyboard, start, stills, slotsPerThread, onStill } = this.#request;
    const frames = lane.frames.map(({ index }) => index);
    lane.thread.start(
      {
        type: 'start',
        job,
        storyboard,
        ...start,
        frames,
        stills: stills.filter(({ index }) => frames.includes(index)),
        slots: slotsPerThread,
        stop: this.#stop.buffer as SharedArrayBuffer,
      },
      {
        onFailure: (error) => this.fail(error),
        onMessage: (message) => {
          if (message.type === 'started') {
            lane.buffer = message.buffer;
            lane.addresses = message.slots;
            this.#feed(lane).catch((error) => this.fail(error));
          } else if (message.type === 'rendered') {
            this.#fill(lane, message.position, message.slot);
          } else if (!this.#isOver) {
            onStill(message, message.rgba);
          }
        },
      },
    );
  }

  /** Requests frames from a thread as slots become free. */
  async #feed(lane: Lane): Promise<void> {
    const { job } = this.#request;
    for (const { index, position } of lane.frames) {
      while (lane.freeSlots.length === 0 && !this.#isOver) {
        await new Promise<void>((resolve) => {
          lane.wake = resolve;
        });
      }
      if (!this.#isOver) await this.#sendTexts(lane, index);
      if (this.#isOver) return;
      const slot = lane.freeSlots.shift() as number;
      lane.thread.post({ type: 'render', job, index, position, slot });
    }
  }

  async #sendTexts(lane: Lane, frameIndex: number): Promise<void> {
    const { job, storyboard, texts } = this.#request;
    for (const scene of scenesOfFrame(storyboard, frameIndex)) {
      if (lane.textsSent.has(scene)) continue;
      lane.textsSent.add(scene);
      const masks = await texts.ofScene(storyboard, scene);
      if (masks.length > 0) lane.thread.post({ type: 'texts', job, texts: masks });
    }
  }

  #fill(lane: Lane, position: number, slot: number): void {
    const { frameBytes } = this.#request;
    const data = new Uint8Array(lane.buffer as SharedArrayBuffer, lane.addresses[slot], frameBytes);
    let readers = 1;
    this.#readers += 1;
    const filled: FilledSlot = {
      data,
      hold: () => {
        readers += 1;
      },
      release: () => {
        readers -= 1;
        if (readers !== 0) return;
        this.#readers -= 1;
        lane.freeSlots.push(slot);
        lane.wake();
        this.#finishWhenRead();
      },
    };
    if (this.#isOver) {
      filled.release();
      return;
    }
    const waiter = this.#waiters.get(position);
    this.#waiters.delete(position);
    if (waiter !== undefined) waiter.resolve(filled);
    else this.#filled.set(position, filled);
  }

  get #isOver(): boolean {
    return this.#failure !== undefined || this.#hasEnded;
  }

  #finishWhenRead(): void {
    if (!this.#hasEnded || this.#readers > 0) return;
    for (const { thread } of this.#lanes) thread.post({ type: 'end', job: this.#request.job });
  }
}

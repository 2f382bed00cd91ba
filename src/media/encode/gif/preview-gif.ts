/** Makes preview GIFs from scenes, in a worker thread so that the caller stays responsive. */
import { Worker } from 'node:worker_threads';
import { ListingVideoError } from '../../../platform/errors.ts';
import { liveWhile } from '../../../platform/liveness.ts';
import { codeFile } from '../../../platform/program-files.ts';
import { GIF_STEPS, type GifScene, joinGifScenes } from './encode-gif.ts';

/** 4 MB, which e-mail programs and portals still show inline. */
const MAX_BYTES = 4_000_000;
/** A scene takes a fifth of a second; a slow and busy machine takes a hundred times as long. */
const LONGEST_MS = 60_000;

/** Part of the key of a cached scene. Raise it when the same frames give other blocks. */
export const PREVIEW_VERSION = 3;

export interface GifRequest extends Pick<GifScene, 'widthPx' | 'heightPx'> {
  readonly sceneCount: number;
  /** @returns The blocks of a scene, encoded at a step of `GIF_STEPS`. */
  encodeScene(scene: number, step: number): Promise<Uint8Array>;
  /** Default 4 MB. */
  readonly maxBytes?: number;
}

/**
 * The scenes of a step are asked for in order, until they are too large together: videos that share all but the last
 * scene do not encode that one at steps that the others rule out.
 *
 * @returns A GIF that loops forever, at the first step of `GIF_STEPS` that fits `maxBytes`, else at the last.
 */
export async function makePreviewGif(request: GifRequest): Promise<Uint8Array> {
  const { sceneCount, encodeScene, maxBytes = MAX_BYTES } = request;
  for (const step of GIF_STEPS.keys()) {
    const scenes: Uint8Array[] = [];
    const limit = step === GIF_STEPS.length - 1 ? Number.POSITIVE_INFINITY : maxBytes;
    let bytes = 0;
    for (let scene = 0; scene < sceneCount && bytes <= limit; scene++) {
      const blocks = await encodeScene(scene, step);
      scenes.push(blocks);
      bytes += blocks.length;
    }
    if (bytes > limit) continue;
    const gif = joinGifScenes(scenes, request);
    if (gif.length <= limit) return gif;
  }
  throw new Error('unreachable: the last step has no limit');
}

/** A GIF of one scene, with one palette. @throws As {@link GifEncoder.encode}. */
export async function encodeGif(frames: Omit<GifScene, 'step'>, signal?: AbortSignal): Promise<Uint8Array> {
  const encoder = new GifEncoder();
  try {
    const encodeScene = (_: number, step: number) => encoder.encode({ ...frames, step }, signal);
    return await makePreviewGif({ ...frames, sceneCount: 1, encodeScene });
  } finally {
    await encoder.close();
  }
}

interface Waiting {
  resolve(blocks: Uint8Array): void;
  reject(error: unknown): void;
}

/** Encodes scenes one after the other in a thread that starts with the first one. */
export class GifEncoder {
  #worker: Worker | undefined;
  /** In the order of the thread's answers. */
  #waiting: Waiting[] = [];

  /**
   * The frames are copied.
   *
   * @returns The blocks of the scene, for `joinGifScenes`.
   * @throws {@link ListingVideoError} `encode_failed`, or the signal's reason.
   */
  async encode(scene: GifScene, signal?: AbortSignal): Promise<Uint8Array> {
    signal?.throwIfAborted();
    const frameBytes = scene.widthPx * scene.heightPx * 4;
    if (scene.frames.length === 0 || scene.frames.some((frame) => frame.length !== frameBytes)) {
      throw new ListingVideoError('encode_failed', `A preview needs frames of ${frameBytes} bytes each`);
    }
    let stop: (() => void) | undefined;
    try {
      const encoded = new Promise<Uint8Array>((resolve, reject) => {
        stop = () => reject(signal?.reason);
        signal?.addEventListener('abort', stop, { once: true });
        this.#worker ??= this.#start();
        this.#waiting.push({ resolve, reject });
        this.#worker.postMessage(scene);
      });
      return await liveWhile(encoded, LONGEST_MS);
    } finally {
      if (stop !== undefined) signal?.removeEventListener('abort', stop);
    }
  }

  /** Stops the thread at once. */
  async close(): Promise<void> {
    await this.#worker?.terminate();
  }

  #start(): Worker {
    const worker = new Worker(codeFile('media/encode/gif/gif-worker.js'));
    const fail = (message: string, cause?: unknown) => {
      this.#worker = undefined;
      const error = new ListingVideoError('encode_failed', message, { cause });
      for (const { reject } of this.#waiting.splice(0)) reject(error);
    };
    worker.on('message', (blocks: Uint8Array) => this.#waiting.shift()?.resolve(blocks));
    worker.once('error', (cause) => fail('The preview GIF could not be made', cause));
    worker.once('exit', (code) => fail(`The preview's thread ended early (exit status ${code})`));
    return worker;
  }
}

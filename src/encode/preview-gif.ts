/** Makes the preview GIF of a video from some of its frames, in a worker thread so that the caller stays responsive. */
import { Worker } from 'node:worker_threads';
import { ListingVideoError } from '../errors.ts';

export interface PreviewFrames {
  /** sRGB, RGBA, opaque, rows without padding; at least one. Copied. */
  readonly frames: readonly Uint8Array[];
  readonly widthPx: number;
  readonly heightPx: number;
  /** 10 to 12 looks alive and stays small; GIF counts in hundredths of a second. */
  readonly fps: number;
  /** 4 MB by default: what e-mail programs and portals still show in place. */
  readonly maxBytes?: number;
  readonly signal?: AbortSignal;
}

const MAX_BYTES = 4_000_000;

/** Belongs in the key of a cached preview: another number where the same frames make another GIF. */
export const PREVIEW_VERSION = 2;

/**
 * @returns A GIF that loops for ever and lasts as long as the frames do, with one palette for all of it. Colours and
 *   frames are given up step by step until it fits `maxBytes`.
 * @throws {@link ListingVideoError} `encode_failed`, or the signal's reason.
 */
export async function encodePreviewGif(video: PreviewFrames): Promise<Uint8Array> {
  const { frames, widthPx, heightPx, fps, maxBytes = MAX_BYTES, signal } = video;
  signal?.throwIfAborted();
  const frameBytes = widthPx * heightPx * 4;
  if (frames.length === 0 || frames.some((frame) => frame.length !== frameBytes)) {
    throw new ListingVideoError('encode_failed', `A preview needs frames of ${frameBytes} bytes each`);
  }
  const worker = new Worker(new URL('./gif-worker.js', import.meta.url), {
    workerData: { frames, widthPx, heightPx, fps, maxBytes },
  });
  let stop: (() => void) | undefined;
  try {
    return await new Promise<Uint8Array>((resolve, reject) => {
      stop = () => reject(signal?.reason);
      signal?.addEventListener('abort', stop, { once: true });
      worker.once('message', resolve);
      worker.once('error', (cause) => {
        reject(new ListingVideoError('encode_failed', 'The preview GIF could not be made', { cause }));
      });
      worker.once('exit', (code) => {
        reject(
          new ListingVideoError('encode_failed', `The preview's worker ended early (exit status ${code})`),
        );
      });
    });
  } finally {
    if (stop !== undefined) signal?.removeEventListener('abort', stop);
    await worker.terminate();
  }
}

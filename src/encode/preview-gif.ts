/** Makes the preview GIF from frames of a video, in a worker thread so that the caller stays responsive. */
import { Worker } from 'node:worker_threads';
import { ListingVideoError } from '../errors.ts';
import { liveWhile } from '../life-sign.ts';
import { codeFile } from '../program-files.ts';
import type { GifFrames } from './encode-gif.ts';

/** The frames are copied. */
export interface PreviewFrames extends Omit<GifFrames, 'maxBytes'> {
  /** Default 4 MB, which e-mail programs and portals still show inline. */
  readonly maxBytes?: number;
  readonly signal?: AbortSignal;
}

const MAX_BYTES = 4_000_000;
/** A GIF takes seconds; a slow and busy machine takes a hundred times as long. */
const LONGEST_MS = 600_000;

/** Part of the key of a cached preview. Raise it when the same frames give another GIF. */
export const PREVIEW_VERSION = 2;

/**
 * @returns A GIF that loops forever, as long as the frames, with one palette. Colours and frames are reduced step by step
 *   until it fits `maxBytes`.
 * @throws {@link ListingVideoError} `encode_failed`, or the signal's reason.
 */
export async function encodePreviewGif(video: PreviewFrames): Promise<Uint8Array> {
  const { frames, widthPx, heightPx, fps, maxBytes = MAX_BYTES, signal } = video;
  signal?.throwIfAborted();
  const frameBytes = widthPx * heightPx * 4;
  if (frames.length === 0 || frames.some((frame) => frame.length !== frameBytes)) {
    throw new ListingVideoError('encode_failed', `A preview needs frames of ${frameBytes} bytes each`);
  }
  const worker = new Worker(codeFile('encode/gif-worker.js'), {
    workerData: { frames, widthPx, heightPx, fps, maxBytes },
  });
  let stop: (() => void) | undefined;
  try {
    const made = new Promise<Uint8Array>((resolve, reject) => {
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
    return await liveWhile(made, LONGEST_MS);
  } finally {
    if (stop !== undefined) signal?.removeEventListener('abort', stop);
    await worker.terminate();
  }
}

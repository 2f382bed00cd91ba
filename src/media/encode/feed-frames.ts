/** Writes rendered frames to the encoder's stdin: checks their order, releases each, copies none. */
import type { Writable } from 'node:stream';
import { ListingVideoError } from '../../platform/errors.ts';
import { reportLiveness } from '../../platform/liveness.ts';
import type { VideoFormat } from './encode-settings.ts';
import { type SegmentToEncode, sentFrames } from './h264/segment-cutter.ts';

/** One frame of the video. The renderer owns its buffer. */
export interface EncoderFrame {
  /** The frame's number in its video. */
  readonly index: number;
  /** I420: the Y plane, then U, then V, no padding. Must not change before `release`. */
  readonly data: Uint8Array;
  /** True when the pixels equal those of the previous frame. A hint only. */
  readonly sameAsPrevious: boolean;
  /** Returns the buffer to the renderer. Called once per frame, also after an error. */
  release(): void;
}

export interface FeedRequest {
  readonly format: VideoFormat;
  /** Exactly the frames of `segments` but for those that are held, in their order. */
  readonly frames: AsyncIterable<EncoderFrame>;
  readonly segments: readonly SegmentToEncode[];
}

/** ffmpeg's stdin closed early. Its exit status has the cause. */
export class PipeBroken extends ListingVideoError {
  constructor(cause: unknown) {
    super('encode_failed', 'ffmpeg stopped reading frames', { cause });
  }
}

/**
 * Writes every frame and closes the pipe. One frame is in the pipe while the next is rendered.
 *
 * @param failed - Resolves when encoding has failed: no more frames are requested, and this function returns.
 * @throws {@link PipeBroken}, `encode_failed` when a frame is not the expected one, or what `frames` throws.
 */
export async function feedFrames(
  request: FeedRequest,
  stdin: Writable,
  failed: Promise<void>,
): Promise<void> {
  const frameBytes = (request.format.widthPx * request.format.heightPx * 3) / 2;
  const expected = expectedFrames(request.segments);
  const frames = request.frames[Symbol.asyncIterator]();
  let inPipe: Promise<void> = Promise.resolve();
  let isDone = false;
  try {
    for (;;) {
      const coming = frames.next();
      const next = await Promise.race([coming, failed]);
      if (next === undefined) {
        coming.then((late) => late.done || late.value.release()).catch(() => {});
        return;
      }
      const wanted = expected.next();
      if (next.done && wanted.done) break;
      if (next.done) throw unexpectedFrame(wanted.value, frameBytes);
      const frame = next.value;
      try {
        if (wanted.done || frame.index !== wanted.value || frame.data.byteLength !== frameBytes) {
          throw unexpectedFrame(wanted.value, frameBytes, frame);
        }
        await inPipe;
      } catch (error) {
        frame.release();
        throw error;
      }
      inPipe = sendFrame(stdin, frame);
      reportLiveness();
      inPipe.catch(() => {});
    }
    await inPipe;
    isDone = true;
    stdin.end();
  } finally {
    await inPipe.catch(() => {});
    // Not awaited: a generator that waits for a frame returns only after it.
    if (!isDone) frames.return?.()?.then(undefined, () => {});
  }
}

function unexpectedFrame(
  wanted: number | undefined,
  wantedBytes: number,
  got?: EncoderFrame,
): ListingVideoError {
  const found = got === undefined ? 'no more' : `frame ${got.index} of ${got.data.byteLength} bytes`;
  const expected = wanted === undefined ? 'no more frames' : `frame ${wanted} of ${wantedBytes} bytes`;
  return new ListingVideoError('encode_failed', `Expected ${expected} from the renderer, got ${found}`);
}

function sendFrame(stdin: Writable, frame: EncoderFrame): Promise<void> {
  return new Promise<void>((resolve, reject) => {
    stdin.write(frame.data, (error) => (error ? reject(new PipeBroken(error)) : resolve()));
  }).finally(() => frame.release());
}

function* expectedFrames(segments: readonly SegmentToEncode[]): Generator<number, undefined> {
  for (const segment of segments) {
    for (let n = 0; n < sentFrames(segment); n++) yield segment.startFrame + n;
  }
}

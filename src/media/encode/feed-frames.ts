/** Writes rendered frames to the encoders' stdin: checks their order, releases each, copies none. */
import type { Writable } from 'node:stream';
import { ListingVideoError } from '../../platform/errors.ts';
import { reportLiveness } from '../../platform/liveness.ts';
import type { VideoFormat } from './encode-settings.ts';
import { encodedFrames, type SegmentToEncode } from './h264/segment-cutter.ts';

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
  /** Exactly the frames of `segments` that are encoded, in their order, each once. */
  readonly frames: AsyncIterable<EncoderFrame>;
  readonly segments: readonly SegmentToEncode[];
}

/** Where frames go. */
export interface EncoderInputs {
  readonly usual: Writable;
  /** Null: no segment has a camera move. */
  readonly move: Writable | null;
}

/** ffmpeg's stdin closed early. Its exit status has the cause. */
export class PipeBroken extends ListingVideoError {
  constructor(cause: unknown) {
    super('encode_failed', 'ffmpeg stopped reading frames', { cause });
  }
}

/**
 * Writes every frame and closes the pipes. One frame is in the pipe while the next is rendered.
 *
 * @param failed - Resolves when encoding has failed: no more frames are requested, and this function returns.
 * @throws {@link PipeBroken}, `encode_failed` when a frame is not the expected one, or what `frames` throws.
 */
export async function feedFrames(
  request: FeedRequest,
  inputs: EncoderInputs,
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
      if (next.done) throw unexpectedFrame(wanted.value?.index, frameBytes);
      const frame = next.value;
      try {
        if (wanted.done || frame.index !== wanted.value.index || frame.data.byteLength !== frameBytes) {
          throw unexpectedFrame(wanted.value?.index, frameBytes, frame);
        }
        await inPipe;
      } catch (error) {
        frame.release();
        throw error;
      }
      inPipe = sendFrame(
        wanted.value.to.map((name) => inputs[name]!),
        frame,
      );
      // At once: what waits for the pictures of the last move would wait for the end of the video.
      if (wanted.value.isLastOfMoves) inputs.move?.end();
      reportLiveness();
      inPipe.catch(() => {});
    }
    await inPipe;
    isDone = true;
    inputs.usual.end();
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

async function sendFrame(inputs: readonly Writable[], frame: EncoderFrame): Promise<void> {
  const sent = inputs.map(
    (input) =>
      new Promise<void>((resolve, reject) => {
        input.write(frame.data, (error) => (error ? reject(new PipeBroken(error)) : resolve()));
      }),
  );
  await Promise.allSettled(sent);
  frame.release();
  await Promise.all(sent);
}

interface ExpectedFrame {
  readonly index: number;
  readonly to: readonly (keyof EncoderInputs)[];
  /** The encoder of camera moves gets no more frames. */
  readonly isLastOfMoves: boolean;
}

function* expectedFrames(segments: readonly SegmentToEncode[]): Generator<ExpectedFrame, undefined> {
  const lastMove = segments.findLastIndex((segment) => encodedFrames(segment).ofMove.length > 0);
  for (const [n, segment] of segments.entries()) {
    const { ofMove, ofRest } = encodedFrames(segment);
    const last = n === lastMove ? ofMove.at(-1) : undefined;
    const both = ofMove.length > 0 && ofRest.length > 0 ? ofRest[0] : undefined;
    const to = (name: keyof EncoderInputs) => (frame: number) => ({
      index: segment.startFrame + frame,
      to: frame === both ? (['move', 'usual'] as const) : [name],
      isLastOfMoves: name === 'move' && frame === last,
    });
    yield* ofMove.map(to('move'));
    yield* ofRest.filter((frame) => frame !== both).map(to('usual'));
  }
}

/**
 * Encodes a run of frames into segments with one encoder process: frames in, one track file per segment out.
 *
 * It decides nothing about pictures or settings, and does not look into the cache.
 */
import { availableParallelism } from 'node:os';
import type { Readable } from 'node:stream';
import { ListingVideoError } from '../errors.ts';
import { toEncoderArgs, type VideoFormat } from './encode-settings.ts';
import { type EncoderFrame, feedFrames, PipeBroken } from './feed-frames.ts';
import { FlvReader, type VideoPacket } from './flv-packets.ts';
import { startFfmpeg } from './run-ffmpeg.ts';
import { SegmentCutter, type SegmentToEncode, sentFrames } from './segment-cutter.ts';

export { SETTLING_FRAMES } from './held-frames.ts';
export { segmentFileName } from './segment-cutter.ts';

export interface EncodeSegmentsRequest<S extends SegmentToEncode> {
  /** Path of an ffmpeg that `findFfmpeg` found fit. */
  readonly ffmpeg: string;
  readonly format: VideoFormat;
  /** Exactly the frames of `segments` but for those that are held, in their order. */
  readonly frames: AsyncIterable<EncoderFrame>;
  /** Need not follow each other in one video: agents' cards go through one process one after the other. */
  readonly segments: readonly S[];
  /** Existing folder; each segment becomes `<key>.segment` in it once it is complete and flushed to the disk. */
  readonly outDir: string;
  /** Processors that may be kept busy; by default what the system says, which in a container may be too many. */
  readonly cpus?: number;
  readonly signal?: AbortSignal;
  /** Called in order, as soon as a segment's file has its name. The next waits for the promise returned. */
  onSegment?(segment: S, path: string): void | Promise<void>;
}

/**
 * Encodes all frames; resolves when every segment is on disk.
 *
 * A segment is a closed GOP or several, starts with an IDR, holds exactly `endFrame - startFrame` frames, and is cut out of
 * the encoder's stream, so it can be joined to any other of equal format and encoder by copying. Its bits may differ a
 * little with what went before it in the same process (x264's first picture of a run has no rate history) and with the
 * number of threads, but not its pixels' worth; keys are of inputs, not of bits.
 *
 * On failure or abort the encoder process has gone, finished segments stay, and unfinished files are removed.
 *
 * @throws {@link ListingVideoError} `encode_failed` when ffmpeg fails or a segment has the wrong frames, `disk_full`,
 *   whatever `frames` throws, or the signal's reason.
 */
export async function encodeSegments<S extends SegmentToEncode>(
  request: EncodeSegmentsRequest<S>,
): Promise<void> {
  const { ffmpeg, format, segments, signal } = request;
  signal?.throwIfAborted();
  if (segments.length === 0) return;
  const keyFrames: number[] = [];
  let frameCount = 0;
  for (const segment of segments) {
    if (frameCount > 0) keyFrames.push(frameCount);
    frameCount += sentFrames(segment);
  }
  const encoder = startFfmpeg(ffmpeg, toEncoderArgs(format, keyFrames, threadsFor(request.cpus)), signal);
  const failure = new FirstFailure(() => encoder.stop());
  const cutter = new SegmentCutter(request);
  await Promise.all([
    failure.watch(encoder.done),
    failure.watch(feedFrames(request, encoder.stdin, failure.happened)),
    failure.watch(readSegments(encoder.stdout, encoder.done, cutter)),
  ]);
  await cutter.close();
  signal?.throwIfAborted();
  failure.throwIfAny();
}

/** x264's threads: as many as it takes by itself, but bounded, since beyond this they only add memory. */
export function threadsFor(cpus = availableParallelism()): number {
  return Math.min(8, Math.ceil(cpus * 1.5));
}

/** Remembers the failure that came first, since the others follow from it, and then stops the encoder. */
class FirstFailure {
  #errors: unknown[] = [];
  #announce: () => void = () => {};
  readonly #stop: () => void;
  /** Resolves at the first failure. */
  readonly happened: Promise<void>;

  constructor(stop: () => void) {
    this.#stop = stop;
    this.happened = new Promise((resolve) => {
      this.#announce = resolve;
    });
  }

  /** Waits for `work`, never rejects. */
  async watch(work: Promise<void>): Promise<void> {
    try {
      await work;
    } catch (error) {
      this.#errors.push(error);
      this.#announce();
      this.#stop();
    }
  }

  throwIfAny(): void {
    // A broken pipe to ffmpeg is heard of before its exit status is: it is a symptom, never the answer.
    const error = this.#errors.find((candidate) => !(candidate instanceof PipeBroken)) ?? this.#errors[0];
    if (error !== undefined) throw error;
  }
}

/** Reads the encoder's stream to its end, then has the last segment finished, if the encoder was content. */
async function readSegments<S extends SegmentToEncode>(
  stdout: Readable,
  done: Promise<void>,
  cutter: SegmentCutter<S>,
): Promise<void> {
  const found: VideoPacket[] = [];
  const reader = new FlvReader({
    onConfig: (config) => cutter.setConfig(config),
    onPacket: (packet) => found.push(packet),
  });
  for await (const chunk of stdout) {
    try {
      reader.push(chunk as Buffer);
    } catch (cause) {
      throw new ListingVideoError('encode_failed', 'The encoder sent a stream that cannot be read', {
        cause,
      });
    }
    for (const packet of found) await cutter.take(packet);
    found.length = 0;
  }
  // A stream that ends with the process's death is the exit status's matter, not a segment with too few frames.
  await done;
  if (reader.isIncomplete)
    throw new ListingVideoError('encode_failed', 'The encoder stopped in the middle of a picture');
  await cutter.finish();
}

/**
 * Encodes frames into segments with one encoder process: frames in, one track file per segment out. It does not use the
 * cache.
 */
import type { Readable } from 'node:stream';
import { ListingVideoError } from '../../platform/errors.ts';
import { reportLiveness } from '../../platform/liveness.ts';
import { usableCpuCount } from '../../platform/settings/container-limits.ts';
import { toEncoderArgs } from './encode-settings.ts';
import { type FeedRequest, feedFrames, PipeBroken } from './feed-frames.ts';
import { startFfmpeg } from './ffmpeg/run-ffmpeg.ts';
import { type CutRequest, SegmentCutter, type SegmentToEncode, sentFrames } from './h264/segment-cutter.ts';
import { FlvReader, type VideoPacket } from './mp4/flv-packets.ts';

export { SETTLING_FRAMES } from './h264/held-frames.ts';
export { segmentFileName } from './h264/segment-cutter.ts';

export interface EncodeSegmentsRequest<S extends SegmentToEncode>
  extends Omit<FeedRequest, 'segments'>,
    Omit<CutRequest<S>, 'format'> {
  /** Path of an ffmpeg that `findFfmpeg` accepted. */
  readonly ffmpeg: string;
  readonly signal?: AbortSignal;
}

/**
 * Encodes all frames; resolves when every segment is on disk.
 *
 * A segment is one or more closed GOPs, starts with an IDR and has exactly `endFrame - startFrame` frames. Segments of
 * the same format and encoder can be joined by copying. The bits of a segment differ a little with the frames before it
 * in the process (x264 starts without rate history) and with the number of threads; the quality does not. So keys are
 * made from inputs, not from bits.
 *
 * After an error or abort the encoder process has ended, finished segments stay, and unfinished files are removed.
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
  const encoder = startFfmpeg(ffmpeg, toEncoderArgs(format, keyFrames, threadsFor(usableCpuCount())), signal);
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

/** x264's threads: its own choice with a limit, beyond which more threads only add memory. */
export function threadsFor(cpus: number): number {
  return Math.min(8, Math.ceil(cpus * 1.5));
}

/** Keeps the first error, which causes the others, and stops the encoder. */
class FirstFailure {
  #errors: unknown[] = [];
  #announce: () => void = () => {};
  readonly #stop: () => void;
  /** Resolves at the first error. */
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
    // A broken pipe to ffmpeg is only a symptom: the exit status, which comes later, has the cause.
    const error = this.#errors.find((candidate) => !(candidate instanceof PipeBroken)) ?? this.#errors[0];
    if (error !== undefined) throw error;
  }
}

/** Reads the encoder's stream to its end and finishes the last segment if the encoder succeeded. */
export async function readSegments<S extends SegmentToEncode>(
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
    reportLiveness();
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
  // If the process died, its exit status is the error, not a segment with too few frames.
  await done;
  if (reader.isIncomplete)
    throw new ListingVideoError('encode_failed', 'The encoder stopped in the middle of a picture');
  await cutter.finish();
}

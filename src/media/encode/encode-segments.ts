/**
 * Encodes frames into segments: frames in, one track file per segment out. One encoder process for all, and one for
 * camera moves where there are any. It does not use the cache.
 */
import { ListingVideoError } from '../../platform/errors.ts';
import { reportLiveness } from '../../platform/liveness.ts';
import { usableCpuCount } from '../../platform/settings/container-limits.ts';
import { GROUP_FRAMES, toEncoderArgs, type VideoFormat } from './encode-settings.ts';
import { type FeedRequest, feedFrames, PipeBroken } from './feed-frames.ts';
import { type FfmpegProcess, startFfmpeg } from './ffmpeg/run-ffmpeg.ts';
import type { EncodedFrames } from './h264/camera-move.ts';
import {
  type CutRequest,
  encodedFrames,
  SegmentCutter,
  type SegmentToEncode,
} from './h264/segment-cutter.ts';
import { FlvReader, type VideoPacket } from './mp4/flv-packets.ts';

export { type CameraMove, FADE_FRAMES, toCameraMove } from './h264/camera-move.ts';
export { encodedFrames, MoveRefused, segmentFileName } from './h264/segment-cutter.ts';

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
 * @throws {@link MoveRefused} when this ffmpeg's camera moves cannot be joined to the rest; {@link ListingVideoError}
 *   `encode_failed` when ffmpeg fails or a segment has the wrong frames, `disk_full`,
 *   whatever `frames` throws, or the signal's reason.
 */
export async function encodeSegments<S extends SegmentToEncode>(
  request: EncodeSegmentsRequest<S>,
): Promise<void> {
  const { ffmpeg, format, segments, signal } = request;
  signal?.throwIfAborted();
  if (segments.length === 0) return;
  const plans = segments.map(encodedFrames);
  const isHeld = segments.map(({ heldFrames = 0 }) => heldFrames > 0);
  const start = (work: 'usual' | 'move', part: keyof EncodedFrames) => {
    const runs = plans.map((plan, n) => ({ length: plan[part].length, isHeld: isHeld[n]! }));
    return startEncoder(ffmpeg, { format, work, runs, signal });
  };
  const usual = start('usual', 'ofRest');
  const hasMoves = plans.some(({ ofMove }) => ofMove.length > 0);
  const move = hasMoves ? start('move', 'ofMove') : null;
  const failure = new FirstFailure(() => {
    usual.stop();
    move?.stop();
  });
  const cutter = new SegmentCutter(request);
  const stdins = { usual: usual.stdin, move: move?.stdin ?? null };
  const ended = [usual, ...(move === null ? [] : [move])].map(({ done }) => done);
  await Promise.all([
    ...ended.map((done) => failure.watch(done)),
    failure.watch(feedFrames(request, stdins, failure.happened)),
    failure.watch(readAll(usual, move, cutter)),
  ]);
  await cutter.close();
  signal?.throwIfAborted();
  failure.throwIfAny();
}

interface EncoderWork {
  readonly format: VideoFormat;
  readonly work: 'usual' | 'move';
  /** Frames that it gets for each segment, 0 for none; held frames follow on the last one. */
  readonly runs: readonly { readonly length: number; readonly isHeld: boolean }[];
  readonly signal?: AbortSignal | undefined;
}

/** Each segment of which it gets frames begins with an IDR. */
function startEncoder(ffmpeg: string, { format, work, runs, signal }: EncoderWork): FfmpegProcess {
  const keyFrames: number[] = [];
  const heldFrames: number[] = [];
  let sent = 0;
  for (const { length, isHeld } of runs) {
    if (length === 0) continue;
    if (sent > 0) keyFrames.push(sent);
    sent += length;
    if (isHeld) heldFrames.push(sent - 1);
  }
  // Of a move one frame in six is encoded. Of three threads on two CPUs, two saved no time and took 37 MB.
  const threads = threadsFor(usableCpuCount() / (work === 'move' ? GROUP_FRAMES : 1));
  const args = toEncoderArgs(format, { keyFrames, heldFrames }, work, threads);
  return startFfmpeg(ffmpeg, args, signal);
}

async function readAll<S extends SegmentToEncode>(
  usual: FfmpegProcess,
  move: FfmpegProcess | null,
  cutter: SegmentCutter<S>,
): Promise<void> {
  await Promise.all([
    readPackets(usual, {
      onConfig: (config) => cutter.setConfig(config),
      onPacket: (packet) => cutter.take(packet),
    }),
    move &&
      readPackets(move, {
        onConfig: (config) => cutter.setMoveConfig(config),
        onPacket: (packet) => cutter.takeMove(packet),
      }),
  ]);
  await cutter.finish();
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

/** Who takes what an encoder sends. */
export interface PacketTaker {
  onConfig(config: Buffer): void;
  onPacket(packet: VideoPacket): Promise<void>;
}

/** Reads an encoder's stream to its end. */
export async function readPackets(
  { stdout, done }: Pick<FfmpegProcess, 'stdout' | 'done'>,
  taker: PacketTaker,
): Promise<void> {
  const found: VideoPacket[] = [];
  const reader = new FlvReader({
    onConfig: (config) => taker.onConfig(config),
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
    for (const packet of found) await taker.onPacket(packet);
    found.length = 0;
  }
  // If the process died, its exit status is the error, not a segment with too few frames.
  await done;
  if (reader.isIncomplete)
    throw new ListingVideoError('encode_failed', 'The encoder stopped in the middle of a picture');
}

/**
 * Encodes a run of frames into segments with one encoder process: frames in, one track file per segment out.
 *
 * It decides nothing about pictures or settings, and does not look into the cache.
 */
import { randomUUID } from 'node:crypto';
import { rename, rm } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { ListingVideoError } from '../errors.ts';
import { toWriteError } from './disk-errors.ts';
import { toEncoderArgs, type VideoFormat } from './encode-settings.ts';
import { FlvReader, type VideoPacket } from './flv-packets.ts';
import { startFfmpeg } from './run-ffmpeg.ts';
import { TrackFileWriter } from './track-file.ts';

/** One frame of the video, lent to the encoder. */
export interface EncoderFrame {
  /** The frame's number in its video. */
  readonly index: number;
  /** I420: the Y plane, then U, then V, no padding. Must not change until `release` is called. */
  readonly data: Uint8Array;
  /** True when the pixels are those of the frame before: a hint that costs nothing to ignore, as x264 sees it too. */
  readonly sameAsPrevious: boolean;
  /** Gives the buffer back; called once for every frame that was handed over, also when encoding fails. */
  release(): void;
}

/** A segment to encode: frames `[startFrame, endFrame)` of its video. */
export interface SegmentToEncode {
  readonly key: string;
  readonly startFrame: number;
  readonly endFrame: number;
}

export interface EncodeSegmentsRequest<S extends SegmentToEncode> {
  /** Path of an ffmpeg that `findFfmpeg` found fit. */
  readonly ffmpeg: string;
  readonly format: VideoFormat;
  /** Exactly the frames of `segments`, in their order. */
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

/** File name of a segment. */
export function segmentFileName(key: string): string {
  return `${key}.segment`;
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
    frameCount += segment.endFrame - segment.startFrame;
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

/** As many as x264 takes by itself, but bounded: beyond this they only add memory, as frames do not come that fast. */
function threadsFor(cpus = availableParallelism()): number {
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

/** ffmpeg's stdin closed early; why is for its exit status to say. */
class PipeBroken extends ListingVideoError {
  constructor(cause: unknown) {
    super('encode_failed', 'ffmpeg stopped reading frames', { cause });
  }
}

/** Sends every frame; keeps one in the pipe while the next is fetched. */
async function feedFrames(
  request: EncodeSegmentsRequest<SegmentToEncode>,
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
      inPipe.catch(() => {});
    }
    await inPipe;
    isDone = true;
    stdin.end();
  } finally {
    await inPipe.catch(() => {});
    // Not awaited: a generator that waits for a picture answers only when that has come.
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
  for (const { startFrame, endFrame } of segments) {
    for (let frame = startFrame; frame < endFrame; frame++) yield frame;
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

/** Cuts the stream at the segments' first frames and writes each segment's file. */
class SegmentCutter<S extends SegmentToEncode> {
  readonly #request: EncodeSegmentsRequest<S>;
  #config: Buffer | undefined;
  #position = 0;
  /** Frame, counted from the first one sent, at which the current segment starts. */
  #firstFrame = 0;
  #firstTimestampMs: number | undefined;
  #open:
    | { writer: TrackFileWriter; path: string; sizes: number[]; frames: number[]; idrPackets: number[] }
    | undefined;

  constructor(request: EncodeSegmentsRequest<S>) {
    this.#request = request;
  }

  setConfig(config: Buffer): void {
    this.#config = config;
  }

  async take(packet: VideoPacket): Promise<void> {
    // The first picture of a stream is shown first; B-frames push all time stamps up by the same delay.
    this.#firstTimestampMs ??= packet.timestampMs;
    const frame = Math.round(
      ((packet.timestampMs - this.#firstTimestampMs) * this.#request.format.fps) / 1000,
    );
    const segment = this.#segment;
    const nextFirst = segment === undefined ? 0 : this.#firstFrame + segment.endFrame - segment.startFrame;
    if (segment !== undefined && packet.isIdr && frame === nextFirst) await this.#finishSegment(segment);
    if (this.#segment === undefined) throw this.#wrong(`one frame too many (${frame})`);
    const open = this.#open ?? (await this.#openSegment(this.#segment, packet));
    if (packet.isIdr) open.idrPackets.push(open.sizes.length);
    open.sizes.push(packet.data.length);
    open.frames.push(frame - this.#firstFrame);
    await this.#guard(open.writer.write(packet.data), open.path);
  }

  async finish(): Promise<void> {
    if (this.#segment !== undefined && this.#open !== undefined) await this.#finishSegment(this.#segment);
    if (this.#segment !== undefined) throw this.#wrong('nothing for it');
  }

  /** Removes what is unfinished. */
  async close(): Promise<void> {
    if (this.#open === undefined) return;
    await this.#open.writer.close();
    await rm(this.#open.path, { force: true });
    this.#open = undefined;
  }

  get #segment(): S | undefined {
    return this.#request.segments[this.#position];
  }

  async #openSegment(segment: S, first: VideoPacket) {
    if (!first.isIdr) throw this.#wrong('a first picture that is no IDR');
    const path = join(this.#request.outDir, `.${segmentFileName(segment.key)}.${randomUUID()}.part`);
    const writer = await this.#guard(TrackFileWriter.create(path), path);
    this.#open = { writer, path, sizes: [], frames: [], idrPackets: [] };
    return this.#open;
  }

  async #finishSegment(segment: S): Promise<void> {
    const open = this.#open!;
    const frameCount = segment.endFrame - segment.startFrame;
    if (open.frames.length !== frameCount || new Set(open.frames).size !== frameCount) {
      throw this.#wrong(`${new Set(open.frames).size} frames in ${open.frames.length} packets`);
    }
    if (Math.min(...open.frames) !== 0 || Math.max(...open.frames) !== frameCount - 1) {
      throw this.#wrong('frames of another segment');
    }
    if (this.#config === undefined) throw this.#wrong('no parameter sets');
    const { sizes, frames, idrPackets } = open;
    const config = this.#config.toString('base64');
    await this.#guard(open.writer.finish({ codec: 'h264', config, sizes, frames, idrPackets }), open.path);
    const path = join(this.#request.outDir, segmentFileName(segment.key));
    await rename(open.path, path);
    this.#open = undefined;
    this.#firstFrame += frameCount;
    this.#position++;
    await this.#request.onSegment?.(segment, path);
  }

  async #guard<T>(work: Promise<T>, path: string): Promise<T> {
    try {
      return await work;
    } catch (error) {
      throw toWriteError(error, path);
    }
  }

  #wrong(what: string): ListingVideoError {
    const segment = this.#segment;
    const expected =
      segment === undefined ? 'no more frames' : `frames ${segment.startFrame} to ${segment.endFrame}`;
    return new ListingVideoError(
      'encode_failed',
      `The encoder was to answer with ${expected}, but sent ${what}`,
      {
        context: { segment: segment?.key ?? null },
      },
    );
  }
}

/**
 * Cuts the encoders' packets into segments and checks that each has exactly its frames. A segment that begins with a
 * camera move is joined from two encoders; packets of the one that is ahead wait in memory.
 */

import { rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { asidePath } from '../../../platform/disk/atomic-write.ts';
import { toOutputError } from '../../../platform/disk/disk-error.ts';
import { ListingVideoError } from '../../../platform/errors.ts';
import type { VideoPacket } from '../mp4/flv-packets.ts';
import { TrackFileWriter } from '../mp4/track-file.ts';
import { type CameraMove, type EncodedFrames, planEncodedFrames } from './camera-move.ts';
import { HeldFrames } from './held-frames.ts';
import { type JoinedPicture, MoveJoin } from './join-move.ts';
import { MoveRuns } from './move-runs.ts';

/** A segment to encode: frames `[startFrame, endFrame)` of its video. */
export interface SegmentToEncode {
  readonly key: string;
  readonly startFrame: number;
  readonly endFrame: number;
  /**
   * Number of frames at its end that repeat the frame before them. They are not sent to the encoder: `held-frames.ts`
   * writes them. Default 0.
   */
  readonly heldFrames?: number;
  /** How it begins. Its last frame is number 6k of the segment, or the segment's last. */
  readonly move?: CameraMove | undefined;
}

/** The frames of a segment that the encoders get, counted from its first. */
export function encodedFrames({
  startFrame,
  endFrame,
  heldFrames = 0,
  move,
}: SegmentToEncode): EncodedFrames {
  return planEncodedFrames(endFrame - startFrame - heldFrames, move);
}

export interface CutRequest<S extends SegmentToEncode> {
  readonly format: { readonly fps: number; readonly widthPx: number; readonly heightPx: number };
  /**
   * In the order of their packets. They can belong to different videos: one process encodes the cards of all agents.
   */
  readonly segments: readonly S[];
  /** Existing folder. A segment appears as `<key>.segment` when it is complete and flushed to disk. */
  readonly outDir: string;
  /** Called in order when a segment's file has its name. The next call waits for the returned promise. */
  onSegment?(segment: S, path: string): void | Promise<void>;
}

/** An encoder's stream is of a kind in which no camera move can be written. Without moves it may do. */
export class MoveRefused extends ListingVideoError {}

export function segmentFileName(key: string): string {
  return `${key}.segment`;
}

interface OpenSegment {
  readonly writer: TrackFileWriter;
  readonly path: string;
  readonly sizes: number[];
  readonly frames: number[];
  readonly idrPackets: number[];
  readonly held: HeldFrames | null;
  readonly join: MoveJoin | null;
}

/** Cuts the streams at the segments' first frames and writes each segment's file. */
export class SegmentCutter<S extends SegmentToEncode> {
  readonly #request: CutRequest<S>;
  readonly #plans: readonly EncodedFrames[];
  readonly #moves: MoveRuns;
  #config: Buffer | undefined;
  #moveConfig: Buffer | undefined;
  #waiting: VideoPacket[] = [];
  #work: Promise<void> = Promise.resolve();
  #position = 0;
  /** Frames that the usual encoder got for the segments before the current one. */
  #firstFrame = 0;
  #firstTimestampMs: number | undefined;
  #open: OpenSegment | undefined;

  constructor(request: CutRequest<S>) {
    this.#request = request;
    this.#plans = request.segments.map(encodedFrames);
    this.#moves = new MoveRuns(this.#plans.flatMap(({ ofMove }) => ofMove.length || []));
  }

  setConfig(config: Buffer): void {
    this.#config = config;
  }

  setMoveConfig(config: Buffer): void {
    this.#moveConfig = config;
  }

  /** A packet of the usual encoder. */
  take(packet: VideoPacket): Promise<void> {
    this.#waiting.push(packet);
    return this.#goOn();
  }

  /** A packet of the encoder of camera moves. */
  takeMove(packet: VideoPacket): Promise<void> {
    this.#joined(() => this.#moves.take(packet));
    return this.#goOn();
  }

  /** Call it when both encoders have ended. */
  async finish(): Promise<void> {
    await this.#goOn();
    if (this.#segment !== undefined && this.#open !== undefined) await this.#finishSegment(this.#segment);
    await this.#goOn();
    if (this.#segment !== undefined) throw this.#wrong('nothing for it');
  }

  /** Removes the unfinished file. */
  async close(): Promise<void> {
    await this.#work.catch(() => {});
    if (this.#open === undefined) return;
    await this.#open.writer.close();
    await rm(this.#open.path, { force: true });
    this.#open = undefined;
  }

  get #segment(): S | undefined {
    return this.#request.segments[this.#position];
  }

  /** Writes what has come as far as its turn has come. One call after the other. */
  #goOn(): Promise<void> {
    this.#work = this.#work.then(async () => {
      for (;;) {
        const segment = this.#segment;
        if (segment?.move !== undefined && this.#open === undefined) {
          if (!this.#moves.hasWhole || this.#config === undefined) return;
          await this.#writeMove(segment, segment.move);
          continue;
        }
        const packet = this.#waiting.shift();
        if (packet === undefined) return;
        await this.#write(packet);
      }
    });
    return this.#work;
  }

  async #writeMove(segment: S, move: CameraMove): Promise<void> {
    const { widthPx, heightPx } = this.#request.format;
    const streams = {
      moveConfig: this.#moveConfig!,
      config: this.#needConfig(),
      frame: { widthPx, heightPx },
    };
    const pictures = this.#joined(() => {
      const join = new MoveJoin(move, streams);
      return { join, all: join.moved(this.#moves.next()!) };
    });
    await this.#openSegment(segment, pictures.join);
    for (const picture of pictures.all) await this.#writePicture(picture);
    if (this.#plans[this.#position]!.ofRest.length === 0) await this.#finishSegment(segment);
  }

  async #write(packet: VideoPacket): Promise<void> {
    // The first frame of a stream is shown first; B-frames delay all time stamps equally.
    this.#firstTimestampMs ??= packet.timestampMs;
    const sent = Math.round(
      ((packet.timestampMs - this.#firstTimestampMs) * this.#request.format.fps) / 1000,
    );
    const ofRest = this.#plans[this.#position]?.ofRest ?? [];
    if (this.#segment !== undefined && packet.isIdr && sent === this.#firstFrame + ofRest.length) {
      await this.#finishSegment(this.#segment);
      this.#waiting.unshift(packet);
      return;
    }
    if (this.#segment === undefined) throw this.#wrong(`one frame too many (${sent})`);
    if (this.#open === undefined) {
      if (!packet.isIdr) throw this.#wrong('a first picture that is no IDR');
      await this.#openSegment(this.#segment, null);
    }
    const { join } = this.#open!;
    const frame = ofRest[sent - this.#firstFrame] ?? Number.NaN;
    if (join !== null && sent === this.#firstFrame) return;
    const data = join === null ? packet.data : this.#joined(() => join.rest(packet));
    await this.#writePicture({ data, frame, isIdr: packet.isIdr });
  }

  async #writePicture({ data, frame, isIdr }: JoinedPicture): Promise<void> {
    const open = this.#open!;
    if (isIdr) open.idrPackets.push(open.sizes.length);
    open.sizes.push(data.length);
    open.frames.push(frame);
    if (open.held !== null) this.#understand(() => open.held?.note(data, frame));
    await this.#guard(open.writer.write(data), open.path);
  }

  async #openSegment(segment: S, join: MoveJoin | null): Promise<void> {
    // Before the file exists: parameter sets of another kind must not leave it behind, open.
    const held =
      (segment.heldFrames ?? 0) > 0 ? this.#understand(() => new HeldFrames(this.#needConfig())) : null;
    const file = asidePath(path.join(this.#request.outDir, segmentFileName(segment.key)));
    const writer = await this.#guard(TrackFileWriter.create(file), file);
    this.#open = { writer, path: file, sizes: [], frames: [], idrPackets: [], held, join };
  }

  async #finishSegment(segment: S): Promise<void> {
    const open = this.#open!;
    const { startFrame, endFrame, heldFrames = 0 } = segment;
    const frameCount = endFrame - startFrame - heldFrames;
    if (open.frames.length !== frameCount || new Set(open.frames).size !== frameCount) {
      throw this.#wrong(`${new Set(open.frames).size} frames in ${open.frames.length} packets`);
    }
    if (Math.min(...open.frames) !== 0 || Math.max(...open.frames) !== frameCount - 1) {
      throw this.#wrong('frames of another segment');
    }
    const { writer, sizes, frames, idrPackets, held } = open;
    for (let n = 0; held !== null && n < heldFrames; n++) {
      const picture = this.#understand(() => held.next());
      sizes.push(picture.length);
      frames.push(frameCount + n);
      await this.#guard(writer.write(picture), open.path);
    }
    const config = this.#needConfig().toString('base64');
    await this.#guard(writer.finish({ codec: 'h264', config, sizes, frames, idrPackets }), open.path);
    const file = path.join(this.#request.outDir, segmentFileName(segment.key));
    await rename(open.path, file);
    this.#open = undefined;
    this.#firstFrame += this.#plans[this.#position]!.ofRest.length;
    this.#position++;
    await this.#request.onSegment?.(segment, file);
  }

  #needConfig(): Buffer {
    if (this.#config === undefined) throw this.#wrong('no parameter sets');
    return this.#config;
  }

  #understand<T>(read: () => T): T {
    try {
      return read();
    } catch (error) {
      throw this.#wrong(`a stream in which no picture can be added: ${(error as Error).message}`);
    }
  }

  #joined<T>(read: () => T): T {
    try {
      return read();
    } catch (error) {
      const message = `No camera move can be written in this encoder's stream: ${(error as Error).message}`;
      throw new MoveRefused('encode_failed', message, { context: { segment: this.#segment?.key ?? null } });
    }
  }

  async #guard<T>(work: Promise<T>, file: string): Promise<T> {
    try {
      return await work;
    } catch (error) {
      throw toOutputError(error, file);
    }
  }

  #wrong(what: string): ListingVideoError {
    const segment = this.#segment;
    const expected =
      segment === undefined ? 'no more frames' : `frames ${segment.startFrame} to ${segment.endFrame}`;
    const message = `The encoder was to answer with ${expected}, but sent ${what}`;
    return new ListingVideoError('encode_failed', message, { context: { segment: segment?.key ?? null } });
  }
}

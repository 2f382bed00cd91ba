/** Cuts an encoder's packets into segments and checks that each has exactly its frames. */

import { rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { asidePath } from '../../../platform/disk/atomic-write.ts';
import { toOutputError } from '../../../platform/disk/disk-error.ts';
import { ListingVideoError } from '../../../platform/errors.ts';
import type { VideoPacket } from '../mp4/flv-packets.ts';
import { TrackFileWriter } from '../mp4/track-file.ts';
import { HeldFrames } from './held-frames.ts';

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
}

/** Number of frames of a segment that the encoder gets. */
export function sentFrames({ startFrame, endFrame, heldFrames = 0 }: SegmentToEncode): number {
  return endFrame - startFrame - heldFrames;
}

export interface CutRequest<S extends SegmentToEncode> {
  readonly format: { readonly fps: number };
  /**
   * In the order of their packets. They can belong to different videos: one process encodes the cards of all agents.
   */
  readonly segments: readonly S[];
  /** Existing folder. A segment appears as `<key>.segment` when it is complete and flushed to disk. */
  readonly outDir: string;
  /** Called in order when a segment's file has its name. The next call waits for the returned promise. */
  onSegment?(segment: S, path: string): void | Promise<void>;
}

export function segmentFileName(key: string): string {
  return `${key}.segment`;
}

/** Cuts the stream at the segments' first frames and writes each segment's file. */
export class SegmentCutter<S extends SegmentToEncode> {
  readonly #request: CutRequest<S>;
  #config: Buffer | undefined;
  #position = 0;
  /** First frame of the current segment, counted from the first one sent. */
  #firstFrame = 0;
  #firstTimestampMs: number | undefined;
  #open:
    | {
        writer: TrackFileWriter;
        path: string;
        sizes: number[];
        frames: number[];
        idrPackets: number[];
        held: HeldFrames | null;
      }
    | undefined;

  constructor(request: CutRequest<S>) {
    this.#request = request;
  }

  setConfig(config: Buffer): void {
    this.#config = config;
  }

  async take(packet: VideoPacket): Promise<void> {
    // The first frame of a stream is shown first; B-frames delay all time stamps equally.
    this.#firstTimestampMs ??= packet.timestampMs;
    const frame = Math.round(
      ((packet.timestampMs - this.#firstTimestampMs) * this.#request.format.fps) / 1000,
    );
    const segment = this.#segment;
    const nextFirst = segment === undefined ? 0 : this.#firstFrame + sentFrames(segment);
    if (segment !== undefined && packet.isIdr && frame === nextFirst) await this.#finishSegment(segment);
    if (this.#segment === undefined) throw this.#wrong(`one frame too many (${frame})`);
    const open = this.#open ?? (await this.#openSegment(this.#segment, packet));
    if (packet.isIdr) open.idrPackets.push(open.sizes.length);
    open.sizes.push(packet.data.length);
    open.frames.push(frame - this.#firstFrame);
    if (open.held !== null) this.#understand(() => open.held?.note(packet.data, frame));
    await this.#guard(open.writer.write(packet.data), open.path);
  }

  async finish(): Promise<void> {
    if (this.#segment !== undefined && this.#open !== undefined) await this.#finishSegment(this.#segment);
    if (this.#segment !== undefined) throw this.#wrong('nothing for it');
  }

  /** Removes the unfinished file. */
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
    // Before the file exists: parameter sets of another kind must not leave it behind, open.
    const held =
      (segment.heldFrames ?? 0) > 0 ? this.#understand(() => new HeldFrames(this.#needConfig())) : null;
    const path = asidePath(join(this.#request.outDir, segmentFileName(segment.key)));
    const writer = await this.#guard(TrackFileWriter.create(path), path);
    this.#open = { writer, path, sizes: [], frames: [], idrPackets: [], held };
    return this.#open;
  }

  async #finishSegment(segment: S): Promise<void> {
    const open = this.#open!;
    const frameCount = sentFrames(segment);
    if (open.frames.length !== frameCount || new Set(open.frames).size !== frameCount) {
      throw this.#wrong(`${new Set(open.frames).size} frames in ${open.frames.length} packets`);
    }
    if (Math.min(...open.frames) !== 0 || Math.max(...open.frames) !== frameCount - 1) {
      throw this.#wrong('frames of another segment');
    }
    const { writer, sizes, frames, idrPackets, held } = open;
    for (let n = 0; held !== null && n < (segment.heldFrames ?? 0); n++) {
      const picture = this.#understand(() => held.next());
      sizes.push(picture.length);
      frames.push(frameCount + n);
      await this.#guard(writer.write(picture), open.path);
    }
    const config = this.#needConfig().toString('base64');
    await this.#guard(writer.finish({ codec: 'h264', config, sizes, frames, idrPackets }), open.path);
    const path = join(this.#request.outDir, segmentFileName(segment.key));
    await rename(open.path, path);
    this.#open = undefined;
    this.#firstFrame += frameCount;
    this.#position++;
    await this.#request.onSegment?.(segment, path);
  }

  #needConfig(): Buffer {
    if (this.#config === undefined) throw this.#wrong('no parameter sets');
    return this.#config;
  }

  #understand<T>(read: () => T): T {
    try {
      return read();
    } catch (error) {
      throw this.#wrong(`a stream in which no picture can be held: ${(error as Error).message}`);
    }
  }

  async #guard<T>(work: Promise<T>, path: string): Promise<T> {
    try {
      return await work;
    } catch (error) {
      throw toOutputError(error, path);
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

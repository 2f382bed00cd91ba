/**
 * Joins a segment's camera move and its rest into one stream. The move comes from an encoder without B-frames that got
 * every sixth frame; the pictures between are written here. The rest comes from the usual encoder, which got the move's
 * last frame first: that picture is left out, and the next ones refer to the move's last picture. It shows the same
 * frame with other errors, so they fade over some frames: 0.1 to 0.8 dB SSIM in a transition.
 */
import type { VideoPacket } from '../mp4/flv-packets.ts';
import { type CameraMove, moveDistances, planEncodedFrames } from './camera-move.ts';
import { sliceOf } from './h264-bits.ts';
import { writeMovedPicture } from './moved-picture.ts';
import { assertAlike, rewriteSlice } from './rewrite-slice.ts';
import { orderBitsOf, readStreamRules, type StreamRules } from './stream-rules.ts';

/** A picture of the joined stream, in decoding order. */
export interface JoinedPicture {
  readonly data: Buffer;
  /** Counted from the segment's first. */
  readonly frame: number;
  readonly isIdr: boolean;
}

export interface MoveStreams {
  /** AVCDecoderConfigurationRecord of the move's encoder. */
  readonly moveConfig: Buffer;
  /** Of the usual encoder, and of the joined stream. */
  readonly config: Buffer;
  readonly frame: { readonly widthPx: number; readonly heightPx: number };
}

/** @throws Error, from each method, when a stream is not of the kind that our encoders make. */
export class MoveJoin {
  readonly #from: StreamRules;
  readonly #to: StreamRules;
  readonly #move: CameraMove;
  readonly #frame: MoveStreams['frame'];
  #lastFrameNum = 0;
  #hasRest = false;
  /** The rest has begun a stream of its own, which needs no other numbers. */
  #isOver = false;

  constructor(move: CameraMove, { moveConfig, config, frame }: MoveStreams) {
    this.#move = move;
    this.#frame = frame;
    this.#from = readStreamRules(moveConfig);
    this.#to = readStreamRules(config);
    assertAlike(this.#from, this.#to);
    // 8.2.1.1: half of the numbers is the farthest that two pictures can be apart.
    if (2 * move.groupFrames >= 2 ** orderBitsOf(this.#to) / 2)
      throw new Error('expected a longer order count');
    if (this.#to.references < 2) throw new Error('expected a stream that keeps two references');
  }

  /** All pictures of the move. @param encoded - Of its encoded frames, in order. */
  moved(encoded: readonly VideoPacket[]): JoinedPicture[] {
    const { views } = this.#move;
    const { ofMove } = planEncodedFrames(views.length, this.#move);
    this.#lastFrameNum = ofMove.length - 1;
    return ofMove.flatMap((frame, n): JoinedPicture[] => {
      const { data, isIdr } = encoded[n]!;
      // Each is a reference, so each counts.
      const numbers = { frameNum: n, order: 2 * frame, forgetsOlder: n >= 2 };
      const picture = rewriteSlice(sliceOf(data), this.#from, this.#to, () => numbers);
      const previous = ofMove[n - 1] ?? frame;
      const between = Array.from({ length: Math.max(0, frame - previous - 1) }, (_, k): JoinedPicture => {
        const shown = previous + 1 + k;
        const moved = {
          ...{ now: views[shown]!, after: views[frame]!, before: views[previous]! },
          shareOfAfter: (shown - previous) / (frame - previous),
        };
        const numbers = { frameNum: n + 1, order: 2 * shown };
        const distances = moveDistances(moved, this.#frame, this.#to);
        return { data: writeMovedPicture(this.#to, numbers, distances), frame: shown, isIdr: false };
      });
      return [{ data: picture, frame, isIdr }, ...between];
    });
  }

  /** A picture of the rest, but for its first. */
  rest(packet: VideoPacket): Buffer {
    if (packet.isIdr) this.#isOver = true;
    if (this.#isOver) return packet.data;
    const firstOrder = 2 * (this.#move.views.length - 1);
    const isFirst = !this.#hasRest;
    this.#hasRest = true;
    return rewriteSlice(sliceOf(packet.data), this.#to, this.#to, ({ frameNum, order }) => ({
      frameNum: frameNum + this.#lastFrameNum,
      order: order! + firstOrder,
      // From here on the decoder keeps what it would keep in the encoder's own stream.
      forgetsOlder: isFirst,
    }));
  }
}

/** Sorts the packets of the encoder of camera moves into runs, one for each segment with a move. */
import type { VideoPacket } from '../mp4/flv-packets.ts';

export class MoveRuns {
  /** Frames of the runs that have not begun. */
  readonly #lengths: number[];
  readonly #whole: VideoPacket[][] = [];
  #run: VideoPacket[] = [];

  /** @param lengths - Encoded frames of each run, in order. */
  constructor(lengths: readonly number[]) {
    this.#lengths = [...lengths];
  }

  /** @throws Error when it is not the packet that was expected. */
  take(packet: VideoPacket): void {
    const length = this.#lengths[0];
    if (length === undefined) throw new Error('one frame too many of a camera move');
    if (packet.isIdr !== (this.#run.length === 0)) throw new Error('a camera move that begins elsewhere');
    this.#run.push(packet);
    if (this.#run.length < length) return;
    this.#whole.push(this.#run);
    this.#run = [];
    this.#lengths.shift();
  }

  /** The next run, once it is whole. */
  next(): readonly VideoPacket[] | undefined {
    return this.#whole.shift();
  }

  get hasWhole(): boolean {
    return this.#whole.length > 0;
  }
}

/**
 * Reads H.264 packets from an FLV stream as it arrives, in chunks of any size. It supports only the output of our
 * encoder process: one H.264 track.
 *
 * Adobe Flash Video File Format Specification 10.1, annex E.
 */

/** One access unit, in decoding order. */
export interface VideoPacket {
  /** NAL units, each after its length in 4 bytes (ISO/IEC 14496-15). A copy that the receiver owns. */
  readonly data: Buffer;
  readonly isIdr: boolean;
  /** Presentation time, ms, from the stream's start. */
  readonly timestampMs: number;
}

/** The result of {@link FlvReader.push}. */
export interface FlvEvents {
  /** AVCDecoderConfigurationRecord: the parameter sets, as in an MP4's `avcC`. */
  onConfig(config: Buffer): void;
  onPacket(packet: VideoPacket): void;
}

const FLV_HEADER_BYTES = 9 + 4;
const TAG_HEADER_BYTES = 11;
const TAG_TYPE_VIDEO = 9;
const CODEC_AVC = 7;
const NAL_IDR = 5;
const NAL_SEI = 6;
const SEI_USER_DATA_UNREGISTERED = 5;

/** An incremental parser; holds at most one incomplete tag. */
export class FlvReader {
  #chunks: Buffer[] = [];
  #bufferedBytes = 0;
  #neededBytes = FLV_HEADER_BYTES;
  #sawHeader = false;
  readonly #events: FlvEvents;

  constructor(events: FlvEvents) {
    this.#events = events;
  }

  /** True when the stream stops in the middle of a tag, or before its header. */
  get isIncomplete(): boolean {
    return this.#bufferedBytes > 0 || !this.#sawHeader;
  }

  /**
   * @throws Error when the bytes are not FLV with H.264.
   */
  push(chunk: Buffer): void {
    this.#chunks.push(chunk);
    this.#bufferedBytes += chunk.length;
    // Joins chunks only when a tag is complete, so that a large tag is not copied once per chunk.
    if (this.#bufferedBytes < this.#neededBytes) return;
    const bytes = this.#chunks.length === 1 ? chunk : Buffer.concat(this.#chunks, this.#bufferedBytes);
    const usedBytes = this.#parse(bytes);
    const rest = bytes.subarray(usedBytes);
    this.#chunks = rest.length === 0 ? [] : [rest];
    this.#bufferedBytes = rest.length;
  }

  #parse(bytes: Buffer): number {
    let offset = 0;
    if (!this.#sawHeader) {
      if (bytes.toString('latin1', 0, 3) !== 'FLV') throw new Error('the encoder did not answer with FLV');
      this.#sawHeader = true;
      offset = FLV_HEADER_BYTES;
    }
    for (;;) {
      this.#neededBytes = TAG_HEADER_BYTES;
      if (bytes.length - offset < TAG_HEADER_BYTES) return offset;
      const dataBytes = bytes.readUIntBE(offset + 1, 3);
      const tagBytes = TAG_HEADER_BYTES + dataBytes + 4;
      this.#neededBytes = tagBytes;
      if (bytes.length - offset < tagBytes) return offset;
      if (bytes[offset] === TAG_TYPE_VIDEO) {
        const decodeMs = bytes.readUIntBE(offset + 4, 3) + (bytes[offset + 7] ?? 0) * 0x1000000;
        const start = offset + TAG_HEADER_BYTES;
        this.#readVideo(bytes.subarray(start, start + dataBytes), decodeMs);
      }
      offset += tagBytes;
    }
  }

  #readVideo(data: Buffer, decodeMs: number): void {
    if (((data[0] ?? 0) & 0x0f) !== CODEC_AVC || data.length < 5)
      throw new Error('the encoder did not answer with H.264');
    const packetType = data[1];
    const body = data.subarray(5);
    if (packetType === 0) this.#events.onConfig(Buffer.from(body));
    if (packetType !== 1) return;
    const { data: samples, isIdr } = copyWithoutEncoderNote(body);
    this.#events.onPacket({ data: samples, isIdr, timestampMs: decodeMs + data.readIntBE(2, 3) });
  }
}

/**
 * Copies an access unit without x264's version note (700 bytes in the first packet of a process), which would make
 * equal segments differ.
 */
function copyWithoutEncoderNote(body: Buffer): { data: Buffer; isIdr: boolean } {
  const kept: Buffer[] = [];
  let isIdr = false;
  for (let offset = 0; offset + 4 < body.length; ) {
    const end = offset + 4 + body.readUInt32BE(offset);
    if (end > body.length) throw new Error('the encoder sent a broken NAL unit');
    const type = (body[offset + 4] ?? 0) & 0x1f;
    if (type === NAL_IDR) isIdr = true;
    const isNote = type === NAL_SEI && body[offset + 5] === SEI_USER_DATA_UNREGISTERED;
    if (!isNote) kept.push(body.subarray(offset, end));
    offset = end;
  }
  return { data: Buffer.concat(kept), isIdr };
}

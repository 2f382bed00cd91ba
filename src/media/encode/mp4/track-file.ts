/**
 * The file format of one encoded track (a video segment or a soundtrack): packets, an index and a checksum, which finds
 * a truncated or damaged file before its use. Internal to this folder and its cache.
 *
 * Layout: packets · index (JSON, UTF-8) · trailer of 20 bytes: index length (u32), CRC-32 of packets and index (u32),
 * length of packets and index together (u32 high, u32 low), magic `LVT1`. All big-endian.
 */
import { type FileHandle, open } from 'node:fs/promises';
import { crc32 } from 'node:zlib';
import { checksumFile } from '../../../platform/disk/hash-file.ts';

const MAGIC = 'LVT1';
const TRAILER_BYTES = 20;
/** Packets are buffered up to this size before they are written. */
const WRITE_BYTES = 1 << 20;

export interface TrackIndex {
  readonly codec: 'h264' | 'aac';
  /** `avcC` for H.264, AudioSpecificConfig for AAC; base64. */
  readonly config: string;
  /** Bytes of each packet, in decoding order. */
  readonly sizes: readonly number[];
  /**
   * H.264: the frame of each packet, counted from the segment's first. Empty for AAC, whose packets are in order.
   */
  readonly frames: readonly number[];
  /** Packets that are IDR pictures, ascending; starts with 0. Empty for AAC. */
  readonly idrPackets: readonly number[];
  /** AAC: samples of encoder delay, and samples of audio after them. */
  readonly audio?: {
    readonly sampleRateHz: number;
    readonly primingSamples: number;
    readonly soundSamples: number;
    /** Integrated, LUFS; null for silence. */
    readonly loudnessLufs: number | null;
  };
}

/** A valid track file on disk. Its packets start at the first byte. */
export interface TrackFile {
  readonly path: string;
  readonly index: TrackIndex;
  readonly packetBytes: number;
}

/** Writes a track file. The caller passes a temporary name and renames the file after `finish`. */
export class TrackFileWriter {
  readonly #file: FileHandle;
  #pending: Buffer[] = [];
  #pendingBytes = 0;
  #writtenBytes = 0;
  #crc = 0;

  private constructor(file: FileHandle) {
    this.#file = file;
  }

  /** @throws The file system's error, such as ENOSPC. */
  static async create(path: string): Promise<TrackFileWriter> {
    return new TrackFileWriter(await open(path, 'wx'));
  }

  /** Takes ownership of `data`. */
  async write(data: Buffer): Promise<void> {
    this.#pending.push(data);
    this.#pendingBytes += data.length;
    if (this.#pendingBytes >= WRITE_BYTES) await this.#flush();
  }

  async finish(index: TrackIndex): Promise<void> {
    await this.#flush();
    const indexBytes = Buffer.from(JSON.stringify(index), 'utf8');
    const trailer = Buffer.alloc(TRAILER_BYTES);
    const bodyBytes = this.#writtenBytes + indexBytes.length;
    trailer.writeUInt32BE(indexBytes.length, 0);
    trailer.writeUInt32BE(crc32(indexBytes, this.#crc), 4);
    trailer.writeUInt32BE(Math.floor(bodyBytes / 2 ** 32), 8);
    trailer.writeUInt32BE(bodyBytes % 2 ** 32, 12);
    trailer.write(MAGIC, 16, 'latin1');
    await this.#file.writev([indexBytes, trailer]);
    await this.#file.sync();
    await this.#file.close();
  }

  /** Closes without finishing; safe after `finish`. */
  async close(): Promise<void> {
    await this.#file.close().catch(() => {});
  }

  async #flush(): Promise<void> {
    if (this.#pending.length === 0) return;
    const bytes =
      this.#pending.length === 1 ? this.#pending[0]! : Buffer.concat(this.#pending, this.#pendingBytes);
    this.#pending = [];
    this.#pendingBytes = 0;
    this.#crc = crc32(bytes, this.#crc);
    this.#writtenBytes += bytes.length;
    await this.#file.appendFile(bytes);
  }
}

/**
 * Opens a track file and checks its checksum.
 *
 * @returns Undefined when it is missing or damaged.
 */
export async function readTrackFile(path: string): Promise<TrackFile | undefined> {
  return reading(path, async (file) => {
    const track = await readIndex(file, path);
    return track !== undefined && (await checksumFile(file, track.bodyBytes)) === track.crc
      ? track
      : undefined;
  });
}

/** The codec and its parameter sets, without reading the packets; null when the file is missing or damaged. */
export async function readTrackConfig(path: string): Promise<string | null> {
  const track = await reading(path, (file) => readIndex(file, path));
  return track === undefined ? null : `${track.index.codec} ${track.index.config}`;
}

async function reading<T>(
  path: string,
  read: (file: FileHandle) => Promise<T | undefined>,
): Promise<T | undefined> {
  let file: FileHandle;
  try {
    file = await open(path, 'r');
  } catch {
    return undefined;
  }
  try {
    return await read(file);
  } catch {
    return undefined;
  } finally {
    await file.close();
  }
}

async function readIndex(
  file: FileHandle,
  path: string,
): Promise<(TrackFile & { readonly bodyBytes: number; readonly crc: number }) | undefined> {
  const { size } = await file.stat();
  if (size < TRAILER_BYTES) return undefined;
  const trailer = await readExactly(file, size - TRAILER_BYTES, TRAILER_BYTES);
  const indexBytes = trailer.readUInt32BE(0);
  const bodyBytes = trailer.readUInt32BE(8) * 2 ** 32 + trailer.readUInt32BE(12);
  if (
    trailer.toString('latin1', 16) !== MAGIC ||
    bodyBytes !== size - TRAILER_BYTES ||
    indexBytes > bodyBytes
  ) {
    return undefined;
  }
  const packetBytes = bodyBytes - indexBytes;
  const index = JSON.parse((await readExactly(file, packetBytes, indexBytes)).toString('utf8')) as TrackIndex;
  return { path, index, packetBytes, bodyBytes, crc: trailer.readUInt32BE(4) };
}

/** @throws Error when the file ends before. */
export async function readExactly(file: FileHandle, position: number, bytes: number): Promise<Buffer> {
  const buffer = Buffer.allocUnsafe(bytes);
  await readInto(file, buffer, position);
  return buffer;
}

/** Fills `buffer`. @throws Error when the file ends before. */
export async function readInto(file: FileHandle, buffer: Buffer, position: number): Promise<void> {
  for (let filled = 0; filled < buffer.length; ) {
    const { bytesRead } = await file.read(buffer, filled, buffer.length - filled, position + filled);
    if (bytesRead === 0) throw new Error('unexpected end of file');
    filled += bytesRead;
  }
}

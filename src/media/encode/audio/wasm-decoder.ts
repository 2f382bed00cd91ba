/**
 * The process that decodes one music file in WebAssembly: a message brings the request, another takes the answer back.
 */
import { type FileHandle, open } from 'node:fs/promises';
import type { MusicFormat } from './inspect-music.ts';

/** M4A is not among them: its decoders in WebAssembly are under the GPL. */
export type WasmFormat = Exclude<MusicFormat, 'mov'>;

/** What to decode. Paths are absolute. */
export interface WasmRequest {
  readonly format: WasmFormat;
  readonly from: string;
  /** Created; raw audio: 32-bit floats, little-endian, channels in turn. */
  readonly to: string;
  /** Decodes at least this much, and little more. */
  readonly maxSec: number;
}

export type WasmAnswer =
  | { readonly type: 'decoded'; readonly sampleRateHz: number; readonly channels: number }
  | { readonly type: 'unusable'; readonly problem: string }
  /** The package of the decoder is not installed. */
  | { readonly type: 'missing' }
  /** The permissions of the process do not reach its packages. */
  | { readonly type: 'denied' }
  /** `code` of the failed write, such as ENOSPC. */
  | { readonly type: 'unwritable'; readonly code: string };

interface Decoder {
  decode(bytes: Uint8Array): Audio | Promise<Audio>;
  flush?(): Audio | Promise<Audio>;
}

interface Audio {
  readonly channelData: readonly Float32Array[];
  readonly sampleRate: number;
}

/** So little that a file of silence, which shrinks to a thousandth, cannot fill the memory in one step. */
const READ_BYTES = 16 * 1024;
const MAX_CHANNELS = 8;

async function decodeFile({ format, from, to, maxSec }: WasmRequest): Promise<WasmAnswer> {
  const source = await open(from, 'r');
  const { size } = await source.stat();
  const decoder = await openDecoder(format, source);
  const writer = new PcmWriter(await open(to, 'wx'), maxSec);
  const buffer = Buffer.allocUnsafe(READ_BYTES);
  for (let position = 0; position < size && !writer.isFull; ) {
    const { bytesRead } = await source.read(buffer, 0, buffer.length, position);
    if (bytesRead === 0) break;
    await writer.write(await decoder.decode(new Uint8Array(buffer.subarray(0, bytesRead))));
    position += bytesRead;
  }
  if (!writer.isFull && decoder.flush !== undefined) await writer.write(await decoder.flush());
  return writer.describe();
}

/** The packages are loaded here, because each file needs one of them. */
async function openDecoder(format: WasmFormat, source: FileHandle): Promise<Decoder> {
  switch (format) {
    case 'mp3':
      return (await import('@audio/decode-mp3')).decoder();
    case 'wav':
      return (await import('@audio/decode-wav')).decoder();
    case 'flac':
      return (await import('@audio/decode-flac')).decoder();
    case 'ogg': {
      // The first packet, after a page header of 28 bytes, names the codec (RFC 3533).
      const { buffer } = await source.read(Buffer.alloc(40), 0, 40, 0);
      const head = buffer.toString('latin1', 28);
      if (head.startsWith('OpusHead')) return (await import('@audio/decode-opus')).decoder();
      if (head.startsWith('\x7fFLAC')) return (await import('@audio/decode-flac')).decoder();
      return (await import('@audio/decode-vorbis')).decoder();
    }
  }
}

/** Writes channels in turn, up to a length. */
class PcmWriter {
  readonly #file: FileHandle;
  readonly #maxSec: number;
  #samples = 0;
  #shape: { readonly sampleRateHz: number; readonly channels: number } | null = null;

  constructor(file: FileHandle, maxSec: number) {
    this.#file = file;
    this.#maxSec = maxSec;
  }

  get isFull(): boolean {
    return this.#shape !== null && this.#samples >= this.#maxSec * this.#shape.sampleRateHz;
  }

  /** @throws Error when the rate or the number of channels changes within the file. */
  async write({ channelData, sampleRate }: Audio): Promise<void> {
    const count = channelData[0]?.length ?? 0;
    if (count === 0) return;
    const channels = Math.min(MAX_CHANNELS, channelData.length);
    this.#shape ??= { sampleRateHz: sampleRate, channels };
    if (sampleRate !== this.#shape.sampleRateHz || channels !== this.#shape.channels)
      throw new Error('the format changes within the file');
    const left = Math.ceil(this.#maxSec * sampleRate) - this.#samples;
    const samples = Math.max(0, Math.min(count, left));
    const mixed = new DataView(new ArrayBuffer(samples * channels * 4));
    for (let channel = 0; channel < channels; channel++) {
      const values = channelData[channel]!;
      for (let at = 0; at < samples; at++)
        mixed.setFloat32((at * channels + channel) * 4, values[at] ?? 0, true);
    }
    await this.#file.appendFile(new Uint8Array(mixed.buffer));
    this.#samples += samples;
  }

  describe(): WasmAnswer {
    return this.#shape === null
      ? { type: 'unusable', problem: 'it cannot be decoded' }
      : { type: 'decoded', ...this.#shape };
  }
}

function toFailure(error: unknown): WasmAnswer {
  const { code, syscall } = error as NodeJS.ErrnoException;
  if (code === 'ERR_MODULE_NOT_FOUND') return { type: 'missing' };
  if (code === 'ERR_ACCESS_DENIED') return { type: 'denied' };
  if (syscall === 'write' && code !== undefined) return { type: 'unwritable', code };
  return { type: 'unusable', problem: 'it cannot be decoded' };
}

// The parent decides when to stop, and Ctrl-C reaches the whole process group. Without the parent nobody needs the
// answer.
process.on('SIGINT', () => {});
process.on('disconnect', () => process.exit());
process.once('message', async (request: WasmRequest) => {
  const answer = await decodeFile(request).catch(toFailure);
  process.send?.(answer, undefined, undefined, () => process.disconnect());
});

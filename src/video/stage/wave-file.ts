/** Makes a WAV file of a soundtrack's track file: browsers without an AAC decoder, such as Chromium, play it too. */
import { open, rm, writeFile } from 'node:fs/promises';
import { runFfmpeg } from '../../media/encode/ffmpeg/run-ffmpeg.ts';
import { readExactly, readTrackFile, type TrackFile } from '../../media/encode/mp4/track-file.ts';
import { ListingVideoError } from '../../platform/errors.ts';

const TIMEOUT_MS = 60_000;
const HEADER_BYTES = 7;

export interface WaveRequest {
  readonly trackPath: string;
  /** Absolute; an existing file is replaced. */
  readonly outPath: string;
  readonly ffmpeg: string;
  readonly signal: AbortSignal;
}

/**
 * Decodes exactly the samples that a player of the MP4 would play: 48 kHz, stereo, 16 bit.
 *
 * @throws {@link ListingVideoError} `encode_failed`, `ffmpeg_missing`, `disk_full`; the signal's reason.
 */
export async function makeWaveFile({ trackPath, outPath, ffmpeg, signal }: WaveRequest): Promise<void> {
  const track = await readTrackFile(trackPath);
  const audio = track?.index.audio;
  if (track === undefined || audio === undefined)
    throw new ListingVideoError('encode_failed', 'the soundtrack cannot be read');
  const adtsPath = `${outPath}.aac`;
  try {
    await writeFile(adtsPath, await toAdts(track));
    const { primingSamples, soundSamples } = audio;
    const range = `start_sample=${primingSamples}:end_sample=${primingSamples + soundSamples}`;
    await runFfmpeg(
      ffmpeg,
      [
        ...['-hide_banner', '-loglevel', 'error', '-nostdin', '-y', '-f', 'aac', '-i', `file:${adtsPath}`],
        ...[
          '-af',
          `atrim=${range},asetpts=PTS-STARTPTS`,
          '-c:a',
          'pcm_s16le',
          '-f',
          'wav',
          `file:${outPath}`,
        ],
      ],
      { timeoutMs: TIMEOUT_MS, signal },
    );
  } finally {
    await rm(adtsPath, { force: true });
  }
}

/** The packets with the headers that a decoder of a plain stream needs. ISO/IEC 14496-3, 1.A.2.2. */
async function toAdts({ path, packetBytes, index: { config, sizes } }: TrackFile): Promise<Buffer> {
  const file = await open(path, 'r');
  try {
    const packets = await readExactly(file, 0, packetBytes);
    const setup = Buffer.from(config, 'base64').readUInt16BE(0);
    const out = Buffer.alloc(packetBytes + HEADER_BYTES * sizes.length);
    let [from, to] = [0, 0];
    for (const size of sizes) {
      writeHeader(out, to, setup, size + HEADER_BYTES);
      packets.copy(out, to + HEADER_BYTES, from, from + size);
      from += size;
      to += size + HEADER_BYTES;
    }
    return out;
  } finally {
    await file.close();
  }
}

/**
 * @param setup - AudioSpecificConfig: object type (5 bits), sampling frequency index (4), channel configuration (4).
 */
function writeHeader(out: Buffer, at: number, setup: number, bytes: number): void {
  const [objectType, frequencyIndex, channels] = [setup >> 11, (setup >> 7) & 15, (setup >> 3) & 15];
  out[at] = 0xff;
  // MPEG-4, without a checksum.
  out[at + 1] = 0xf1;
  out[at + 2] = ((objectType - 1) << 6) | (frequencyIndex << 2) | (channels >> 2);
  out[at + 3] = ((channels & 3) << 6) | (bytes >> 11);
  out[at + 4] = (bytes >> 3) & 0xff;
  // Variable bit rate: a buffer fullness of all ones.
  out[at + 5] = ((bytes & 7) << 5) | 0x1f;
  out[at + 6] = 0xfc;
}

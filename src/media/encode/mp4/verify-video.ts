/**
 * Verifies a finished MP4 before it gets its name. The reader is mediabunny, which shares no code with our MP4 writer.
 */
import { open } from 'node:fs/promises';
import type { InputAudioTrack, InputTrack, InputVideoTrack } from 'mediabunny';
import { ListingVideoError } from '../../../platform/errors.ts';
import { reportLiveness } from '../../../platform/liveness.ts';
import type { VideoFormat } from '../encode-settings.ts';
import { readVideoParameters } from '../h264/read-sps.ts';
import { EncodedPacketSink, FilePathSource, Input, MP4 } from './mp4-reader.ts';
import { boxesAt } from './read-boxes.ts';
import { readExactly } from './track-file.ts';

export interface ExpectedVideo extends Omit<VideoFormat, 'quality'> {
  readonly frameCount: number;
  readonly title: string;
  readonly comment: string;
  /** Default: true. */
  readonly hasEditLists?: boolean;
}

/** The facts of a file that is as expected. */
export interface VerifiedVideo {
  readonly frameCount: number;
  readonly durationSec: number;
  readonly sizeBytes: number;
}

/** The file stores times as fractions, so they agree to rounding of doubles. */
const TOLERANCE_SEC = 1e-6;
const HIGH_PROFILE_IDC = 100;
const BT709 = 1;

/**
 * Checks the order of the boxes, tracks, codecs, frame times, durations, colors and tags, and that the packets are all
 * that `mdat` has. Their bytes were checked when they were copied; of each track, the last packet is read.
 *
 * @throws {@link ListingVideoError} `verification_failed` with every difference in `context.differences`.
 */
export async function verifyVideo(path: string, expected: ExpectedVideo): Promise<VerifiedVideo> {
  let differences: string[];
  let sizeBytes = 0;
  try {
    const layout = await readLayout(path);
    sizeBytes = layout.sizeBytes;
    differences = [
      ...(layout.boxes === 'ftyp moov mdat'
        ? []
        : [`order of boxes is ${layout.boxes}, expected ftyp moov mdat`]),
      ...findEditLists(layout.moov, expected.hasEditLists ?? true),
      ...(await findDifferences(path, expected, layout.mediaBytes)),
    ];
  } catch (cause) {
    throw verificationError(path, [cause instanceof Error ? cause.message : String(cause)], cause);
  }
  if (differences.length > 0) throw verificationError(path, differences);
  return { frameCount: expected.frameCount, durationSec: expected.frameCount / expected.fps, sizeBytes };
}

interface Layout {
  readonly boxes: string;
  readonly moov: Buffer;
  /** In `mdat`. */
  readonly mediaBytes: number;
  readonly sizeBytes: number;
}

/**
 * Types of the outermost boxes, in order, and the content of `moov`: before `mdat` it lets a player start before it has
 * the whole file.
 */
async function readLayout(path: string): Promise<Layout> {
  const file = await open(path, 'r');
  try {
    const sizeBytes = (await file.stat()).size;
    const boxes: string[] = [];
    const header = Buffer.alloc(16);
    let moov: Buffer = Buffer.alloc(0);
    let mediaBytes = 0;
    for (let offset = 0; offset < sizeBytes; ) {
      const { bytesRead } = await file.read(header, 0, 16, offset);
      const shortSize = header.readUInt32BE(0);
      const size = shortSize === 1 ? Number(header.readBigUInt64BE(8)) : shortSize;
      if (bytesRead < 8 || size < 8 || offset + size > sizeBytes)
        throw new Error(`the box at byte ${offset} is cut off`);
      const type = header.toString('latin1', 4, 8);
      boxes.push(type);
      if (type === 'mdat') mediaBytes = size - (shortSize === 1 ? 16 : 8);
      if (type === 'moov' && shortSize !== 1) moov = await readExactly(file, offset + 8, size - 8);
      offset += size;
    }
    return { boxes: boxes.join(' '), moov, mediaBytes, sizeBytes };
  } finally {
    await file.close();
  }
}

/** Every track has an edit list, or none has one. */
function findEditLists(moov: Buffer, expected: boolean): string[] {
  return boxesAt(moov, ['trak']).flatMap((track, index) => {
    const hasOne = boxesAt(track, ['edts']).length > 0;
    return hasOne === expected ? [] : [`edit list of track ${index + 1} is ${hasOne}, expected ${expected}`];
  });
}

type Check = (what: string, found: unknown, expected: unknown) => void;
type CheckTime = (what: string, found: number | undefined, expected: number) => void;

/** One sentence per difference; empty when everything is as expected. */
async function findDifferences(path: string, expected: ExpectedVideo, mediaBytes: number): Promise<string[]> {
  const differences: string[] = [];
  const check: Check = (what, found, wanted) => {
    if (found !== wanted) differences.push(`${what} is ${found}, expected ${wanted}`);
  };
  const checkTime: CheckTime = (what, found, wanted) => {
    const isEqual = found !== undefined && Math.abs(found - wanted) <= TOLERANCE_SEC;
    if (!isEqual) differences.push(`${what} is ${found} s, expected ${wanted} s`);
  };
  const input = new Input({ formats: [MP4], source: new FilePathSource(path) });
  const durationSec = expected.frameCount / expected.fps;
  try {
    const tracks = await input.getTracks();
    check('tracks', tracks.map(({ type }) => type).join(' '), 'video audio');
    const { raw: tags = {} } = await input.getMetadataTags();
    check('title', tags['©nam'], expected.title);
    check('comment', tags['©cmt'], expected.comment);
    let packetBytes = 0;
    for (const track of tracks) {
      checkTime(`duration of ${track.type}`, await track.computeDuration(), durationSec);
      const packets = await readPackets(track);
      packetBytes += packets.reduce((total, { byteLength }) => total + byteLength, 0);
      if (track.isVideoTrack()) await checkVideo(track, packets, expected, check, checkTime);
      if (track.isAudioTrack()) await checkAudio(track, packets, durationSec, check);
    }
    check('bytes of all packets', packetBytes, mediaBytes);
  } finally {
    input.dispose();
  }
  return differences;
}

async function checkVideo(
  track: InputVideoTrack,
  packets: readonly Packet[],
  { widthPx, heightPx, fps, frameCount }: ExpectedVideo,
  check: Check,
  checkTime: CheckTime,
): Promise<void> {
  check('video codec', await track.getInternalCodecId(), 'avc1');
  check(
    'frame size',
    `${await track.getCodedWidth()}x${await track.getCodedHeight()}`,
    `${widthPx}x${heightPx}`,
  );
  const { primaries, transfer, matrix, fullRange } = await track.getColorSpace();
  check('color tags', [primaries, transfer, matrix, fullRange].join(' '), 'bt709 bt709 bt709 false');
  const avcC = (await track.getDecoderConfig())?.description;
  check('decoder configuration exists', avcC !== undefined, true);
  if (avcC !== undefined) checkParameters(toBuffer(avcC), { widthPx, heightPx }, check);
  check('frames', packets.length, frameCount);
  check('first frame is a key frame', packets[0]?.type, 'key');
  const times = packets.map(({ timestamp }) => timestamp).toSorted((a, b) => a - b);
  const wrong = times.findIndex((time, frame) => Math.abs(time - frame / fps) > TOLERANCE_SEC);
  if (wrong >= 0) checkTime(`time of frame ${wrong}`, times[wrong], wrong / fps);
}

/** The decoder obeys the H.264 parameter set, players often the container, so both must agree. */
function checkParameters(avcC: Buffer, size: { widthPx: number; heightPx: number }, check: Check): void {
  const parameters = readVideoParameters(avcC);
  check('profile', parameters.profileIdc, HIGH_PROFILE_IDC);
  check('coded size', `${parameters.widthPx}x${parameters.heightPx}`, `${size.widthPx}x${size.heightPx}`);
  check('primaries', parameters.primaries, BT709);
  check('transfer', parameters.transfer, BT709);
  check('matrix', parameters.matrix, BT709);
  check('full range', parameters.isFullRange, false);
}

async function checkAudio(
  track: InputAudioTrack,
  packets: readonly Packet[],
  durationSec: number,
  check: Check,
): Promise<void> {
  check('audio codec', await track.getCodec(), 'aac');
  check('channels', await track.getNumberOfChannels(), 2);
  check('sample rate', await track.getSampleRate(), 48_000);
  const last = packets.at(-1)?.timestamp ?? Number.NEGATIVE_INFINITY;
  const endsWithVideo = last < durationSec && last + 1024 / 48_000 >= durationSec - TOLERANCE_SEC;
  check('audio ends with the video', endsWithVideo, true);
}

interface Packet {
  readonly timestamp: number;
  readonly type: string;
  readonly byteLength: number;
}

/** Every packet in file order. Only the last one is read with its bytes: one outside the file is an error. */
async function readPackets(track: InputTrack): Promise<Packet[]> {
  const packets: Packet[] = [];
  const sink = new EncodedPacketSink(track);
  for await (const { timestamp, type, byteLength } of sink.packets(undefined, undefined, {
    metadataOnly: true,
  })) {
    reportLiveness();
    packets.push({ timestamp, type, byteLength });
  }
  if (packets.length > 0 && (await sink.getPacket(Number.POSITIVE_INFINITY)) === null)
    throw new Error(`the last packet of ${track.type} is not in the file`);
  return packets;
}

function toBuffer(bytes: NonNullable<VideoDecoderConfig['description']>): Buffer {
  return ArrayBuffer.isView(bytes)
    ? Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    : Buffer.from(bytes);
}

function verificationError(path: string, differences: readonly string[], cause?: unknown): ListingVideoError {
  const message = `the finished video is not as expected: ${differences.join('; ')}`;
  return new ListingVideoError('verification_failed', message, {
    ...(cause === undefined ? {} : { cause }),
    hint: 'run the same command again; if it fails again, report it with --debug',
    context: { path, differences },
  });
}

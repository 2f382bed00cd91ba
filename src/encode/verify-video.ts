/** Judges a finished MP4 before it gets its name: does the file hold exactly the video that was asked for? */
import { ListingVideoError } from '../errors.ts';
import { type Mp4, type Mp4Track, readMp4 } from './read-mp4.ts';
import { readVideoParameters } from './read-sps.ts';

export interface ExpectedVideo {
  readonly widthPx: number;
  readonly heightPx: number;
  readonly fps: number;
  readonly frameCount: number;
  readonly title: string;
  readonly comment: string;
}

/** What was found; all of it as expected. */
export interface VerifiedVideo {
  readonly frameCount: number;
  readonly durationSec: number;
  readonly sizeBytes: number;
}

/** Times are fractions in the file, so they agree to rounding of doubles. */
const TOLERANCE_SEC = 1e-6;
const HIGH_PROFILE_IDC = 100;
const BT709 = 1;
/** `nclx`, BT.709 three times, limited range. */
const BT709_COLR = '6e636c7800010001000100';

/**
 * Reads the MP4's head and checks streams, frame times, lengths, colours, tags and that each packet lies in the file.
 *
 * @throws {@link ListingVideoError} `verification_failed` with every difference in `context.differences`.
 */
export async function verifyVideo(path: string, expected: ExpectedVideo): Promise<VerifiedVideo> {
  let mp4: Mp4;
  let differences: string[];
  try {
    mp4 = await readMp4(path);
    differences = findDifferences(mp4, expected);
  } catch (cause) {
    throw verificationError(path, [cause instanceof Error ? cause.message : String(cause)], cause);
  }
  if (differences.length > 0) throw verificationError(path, differences);
  return { frameCount: expected.frameCount, durationSec: mp4.durationSec, sizeBytes: mp4.sizeBytes };
}

/** In words; empty when all is as expected. Pure. */
function findDifferences(mp4: Mp4, expected: ExpectedVideo): string[] {
  const differences: string[] = [];
  const check = (what: string, found: unknown, wanted: unknown) => {
    if (found !== wanted) differences.push(`${what} is ${found}, expected ${wanted}`);
  };
  const checkTime = (what: string, found: number | undefined, wanted: number) => {
    const isEqual = found !== undefined && Math.abs(found - wanted) <= TOLERANCE_SEC;
    if (!isEqual) differences.push(`${what} is ${found} s, expected ${wanted} s`);
  };
  const durationSec = expected.frameCount / expected.fps;
  check('order of parts', mp4.parts.join(' '), 'ftyp moov mdat');
  check('tracks', mp4.tracks.map((track) => track.handler).join(' '), 'vide soun');
  check('title', mp4.tags['©nam'], expected.title);
  check('comment', mp4.tags['©cmt'], expected.comment);
  checkTime('duration', mp4.durationSec, durationSec);
  for (const track of mp4.tracks) {
    checkTime(`duration of ${track.handler}`, track.durationSec, durationSec);
    check(`packets of ${track.handler} outside the file`, countOutside(track, mp4.sizeBytes), 0);
  }
  const video = mp4.tracks.find((track) => track.handler === 'vide');
  const audio = mp4.tracks.find((track) => track.handler === 'soun');
  if (video !== undefined) checkPicture(video, expected, check, checkTime);
  if (audio !== undefined) checkSound(audio, durationSec, check);
  return differences;
}

type Check = (what: string, found: unknown, wanted: unknown) => void;
type CheckTime = (what: string, found: number | undefined, wanted: number) => void;

function checkPicture(video: Mp4Track, expected: ExpectedVideo, check: Check, checkTime: CheckTime): void {
  const { widthPx, heightPx, fps } = expected;
  check('video codec', video.codec, 'avc1');
  check('frames', video.packetCount, expected.frameCount);
  check('frame size', `${video.widthPx}x${video.heightPx}`, `${widthPx}x${heightPx}`);
  check('colr', video.codecBoxes.get('colr')?.toString('hex'), BT709_COLR);
  check('first frame is a key frame', video.syncPackets?.[0], 0);
  const avcC = video.codecBoxes.get('avcC');
  check('avcC is there', avcC !== undefined, true);
  if (avcC === undefined) return;
  const parameters = readVideoParameters(avcC);
  check('profile', parameters.profileIdc, HIGH_PROFILE_IDC);
  check('coded size', `${parameters.widthPx}x${parameters.heightPx}`, `${widthPx}x${heightPx}`);
  check('primaries', parameters.primaries, BT709);
  check('transfer', parameters.transfer, BT709);
  check('matrix', parameters.matrix, BT709);
  check('full range', parameters.isFullRange, false);
  const times = video.timesSec.toSorted((a, b) => a - b);
  const wrongFrame = times.findIndex((time, frame) => Math.abs(time - frame / fps) > TOLERANCE_SEC);
  if (wrongFrame >= 0) checkTime(`time of frame ${wrongFrame}`, times[wrongFrame], wrongFrame / fps);
}

function checkSound(audio: Mp4Track, durationSec: number, check: Check): void {
  check('audio codec', audio.codec, 'mp4a');
  check('channels', audio.channels, 2);
  check('sample rate', audio.sampleRateHz, 48_000);
  const lastPacket = audio.timesSec.at(-1) ?? Number.NEGATIVE_INFINITY;
  const endsWithPicture =
    lastPacket < durationSec && lastPacket + 1024 / audio.sampleRateHz >= durationSec - TOLERANCE_SEC;
  check('sound ends with the picture', endsWithPicture, true);
}

function countOutside(track: Mp4Track, sizeBytes: number): number {
  const isOutside = (packet: Mp4Track['packets'][number]) => packet.offset + packet.sizeBytes > sizeBytes;
  return track.packetCount - track.packets.length + track.packets.filter(isOutside).length;
}

function verificationError(path: string, differences: readonly string[], cause?: unknown): ListingVideoError {
  return new ListingVideoError(
    'verification_failed',
    `The finished video is not as it should be: ${differences.join('; ')}`,
    {
      ...(cause === undefined ? {} : { cause }),
      hint: 'Run the same command again; if it happens again, please report it with the report.json.',
      context: { path, differences },
    },
  );
}

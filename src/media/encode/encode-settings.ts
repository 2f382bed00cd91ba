/** The settings of x264 for each quality, as ffmpeg arguments. Pure. */
import { createHash } from 'node:crypto';
import type { Quality } from '../../design/storyboard/scale-storyboard.ts';

/** The frame format of encoder input and output. Both sides are even. */
export interface VideoFormat {
  readonly widthPx: number;
  readonly heightPx: number;
  /** Whole frames per second, a divisor of 48000, so that a frame lasts a whole number of audio samples. */
  readonly fps: number;
  readonly quality: Quality;
}

/** The x264 settings of one quality. */
export interface EncodeSettings {
  readonly preset: string;
  readonly crf: number;
  /** Of the encoded frames of a camera move, from which the frames between them are mixed. */
  readonly moveCrf: number;
  /** Added to the preset, in x264's syntax. */
  readonly params: Readonly<Record<string, string | number>>;
}

/**
 * Frames from one P picture to the next, and from one encoded frame of a camera move to the next. So a segment can be
 * cut after its first frame and any number of such groups: all that is shown before has been decoded by then. A draft
 * has two groups in one.
 */
export const GROUP_FRAMES = 6;

/** Of videos that are sent to people. */
const DELIVERED = {
  mbtree: 1,
  partitions: 'i8x8',
  bframes: GROUP_FRAMES - 1,
  'b-adapt': 0,
  'aq-mode': 3,
  deblock: '-1,-1',
};

/**
 * Measured on three videos of about 38 s in 1080p (`classic`, 16:9, 12 photos), ffmpeg 5.1, with an IDR at the start of
 * each scene, against one run of x264's veryfast at CRF 20: the sample photos with fresh grain (`npm run bench -- job`),
 * and two houses of an MLS. Interpolated from 17.4 and 17.6.
 *
 * | `standard` | bytes | SSIM (Y) |
 * |---|---|---|
 * | samples | 1.09 | +0.24 dB |
 * | MLS, first house | 0.98 | +0.05 dB |
 * | MLS, second house | 1.00 | -0.15 dB |
 *
 * CRF 21.5 with 17 has 1.18, 1.04 and 1.06 of the bytes, +0.48, +0.33 and +0.13 dB.
 * CRF 22.3 with 17 is as 22 with 17.6.
 * Of the bytes, three tenths are the pictures at the starts of the scenes, 0.16 to 0.4 MB each.
 *
 * - Always five B-frames: in slow moves over stills they fit nearly everywhere. Letting x264 choose up to three
 *   (`b-adapt=1`, as veryfast does) takes 4 to 15 % more CPU and, at equal SSIM, 7 to 25 % more bytes.
 * - `aq-mode=3`, which gives dark areas more: 4 % fewer bytes at equal SSIM than `aq-mode=1`. In the dark, veryfast
 *   loses most.
 * - `deblock=-1,-1`: 1 % fewer.
 * - mbtree with its lookahead must stay.
 *
 * Tried, at equal SSIM, in percent of the bytes:
 *
 * | | bytes | |
 * |---|---|---|
 * | no AQ; `subme=0` | +30; +70 | |
 * | no `b-pyramid`; no `8x8dct`; three B-frames; no `i8x8`; no weighted B-frames | +12; +10; +9; +7; +7 | |
 * | `deblock=1,1`; `weightp=0`; `no-dct-decimate` | +3; +2; +1 | |
 * | `aq-strength=0.8`; `0.9` (both modes) | +2; +1 | |
 * | a lookahead of 14 frames; of 10 | +2; +12 | of 10: 5 % less CPU |
 * | six or seven B-frames, `aq-mode=2`, `me=hex`, `p8x8`, other dead zones, a lookahead of 30 frames | 0 | |
 * | `subme=2` | -8 | 40 % more CPU |
 * | `direct=temporal` with `ipratio=1.6` | -4 | the picture as a whole moves 0.028 px beside its path, not 0.011 |
 * | `qcomp=0.5` | -2 | squares of 128 px move 0.049 px beside their path, not 0.046 |
 * | no IDR but the first | -2 | nothing to share, nothing to keep after an interruption |
 *
 * Camera moves, on real photos of MLS size (1154 frames, of which 260 are written without an encoder, and 57 encoded
 * around them), against veryfast at CRF 20: 0.79 of its CPU with all other work of a video, where all frames encoded
 * take 0.99. At `moveCrf` 19.2: 1.00 of its bytes, -0.16 dB SSIM; at 17.7: 1.04, +0.06 dB, and 20.9 dB in the written
 * frames, 21.0 in the others. Pans that go slower take more frames: of a later video of the same photos, 17.7 has 1.00 and
 * -0.08 dB, 17.2 has 1.01 and +0.01 dB, 17 has 1.02 and +0.04 dB.
 *
 * From frame to frame, SSIM changes by 0.15 to 0.37 dB in a move (crops of foliage, blinds, fabric, tiles, brick and
 * type), where all frames encoded change by 0.77 to 1.01 dB and veryfast by 0.40 to 0.69. Encoded frames are 1 to 2 %
 * sharper than the written ones between them; where all are encoded, neighbors differ by 5 to 14 %.
 *
 * The move of `npm run bench -- motion` (5 % in 3 s, two photos): since both distances of a macroblock are rounded
 * together (`camera-move.ts`), the picture as a whole is 0.014 px from its path (0.026 before), squares 0.042 px (0.064),
 * SSIM is 0.07 dB higher, bytes are 0.96, ripple is 0.16 dB (0.20). Where all frames are encoded: 0.026 px, 0.67 dB less,
 * 1.0 of the bytes, 0.38 dB. Rounding errors carried to the next macroblock bring the written frames' own error from
 * 0.013 to 0.001 px, for seven times the bytes of those frames and 0.03 dB less: not taken.
 *
 * Tried for moves that begin later in a segment, and for photos in boxes beside and below what rests (`classic`, 16:9,
 * real photos; joined behind the usual encoder's last picture, which it gets six times again so that it encodes it well;
 * blocks of 8 px, edge blocks from one picture): 792 of 1327 frames rendered instead of 1147, 0.91 of the CPU (one run,
 * busy machine), as many bytes, +0.14 dB SSIM. Below captions on a plate +0.1 to +0.9 dB. In photos on half of the
 * frame -0.4 and -0.7 dB, and x264 takes as long as for all frames: slow moves cost it little, two more first pictures
 * and the repeats cost as much. In a synthetic move a draft lost 2 dB. Not built in.
 *
 * The distances in the table are of moves of 1.2 % a second, all frames encoded. `high` spends bytes, not time.
 */
const SETTINGS: Readonly<Record<Quality, EncodeSettings>> = {
  draft: {
    preset: 'ultrafast',
    crf: 25,
    moveCrf: 21.4,
    params: {
      cabac: 1,
      '8x8dct': 1,
      bframes: 2,
      'b-adapt': 0,
      weightp: 1,
      weightb: 1,
      'aq-mode': 1,
      mbtree: 1,
    },
  },
  standard: { preset: 'superfast', crf: 22, moveCrf: 17.5, params: DELIVERED },
  high: { preset: 'superfast', crf: 17.5, moveCrf: 13, params: DELIVERED },
};

/**
 * For every quality:
 *
 * - `open-gop=0`, `stitchable=1`: segments are encoded separately and joined, so no reference can cross a segment, and
 *   the parameter sets must not depend on the content of one run.
 * - `keyint=300`: ten seconds. A segment is usually shorter, and each additional IDR costs about 145 kB.
 * - `rc-lookahead=20`: each frame of lookahead takes 7 MB at 1080p.
 * - `sync-lookahead=0`: x264's frames for its lookahead thread (30 MB) change no bit and save no CPU.
 * - `scenecut=0`: we set the IDRs. To look for cuts takes 3 % of the CPU, and I-frames in fast transitions take 0.6 %
 *   of the bytes.
 * - `constrained-intra=1`: behind a camera move, the pictures that follow stand on those of another encoder
 *   (`camera-move.ts`), which differ a little. A flat ground that is predicted from such a neighbor takes its error on:
 *   the bar of a closing was up to 10 of 255 beside its color until the scene began. Takes up to 3 % more bytes, and no CPU.
 * - the three color tags: as x264 parameters, because the effect of `-color_primaries` and the like differs between
 *   ffmpeg 4 and 8.
 */
const COMMON_PARAMS: Readonly<Record<string, string | number>> = {
  'open-gop': 0,
  stitchable: 1,
  keyint: 300,
  'rc-lookahead': 20,
  'sync-lookahead': 0,
  scenecut: 0,
  'constrained-intra': 1,
  colorprim: 'bt709',
  transfer: 'bt709',
  colormatrix: 'bt709',
  fullrange: 'off',
};

/**
 * Of the encoder of camera moves. It looks 60 frames of the video ahead with 10 of its own: 0.7 % fewer bytes and 0.02 dB
 * less SSIM than with 20, and 64 MB less memory.
 */
const MOVE_PARAMS = { bframes: 0, 'rc-lookahead': 10 };

/**
 * Of the bits of a frame that stands until the segment's end, in x264's terms: it is encoded once, and held after that.
 * SSIM of held cards at 1080p, and bytes until they rest (`classic`; `social` in saturated colors):
 *
 * | | `classic` | `social` |
 * |---|---|---|
 * | held at once | 24.7 dB, 193 kB | 20.5 dB, 279 kB |
 * | after 6 repeats, each of which x264 takes 6 ms to encode | 25.2 dB, 201 kB | 21.5 dB, 301 kB |
 * | held at once, with twice the bits | 25.0 dB, 197 kB | 21.8 dB, 337 kB |
 */
const HELD_BITS = 2;

/**
 * SHA-256 (hex) of the encoder's version and settings. Part of every segment key, because only segments with the same
 * parameter sets can be joined. The number of threads is not part: it changes bits, not quality.
 *
 * @param ffmpegVersion - As `findFfmpeg` reports it.
 */
export function encoderFingerprint(ffmpegVersion: string, format: VideoFormat): string {
  return createHash('sha256')
    .update(JSON.stringify(['encode-4', ffmpegVersion, format, SETTINGS[format.quality], COMMON_PARAMS]))
    .digest('hex');
}

/** Frames counted from the first one sent, ascending. */
export interface SpecialFrames {
  /** Those that must be an IDR; frame 0 always is. */
  readonly keyFrames?: readonly number[];
  /** Those on which held frames follow. */
  readonly heldFrames?: readonly number[];
}

/**
 * Arguments of the encoder process: raw I420 frames on stdin, an FLV stream on stdout.
 *
 * FLV, because every ffmpeg can write it to a pipe, and each packet has its size, type and both time stamps in front.
 * So the stream can be cut exactly, without waiting for files.
 *
 * @param work - `move`: frames of camera moves, between which others are written. They are all references.
 * @param threads - Threads of x264, each with about 16 MB at 1080p. Absent: x264 decides.
 */
export function toEncoderArgs(
  format: VideoFormat,
  { keyFrames = [], heldFrames = [] }: SpecialFrames,
  work: 'usual' | 'move',
  threads?: number,
): string[] {
  const settings = SETTINGS[format.quality];
  const isMove = work === 'move';
  const zones = heldFrames.map((frame) => `${frame},${frame},b=${HELD_BITS}`).join('/');
  const params = {
    ...settings.params,
    ...COMMON_PARAMS,
    ...(isMove ? MOVE_PARAMS : {}),
    ...(zones === '' ? {} : { zones }),
  };
  const crf = isMove ? settings.moveCrf : settings.crf;
  return [
    ...['-hide_banner', '-loglevel', 'error', '-nostdin'],
    ...['-f', 'rawvideo', '-pix_fmt', 'yuv420p', '-video_size', `${format.widthPx}x${format.heightPx}`],
    ...['-framerate', `${format.fps}`, '-i', 'pipe:0'],
    ...['-c:v', 'libx264', '-pix_fmt', 'yuv420p', '-preset', settings.preset, '-crf', `${crf}`],
    ...['-profile:v', 'high'],
    ...(threads === undefined ? [] : ['-threads', `${threads}`]),
    ...(keyFrames.length === 0
      ? []
      : ['-forced-idr', '1', '-force_key_frames', toKeyFrameTimes(keyFrames, format.fps)]),
    ...['-x264-params', formatParams(params)],
    ...['-f', 'flv', '-flvflags', 'no_duration_filesize', 'pipe:1'],
  ];
}

/** Of a smaller file of a finished video. */
export type ShrinkFormat = Omit<VideoFormat, 'quality'>;

export interface ShrinkPass {
  /** Of the second pass, bit/s; null: the first, at constant quality. */
  readonly bitRate: number | null;
  /** Begins the names of the files that the first pass writes and the second one reads. Absolute. */
  readonly statsFile: string;
  readonly threads: number;
}

/**
 * Arguments that make a smaller file's pictures of a finished video, as the same FLV stream, with an IDR wherever the
 * picture changes, since no segment is cut here. 42 s of 1080p take 17 s of CPU, of which 8 s decode and scale; the
 * preset veryfast takes 28 s for 10 % fewer bytes.
 *
 * The first pass is as careful as the second (`fastfirstpass=0`), because most videos need no second one.
 */
export function toShrinkArgs(video: string, format: ShrinkFormat, pass: ShrinkPass): string[] {
  const { bitRate, statsFile, threads } = pass;
  const { preset, crf, params } = SETTINGS.standard;
  const rate = bitRate === null ? ['-crf', `${crf}`, '-pass', '1'] : ['-b:v', `${bitRate}`, '-pass', '2'];
  return [
    ...['-hide_banner', '-loglevel', 'error', '-nostdin', '-i', video, '-map', '0:v', '-an'],
    ...['-vf', `scale=${format.widthPx}:${format.heightPx}:flags=bicubic`],
    ...['-c:v', 'libx264', '-pix_fmt', 'yuv420p', '-preset', preset, '-profile:v', 'high', ...rate],
    ...['-passlogfile', statsFile, '-fastfirstpass', '0', '-threads', `${threads}`],
    ...['-x264-params', formatParams({ ...params, ...COMMON_PARAMS, scenecut: 40 })],
    ...['-f', 'flv', '-flvflags', 'no_duration_filesize', 'pipe:1'],
  ];
}

/**
 * A quarter of a frame early: ffmpeg up to 5 rounds the time to the nearest frame, later versions take the first frame
 * that is not before it, and all cut the time to microseconds.
 */
function toKeyFrameTimes(keyFrames: readonly number[], fps: number): string {
  return keyFrames.map((frame) => ((frame - 0.25) / fps).toFixed(6)).join(',');
}

function formatParams(params: Readonly<Record<string, string | number>>): string {
  return Object.entries(params)
    .map(([name, value]) => `${name}=${value}`)
    .join(':');
}

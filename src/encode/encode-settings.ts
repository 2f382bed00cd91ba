/** Decides how x264 is set for a quality, and says so in ffmpeg's words. Pure; knows no file and no process. */
import { createHash } from 'node:crypto';

/** `standard` is what is delivered; `draft` is for looking at a listing quickly, `high` for masters. */
export type EncodeQuality = 'draft' | 'standard' | 'high';

/** The picture an encoder is told to expect and to make. Both sides are even. */
export interface VideoFormat {
  readonly widthPx: number;
  readonly heightPx: number;
  /** Whole frames per second, a divisor of 48000, so that a frame lasts a whole number of audio samples. */
  readonly fps: number;
  readonly quality: EncodeQuality;
}

/** What a quality means to x264. */
export interface EncodeSettings {
  readonly preset: string;
  readonly crf: number;
  /** Added to the preset, in x264's own words. */
  readonly params: Readonly<Record<string, string | number>>;
}

/**
 * Measured on two sets of 12 real photos as moving pictures (576 frames, 1080p, ffmpeg 5.1), against x264's veryfast at
 * CRF 20: `standard` has the same SSIM (0 and -0.03 dB) at 0.97 and 0.93 of the bytes and 0.54 of the CPU; the picture
 * sits 0.014 px RMS off the ideal path, as it does there (0.012). What superfast leaves out (P partitions, sub-pixel refinement) finds little to do in a slow move over a still; what must stay is mbtree with its lookahead.
 * A lookahead of 40 frames would save 1.5 % more bytes, but takes 140 MB; i4x4 costs more than it saves. `high` spends
 * bytes instead of time: veryfast at equal SSIM makes files 8 % smaller for 1.8 times the CPU, fast 16 % for 4 times.
 * `draft` takes 0.67 of `standard`'s CPU.
 */
const SETTINGS: Readonly<Record<EncodeQuality, EncodeSettings>> = {
  draft: {
    preset: 'ultrafast',
    crf: 25,
    params: { cabac: 1, '8x8dct': 1, bframes: 2, 'b-adapt': 0, weightp: 1, 'aq-mode': 1, mbtree: 1 },
  },
  standard: { preset: 'superfast', crf: 21, params: { mbtree: 1, partitions: 'i8x8' } },
  high: { preset: 'superfast', crf: 17, params: { mbtree: 1, partitions: 'i8x8' } },
};

/**
 * Needed by every quality:
 *
 * - `open-gop=0`, `stitchable=1`: segments that were encoded apart are joined, so no reference may cross a segment, and
 *   the parameter sets must not be fitted to what one run happens to contain.
 * - `keyint=300`: ten seconds; a segment is shorter as a rule, and each needless IDR costs about 145 kB.
 * - `rc-lookahead=20`: each frame of it takes 7 MB at 1080p.
 * - `sync-lookahead=0`: the frames that x264 hoards for its lookahead thread (30 MB) change no bit and save no CPU.
 * - the three colour tags: as x264 parameters, because what `-color_primaries` and its like reach has changed between
 *   ffmpeg 4 and 8.
 */
const COMMON_PARAMS: Readonly<Record<string, string | number>> = {
  'open-gop': 0,
  stitchable: 1,
  keyint: 300,
  'rc-lookahead': 20,
  'sync-lookahead': 0,
  colorprim: 'bt709',
  transfer: 'bt709',
  colormatrix: 'bt709',
  fullrange: 'off',
};

/** x264's settings for a quality. */
function settingsFor(quality: EncodeQuality): EncodeSettings {
  return SETTINGS[quality];
}

/**
 * What a segment's bits depend on besides its pixels: the encoder's version and its settings, as SHA-256 (hex). Belongs
 * in every segment key, since segments can be joined only when their parameter sets are the same.
 *
 * The number of threads is left out on purpose: it moves bits, not what they are worth.
 *
 * @param ffmpegVersion - As `findFfmpeg` reports it.
 */
export function encoderFingerprint(ffmpegVersion: string, format: VideoFormat): string {
  return createHash('sha256')
    .update(JSON.stringify(['encode-1', ffmpegVersion, format, settingsFor(format.quality), COMMON_PARAMS]))
    .digest('hex');
}

/**
 * Arguments of the encoder process: raw I420 frames on stdin, an FLV stream on stdout.
 *
 * FLV because it is the one stream every ffmpeg writes to a pipe, packet by packet, with each packet's size, type and
 * both time stamps in front of it: so we can cut it ourselves, exactly, without waiting for files.
 *
 * @param keyFrames - Frames at which an IDR is forced, ascending, counted from the first one sent; 0 needs none.
 * @param threads - Of x264; each holds some 16 MB at 1080p. Without it x264 decides by the processors it sees.
 */
export function toEncoderArgs(format: VideoFormat, keyFrames: readonly number[], threads?: number): string[] {
  const settings = settingsFor(format.quality);
  const params = { ...settings.params, ...COMMON_PARAMS };
  return [
    ...['-hide_banner', '-loglevel', 'error', '-nostdin'],
    ...['-f', 'rawvideo', '-pix_fmt', 'yuv420p', '-video_size', `${format.widthPx}x${format.heightPx}`],
    ...['-framerate', `${format.fps}`, '-i', 'pipe:0'],
    ...['-c:v', 'libx264', '-pix_fmt', 'yuv420p', '-preset', settings.preset, '-crf', `${settings.crf}`],
    ...['-profile:v', 'high'],
    ...(threads === undefined ? [] : ['-threads', `${threads}`]),
    ...(keyFrames.length === 0
      ? []
      : ['-forced-idr', '1', '-force_key_frames', toKeyFrameTimes(keyFrames, format.fps)]),
    ...['-x264-params', formatParams(params)],
    ...['-f', 'flv', '-flvflags', 'no_duration_filesize', 'pipe:1'],
  ];
}

/**
 * A quarter of a frame early: ffmpeg up to 5 rounds the time to the nearest frame, later ones take the first frame that
 * is not before it, and the time itself is cut to microseconds.
 */
function toKeyFrameTimes(keyFrames: readonly number[], fps: number): string {
  return keyFrames.map((frame) => ((frame - 0.25) / fps).toFixed(6)).join(',');
}

function formatParams(params: Readonly<Record<string, string | number>>): string {
  return Object.entries(params)
    .map(([name, value]) => `${name}=${value}`)
    .join(':');
}

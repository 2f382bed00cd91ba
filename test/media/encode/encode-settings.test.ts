import { describe, expect, it } from 'vitest';
import {
  encoderFingerprint,
  toEncoderArgs,
  type VideoFormat,
} from '../../../src/media/encode/encode-settings.ts';

const format: VideoFormat = { widthPx: 1920, heightPx: 1080, fps: 30, quality: 'standard' };

describe('encoderFingerprint', () => {
  it('differs with all that the parameter sets and the worth of the bits depend on', () => {
    const fingerprints = [
      encoderFingerprint('5.1', format),
      encoderFingerprint('6.0', format),
      encoderFingerprint('5.1', { ...format, quality: 'draft' }),
      encoderFingerprint('5.1', { ...format, quality: 'high' }),
      encoderFingerprint('5.1', { ...format, widthPx: 1080, heightPx: 1920 }),
      encoderFingerprint('5.1', { ...format, fps: 25 }),
    ];
    expect(new Set(fingerprints).size).toBe(fingerprints.length);
    expect(encoderFingerprint('5.1', { ...format })).toBe(fingerprints[0]);
  });
});

describe('toEncoderArgs', () => {
  it('forces key frames a quarter of a frame early, which every version of ffmpeg rounds to the right one', () => {
    const args = toEncoderArgs(format, { keyFrames: [30, 31] }, 'usual');
    expect(args[args.indexOf('-force_key_frames') + 1]).toBe('0.991667,1.025000');
    expect(toEncoderArgs(format, {}, 'usual')).not.toContain('-force_key_frames');
  });

  it('gives frames that will be held twice the bits', () => {
    const args = toEncoderArgs(format, { heldFrames: [12, 25] }, 'usual');
    expect(args[args.indexOf('-x264-params') + 1]).toContain('zones=12,12,b=2/25,25,b=2');
    expect(toEncoderArgs(format, {}, 'usual').join()).not.toContain('zones');
  });

  it.each(['draft', 'standard', 'high'] as const)('keeps %s joinable and its lookahead on', (quality) => {
    const args = toEncoderArgs({ ...format, quality }, {}, 'usual');
    const params = args[args.indexOf('-x264-params') + 1];
    for (const wanted of ['open-gop=0', 'stitchable=1', 'mbtree=1', 'colorprim=bt709', 'fullrange=off']) {
      expect(params).toContain(wanted);
    }
  });
});

import { execa } from 'execa';
import { describe, expect, it } from 'vitest';
import type { Quality } from '../../../src/design/storyboard/scale-storyboard.ts';
import type { EncoderFrame } from '../../../src/media/encode/feed-frames.ts';
import { HeldFrames } from '../../../src/media/encode/h264/held-frames.ts';
import type { SegmentToEncode } from '../../../src/media/encode/h264/segment-cutter.ts';
import { makeFilm } from './make-film.ts';
import { FORMAT, paintNumber } from './numbered-frames.ts';
import { availableFfmpegs } from './workbench.ts';

const ffmpegs = await availableFfmpegs();

/** Moves until `restFrame`, from where on the picture stays; frames that are held are not sent. */
async function* comeToRest(
  segments: readonly SegmentToEncode[],
  restFrame: number,
): AsyncGenerator<EncoderFrame> {
  for (const { startFrame, endFrame, heldFrames = 0 } of segments) {
    for (let index = startFrame; index < endFrame - heldFrames; index++) {
      const shown = Math.min(index - startFrame, restFrame);
      const data = paintNumber(startFrame + shown);
      // What stays put is easily skipped: a moving texture makes the encoder use B-pictures.
      for (let i = 0; i < 60 * FORMAT.widthPx; i++) data[i] = 60 + ((i * 7 + shown * 13) % 97);
      yield { index, data, sameAsPrevious: shown === restFrame, release: () => {} };
    }
  }
}

/** A checksum for each decoded frame, in the order of display. */
async function decode(ffmpeg: string, path: string): Promise<string[]> {
  const { stdout, stderr } = await execa(ffmpeg, [
    ...['-v', 'warning', '-err_detect', 'explode', '-i', path, '-map', '0:v', '-f', 'framemd5', '-'],
  ]);
  expect(stderr).toBe('');
  return stdout
    .split('\n')
    .filter((line) => !line.startsWith('#'))
    .map((line) => line.split(',').at(-1)!.trim());
}

async function showFilm(ffmpeg: string, quality: Quality, segments: readonly SegmentToEncode[]) {
  const format = { ...FORMAT, quality };
  return decode(ffmpeg, await makeFilm({ ffmpeg, format, segments, frames: comeToRest(segments, 20) }));
}

describe('held pictures', () => {
  const cases = ffmpegs.flatMap(({ path, version }) =>
    (['draft', 'standard', 'high'] as const).map((quality) => ({ path, version, quality })),
  );

  it.each(cases)('decode to the picture before them ($version, $quality)', async ({ path, quality }) => {
    // As agents' cards follow each other: both come to rest, with an odd and an even number of frames before.
    const segments = [
      { key: 'first', startFrame: 0, endFrame: 150, heldFrames: 121 },
      { key: 'second', startFrame: 150, endFrame: 300, heldFrames: 120 },
    ];
    const frames = await showFilm(path, quality, segments);
    expect(frames).toHaveLength(300);
    for (const { endFrame, heldFrames } of segments) {
      const atRest = frames.slice(endFrame - heldFrames - 1, endFrame);
      expect(new Set(atRest).size).toBe(1);
      expect(frames[endFrame - heldFrames - 15]).not.toBe(atRest[0]);
    }
    expect(frames[0]).not.toBe(frames[150]);
  });

  it('leave what the encoder was sent as it is', async () => {
    const { path } = ffmpegs[0]!;
    const moving = { key: 'moving', startFrame: 0, endFrame: 30 };
    const held = { ...moving, endFrame: 90, heldFrames: 60 };
    const short = await showFilm(path, 'standard', [moving]);
    const long = await showFilm(path, 'standard', [held]);
    // The last frame, which is held, gets more bits, and those of its group are predicted from it.
    expect(long.slice(0, 20)).toEqual(short.slice(0, 20));
  });

  it('refuse a stream they do not know', () => {
    expect(() => new HeldFrames(Buffer.alloc(40, 0xff))).toThrow(/expected/);
  });
});

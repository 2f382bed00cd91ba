/** The built-in soundtracks as they are heard: loudness, peaks and length of what is encoded. */
import { describe, expect, it } from 'vitest';
import { loadSoundtrack } from '../../../../src/media/encode/audio/load-soundtrack.ts';
import { makeMusicTrack } from '../../../../src/media/encode/audio/music.ts';
import { readLoudness } from '../../../../src/media/encode/audio/read-loudness.ts';
import { readTrackFile } from '../../../../src/media/encode/mp4/track-file.ts';
import { temporaryFolder } from '../../../leftovers/temporary-folder.ts';
import { availableFfmpegs } from '../workbench.ts';
import { hear, RATE } from './sound-bench.ts';

const ffmpeg = (await availableFfmpegs())[0]!.path;

describe('a built-in soundtrack', () => {
  // Lengths that the tables do not name, the hardest among those measured.
  it.each([
    ['classic', 17.3],
    ['luxury', 25],
    ['luxury-2', 15],
    ['modern-2', 18],
    ['modern-3', 15],
    ['social', 25],
    ['social-3', 12],
    ['neutral-3', 30],
  ])('%s for %d s is at -16 LUFS, under -1 dBTP, and as long as the picture', async (name, seconds) => {
    const outDir = temporaryFolder();
    const loaded = (await loadSoundtrack(name))!;
    const durationFrames = Math.round(seconds * 30);
    const music = { kind: 'soundtrack', loaded } as const;
    const track = await makeMusicTrack(music, { ffmpeg, durationFrames, fps: 30, outDir });
    const { audio } = (await readTrackFile(track))!.index;
    const { integrated, truePeak } = await hear(ffmpeg, track, outDir);
    expect(Math.abs(integrated + 16)).toBeLessThanOrEqual(0.5);
    expect(truePeak).toBeLessThanOrEqual(-1);
    expect(audio!.soundSamples).toBe((durationFrames * RATE) / 30);
    expect(Math.abs(audio!.loudnessLufs! - integrated)).toBeLessThanOrEqual(0.2);
  });
});

describe('readLoudness', () => {
  const summary = (integrated: string, peak = '') =>
    `[Parsed_ebur128_3 @ 0x1] Summary:\n\n  Integrated loudness:\n    I:         ${integrated} LUFS\n    Threshold: -26.1 LUFS\n${peak}`;

  it('reads the last summary', () => {
    const told = `${summary('-23.0')}${summary('-16.1', '\n  True peak:\n    Peak:       -2.2 dBFS\n')}`;
    expect(readLoudness(told)).toEqual({ integratedLufs: -16.1, truePeakDb: -2.2 });
  });

  it.each([summary('-70.0', '    Peak:       -inf dBFS'), summary('nan'), summary('-inf'), ''])(
    'finds none in silence, or when nothing was said',
    (told) => expect(readLoudness(told)).toEqual({ integratedLufs: null, truePeakDb: null }),
  );
});

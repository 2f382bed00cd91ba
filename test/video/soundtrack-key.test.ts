/** The key of a video's audio in the cache. */
import { expect, it } from 'vitest';
import { loadSoundtrack } from '../../src/media/encode/audio/load-soundtrack.ts';
import type { SoundedTimeline } from '../../src/video/make/music-cues.ts';
import { soundtrackKey } from '../../src/video/make/provide-soundtracks.ts';
import type { ChosenMusic } from '../../src/video/plan/music/choose-music.ts';

const CHOSEN: Omit<ChosenMusic, 'music'> = {
  name: 'x',
  title: null,
  beats: null,
  warnings: [],
  fallback: null,
};

/** Scenes of these lengths; the third one shows the facts. */
function timelineOf(...lengths: number[]): SoundedTimeline {
  let startFrame = 0;
  const sceneSpans = lengths.map((length) => {
    const span = { startFrame, endFrame: startFrame + length };
    startFrame = span.endFrame;
    return span;
  });
  const scenes = lengths.map((_, index) => ({
    kind: index === 2 ? 'facts' : 'photo',
    transition: { kind: 'cut', durationFrames: 0 },
  }));
  return {
    totalFrames: startFrame,
    storyboard: { fps: 30, scenes } as unknown as SoundedTimeline['storyboard'],
    sceneSpans,
  };
}

it('follows the version of ffmpeg, which encodes it', () => {
  const key = (version: string) =>
    soundtrackKey({ ...CHOSEN, music: { kind: 'none' } }, timelineOf(90), { version });
  expect(key('5.1.6-0+deb12u1')).toBe(key('5.1.6-0+deb12u1'));
  expect(key('5.1.6-0+deb12u1')).not.toBe(key('7.1'));
  // Also a file name.
  expect(key('N-1~2/../x')).toMatch(/^[\w-]+$/);
});

it('follows the bar of the lift and the change to the facts, and nothing else of the scenes', async () => {
  const loaded = (await loadSoundtrack('classic'))!;
  const key = (...lengths: number[]) =>
    soundtrackKey({ ...CHOSEN, music: { kind: 'soundtrack', loaded } }, timelineOf(...lengths), {
      version: '7.1',
    });
  const plain = key(150, 240, 300, 300);
  expect(key(150, 240, 200, 400)).toBe(plain);
  // The lift is on the nearest bar line in both.
  expect(key(160, 230, 300, 300)).toBe(plain);
  expect(key(100, 290, 300, 300)).not.toBe(plain);
  expect(key(150, 270, 270, 300)).not.toBe(plain);
});

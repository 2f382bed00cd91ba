/** The key of a video's audio in the cache. */
import { expect, it } from 'vitest';
import type { Timeline } from '../../src/design/timeline/timeline.ts';
import { soundtrackKey } from '../../src/video/make/provide-soundtracks.ts';

it('follows the version of ffmpeg, which encodes it', () => {
  const timeline = { totalFrames: 90, storyboard: { fps: 30 } } as Timeline;
  const music = { music: { kind: 'none' }, name: 'none', title: null, warnings: [], fallback: null } as const;
  const key = (version: string) => soundtrackKey(music, timeline, { version });
  expect(key('5.1.6-0+deb12u1')).toBe(key('5.1.6-0+deb12u1'));
  expect(key('5.1.6-0+deb12u1')).not.toBe(key('7.1'));
  // Also a file name.
  expect(key('N-1~2/../x')).toMatch(/^[\w-]+$/);
});

/** Shorter cuts of a video: which scenes they show, and that their frames are those of the whole video. */
import { describe, expect, it } from 'vitest';
import type { PhotoLayer, Storyboard } from '../../../src/design/storyboard/storyboard.ts';
import { composeFrame } from '../../../src/media/render/compose/compose-frame.ts';
import {
  fixture,
  RATIOS,
  SAMPLE_SIZES,
  type Sample,
  samplePhotos,
  sampleStoryboard,
  sampleTimeline,
  templates,
} from './sample.ts';

const ROOMS = ['front', 'living', 'kitchen', 'dining', 'bedroom', 'bath', 'yard'];
const PHOTOS = samplePhotos(20).map((photo, index) => ({
  ...photo,
  url: `${ROOMS[index % ROOMS.length]}-${index}.jpg`,
}));
const BEATS = { bpm: 84, beatsPerBar: 4 };
const VIDEOS = templates.flatMap((template) =>
  RATIOS.map((ratio) => [template.id, ratio, { template, ratio, photos: PHOTOS, beats: BEATS }] as const),
);
const secondsOf = ({ scenes, fps }: Storyboard) =>
  scenes.reduce((frames, { durationFrames }) => frames + durationFrames, 0) / fps;
// A shorter opening keeps its first view alone.
const photosOf = ({ layers }: Storyboard['scenes'][number]) =>
  layers.flatMap((layer) =>
    layer.type === 'photo' && !layer.id.endsWith('-next') ? [(layer as PhotoLayer).digest] : [],
  );
const cut = (sample: Sample, length: string) =>
  sampleStoryboard({ ...sample, data: { ...sample.data, length }, cutOf: '' });

describe.each(VIDEOS)('a cut of %s in %s', (_id, _ratio, sample) => {
  const whole = sampleTimeline(sampleStoryboard(sample));

  it('has its length, and takes most of its frames from the whole video', () => {
    const board = cut(sample, '15s');
    expect(Math.abs(secondsOf(board) - 15)).toBeLessThanOrEqual(60 / BEATS.bpm + 1e-6);
    const nameOf = (scene: Storyboard['scenes'][number]) => [scene.kind, ...photosOf(scene)].join(' ');
    const order = whole.storyboard.scenes.map(nameOf);
    let place = -1;
    for (const scene of board.scenes) {
      const next = order.indexOf(nameOf(scene), place + 1);
      expect(next, nameOf(scene)).toBeGreaterThan(place);
      place = next;
    }
    const line = sampleTimeline(board, 'test', whole);
    expect(line.segments.at(-1)!.endFrame).toBe(line.totalFrames);
    const known = new Set(whole.segments.map(({ key }) => key));
    const own = line.segments.filter(({ key }) => !known.has(key));
    // The ending rests.
    const restsFrom = line.sceneSpans.at(-1)!.startFrame;
    const moving = own.map(({ startFrame, endFrame }) => Math.min(endFrame, restsFrom) - startFrame);
    expect(moving.reduce((sum, frames) => sum + Math.max(0, frames))).toBeLessThan(0.6 * restsFrom);
    for (const { startFrame, endFrame, of } of line.segments.filter(({ of }) => of)) {
      expect((endFrame - startFrame - 1) % 6).toBe(0);
      for (const frame of [startFrame, endFrame - 1])
        expect(draws(board, frame)).toEqual(
          draws(whole.storyboard, frame - startFrame + of!.segment.startFrame),
        );
    }
  });
});

/** What is drawn of one scene, wherever in the video it stands. */
function draws(board: Storyboard, frame: number): unknown {
  const { base } = composeFrame(board, SAMPLE_SIZES, frame);
  return base.map((op) => ('ref' in op ? { ...op, ref: { ...op.ref, scene: 0 } } : op));
}

describe('a cut', () => {
  const { 2: sample } = VIDEOS[0]!;

  it('shows a photo of high emphasis, and says which photos and whether the facts are left out', () => {
    const listing = {
      assets: PHOTOS.map(({ url }, index) => ({
        url,
        ...(index === 16 ? { emphasis: 'high' as const } : {}),
      })),
    };
    const board = cut({ ...sample, listing }, '15s');
    expect(board.scenes.flatMap(photosOf)).toContain(PHOTOS[16]!.digest);
    expect(board.warnings).toEqual([
      expect.stringMatching(/^\d+ of 20 photos .* are left out: a video of 15 s/),
    ]);
  });

  it('has the scenes of the whole video up to the card for every agent', () => {
    const [june, marcus] = [0, 1].map((agent) => ({ ...sample, agent: fixture.agents[agent]! }));
    const [a, b] = [june!, marcus!].map((each) => cut(each, '15s').scenes.slice(0, -1));
    expect(a).toEqual(b);
  });

  it('is planned for its length where the usual video is shorter', () => {
    const few = { ...sample, photos: PHOTOS.slice(0, 6) };
    expect(cut(few, '60s').scenes).toEqual(sampleStoryboard({ ...few, data: { length: '60s' } }).scenes);
  });
});

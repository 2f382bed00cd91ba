import { describe, expect, it } from 'vitest';
import { toQuality } from '../../src/design/storyboard/scale-storyboard.ts';
import type { Scene, Storyboard } from '../../src/design/storyboard/storyboard.ts';
import type { Timeline } from '../../src/design/timeline/timeline.ts';
import { posterFrame, previewFps, previewFrames, stillFrame } from '../../src/video/plan/highlight-frames.ts';
import { sampleTimeline } from '../design/storyboard/sample.ts';

function aTimeline(durations: readonly number[], highlights: readonly number[]): Timeline {
  const scenes = durations.map((durationFrames, index): Scene => {
    const isLast = index === durations.length - 1;
    return {
      id: `scene-${index}`,
      kind: 'photo',
      durationFrames,
      background: '#ffffff',
      layers: [],
      transition: isLast
        ? { kind: 'cut', durationFrames: 0 }
        : { kind: 'crossfade', durationFrames: 18, easing: 'linear' },
    };
  });
  const storyboard: Storyboard = {
    templateId: 'classic',
    ratio: '1920:1080',
    widthPx: 1920,
    heightPx: 1080,
    fps: 30,
    scenes,
    title: '',
    comment: '',
    highlights,
    altered: [],
    warnings: [],
  };
  return sampleTimeline(storyboard, 'test');
}

describe('the preview', () => {
  const timeline = aTimeline([135, 96, 96, 120, 150], [0, 1, 3, 4]);

  it('lasts four to six seconds', () => {
    const seconds = previewFrames(timeline).flat().length / previewFps(timeline);
    expect(seconds).toBeGreaterThanOrEqual(4);
    expect(seconds).toBeLessThanOrEqual(6);
  });

  it('starts with the first frame, ends in the last scene, and never shows a transition', () => {
    const frames = previewFrames(timeline).flat();
    expect(frames[0]).toBe(0);
    expect(frames.at(-1)).toBeGreaterThanOrEqual(timeline.sceneSpans[4]!.startFrame);
    const inTransition = frames.filter((frame) =>
      timeline.sceneSpans.slice(0, -1).some(({ endFrame }) => frame >= endFrame - 18 && frame < endFrame),
    );
    expect(inTransition).toEqual([]);
  });

  it('shows frames in order, none twice', () => {
    const frames = previewFrames(timeline).flat();
    expect(frames).toEqual([...new Set(frames)].sort((a, b) => a - b));
  });

  it('lasts as long in a draft, with half the frames', () => {
    const draft = sampleTimeline(toQuality(timeline.storyboard, 'draft'), 'test');
    expect(previewFps(draft)).toBe(5);
    const frames = previewFrames(draft).flat();
    const seconds = frames.length / previewFps(draft);
    expect(seconds).toBeGreaterThanOrEqual(4);
    expect(seconds).toBeLessThanOrEqual(6);
    expect(frames.every(Number.isInteger)).toBe(true);
    const [poster, wholePoster] = [posterFrame(draft), posterFrame(timeline)];
    expect(Math.abs(poster - wholePoster / 2)).toBeLessThanOrEqual(1);
  });

  it('makes do with scenes that are shorter than their share', () => {
    const short = aTimeline([30, 20, 45], [0, 1, 2]);
    const frames = previewFrames(short).flat();
    expect(frames.length).toBeGreaterThan(0);
    expect(frames.every((frame) => frame >= 0 && frame < short.totalFrames)).toBe(true);
  });
});

it('poster and stills lie inside their scene, before its way out', () => {
  const timeline = aTimeline([40, 30, 150], [0, 2]);
  expect(posterFrame(timeline)).toBe(21);
  expect([0, 1, 2].map((index) => stillFrame(timeline, index))).toEqual([21, 51, 115]);
});

/** The length of a video by photo count, and that every photo is shown. */
import { describe, expect, it } from 'vitest';
import { type PlanRequest, planScenes } from '../../../../src/design/storyboard/scenes/plan-scenes.ts';
import { paceBody, rhythmOf, SEATS } from '../../../../src/design/storyboard/timing/pacing.ts';
import type { AspectRatio } from '../../../../src/listing/listing.ts';
import { classic, RATIOS, samplePhotos, sampleStoryboard } from '../sample.ts';

/** Photos that suit every layout, without captions. */
function plain(ratio: AspectRatio, photoCount: number, change: Partial<PlanRequest> = {}): PlanRequest {
  return {
    photos: samplePhotos(photoCount, 6000, 4000),
    captions: Array.from({ length: photoCount }, () => ''),
    frame: ratio === '1920:1080' ? { w: 1920, h: 1080 } : { w: 1080, h: 1920 },
    texts: {},
    hasFacts: true,
    pace: 1,
    ...change,
  };
}

describe('the length of a video', () => {
  it.each([
    ['1920:1080', [25, 41, 45, 61, 69, 83]],
    ['1080:1920', [15, 24, 31, 42, 42, 60]],
  ] as const)('is as checked in %s', (ratio, totals) => {
    const seconds = [5, 14, 24, 36, 60, 100].map((photoCount) =>
      planScenes(classic.ratios[ratio], plain(ratio, photoCount)).reduce((sum, scene) => sum + scene.sec, 0),
    );
    expect(seconds.map((sec) => Math.round(sec))).toEqual(totals);
  });

  it('never passes the cap, and no scene is shorter than 1.5 s', () => {
    for (const ratio of RATIOS) {
      const { capSec } = classic.ratios[ratio].pacing;
      for (const pace of [0.8, 1, 1.25]) {
        const plan = planScenes(classic.ratios[ratio], plain(ratio, 100, { pace }));
        expect(plan.reduce((sum, scene) => sum + scene.sec, 0)).toBeLessThanOrEqual(capSec + 0.01);
        expect(Math.min(...plan.map((scene) => scene.sec))).toBeGreaterThanOrEqual(1.5);
      }
    }
  });

  it('gives the time of a missing facts scene to the photos', () => {
    const pacing = classic.ratios['1920:1080'].pacing;
    const total = (hasFacts: boolean) =>
      paceBody(pacing, rhythmOf(pacing, 14, 13, 0).layouts, { photoCount: 14, hasFacts, pace: 1 }).reduce(
        (sum, sec) => sum + sec,
        0,
      );
    expect(total(false) - total(true)).toBeCloseTo(pacing.factsSec);
  });
});

describe.each(RATIOS)('the plan in %s', (ratio) => {
  const design = classic.ratios[ratio];

  it('shows every photo, in order, and none twice in the body', () => {
    for (let photoCount = 1; photoCount <= 100; photoCount++) {
      const plan = planScenes(design, plain(ratio, photoCount));
      const own = plan
        .filter((scene) => scene.role !== 'card' && scene.role !== 'facts')
        .flatMap((scene) => scene.photos);
      const all = new Set(plan.flatMap((scene) => scene.photos));
      expect([...all].sort((a, b) => a - b)).toEqual(Array.from({ length: photoCount }, (_, index) => index));
      if (photoCount > design.heroPhotos) expect(new Set(own).size).toBe(own.length);
      expect(
        own.every(
          (photo, index) => index === 0 || photoCount <= design.heroPhotos || photo > own[index - 1]!,
        ),
      ).toBe(true);
      for (const scene of plan) {
        if (scene.role in SEATS) expect(scene.photos).toHaveLength(SEATS[scene.role as keyof typeof SEATS]);
      }
    }
  });

  it('puts the facts after two fifths of the body', () => {
    for (const photoCount of [9, 12, 24, 36, 60, 100]) {
      const plan = planScenes(design, plain(ratio, photoCount));
      const body = plan.slice(1, -1);
      const at = body.findIndex((scene) => scene.role === 'facts');
      const sum = (scenes: typeof body) => scenes.reduce((total, scene) => total + scene.sec, 0);
      const share = sum(body.slice(0, at)) / sum(body.filter((scene) => scene.role !== 'facts'));
      expect(share).toBeGreaterThan(0.25);
      expect(share).toBeLessThan(0.55);
    }
  });

  it('never begins the body with a grid', () => {
    for (const photoCount of [12, 24, 36, 60, 100]) {
      expect(planScenes(design, plain(ratio, photoCount))[1]?.role).toBe('single');
    }
  });

  it('shows photos that cannot fill the frame with others', () => {
    const shape = ratio === '1920:1080' ? ([1280, 1920] as const) : ([2560, 800] as const);
    const board = sampleStoryboard({ ratio, photos: samplePhotos(12, ...shape) });
    const kinds = board.scenes.map((scene) => scene.kind);
    expect(kinds.filter((kind) => kind === 'pair' || kind === 'three').length).toBeGreaterThan(1);
    expect(kinds.filter((kind) => kind === 'photo').length).toBeLessThan(2);
  });
});

it('keeps the triptych of a video that has only one', () => {
  const roles = planScenes(classic.ratios['1920:1080'], plain('1920:1080', 12)).map((scene) => scene.role);
  expect(roles).toEqual([
    'hero',
    'single',
    'single',
    'three',
    'facts',
    'single',
    'pair',
    'single',
    'single',
    'card',
  ]);
});

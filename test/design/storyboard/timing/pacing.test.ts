/** The length of a video by photo count, and that every photo is shown. */
import { describe, expect, it } from 'vitest';
import { planScenes as planVideo } from '../../../../src/design/storyboard/plan/plan-scenes.ts';
import type { PlannedScene, PlanRequest } from '../../../../src/design/storyboard/plan/planned-scene.ts';
import { capOf, paceBody, rhythmOf, SEATS } from '../../../../src/design/storyboard/timing/pacing.ts';
import type { AspectRatio } from '../../../../src/listing/listing.ts';
import { classic, RATIOS, samplePhotos, sampleStoryboard, templates } from '../sample.ts';

const VIDEOS = templates.flatMap((template) =>
  RATIOS.map((ratio) => [template.id, ratio, template] as const),
);

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

const planWithHook = (...of: Parameters<typeof planVideo>): readonly PlannedScene[] =>
  planVideo(...of).scenes;
/** From the opening on. */
const planScenes: typeof planWithHook = (design, request) =>
  planWithHook(design, request).filter(({ role }) => role !== 'hook');

describe('the length of a video', () => {
  it.each([
    ['1920:1080', [27, 41, 45, 57, 65, 88]],
    ['1080:1920', [21, 30, 34, 35, 45, 66]],
  ] as const)('is as checked in %s', (ratio, totals) => {
    const seconds = [5, 14, 24, 40, 60, 100].map((photoCount) =>
      planWithHook(classic.ratios[ratio], plain(ratio, photoCount)).reduce(
        (sum, scene) => sum + scene.sec,
        0,
      ),
    );
    expect(seconds.map((sec) => Math.round(sec))).toEqual(totals);
  });

  it('never passes the cap of so many photos, and only photos of a run are shorter than a scene may be', () => {
    for (const ratio of RATIOS) {
      for (const pace of [0.8, 1, 1.25]) {
        const plan = planScenes(classic.ratios[ratio], plain(ratio, 100, { pace }));
        const whole = planWithHook(classic.ratios[ratio], plain(ratio, 100, { pace }));
        const capSec = capOf(classic.ratios[ratio].pacing, 100);
        expect(whole.reduce((sum, scene) => sum + scene.sec, 0)).toBeLessThanOrEqual(capSec + 0.01);
        const calm = plan.filter(({ isInRun }) => !isInRun);
        expect(Math.min(...calm.map((scene) => scene.sec))).toBeGreaterThanOrEqual(
          ratio === '1920:1080' ? 1.5 : 1.4,
        );
      }
    }
  });

  it('gives the time of a missing facts scene to the photos', () => {
    const pacing = classic.ratios['1920:1080'].pacing;
    const total = (hasFacts: boolean) =>
      paceBody(pacing, rhythmOf(pacing, 14, 13, 0).layouts, {
        photoCount: 14,
        hasFacts,
        beatSec: null,
        pace: 1,
      }).reduce((sum, sec) => sum + sec, 0);
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
        // On a phone a second photo of the opening comes again.
        .flatMap(({ role, photos }) => (role === 'hero' ? photos.slice(0, 1) : photos));
      const all = new Set(planWithHook(design, plain(ratio, photoCount)).flatMap(({ photos }) => photos));
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
      expect(['single', 'pair']).toContain(planScenes(design, plain(ratio, photoCount))[1]?.role);
    }
  });

  it('shows most photos that cannot fill the frame with others', () => {
    const shape = ratio === '1920:1080' ? ([1280, 1920] as const) : ([2560, 1280] as const);
    const board = sampleStoryboard({ ratio, photos: samplePhotos(12, ...shape) });
    const kinds = board.scenes.map((scene) => scene.kind);
    expect(kinds.filter((kind) => kind === 'pair' || kind === 'three').length).toBeGreaterThan(1);
    expect(kinds.filter((kind) => kind === 'photo').length).toBeLessThan(5);
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

describe.each(templates.map(({ id, ratios }) => [id, ratios['1080:1920']] as const))(
  'a phone in %s',
  (_, design) => {
    it('shows at most two wide photos of thirty at once', () => {
      const plan = planScenes(design, plain('1080:1920', 30));
      expect(plan.map(({ role, photos }) => `${role} ${photos.length}`)).not.toContain('three 3');
      expect(Math.max(...plan.map(({ photos }) => photos.length))).toBe(2);
    });
  },
);

describe('a run', () => {
  const runsOf = (beatSec: number | null) => {
    const plan = planScenes(classic.ratios['1920:1080'], plain('1920:1080', 50, { beatSec }));
    const runs: number[][] = [];
    plan.forEach(({ isInRun, sec }, index) => {
      if (!isInRun) return;
      if (!plan[index - 1]?.isInRun || runs.at(-1)!.length === SEATS.run) runs.push([]);
      runs.at(-1)!.push(sec);
    });
    return runs;
  };

  it('shows four photos for whole beats, at least 0.7 s each, and rests on the last one where all are alike', () => {
    for (const beatSec of [60 / 66, 60 / 84, 60 / 124]) {
      const runs = runsOf(beatSec);
      expect(runs.length).toBeGreaterThan(2);
      for (const seconds of runs) {
        expect(seconds).toHaveLength(4);
        for (const sec of seconds) {
          expect(sec).toBeGreaterThanOrEqual(0.7);
          expect(sec / beatSec).toBeCloseTo(Math.round(sec / beatSec));
        }
        expect(seconds[3]).toBeGreaterThanOrEqual(1.05);
      }
    }
    expect(runsOf(null)[0]).toEqual([0.7, 0.7, 0.7, 1.05]);
  });

  it('rests on the photo that sells the house best', () => {
    const request = plain('1920:1080', 50);
    const rooms = ['bath', 'kitchen', 'bath', 'bath', 'bath'] as const;
    const photos = request.photos.map((photo, index) => ({ ...photo, room: rooms[index % rooms.length]! }));
    const plan = planScenes(classic.ratios['1920:1080'], { ...request, photos }).filter(
      ({ isInRun }) => isInRun,
    );
    const ofRoom = (room: string) => plan.filter(({ photos: [photo] }) => photos[photo!]!.room === room);
    const seconds = ofRoom('kitchen').map(({ sec }) => sec);
    expect(seconds.length).toBeGreaterThan(1);
    expect(Math.min(...seconds)).toBeGreaterThan(1);
  });

  const withRuns = VIDEOS.filter(([id]) => id !== 'social');
  it.each(withRuns)('is cut on the beats of the music, in %s %s', (id, ratio, template) => {
    const bpm = 84;
    const { scenes, fps } = sampleStoryboard({
      template,
      ratio,
      photos: samplePhotos(30),
      beats: { bpm, beatsPerBar: 4 },
    });
    let start = 0;
    let cuts = 0;
    for (const { kind, durationFrames, transition } of scenes) {
      start += durationFrames;
      if (kind !== 'photo' || durationFrames > 0.8 * fps) continue;
      expect(transition.kind).toBe('cut');
      const beats = start / ((60 * fps) / bpm);
      expect(Math.abs(beats - Math.round(beats)) / (bpm / 60)).toBeLessThan(1 / fps);
      cuts += 1;
    }
    // Half a minute and less mostly have no time for runs; luxury has none of thirty photos.
    if (ratio === '1920:1080' && id !== 'luxury') expect(cuts).toBeGreaterThan(2);
  });

  it('of classic in 16:9 fills the frame with every photo', () => {
    const { scenes, widthPx } = sampleStoryboard({ photos: samplePhotos(30, 3000, 2000) });
    const singles = scenes.filter(({ kind }) => kind === 'photo');
    const widthsPx = singles.flatMap(({ layers }) =>
      layers.flatMap((layer) => (layer.type === 'photo' ? [layer.box.w] : [])),
    );
    expect(new Set(widthsPx)).toEqual(new Set([widthPx]));
  });

  it('has no photo with a caption, an original or a label', () => {
    const photos = plain('1920:1080', 40).photos.map((photo, index) => ({
      ...photo,
      isAltered: index % 5 === 0,
      hasOriginal: index === 0,
    }));
    const captions = photos.map((_, index) => (index % 7 === 0 ? 'The kitchen' : ''));
    const plan = planScenes(classic.ratios['1920:1080'], plain('1920:1080', 40, { photos, captions }));
    const shown = plan.filter(({ isInRun }) => isInRun).flatMap((scene) => scene.photos);
    expect(shown.length).toBeGreaterThan(0);
    expect(shown.filter((index) => index % 5 === 0 || index % 7 === 0)).toEqual([]);
  });
});

describe.each(VIDEOS)('%s in %s', (_id, ratio, template) => {
  it('shows each of five photos alone, and none three times', () => {
    const photos = samplePhotos(5, 1024, 682);
    const { scenes } = sampleStoryboard({ template, ratio, photos, portrait: null });
    const body = scenes.filter(({ kind }) => kind === 'photo' || kind === 'pair');
    expect(body.every(({ kind }) => kind === 'photo')).toBe(true);
    for (const { digest } of photos) {
      const showing = scenes.filter(({ layers }) =>
        layers.some((layer) => layer.type === 'photo' && layer.digest === digest),
      );
      expect(showing.length, digest).toBeLessThan(3);
      expect(showing.length, digest).toBeGreaterThan(0);
    }
  });

  it.skipIf(ratio === '1920:1080').each([9, 12, 18, 24, 30])(
    'shows one photo in a third of its scenes, %d of an MLS',
    (count) => {
      const { scenes } = sampleStoryboard({ template, ratio, photos: samplePhotos(count, 1024, 682) });
      const body = scenes.filter(({ kind }) => ['photo', 'pair', 'three', 'four', 'six'].includes(kind));
      expect(body.filter(({ kind }) => kind === 'photo').length / body.length).toBeGreaterThanOrEqual(1 / 3);
    },
  );
});

it.each(VIDEOS)('of %s in %s shows rooms that sell the house longer than bathrooms', (_, ratio, template) => {
  const rooms = [
    'outside',
    'kitchen',
    'living',
    'bath',
    'living',
    'bath',
    'kitchen',
    'bath',
    'outside',
  ] as const;
  const photos = samplePhotos(rooms.length, 6000, 4000).map((photo, at) => ({ ...photo, room: rooms[at]! }));
  const planned = planScenes(template.ratios[ratio], plain(ratio, photos.length, { photos }));
  const secOf = (role: PlannedScene['role'], room: string) =>
    planned
      .filter((scene) => scene.role === role && !scene.isInRun && photos[scene.photos[0]!]!.room === room)
      .map(({ sec }) => sec);
  const living = [...secOf('single', 'living'), ...secOf('single', 'kitchen')];
  expect(living.length).toBeGreaterThan(0);
  for (const bath of secOf('single', 'bath')) expect(bath).toBeLessThan(Math.min(...living));
});

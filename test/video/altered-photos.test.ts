/** What a report proves about altered photos: their times and a frame of each, by its documented schema. */
import { Ajv2020 } from 'ajv/dist/2020.js';
import { expect, it } from 'vitest';
import type { AlteredPhoto, PhotoLayer, Scene } from '../../src/design/storyboard/storyboard.ts';
import { USUAL_DELIVERY } from '../../src/video/destinations/delivery.ts';
import type { FrameStill, FrameStills } from '../../src/video/make/frame-stills.ts';
import type { PlannedVideo } from '../../src/video/plan/plan-videos.ts';
import { makeReport, type ReportRequest } from '../../src/video/publish/make-report.ts';
import { reportSchema } from '../../src/video/publish/report.ts';
import { fixture, samplePhotos, sampleStoryboard, sampleTimeline } from '../design/storyboard/sample.ts';
import { preparedOf } from '../media/assets/prepare-in.ts';
import { aPayload } from './a-payload.ts';
import { REPORT_FILE } from './a-report.ts';

const photos = samplePhotos(12);
const storyboard = sampleStoryboard({ photos });
const digestsOf = ({ layers }: Scene) =>
  layers.flatMap((layer) => (layer.type === 'photo' ? [layer.digest] : []));
const shownAt = storyboard.scenes.flatMap(digestsOf);
const isShownOnce = (digest: string) => shownAt.indexOf(digest) === shownAt.lastIndexOf(digest);
const at = storyboard.scenes.findIndex((each) => each.kind === 'photo' && digestsOf(each).every(isShownOnce));
const scene = storyboard.scenes[at]!;
const shown = scene.layers.find((layer): layer is PhotoLayer => layer.type === 'photo')!;

/** The scene shows the original from its frame 60 on. */
const original: PhotoLayer = {
  ...shown,
  id: 'original',
  digest: 'empty',
  tracks: [{ property: 'opacity', from: 0, to: 1, startFrame: 60, endFrame: 60, easing: 'linear' }],
};
const altered: AlteredPhoto[] = [
  {
    ...{ url: 'living.jpg', label: 'Virtually staged', digest: shown.digest },
    ...{ originalUrl: 'empty.jpg', originalDigest: 'empty' },
  },
  { url: 'gone.jpg', label: 'Sky replaced', digest: 'gone', originalUrl: null, originalDigest: null },
];
const scenes = storyboard.scenes.with(at, { ...scene, layers: [...scene.layers, original] });
const timeline = sampleTimeline({ ...storyboard, scenes, altered });

async function reportOf(plan: Partial<PlannedVideo>) {
  const drawn: FrameStill[] = [];
  const stills: Pick<FrameStills, 'provide'> = {
    provide: async (_, still) => {
      drawn.push(still);
      return Buffer.from(still.key);
    },
  };
  const options = { templateId: 'classic', templateData: {}, ratio: '1920:1080', metadata: {} };
  const video = {
    ...{ agent: { id: 'a', name: 'Ada Byron' }, isOtherShape: false, options, timeline, notes: [] },
    ...{ music: { music: { kind: 'none' }, name: 'none', title: null, warnings: [] }, listingNotes: [] },
    names: { video: 'a.mp4', poster: 'a.jpg', preview: null },
    ...{ isBranded: true, delivery: USUAL_DELIVERY, namedFor: null },
    ...plan,
  };
  const request = {
    payload: aPayload(fixture),
    taskId: 't',
    deps: { generator: 'listing-video 1', clock: { now: () => new Date(0) } },
    videos: [{ plan: video, key: 'k', earlier: null }],
    renderedKeys: new Set(),
    finished: new Map(),
    assets: preparedOf(photos),
    folder: { path: '/videos', describe: async (file: string) => ({ ...REPORT_FILE, file }) },
    settle: async () => ({ kept: [], removed: [], notes: [], warnings: [] }),
    stills,
    sidecars: { of: new Map(), notes: [] },
  } as unknown as ReportRequest;
  return { report: await makeReport(request), drawn };
}

it('has the times of each altered photo and of its original, and a frame of both', async () => {
  const { report, drawn } = await reportOf({});
  const { startFrame, endFrame } = timeline.sceneSpans[at]!;
  const changed = startFrame + 60;
  const [staged, gone] = report.videos[0]!.altered_photos!;
  expect(staged).toMatchObject({
    ...{ url: 'living.jpg', label: 'Virtually staged', original_url: 'empty.jpg' },
    spans: [{ start_sec: expect.any(Number), end_sec: changed / 30 }],
    original_spans: [{ start_sec: changed / 30, end_sec: endFrame / 30 }],
  });
  expect(staged!.spans[0]!.start_sec).toBeLessThan(startFrame / 30);
  const { still, original_still: originalStill } = staged!;
  expect(report.stills[still!]).toMatch(/^data:image\/jpeg/);
  expect(report.stills[originalStill!]).toMatch(/^data:image\/jpeg/);
  const frameOf = (key: string | undefined) => drawn.find((one) => one.key.startsWith(key!))!;
  expect(frameOf(still)).toMatchObject({ widthPx: 640, heightPx: 360 });
  expect(frameOf(still).frame).toBeLessThan(changed);
  expect(frameOf(originalStill).frame).toBeGreaterThan(changed);
  expect(gone).toEqual({
    ...{ url: 'gone.jpg', label: 'Sky replaced', original_url: null },
    ...{ spans: [], original_spans: [] },
  });
});

it('follows the schema, which also takes reports without them', async () => {
  const { report } = await reportOf({});
  const validate = new Ajv2020({ strict: false }).compile(reportSchema());
  const timings = { assets: 0, storyboard: 0, render: 0, assemble: 0, publish: 0, total: 0 };
  validate({ ...report, timings });
  expect(validate.errors).toBeNull();
  const { altered_photos: found, ...video } = report.videos[0]!;
  validate({ ...report, timings, videos: [video] });
  expect(validate.errors).toBeNull();
  const { spans: _, ...cut } = found![0]!;
  expect(validate({ ...report, timings, videos: [{ ...video, altered_photos: [cut] }] })).toBe(false);
});

/**
 * The frames that stand for a template: of a plain listing its opening, a photo, its facts, a transition and its
 * ending; of hard ones what they make of the ending, the opening and the pages.
 */
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import sharp from 'sharp';
import type { Timeline } from '../../src/design/timeline/timeline.ts';
import type { Agent, AspectRatio, Listing } from '../../src/listing/listing.ts';
import type { PreparedAssets } from '../../src/media/assets/prepare-assets.ts';
import { createRenderPool } from '../../src/media/render/render-pool.ts';
import { graphicsByDigest, photosByDigest } from '../../src/video/plan/gather-assets.ts';
import { posterFrame } from '../../src/video/plan/highlight-frames.ts';
import { planVideos } from '../../src/video/plan/plan-videos.ts';
import { listed, RATIOS, templates } from '../design/storyboard/sample.ts';
import { STRESS_SAMPLES } from '../design/storyboard/stress-samples.ts';
import { prepareIn } from '../media/assets/prepare-in.ts';

const FIXTURES = fileURLToPath(new URL('../../fixtures', import.meta.url));
/** Of a golden frame, px; the short side follows the ratio's. */
const LONG_SIDE = 480;
const DATA = { status: 'Just listed', price: '$1,250,000', headline: 'The Harbor Pine House' };

export interface GoldenSheet {
  /** `classic-16x9-plain`. */
  readonly name: string;
  readonly widthPx: number;
  readonly heightPx: number;
  /** Frames side by side. */
  readonly frames: number;
  /** Opaque sRGB, without padding. */
  readonly rgb: Uint8Array;
}

type Pick = (timeline: Timeline) => number;

const PLAIN: readonly Pick[] = [
  () => 0,
  posterFrame,
  (timeline) => within(timeline, openingOf(timeline) + 1, 0.7),
  (timeline) => within(timeline, kindAt(timeline, ['facts', 'six', 'four', 'three', 'pair']), 0.8),
  (timeline) => {
    const opening = openingOf(timeline);
    const { durationFrames, transition } = timeline.storyboard.scenes[opening]!;
    return within(timeline, opening, 0) + durationFrames - Math.ceil(transition.durationFrames * 0.55);
  },
  (timeline) => within(timeline, timeline.storyboard.scenes.length - 1, 0.8),
];

const HARD: readonly { readonly stress: string; readonly photos: number; readonly pick: Pick }[] = [
  { stress: 'a 255-character name and twenty licences', photos: 12, pick: ending },
  { stress: 'an Arabic name', photos: 12, pick: ending },
  { stress: 'no facts', photos: 1, pick: posterFrame },
  { stress: 'a long street', photos: 1, pick: posterFrame },
  { stress: 'every data layer', photos: 100, pick: (timeline) => within(timeline, 4, 0.7) },
];

function ending(timeline: Timeline): number {
  return within(timeline, timeline.storyboard.scenes.length - 1, 0.8);
}

function openingOf({ storyboard }: Timeline): number {
  return storyboard.scenes.findIndex(({ kind }) => kind === 'hero');
}

function kindAt({ storyboard }: Timeline, kinds: readonly string[]): number {
  for (const kind of kinds) {
    const at = storyboard.scenes.findIndex((scene) => scene.kind === kind);
    if (at >= 0) return at;
  }
  return 1;
}

/** A frame of a scene, at a part of what it shows alone. */
function within({ storyboard: { scenes } }: Timeline, index: number, part: number): number {
  const at = Math.min(index, scenes.length - 1);
  const start = scenes.slice(0, at).reduce((sum, { durationFrames }) => sum + durationFrames, 0);
  const { durationFrames, transition } = scenes[at]!;
  return start + Math.floor((durationFrames - transition.durationFrames - 1) * part);
}

/** All sheets of all templates, as they are rendered now. */
export async function* renderSheets(): AsyncGenerator<GoldenSheet> {
  const work = await mkdtemp(path.join(tmpdir(), 'listing-video-golden-'));
  const pool = createRenderPool({ threads: 1 });
  try {
    const listing = JSON.parse(await readFile(path.join(FIXTURES, 'listing.json'), 'utf8')) as Listing;
    const assets = await prepareIn(work, {
      concurrency: 2,
      assets: listing.assets,
      pictures: [{ url: listing.agents[0]!.picture! }],
      logos: [{ url: 'logo.png' }],
      baseDir: FIXTURES,
    });
    const still = async (timeline: Timeline, frame: number): Promise<Uint8Array> => {
      const { widthPx, heightPx } = timeline.storyboard;
      const scale = LONG_SIDE / Math.max(widthPx, heightPx);
      const size = { widthPx: Math.round(widthPx * scale), heightPx: Math.round(heightPx * scale) };
      const photos = photosByDigest(assets);
      const [rgba] = await pool.renderStills({
        timeline,
        photos,
        graphics: graphicsByDigest(assets),
        frames: [frame],
        size,
      });
      return rgba!;
    };
    const plain = await timelinesOf(listing, assets);
    const hard = new Map<string, Map<string, Timeline>>();
    for (const { stress, photos } of HARD) {
      const sample = STRESS_SAMPLES[stress]!;
      const changed = { ...listing, ...sample.listing, assets: repeat(listing.assets, photos) };
      const agent = sample.agent ? { ...sample.agent, picture: null } : listing.agents[0]!;
      const data = sample.data ?? {};
      hard.set(
        stress,
        await timelinesOf(
          changed,
          {
            ...assets,
            photos: listed(repeat(assets.photos, photos).map(({ assetIndex: _, ...photo }) => photo)),
          },
          agent,
          data,
        ),
      );
    }
    for (const [name, timeline] of plain) {
      const frames: Uint8Array[] = [];
      for (const pick of PLAIN) frames.push(await still(timeline, pick(timeline)));
      yield await toSheet(`${name}-plain`, timeline, frames);
      frames.length = 0;
      for (const { stress, pick } of HARD) {
        const hardOne = hard.get(stress)!.get(name)!;
        frames.push(await still(hardOne, pick(hardOne)));
      }
      yield await toSheet(`${name}-hard`, timeline, frames);
    }
  } finally {
    await pool.close();
    await rm(work, { recursive: true, force: true });
  }
}

/** One timeline for each template and ratio, by names such as `classic-16x9`; each is an agent of one listing. */
async function timelinesOf(
  listing: Listing,
  assets: PreparedAssets,
  agent: Agent = listing.agents[0]!,
  data: Readonly<Record<string, string>> = DATA,
): Promise<Map<string, Timeline>> {
  const videos = templates.flatMap(({ id }) => RATIOS.map((ratio) => ({ id, ratio })));
  const planned = await planVideos({
    listing: {
      ...listing,
      agents: videos.map(({ id, ratio }) => ({
        ...agent,
        id: nameOf(id, ratio),
        video_options: {
          template_id: id,
          ratio,
          template_data: { ...agent.video_options?.template_data, ...data },
        },
      })),
    },
    options: { quality: 'standard', minAssets: 1, force: false },
    assets,
    fingerprint: () => 'golden',
  });
  return new Map(planned.map(({ agent, timeline }) => [agent!.id, timeline]));
}

function nameOf(templateId: string, ratio: AspectRatio): string {
  return `${templateId}-${ratio === '1920:1080' ? '16x9' : '9x16'}`;
}

function repeat<Value>(values: readonly Value[], count: number): Value[] {
  return Array.from({ length: count }, (_, index) => values[index % values.length]!);
}

async function toSheet(
  name: string,
  { storyboard }: Timeline,
  frames: readonly Uint8Array[],
): Promise<GoldenSheet> {
  const scale = LONG_SIDE / Math.max(storyboard.widthPx, storyboard.heightPx);
  const width = Math.round(storyboard.widthPx * scale);
  const height = Math.round(storyboard.heightPx * scale);
  const { data, info } = await sharp({
    create: { width: width * frames.length, height, channels: 3, background: '#000' },
  })
    .composite(
      frames.map((rgba, index) => ({
        input: Buffer.from(rgba),
        raw: { width, height, channels: 4 },
        left: index * width,
        top: 0,
      })),
    )
    .removeAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true });
  return { name, widthPx: info.width, heightPx: info.height, frames: frames.length, rgb: data };
}

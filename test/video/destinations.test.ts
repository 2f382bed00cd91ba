import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { LIMITS } from '../../src/design/storyboard/frame-limits.ts';
import type { Timeline } from '../../src/design/timeline/timeline.ts';
import { SETTINGS } from '../../src/platform/settings/setting-table.ts';
import { deliveryFor, USUAL_DELIVERY } from '../../src/video/destinations/delivery.ts';
import {
  DESTINATION_NAMES,
  DESTINATIONS,
  destinationOf,
  type Figure,
} from '../../src/video/destinations/destination-table.ts';
import { describeFits, type FileFacts, judgeFile } from '../../src/video/destinations/judge-file.ts';
import { posterOf } from '../../src/video/make/frame-stills.ts';
import { smallSize } from '../../src/video/make/small-videos.ts';

const REEL: FileFacts = {
  ...{ widthPx: 1080, heightPx: 1920, fps: 30, durationSec: 28, sizeBytes: 20e6 },
  ...{ audioBitRate: 128_000, hasEditLists: false, isBranded: true },
};

describe('the table of destinations', () => {
  it('has the names that the setting takes', () => {
    expect(SETTINGS.for.kind.choices).toEqual(DESTINATION_NAMES);
  });

  it('is what the guide says: a row for each place, in order, and the day', () => {
    const guide = readFileSync(new URL('../../src/cli/help/files.md', import.meta.url), 'utf8');
    const rows = guide
      .split('| `--for` |')[1]!
      .split('\n\n')[0]!
      .matchAll(/^\| `([a-z-]+)`/gm);
    expect(Array.from(rows, ([, name]) => name)).toEqual(DESTINATION_NAMES);
    expect(guide).toContain(`read on ${DESTINATIONS.youtube.ratio.source.readOn}`);
  });

  it('says of each figure where it is written, and when that was read', () => {
    for (const { title: _, ...figures } of Object.values(DESTINATIONS))
      for (const { source } of Object.values<Figure<unknown> | true>(figures).filter(
        (figure) => figure !== true,
      )) {
        expect(new URL(source.url).protocol).toBe('https:');
        expect(source.readOn).toMatch(/^\d{4}-\d{2}-\d{2}$/);
      }
  });
});

describe('the poster', () => {
  const timeline = (widthPx: number, heightPx: number) =>
    ({
      storyboard: { widthPx, heightPx, fps: 30, scenes: [] },
      sceneSpans: [],
      segments: [],
    }) as unknown as Timeline;

  it('has the size that the place asks for, in its shape, and is never enlarged', () => {
    const youtube = deliveryFor(['youtube']);
    const [wide, tall, draft] = [timeline(1920, 1080), timeline(1080, 1920), timeline(960, 540)];
    const sizeOf = (video: Timeline, delivery = youtube) => {
      const { widthPx, heightPx, maxBytes } = posterOf({ timeline: video, delivery });
      return [widthPx, heightPx, maxBytes];
    };
    expect(sizeOf(wide)).toEqual([1280, 720, 2_000_000]);
    expect(sizeOf(tall)).toEqual([1080, 1920, undefined]);
    expect(sizeOf(draft)).toEqual([960, 540, undefined]);
    expect(sizeOf(wide, USUAL_DELIVERY)).toEqual([1920, 1080, undefined]);
    expect(sizeOf(tall, deliveryFor(['instagram-reels']))).toEqual([1080, 1920, 8_000_000]);
  });
});

describe('the smaller file', () => {
  it('is made for web pages alone, in 720p of either shape, and is never enlarged', () => {
    expect(USUAL_DELIVERY.small).toBeNull();
    expect(deliveryFor(['youtube', 'mls']).small).toBeNull();
    const small = deliveryFor(['tiktok', 'web']).small!;
    expect(small.maxBytes).toBe(8_000_000);
    expect(smallSize({ widthPx: 1920, heightPx: 1080 }, small)).toEqual({ widthPx: 1280, heightPx: 720 });
    expect(smallSize({ widthPx: 1080, heightPx: 1920 }, small)).toEqual({ widthPx: 720, heightPx: 1280 });
    expect(smallSize({ widthPx: 960, heightPx: 540 }, small)).toEqual({ widthPx: 960, heightPx: 540 });
  });
});

describe('judgeFile', () => {
  it('finds nothing wrong with a file for every social network', () => {
    for (const name of ['youtube', 'instagram-reels', 'tiktok', 'facebook', 'web'] as const)
      expect(judgeFile(REEL, name)).toEqual([]);
  });

  it.each([
    ['google-business', { durationSec: 44 }, ['44 s, at most 30 s']],
    ['google-business', { durationSec: 30 + 1 / 30 }, ['30.1 s, at most 30 s']],
    ['google-business', { widthPx: 960, heightPx: 540 }, ['a side of 540 px, at least 720 px']],
    ['google-business', { sizeBytes: 80.25e6 }, ['80.3 MB, at most 75 MB']],
    ['instagram-reels', { audioBitRate: 160_000 }, ['sound of 160 kbit/s, at most 128 kbit/s']],
    ['instagram-reels', { sizeBytes: 105e6 }, ['30 Mbit/s, at most 25 Mbit/s']],
    ['instagram-reels', { durationSec: 2 }, ['2 s, at least 3 s', '80 Mbit/s, at most 25 Mbit/s']],
    ['youtube', { hasEditLists: true }, ['it has edit lists']],
    ['tiktok', { fps: 15 }, ['15 fps, at least 23 fps']],
    ['mls', {}, ['it shows agent and office']],
  ] as const)('says why a file does not fit %s', (name, change, reasons) => {
    expect(judgeFile({ ...REEL, ...change }, name)).toEqual(reasons);
  });

  it('is told in one line', () => {
    const fits = (['youtube', 'instagram-reels', 'google-business'] as const).map((name) => ({
      name,
      reasons: judgeFile({ ...REEL, durationSec: 44 }, name),
    }));
    expect(describeFits(fits)).toBe('fits YouTube, Instagram Reels; not Google Business: 44 s, at most 30 s');
    expect(describeFits(fits.slice(2))).toBe('not Google Business: 44 s, at most 30 s');
    expect(describeFits([])).toBe('');
  });

  it('knows what each place covers of a phone: no template has words there', () => {
    const { safe } = LIMITS['1080:1920'];
    const [widthPx, heightPx] = [1080, 1920];
    for (const name of DESTINATION_NAMES) {
      const covered = destinationOf(name).coveredParts?.value;
      if (covered === undefined) continue;
      expect(safe.x).toBeGreaterThanOrEqual(Math.round(covered.left * widthPx));
      expect(safe.y).toBeGreaterThanOrEqual(covered.top * heightPx);
      expect(safe.x + safe.w).toBeLessThanOrEqual((1 - covered.right) * widthPx);
      expect(safe.y + safe.h).toBeLessThanOrEqual((1 - covered.bottom) * heightPx);
    }
  });
});

/**
 * Single frames as JPEGs: posters, and the stills of a report. A still is taken while its frame is rendered for the
 * video, or rendered alone when the video came from the cache. Each is made once and kept in the cache.
 */

import { alteredSpans } from '../../design/timeline/altered-spans.ts';
import type { FrameSpan, Timeline } from '../../design/timeline/timeline.ts';
import { encodePoster } from '../../media/encode/still-image.ts';
import type { Delivery } from '../destinations/delivery.ts';
import { middleFrame, posterFrame, stillFrame } from '../plan/highlight-frames.ts';
import { toStillKey } from '../plan/video-key.ts';
import { type MakeDeps, provideBytes } from './make-deps.ts';

/** Longer side of a still in the report, px. */
const STILL_SIDE_PX = 320;
/** House fronts show no blocks. */
const POSTER_QUALITY = 88;
/** Steps down to the greatest size that a place takes. */
const QUALITY_STEP = 12;
const MIN_QUALITY = 40;
/** Of one that proves a label, px. */
const PROOF_SIDE_PX = 640;

export interface FrameStill {
  readonly kind: 'stills' | 'posters';
  /** Equal keys, equal images. */
  readonly key: string;
  /** Index in the video. */
  readonly frame: number;
  readonly widthPx: number;
  readonly heightPx: number;
  /** 1 to 100. */
  readonly quality: number;
  /** Less quality where it would be larger. */
  readonly maxBytes?: number;
}

/** A video with its poster. */
export interface PosterVideo {
  readonly timeline: Timeline;
  readonly delivery: Pick<Delivery, 'poster'>;
}

/** The video's poster: of the size that its place asks for, if that has the shape of the video; never enlarged. */
export function posterOf({ timeline, delivery: { poster: rule } }: PosterVideo): FrameStill {
  const frame = posterFrame(timeline);
  const { widthPx, heightPx } = timeline.storyboard;
  const usual = { kind: 'posters', frame, quality: POSTER_QUALITY } as const;
  const isOfShape = rule !== null && rule.widthPx * heightPx === rule.heightPx * widthPx;
  if (!isOfShape || rule.widthPx > widthPx)
    return { ...usual, key: toStillKey(timeline, 'poster', [frame]), widthPx, heightPx };
  const key = toStillKey(timeline, `poster-${rule.widthPx}-${rule.maxBytes}`, [frame]);
  return { ...usual, ...rule, key };
}

/** The report's stills, one for each scene in order. */
export function stillsOf(timeline: Timeline): FrameStill[] {
  const size = fitSide(timeline, STILL_SIDE_PX);
  return [...timeline.storyboard.scenes.keys()].map((scene) => {
    const frame = stillFrame(timeline, scene);
    const key = toStillKey(timeline, 'still', [frame]);
    return { kind: 'stills', key, frame, ...size, quality: 78 };
  });
}

/** A frame of each altered photo and of each original, large enough to read the label; null of one that is not visible. */
export function alteredStillsOf(
  timeline: Timeline,
): { readonly still: FrameStill | null; readonly originalStill: FrameStill | null }[] {
  const size = fitSide(timeline, PROOF_SIDE_PX);
  const toStill = (spans: readonly FrameSpan[]): FrameStill | null => {
    const frame = middleFrame(spans);
    if (frame === null) return null;
    return { kind: 'stills', key: toStillKey(timeline, 'proof', [frame]), frame, ...size, quality: 78 };
  };
  return alteredSpans(timeline).map(({ spans, originalSpans }) => ({
    still: toStill(spans),
    originalStill: toStill(originalSpans),
  }));
}

/** The video's size scaled so that its longer side is `sidePx`, both sides even. */
export function fitSide(timeline: Timeline, sidePx: number): { widthPx: number; heightPx: number } {
  const { widthPx, heightPx } = timeline.storyboard;
  const scale = sidePx / Math.max(widthPx, heightPx);
  const toEven = (px: number) => 2 * Math.round((px * scale) / 2);
  return { widthPx: toEven(widthPx), heightPx: toEven(heightPx) };
}

/** A frame that something wants to see, scaled, when it is rendered for the video. */
export interface WantedFrame extends Pick<FrameStill, 'frame' | 'widthPx' | 'heightPx'> {
  /** Must not throw. */
  take(rgba: Uint8Array): void;
}

/** What is wanted of a video that is rendered, and of cuts that show the beginnings of its segments: each frame once. */
export function withFramesOfCuts(
  timeline: Timeline,
  all: readonly Timeline[],
  wantedOf: (timeline: Timeline) => readonly WantedFrame[],
): WantedFrame[] {
  const cuts = new Set(all.filter(({ segments }) => segments.some(({ of }) => of?.timeline === timeline)));
  const ofCuts = [...cuts].flatMap((cut) =>
    wantedOf(cut).flatMap((wanted) => {
      const { startFrame, of } = cut.segments.findLast((segment) => segment.startFrame <= wanted.frame)!;
      if (of?.timeline !== timeline) return [];
      return [{ ...wanted, frame: of.segment.startFrame + wanted.frame - startFrame }];
    }),
  );
  const own = wantedOf(timeline);
  const keyOf = ({ frame, widthPx, heightPx }: WantedFrame) => `${frame} ${widthPx} ${heightPx}`;
  const taken = new Set(own.map(keyOf));
  return [...own, ...ofCuts.filter((wanted) => !taken.has(keyOf(wanted)))];
}

export class FrameStills {
  readonly #deps: MakeDeps;
  readonly #made = new Map<string, Promise<Buffer>>();

  constructor(deps: MakeDeps) {
    this.#deps = deps;
  }

  /** The frames of posters and stills in these videos of one timeline; each is made as soon as its frame is rendered. */
  framesOf(timeline: Timeline, videos: readonly PosterVideo[]): WantedFrame[] {
    const proofs = alteredStillsOf(timeline).flatMap(({ still, originalStill }) => [
      ...(still ? [still] : []),
      ...(originalStill ? [originalStill] : []),
    ]);
    const posters = new Map(videos.map(posterOf).map((poster) => [poster.key, poster]));
    return [...posters.values(), ...stillsOf(timeline), ...proofs].map((still) => {
      const { frame, widthPx, heightPx } = still;
      return { frame, widthPx, heightPx, take: (rgba) => this.#add(still, rgba) };
    });
  }

  /** Waits until the cache has those that were taken from rendered frames. */
  async kept(): Promise<void> {
    await Promise.allSettled(this.#made.values());
  }

  #add(still: FrameStill, rgba: Uint8Array): void {
    if (this.#made.has(still.key)) return;
    const made = this.#provide(still, async () => rgba);
    // A failure is thrown where the still is provided.
    made.catch(() => {});
    this.#made.set(still.key, made);
  }

  /**
   * Made before, from the cache, or rendered now.
   *
   * @throws {@link ListingVideoError} `render_failed`; the signal's reason.
   */
  provide(timeline: Timeline, still: FrameStill): Promise<Buffer> {
    const { pool, photos, graphics, signal } = this.#deps;
    const render = async (): Promise<Uint8Array> => {
      const request = { timeline, frames: [still.frame], size: still, photos, graphics };
      const [rgba] = await pool.renderStills(request, signal);
      return rgba!;
    };
    const made = this.#made.get(still.key) ?? this.#provide(still, render);
    this.#made.set(still.key, made);
    return made;
  }

  #provide(still: FrameStill, render: () => Promise<Uint8Array>): Promise<Buffer> {
    return provideBytes(this.#deps, still, async () => encodeStill(still, await render()));
  }
}

async function encodeStill(still: FrameStill, rgba: Uint8Array): Promise<Uint8Array> {
  const { widthPx, heightPx, maxBytes = Number.POSITIVE_INFINITY } = still;
  for (let { quality } = still; ; quality -= QUALITY_STEP) {
    const bytes = await encodePoster({ rgba, widthPx, heightPx, quality });
    if (bytes.length <= maxBytes || quality - QUALITY_STEP < MIN_QUALITY) return bytes;
  }
}

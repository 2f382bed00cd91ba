/**
 * The JPEGs of single frames: posters, and the stills of a report. Best made when their frame is rendered for the video
 * anyway; by themselves where the video came from the cache. Each is made once, whoever shows it, and kept in the cache.
 */
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Graphic, Photo } from '../../assets/photo.ts';
import type { DiskCache } from '../../encode/disk-cache.ts';
import { encodePoster } from '../../encode/still-picture.ts';
import type { RenderPool } from '../../render/render-pool.ts';
import type { Timeline } from '../../timeline/timeline.ts';
import { posterFrame, stillFrame } from '../plan/highlight-frames.ts';
import { toStillKey } from '../plan/video-key.ts';
import { fitSide } from './fit-side.ts';

/** Longer side of a still in the report, px. */
const STILL_SIDE_PX = 320;

/** One frame as a JPEG. */
export interface FrameStill {
  readonly namespace: 'stills' | 'posters';
  /** Of what it shows: equal keys, equal pictures. */
  readonly key: string;
  /** Of the video. */
  readonly frame: number;
  readonly widthPx: number;
  readonly heightPx: number;
  /** 1 to 100. */
  readonly quality: number;
}

/** The video's poster, as large as the video. */
export function posterOf(timeline: Timeline): FrameStill {
  const frame = posterFrame(timeline);
  const { widthPx, heightPx } = timeline.storyboard;
  const key = toStillKey(timeline, 'poster', [frame]);
  return { namespace: 'posters', key, frame, widthPx, heightPx, quality: 88 };
}

/** The report's stills, one for each scene in order. */
export function stillsOf(timeline: Timeline): FrameStill[] {
  const size = fitSide(timeline, STILL_SIDE_PX);
  return [...timeline.storyboard.scenes.keys()].map((scene) => {
    const frame = stillFrame(timeline, scene);
    const key = toStillKey(timeline, 'still', [frame]);
    return { namespace: 'stills', key, frame, ...size, quality: 78 };
  });
}

export interface StillDeps {
  readonly pool: RenderPool;
  readonly photos: ReadonlyMap<string, Photo>;
  readonly graphics: ReadonlyMap<string, Graphic>;
  readonly cache: DiskCache;
  readonly workDir: string;
  readonly signal: AbortSignal;
}

/** The pictures of one run. */
export class FrameStills {
  readonly #tools: StillDeps;
  readonly #made = new Map<string, Promise<Buffer>>();

  constructor(tools: StillDeps) {
    this.#tools = tools;
  }

  /** Makes the picture of a frame that has just been rendered: `rgba` has the picture's size. */
  add(picture: FrameStill, rgba: Uint8Array): void {
    if (this.#made.has(picture.key)) return;
    const made = this.#encode(picture, rgba);
    // Whoever needs it hears of the failure.
    made.catch(() => {});
    this.#made.set(picture.key, made);
  }

  /**
   * Made before, from the cache, or rendered now.
   *
   * @throws {@link ListingVideoError} `render_failed`; the signal's reason.
   */
  provide(timeline: Timeline, picture: FrameStill): Promise<Buffer> {
    const made = this.#made.get(picture.key) ?? this.#find(timeline, picture);
    this.#made.set(picture.key, made);
    return made;
  }

  async #find(timeline: Timeline, picture: FrameStill): Promise<Buffer> {
    const { pool, photos, graphics, cache, workDir, signal } = this.#tools;
    const cached = await cache.pin(picture.namespace, picture.key, workDir);
    if (cached) return readFile(cached);
    const request = { timeline, frames: [picture.frame], size: picture, photos, graphics };
    const [rgba] = await pool.renderStills(request, signal);
    return this.#encode(picture, rgba!);
  }

  async #encode(picture: FrameStill, rgba: Uint8Array): Promise<Buffer> {
    const { cache, workDir } = this.#tools;
    const bytes = Buffer.from(await encodePoster({ ...picture, rgba }));
    const file = path.join(workDir, `${picture.namespace}-${picture.key}`);
    await writeFile(file, bytes);
    await cache.put(picture.namespace, picture.key, file);
    return bytes;
  }
}

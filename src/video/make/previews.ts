/**
 * The preview GIFs of one run. A GIF is joined from scenes, as a video from segments: scenes that videos share are
 * encoded once and kept in the cache. Their frames are taken while they are rendered for the video, or rendered alone.
 */

import type { Quality } from '../../design/storyboard/scale-storyboard.ts';
import type { Timeline } from '../../design/timeline/timeline.ts';
import { GifEncoder, makePreviewGif, PREVIEW_VERSION } from '../../media/encode/gif/preview-gif.ts';
import { previewFps, previewFrames } from '../plan/highlight-frames.ts';
import { toStillKey } from '../plan/video-key.ts';
import { fitSide, type WantedFrame } from './frame-stills.ts';
import { type MakeDeps, provideBytes } from './make-deps.ts';

/** Longer side of a preview, px. */
const SIDE_PX: Readonly<Record<Quality, number>> = { draft: 320, standard: 480, high: 480 };

interface PreviewScene {
  /** Equal keys, equal blocks; of the best step. */
  readonly key: string;
  readonly frames: readonly number[];
  readonly timeline: Timeline;
}

export class Previews {
  readonly #deps: MakeDeps;
  readonly #quality: Quality;
  readonly #encoder = new GifEncoder();
  readonly #wanted: ReadonlySet<string>;
  /** Scenes at the best step, by key. */
  readonly #encoded = new Map<string, Promise<Uint8Array>>();

  /** @param timelines - Of the videos that get a preview. */
  constructor(deps: MakeDeps, quality: Quality, timelines: readonly Timeline[]) {
    this.#deps = deps;
    this.#quality = quality;
    this.#wanted = new Set(timelines.flatMap(toScenes).map(({ key }) => key));
  }

  /** The frames of previews in a video; a scene is encoded as soon as its last frame is rendered. */
  framesOf(timeline: Timeline): WantedFrame[] {
    if (this.#wanted.size === 0) return [];
    return toScenes(timeline).flatMap((scene) => (this.#wanted.has(scene.key) ? this.#collect(scene) : []));
  }

  /**
   * @returns A GIF.
   * @throws {@link ListingVideoError} `encode_failed`, `render_failed`, `disk_full`; the signal's reason.
   */
  provide(timeline: Timeline): Promise<Uint8Array> {
    const scenes = toScenes(timeline);
    return makePreviewGif({
      ...this.#sizeOf(timeline),
      sceneCount: scenes.length,
      encodeScene: (index, step) => this.#provide(scenes[index]!, step),
    });
  }

  /** Waits until the cache has the scenes whose frames were rendered. */
  async kept(): Promise<void> {
    await Promise.allSettled(this.#encoded.values());
  }

  #sizeOf(timeline: Timeline): { widthPx: number; heightPx: number } {
    return fitSide(timeline, SIDE_PX[this.#quality]);
  }

  async close(): Promise<void> {
    await this.#encoder.close();
  }

  #collect(scene: PreviewScene): WantedFrame[] {
    const rendered = new Map<number, Uint8Array>();
    return scene.frames.map((frame) => ({
      ...this.#sizeOf(scene.timeline),
      frame,
      take: (rgba) => {
        rendered.set(frame, rgba);
        if (rendered.size < scene.frames.length || this.#encoded.has(scene.key)) return;
        const frames = scene.frames.map((index) => rendered.get(index)!);
        const encoded = this.#keep(scene, 0, async () => frames);
        this.#encoded.set(scene.key, encoded);
        // After a failure, the scene is made again when its GIF is.
        encoded.catch(() => this.#encoded.delete(scene.key));
      },
    }));
  }

  #provide(scene: PreviewScene, step: number): Promise<Uint8Array> {
    const made = step === 0 ? this.#encoded.get(scene.key) : undefined;
    return made ?? this.#keep(scene, step, () => this.#render(scene));
  }

  #render({ timeline, frames }: PreviewScene): Promise<Uint8Array[]> {
    const { pool, photos, graphics, signal } = this.#deps;
    return pool.renderStills({ timeline, frames, size: this.#sizeOf(timeline), photos, graphics }, signal);
  }

  #keep({ timeline, frames }: PreviewScene, step: number, render: () => Promise<Uint8Array[]>) {
    return provideBytes(this.#deps, { kind: 'previews', key: keyOf(timeline, frames, step) }, async () => {
      const scene = { frames: await render(), ...this.#sizeOf(timeline), fps: previewFps(timeline), step };
      return this.#encoder.encode(scene, this.#deps.signal);
    });
  }
}

function toScenes(timeline: Timeline): PreviewScene[] {
  return previewFrames(timeline).map((frames) => ({ key: keyOf(timeline, frames, 0), frames, timeline }));
}

function keyOf(timeline: Timeline, frames: readonly number[], step: number): string {
  return toStillKey(timeline, `preview-${PREVIEW_VERSION}-${step}`, frames);
}

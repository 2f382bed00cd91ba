/**
 * Draws frames of live plans in a render thread that stays warm: it keeps the photos of scenes that were seen, playback
 * is drawn ahead, and finished JPEGs are kept.
 */
import { encodePng, encodePoster } from '../../media/encode/still-image.ts';
import { framePhotos } from '../../media/render/photos/plan-photo-planes.ts';
import type { OpenStills, StillOpener } from '../../media/render/render-pool.ts';
import { fitSide } from '../make/frame-stills.ts';
import { encodeFrame } from './encode-frame.ts';
import { FrameQueue, type Urgency } from './frame-queue.ts';
import type { LivePlan } from './live-plan.ts';
import type { FrameRequest } from './stage.ts';

/** About 600 JPEGs of 960 px. */
const KEPT_BYTES = 64 * 1024 * 1024;
/** Videos whose texts and frame buffers stay in the thread, about 15 MB each. */
const OPEN_VIDEOS = 4;
/** Frames that are drawn ahead while a video plays. */
const AHEAD = 6;
/** A page that cannot keep up leaves out frames, but not more than this. */
const MAX_STEP = 4;
const GALLERY_SIDE_PX = 480;

export class StageFrames {
  readonly #pool: StillOpener;
  readonly #queue = new FrameQueue<Uint8Array>();
  readonly #open = new Map<string, OpenStills>();
  readonly #kept = new Map<string, Uint8Array>();
  readonly #warmed = new Set<string>();
  #keptBytes = 0;
  #last: { readonly plan: string; readonly index: number } | null = null;
  #isClosed = false;

  constructor(pool: StillOpener) {
    this.#pool = pool;
  }

  async draw(plan: LivePlan, request: Omit<FrameRequest, 'plan'>): Promise<Uint8Array | null> {
    const { index, format, signal } = request;
    const { frames, width_px: fullWidth } = plan.video;
    if (this.#isClosed || !Number.isInteger(index) || index < 0 || index >= frames) return null;
    const widthPx = Math.min(fullWidth, Math.max(16, Math.round(request.widthPx ?? fullWidth)));
    const bytes = this.#provide(plan, { index, widthPx, format }, 'asked', signal);
    if (format === 'jpeg') this.#drawAhead(plan, index, widthPx);
    return bytes;
  }

  /** A JPEG, longer side 480 px. */
  async drawForGallery(plan: LivePlan, index: number): Promise<Uint8Array | null> {
    const size = fitSide(plan.timeline, GALLERY_SIDE_PX);
    return this.#keep(`${plan.video.plan} gallery ${index}`, 'gallery', async () =>
      encodePoster({ rgba: await this.#render(plan, index, size), ...size, quality: 80 }),
    );
  }

  /** Loads the photos of all scenes into the thread, while nothing else is drawn. */
  warm(plan: LivePlan): void {
    this.#queue.clear('warm');
    const { storyboard, sceneSpans } = plan.timeline;
    for (const { startFrame, endFrame } of sceneSpans) {
      const index = Math.floor((startFrame + endFrame) / 2);
      const photos = framePhotos(storyboard, plan.photos, index).filter((key) => !this.#warmed.has(key));
      if (photos.length === 0) continue;
      const load = async (): Promise<Uint8Array> => {
        const rgba = await this.#render(plan, index, { widthPx: 16, heightPx: 16 });
        for (const key of photos) this.#warmed.add(key);
        return rgba;
      };
      this.#queue.add(`${plan.video.plan} warm ${index}`, 'warm', load).catch(() => {});
    }
  }

  close(): void {
    this.#isClosed = true;
    this.#queue.close();
    for (const stills of this.#open.values()) stills.close();
    this.#open.clear();
  }

  #provide(
    plan: LivePlan,
    { index, widthPx, format }: { index: number; widthPx: number; format: FrameRequest['format'] },
    urgency: Urgency,
    signal?: AbortSignal,
  ): Promise<Uint8Array | null> {
    const { width_px: fullWidth, height_px: fullHeight } = plan.video;
    const heightPx = Math.max(2, Math.round((fullHeight * widthPx) / fullWidth));
    const size = { widthPx, heightPx };
    const draw = async (): Promise<Uint8Array> => {
      const still = { rgba: await this.#render(plan, index, size), ...size };
      return format === 'png' ? encodePng(still) : encodeFrame(still);
    };
    return this.#keep(`${plan.video.plan} ${index} ${widthPx} ${format}`, urgency, draw, signal);
  }

  /** From the kept ones, or made and kept. */
  async #keep(
    key: string,
    urgency: Urgency,
    make: () => Promise<Uint8Array>,
    signal?: AbortSignal,
  ): Promise<Uint8Array | null> {
    const known = this.#kept.get(key);
    if (known !== undefined) {
      this.#kept.delete(key);
      this.#kept.set(key, known);
      return known;
    }
    const bytes = await this.#queue.add(key, urgency, make, signal);
    if (bytes === null || this.#kept.has(key)) return bytes;
    this.#kept.set(key, bytes);
    this.#keptBytes += bytes.length;
    for (const [oldest, { length }] of this.#kept) {
      if (this.#keptBytes <= KEPT_BYTES) break;
      this.#kept.delete(oldest);
      this.#keptBytes -= length;
    }
    return bytes;
  }

  /** When frames are asked for in order, the next ones are drawn before they are. */
  #drawAhead(plan: LivePlan, index: number, widthPx: number): void {
    const { plan: id, frames } = plan.video;
    const step = this.#last?.plan === id ? index - this.#last.index : 0;
    this.#last = { plan: id, index };
    if (step < 1 || step > MAX_STEP) {
      this.#queue.clear('ahead');
      return;
    }
    for (let next = 1; next <= AHEAD && index + next * step < frames; next += 1) {
      this.#provide(plan, { index: index + next * step, widthPx, format: 'jpeg' }, 'ahead').catch(() => {});
    }
  }

  #render(
    plan: LivePlan,
    index: number,
    size: { readonly widthPx: number; readonly heightPx: number },
  ): Promise<Uint8Array> {
    const { plan: id } = plan.video;
    const stills = this.#open.get(id) ?? this.#pool.openStills(plan);
    this.#open.delete(id);
    this.#open.set(id, stills);
    const drawn = stills.render(index, size);
    this.#closeOldest();
    return drawn;
  }

  /** Two frames are drawn at once at most, so the oldest of several videos has none under way. */
  #closeOldest(): void {
    for (const [id, stills] of this.#open) {
      if (this.#open.size <= OPEN_VIDEOS) return;
      this.#open.delete(id);
      stills.close();
    }
  }
}

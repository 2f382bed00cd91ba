/** Draws frame n of a timeline into kernel memory. Frame n depends only on the timeline, the photos and n. */
import type { Graphic, Photo } from '../../design/photo.ts';
import type { Storyboard } from '../../design/storyboard/storyboard.ts';
import type { AlphaMask } from '../../design/text/text.ts';
import { ListingVideoError } from '../../platform/errors.ts';
import { composeFrame } from './compose/compose-frame.ts';
import type { DrawOp } from './compose/draw-list.ts';
import { scenesOfFrame } from './compose/locate-frame.ts';
import type { PlaneUse } from './compose/plane-use.ts';
import { CoverageBuffers } from './draw/coverage.ts';
import { drawFill } from './draw/draw-fill.ts';
import { drawGraphic, drawMask } from './draw/draw-mask.ts';
import { drawPhoto, drawPhotoMix, hidesAllBelow, type PhotoPainter } from './draw/draw-photo.ts';
import { MaskPlacer } from './draw/place-mask.ts';
import { crossfadeImages, frameBytes, imageAt, type YuvImage } from './draw/yuv-image.ts';
import { resampleScratchBytes } from './kernel/kernel-functions.ts';
import type { Kernel } from './kernel/load-kernel.ts';
import { LayerMaterials } from './layer-materials.ts';
import type { PhotoPlaneStore } from './photos/photo-planes.ts';
import { planPhotoPlanes } from './photos/plan-photo-planes.ts';

/** The photos, logos and texts that a storyboard is painted with. */
export interface FrameSources {
  /** By digest. */
  readonly photos: ReadonlyMap<string, Photo>;
  readonly graphics: ReadonlyMap<string, Graphic>;
  /** By `materialKey`. Can be filled later, but before the scene's first `prepare`. */
  readonly texts: ReadonlyMap<string, AlphaMask>;
}

/** Renders the frames of one storyboard, one at a time: `prepare` loads photos and texts, `render` paints. */
export class FrameRenderer {
  readonly #kernel: Kernel;
  readonly #storyboard: Storyboard;
  readonly #photos: FrameSources['photos'];
  readonly #planes: PhotoPlaneStore;
  readonly #materials: LayerMaterials;
  readonly #coverage: CoverageBuffers;
  readonly #placers: readonly [MaskPlacer, MaskPlacer];
  readonly #painter: PhotoPainter;
  #ahead: readonly PlaneUse[] = [];
  #preparedUses: readonly PlaneUse[] = [];
  #preparedFor = '';

  /**
   * @param planes - Of the same kernel; other renderers can share it.
   * @throws {@link ListingVideoError} `render_failed` when the frame's sides are not even.
   */
  constructor(kernel: Kernel, planes: PhotoPlaneStore, storyboard: Storyboard, sources: FrameSources) {
    const { widthPx, heightPx } = storyboard;
    assertEvenSides(widthPx, heightPx);
    const { memory } = kernel;
    this.#kernel = kernel;
    this.#storyboard = storyboard;
    this.#photos = sources.photos;
    this.#planes = planes;
    this.#materials = new LayerMaterials(kernel, storyboard, sources.graphics, sources.texts);
    // Clips are measured on masks too, and a text can be wider than the frame (text-rasterizer.ts: at most 6144 px).
    this.#coverage = new CoverageBuffers(memory, Math.max(8192, widthPx, heightPx));
    this.#placers = [new MaskPlacer(kernel, this.#coverage), new MaskPlacer(kernel, this.#coverage)];
    const allocateFrame = (): number => memory.allocate(frameBytes(widthPx, heightPx));
    this.#painter = {
      kernel,
      coverage: this.#coverage,
      scratch: [allocateFrame(), allocateFrame()],
      resampleScratch: memory.allocate(resampleScratchBytes(widthPx)),
      planes: (use) => planes.planesOf(use),
    };
  }

  /** Bytes of a frame: Y, U and V without padding. */
  get frameBytes(): number {
    return frameBytes(this.#storyboard.widthPx, this.#storyboard.heightPx);
  }

  /**
   * Loads what frame `frameIndex` is painted with. Frees what neither it nor the frame of the last {@link prepareAhead}
   * needs.
   */
  async prepare(frameIndex: number): Promise<void> {
    const scenes = scenesOfFrame(this.#storyboard, frameIndex);
    const window = scenes.join();
    if (window === this.#preparedFor) return;
    const uses = planPhotoPlanes(this.#storyboard, this.#photos, frameIndex);
    this.#planes.retain(this, [...uses, ...this.#ahead]);
    await this.#planes.load(uses, this.#photos);
    for (const scene of scenes) await this.#materials.load(scene);
    this.#materials.retain(scenes);
    this.#preparedFor = window;
    this.#preparedUses = uses;
  }

  /** Starts loading the photos of a later frame; errors are left to that frame's `prepare`. */
  prepareAhead(frameIndex: number): void {
    const uses = planPhotoPlanes(this.#storyboard, this.#photos, frameIndex);
    this.#ahead = uses;
    this.#planes.retain(this, [...this.#preparedUses, ...uses]);
    this.#planes.load(uses, this.#photos).catch(() => {});
  }

  /** Paints a prepared frame at `address` ({@link frameBytes} bytes of kernel memory). */
  render(frameIndex: number, address: number): void {
    const { widthPx, heightPx } = this.#storyboard;
    const { base, over } = composeFrame(this.#storyboard, this.#photos, frameIndex);
    const frame = imageAt(address, widthPx, heightPx);
    this.#paint(frame, base);
    if (over === undefined) return;
    // The second scratch image is otherwise used by the match-zoom only, which has no `over`.
    const overImage = imageAt(this.#painter.scratch[1], widthPx, heightPx);
    this.#paint(overImage, over.ops);
    crossfadeImages(this.#kernel, frame, overImage, over.mix);
  }

  /** Frees its memory; photos stay in their store for later renderers. Call it only when nothing is loading. */
  dispose(): void {
    const { memory } = this.#kernel;
    this.#planes.release(this);
    this.#materials.retain([]);
    this.#coverage.free();
    for (const placer of this.#placers) placer.free();
    for (const address of this.#painter.scratch) memory.free(address);
    memory.free(this.#painter.resampleScratch);
  }

  #paint(target: YuvImage, ops: readonly DrawOp[]): void {
    const lowest = Math.max(
      0,
      ops.findLastIndex((op) => hidesAllBelow(target, op)),
    );
    for (const op of ops.slice(lowest)) {
      switch (op.op) {
        case 'fill':
          drawFill(this.#kernel, this.#coverage, target, op);
          break;
        case 'photo':
          drawPhoto(this.#painter, target, op);
          break;
        case 'photo-mix':
          drawPhotoMix(this.#painter, target, op);
          break;
        case 'mask': {
          const material = this.#materials.mask(op.ref);
          if (material !== undefined) {
            drawMask(this.#kernel, this.#placers[0], target, material, op, op.color);
          }
          break;
        }
        case 'graphic': {
          const material = this.#materials.graphic(op.ref);
          if (material !== undefined) drawGraphic(this.#kernel, this.#placers, target, material, op);
          break;
        }
      }
    }
  }
}

/** @throws {@link ListingVideoError} `render_failed` when 4:2:0 cannot hold such a frame. */
export function assertEvenSides(widthPx: number, heightPx: number): void {
  const isEven = (length: number): boolean => Number.isInteger(length) && length >= 2 && length % 2 === 0;
  if (isEven(widthPx) && isEven(heightPx)) return;
  throw new ListingVideoError('render_failed', `Expected even frame sides, got ${widthPx} x ${heightPx}.`, {
    context: { widthPx, heightPx },
  });
}

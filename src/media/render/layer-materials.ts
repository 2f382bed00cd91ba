/** Loads texts, marks and logos of the scenes in view into kernel memory. */
import { readFile } from 'node:fs/promises';
import type { Graphic } from '../../design/photo.ts';
import type { GraphicLayer, Layer, MarkLayer, Storyboard } from '../../design/storyboard/storyboard.ts';
import type { AlphaMask } from '../../design/text/text.ts';
import { ListingVideoError } from '../../platform/errors.ts';
import { rgbToYuv } from './color.ts';
import { type MaterialRef, materialKey } from './compose/draw-list.ts';
import { restBox } from './compose/rect.ts';
import type { GraphicMaterial, MaskMaterial } from './draw/draw-mask.ts';
import { StoredMask } from './draw/framed-mask.ts';
import type { Kernel } from './kernel/load-kernel.ts';
import { rasterizePath, scaleRgba } from './photos/sharp-pixels.ts';

/** Commands, numbers and separators of SVG path data; nothing that could end the attribute. */
const PATH_DATA = /^[\sMmLlHhVvCcSsQqTtAaZz0-9eE.,+-]*$/;

async function rasterizeMark(kernel: Kernel, layer: MarkLayer): Promise<MaskMaterial> {
  if (!PATH_DATA.test(layer.path)) {
    throw new ListingVideoError(
      'render_failed',
      `Layer "${layer.id}" holds something else than SVG path data.`,
      { context: { layer: layer.id } },
    );
  }
  const { w, h } = restBox(layer.box);
  const pixels = await rasterizePath(layer.path, { widthPx: w, heightPx: h });
  return { stored: new StoredMask(kernel, pixels, w, h), offsetX: 0, offsetY: 0 };
}

/** Coverage, then Y, U and V. */
type Four<T> = [alpha: T, y: T, u: T, v: T];

async function loadGraphic(kernel: Kernel, layer: GraphicLayer, graphic: Graphic): Promise<GraphicMaterial> {
  const { w, h } = restBox(layer.box);
  const master = await readFile(graphic.masterPath);
  const rgba = await scaleRgba(master, graphic, { widthPx: w, heightPx: h });
  const planes = [0, 1, 2, 3].map(() => new Uint8Array(w * h)) as Four<Uint8Array>;
  for (let i = 0; i < w * h; i++) {
    const alpha = rgba[4 * i + 3] as number;
    const { y, u, v } = rgbToYuv(rgba[4 * i] as number, rgba[4 * i + 1] as number, rgba[4 * i + 2] as number);
    planes[0][i] = alpha;
    planes[1][i] = Math.round((y * alpha) / 255);
    planes[2][i] = Math.round((u * alpha) / 255);
    planes[3][i] = Math.round((v * alpha) / 255);
  }
  const [alpha, y, u, v] = planes.map((plane) => new StoredMask(kernel, plane, w, h)) as Four<StoredMask>;
  return { alpha, planes: [y, u, v] };
}

interface SceneMaterials {
  readonly masks: Map<string, MaskMaterial>;
  readonly graphics: Map<string, GraphicMaterial>;
}

/** What the scenes in view are painted with, except photos. */
export class LayerMaterials {
  readonly #kernel: Kernel;
  readonly #storyboard: Storyboard;
  readonly #graphics: ReadonlyMap<string, Graphic>;
  readonly #texts: ReadonlyMap<string, AlphaMask>;
  readonly #scenes = new Map<number, Promise<SceneMaterials>>();
  readonly #ready = new Map<number, SceneMaterials>();

  /** @param texts - By {@link materialKey}; those of a scene must be there before the scene is loaded. */
  constructor(
    kernel: Kernel,
    storyboard: Storyboard,
    graphics: ReadonlyMap<string, Graphic>,
    texts: ReadonlyMap<string, AlphaMask>,
  ) {
    this.#kernel = kernel;
    this.#storyboard = storyboard;
    this.#graphics = graphics;
    this.#texts = texts;
  }

  /** Loads a scene's materials. @throws {@link ListingVideoError} `render_failed` when one is missing. */
  async load(sceneIndex: number): Promise<void> {
    let loading = this.#scenes.get(sceneIndex);
    if (loading === undefined) {
      loading = this.#loadScene(sceneIndex);
      this.#scenes.set(sceneIndex, loading);
    }
    this.#ready.set(sceneIndex, await loading);
  }

  /** Frees the materials of all other scenes. Do not call it while a `load` is running. */
  retain(sceneIndexes: readonly number[]): void {
    for (const [sceneIndex, { masks, graphics }] of this.#ready) {
      if (sceneIndexes.includes(sceneIndex)) continue;
      for (const { stored } of masks.values()) stored.free();
      for (const { alpha, planes } of graphics.values()) for (const mask of [alpha, ...planes]) mask.free();
      this.#ready.delete(sceneIndex);
      this.#scenes.delete(sceneIndex);
    }
  }

  /** A text or a mark; undefined for a text without ink. */
  mask(ref: MaterialRef): MaskMaterial | undefined {
    return this.#ready.get(ref.scene)?.masks.get(materialKey(ref));
  }

  graphic(ref: MaterialRef): GraphicMaterial | undefined {
    return this.#ready.get(ref.scene)?.graphics.get(materialKey(ref));
  }

  async #loadScene(scene: number): Promise<SceneMaterials> {
    const masks = new Map<string, MaskMaterial>();
    const graphics = new Map<string, GraphicMaterial>();
    for (const [index, layer] of (this.#storyboard.scenes[scene]?.layers ?? []).entries()) {
      const ref = { scene, layer: index, step: 0 };
      if (layer.type === 'mark') masks.set(materialKey(ref), await rasterizeMark(this.#kernel, layer));
      if (layer.type === 'text') this.#storeText(masks, layer, ref);
      if (layer.type === 'graphic') {
        const graphic = this.#graphics.get(layer.digest);
        if (graphic === undefined) {
          throw new ListingVideoError(
            'render_failed',
            `The storyboard shows ${layer.digest}, which was not handed in.`,
            { context: { layer: layer.id, digest: layer.digest } },
          );
        }
        graphics.set(materialKey(ref), await loadGraphic(this.#kernel, layer, graphic));
      }
    }
    return { masks, graphics };
  }

  #storeText(masks: Map<string, MaskMaterial>, layer: Layer & { type: 'text' }, ref: MaterialRef): void {
    for (let step = 0; step <= (layer.steps?.length ?? 0); step++) {
      const key = materialKey({ ...ref, step });
      const text = this.#texts.get(key);
      if (text === undefined) {
        throw new ListingVideoError('render_failed', `Text layer "${layer.id}" was not rasterized.`, {
          context: { layer: layer.id },
        });
      }
      const { data, widthPx, heightPx, offsetXPx, offsetYPx } = text;
      if (widthPx === 0 || heightPx === 0) continue;
      const stored = new StoredMask(this.#kernel, data, widthPx, heightPx);
      masks.set(key, { stored, offsetX: offsetXPx, offsetY: offsetYPx });
    }
  }
}

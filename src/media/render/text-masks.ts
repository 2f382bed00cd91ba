/** Rasterizes texts, each once for all scenes, jobs and agents that show it. */
import type { Scene, Storyboard } from '../../design/storyboard/storyboard.ts';
import type { AlphaMask, PlacedLine, TextRasterizer, TextStyle } from '../../design/text/text.ts';
import { materialKey } from './compose/draw-list.ts';

/** Bound on the masks kept between jobs, in bytes; a listing of 100 photos needs about 10 MB. */
const CACHE_BYTES = 32 * 1024 * 1024;

type NamedMasks = readonly (readonly [key: string, mask: AlphaMask])[];

/** Keeps the latest masks by text and style. Their bytes are shared memory: threads read them without a copy. */
export class TextMasks {
  readonly #rasterizer: () => Promise<TextRasterizer>;
  /** By last use, the oldest first. */
  readonly #cache = new Map<string, { readonly mask: Promise<AlphaMask>; sizeBytes: number }>();
  #cachedBytes = 0;

  constructor(rasterizer: () => Promise<TextRasterizer>) {
    this.#rasterizer = rasterizer;
  }

  async ofScene(storyboard: Storyboard, sceneIndex: number): Promise<NamedMasks> {
    const { layers } = storyboard.scenes[sceneIndex] as Scene;
    const named: [string, AlphaMask][] = [];
    for (const [index, layer] of layers.entries()) {
      if (layer.type !== 'text') continue;
      for (const [step, lines] of [layer.lines, ...(layer.steps ?? []).map((s) => s.lines)].entries()) {
        const key = materialKey({ scene: sceneIndex, layer: index, step });
        named.push([key, await this.#mask(lines, layer.style)]);
      }
    }
    return named;
  }

  #mask(lines: readonly PlacedLine[], style: TextStyle): Promise<AlphaMask> {
    const content = JSON.stringify([lines, style]);
    const known = this.#cache.get(content);
    if (known !== undefined) {
      this.#cache.delete(content);
      this.#cache.set(content, known);
      return known.mask;
    }
    const mask = this.#rasterize(lines, style);
    const entry = { mask, sizeBytes: 0 };
    this.#cache.set(content, entry);
    mask.then(
      ({ data }) => {
        entry.sizeBytes = data.length;
        this.#cachedBytes += data.length;
        this.#evict();
      },
      () => this.#cache.delete(content),
    );
    return mask;
  }

  async #rasterize(lines: readonly PlacedLine[], style: TextStyle): Promise<AlphaMask> {
    const rasterizer = await this.#rasterizer();
    const mask = await rasterizer.rasterize(lines, style);
    const data = new Uint8Array(new SharedArrayBuffer(mask.data.length));
    data.set(mask.data);
    return { ...mask, data };
  }

  #evict(): void {
    for (const [content, { sizeBytes }] of this.#cache) {
      if (this.#cachedBytes <= CACHE_BYTES) return;
      if (sizeBytes === 0) continue;
      this.#cache.delete(content);
      this.#cachedBytes -= sizeBytes;
    }
  }
}

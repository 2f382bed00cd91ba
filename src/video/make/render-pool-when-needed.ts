/** A render pool that is loaded and started at the first frame: a run with everything in the cache needs none. */
import type { RenderPool, RenderPoolOptions } from '../../render/render-pool.ts';

export interface LazyPoolOptions extends RenderPoolOptions {
  /** Called before each request, which waits for it: `requirePixels` of the run. */
  readonly prepare: () => Promise<void>;
}

/** Same methods as `createRenderPool`. */
export function renderPoolWhenNeeded({ prepare, ...options }: LazyPoolOptions): RenderPool {
  let pool: RenderPool | undefined;
  let opening: Promise<RenderPool> | undefined;
  const open = async (): Promise<RenderPool> => {
    await prepare();
    opening ??= import('../../render/render-pool.ts').then(({ createRenderPool }) => {
      pool = createRenderPool(options);
      return pool;
    });
    return opening;
  };
  return {
    get warnings() {
      return pool?.warnings ?? [];
    },
    async *renderSpans(request, signal) {
      yield* (await open()).renderSpans(request, signal);
    },
    renderStills: async (request, signal) => (await open()).renderStills(request, signal),
    close: async () => (await opening)?.close(),
  };
}

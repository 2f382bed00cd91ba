/** A render pool that is loaded and started at the first frame: a run with everything in the cache needs none. */
import type { RenderPool, RenderPoolOptions } from '../../render/render-pool.ts';

/** Same methods as `createRenderPool`. */
export function renderPoolWhenNeeded(options: RenderPoolOptions): RenderPool {
  let pool: RenderPool | undefined;
  let opening: Promise<RenderPool> | undefined;
  const open = (): Promise<RenderPool> => {
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

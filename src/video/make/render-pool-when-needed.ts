/** A render pool that is loaded and started at the first frame: a run with everything in the cache needs none. */
import type { RenderPool, RenderPoolOptions } from '../../media/render/render-pool.ts';

export interface LazyPoolOptions extends RenderPoolOptions {
  /** What the first frame waits for: `requirePixels` of the run. */
  readonly prepare: () => Promise<void>;
}

/** Same methods as `createRenderPool`. */
export function renderPoolWhenNeeded({ prepare, ...options }: LazyPoolOptions): RenderPool {
  let pool: RenderPool | undefined;
  let opening: Promise<RenderPool> | undefined;
  const start = async (): Promise<RenderPool> => {
    await prepare();
    const { createRenderPool } = await import('../../media/render/render-pool.ts');
    pool = createRenderPool(options);
    return pool;
  };
  const open = (): Promise<RenderPool> => {
    opening ??= start();
    return opening;
  };
  return {
    async *renderSpans(request, signal) {
      yield* (await open()).renderSpans(request, signal);
    },
    renderStills: async (request, signal) => (await open()).renderStills(request, signal),
    async close() {
      // A caller that failed or was stopped does not wait for its frame, so this can come before the pool is there.
      await opening?.catch(() => undefined);
      await pool?.close();
    },
  };
}

/**
 * Keeps first pages of lists for a short time, so that a hundred clients that poll one cost one reading of it. A change
 * by this process drops them all.
 */
import type { TaskPage, TaskQuery } from '../../task-store.ts';

const MAX_PAGES = 16;

export class PageCache {
  readonly #ttlMs: number;
  readonly #monotonicMs: () => number;
  readonly #pages = new Map<string, { readonly page: Promise<TaskPage>; readonly beganMs: number }>();

  /** @param ttlMs - 0 turns the cache off. */
  constructor(ttlMs: number, monotonicMs: () => number) {
    this.#ttlMs = ttlMs;
    this.#monotonicMs = monotonicMs;
  }

  /** The page, cached or loaded. Concurrent callers share one load and get the same object. */
  page(query: TaskQuery, load: () => Promise<TaskPage>): Promise<TaskPage> {
    // A client reads each later page once.
    if (this.#ttlMs === 0 || query.startingAfter !== undefined) return load();
    const nowMs = this.#monotonicMs();
    for (const [key, { beganMs }] of this.#pages) {
      if (nowMs - beganMs >= this.#ttlMs || this.#pages.size >= MAX_PAGES) this.#pages.delete(key);
    }
    const key = JSON.stringify([query.organizationId, query.state, query.limit]);
    const known = this.#pages.get(key);
    if (known !== undefined) return known.page;
    const page = load();
    this.#pages.set(key, { page, beganMs: nowMs });
    page.catch(() => this.#pages.delete(key));
    return page;
  }

  /** Call it with every change of a task, before reporting it. */
  clear(): void {
    this.#pages.clear();
  }
}

/** A task store of which a test replaces some methods, and one that can be away. */
import { ListingVideoError } from '../../src/platform/errors.ts';
import type { TaskStore } from '../../src/task/task-store.ts';

/** `store` with `methods` in place of its own. */
export function patchStore(store: TaskStore, methods: Partial<TaskStore>): TaskStore {
  const patched = methods as Record<PropertyKey, unknown>;
  return new Proxy(store, {
    get: (target, key) => {
      if (Object.hasOwn(patched, key)) return patched[key];
      const own: unknown = target[key as keyof TaskStore];
      // A prototype with private fields needs its own `this`.
      return typeof own === 'function' ? own.bind(target) : own;
    },
  });
}

/** Whether a database is away. One for all stores on it. */
export class Outage {
  isNow = false;

  /** `store`, whose calls are refused during the outage. */
  of(store: TaskStore): TaskStore {
    return new Proxy(patchStore(store, {}), {
      get: (target, key) => {
        const own: unknown = target[key as keyof TaskStore];
        if (typeof own !== 'function' || key === 'summarize') return own;
        return async (...values: unknown[]) => {
          if (this.isNow) throw new ListingVideoError('database_unavailable', 'the database is away');
          return own(...values);
        };
      },
    });
  }
}

/** Organizations, keys and credits of a home, and what a task costs. */
import type { AccountStore } from '../account/account-store.ts';
import { ListingVideoError } from '../errors.ts';
import type { JsonValue } from '../task/task.ts';
import type { TaskStore } from '../task/task-store.ts';

/** Loaded when needed: most commands have nothing to do with accounts. */
export async function openAccounts(home: string, tasks: TaskStore): Promise<AccountStore> {
  const { createFileAccountStore } = await import('../account/create-account-store.ts');
  return createFileAccountStore({ home, tasks });
}

/**
 * Credits of a task: one for each video, and there is one video for each agent.
 *
 * @throws {@link ListingVideoError} `store_corrupt` when a payload that comes back out of the store names no agents.
 */
export function priceOf(payload: JsonValue): number {
  const agents: unknown = (payload as { listing?: { agents?: unknown } } | null)?.listing?.agents;
  if (Array.isArray(agents)) return agents.length;
  throw new ListingVideoError(
    'store_corrupt',
    'what the task was asked to do is damaged in the store: it names no agents',
    {
      hint: 'run create, or send the listing, again; every other task is unaffected',
    },
  );
}

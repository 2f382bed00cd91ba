/** Reads many documents of which some may be damaged: what can be read is data, the rest are warnings. */
import { ListingVideoError } from '../errors.ts';
import type { StoreWarning } from '../task/task-store.ts';
import type { AccountList } from './account-store.ts';

/**
 * @param read - Null leaves the id out.
 * @throws what `read` throws, but for `store_corrupt`.
 */
export async function readEach<T>(
  ids: readonly string[],
  read: (id: string) => Promise<T | null>,
): Promise<AccountList<T>> {
  const data: T[] = [];
  const warnings: StoreWarning[] = [];
  const results = await Promise.all(ids.map((id) => read(id).catch((error) => toWarning(id, error))));
  for (const result of results) {
    if (result instanceof Warning) warnings.push(result.facts);
    else if (result !== null) data.push(result);
  }
  return { data, warnings };
}

/** Tells a warning from data of any shape. */
class Warning {
  readonly facts: StoreWarning;

  constructor(facts: StoreWarning) {
    this.facts = facts;
  }
}

function toWarning(id: string, error: unknown): Warning {
  if (!(error instanceof ListingVideoError) || error.code !== 'store_corrupt') throw error;
  return new Warning({ id, path: String(error.context?.path ?? ''), message: error.message });
}

/** Reads many documents. A damaged one becomes a warning and does not affect the others. */
import { ListingVideoError } from '../errors.ts';
import type { StoreWarning } from '../task/task-store.ts';
import type { AccountList } from './account-store.ts';

/**
 * @param read - Returns null to skip an id.
 * @throws The errors of `read`, except `store_corrupt`.
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

/** Distinguishes a warning from data of any shape. */
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

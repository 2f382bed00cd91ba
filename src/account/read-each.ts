/** Reads many documents. A damaged one becomes a warning and does not affect the others. */
import { ListingVideoError } from '../platform/errors.ts';
import type { StoreWarning } from '../task/task-store.ts';
import type { AccountList } from '../task/accounts/account-store.ts';

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
  const results = await Promise.allSettled(ids.map(read));
  for (const [index, result] of results.entries()) {
    if (result.status === 'rejected') warnings.push(toWarning(ids[index]!, result.reason));
    else if (result.value !== null) data.push(result.value);
  }
  return { data, warnings };
}

function toWarning(id: string, error: unknown): StoreWarning {
  if (!(error instanceof ListingVideoError) || error.code !== 'store_corrupt') throw error;
  return { id, path: String(error.context?.path ?? ''), message: error.message };
}

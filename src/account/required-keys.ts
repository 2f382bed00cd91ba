/**
 * Remembers that every request needs a key: `keys-required.json` in the data folder. It is beside `accounts`, so a server
 * whose accounts were lost still refuses requests without a key. The program never removes it.
 */
import type { AccountStorage } from './account-storage.ts';

const PATH = ['keys-required.json'];
/** For people who find the file. The program checks only that it exists. */
const DOCUMENT = {
  schema_version: 1,
  about: 'This data folder has had API keys, so every request needs one.',
};

/** True once {@link requireKeys} was called. */
export function areKeysRequired(homeStorage: AccountStorage): Promise<boolean> {
  return homeStorage.has(PATH);
}

/** Makes keys required, durably and for ever. */
export async function requireKeys(homeStorage: AccountStorage): Promise<void> {
  await homeStorage.create(PATH, DOCUMENT);
}

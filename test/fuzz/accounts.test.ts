/** The files of accounts, after a broken disk, a bad restore, or the hand of an operator. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ListingVideoError } from '../../src/platform/errors.ts';
import { createMemoryAccountStore, newMemoryAccounts } from '../account/memory-account-store.ts';
import { createMemoryTaskStore } from '../task/memory-task-store.ts';
import { FUZZ_TIMEOUT_MS, fuzz } from './fuzz-runs.ts';
import { damagedFiles } from './mutations.ts';

const LEDGER = 'accounts/organizations/org_default/ledger.ndjson';
const organizationId = 'org_default';

/** Files with a key that expires, a key that does not, a grant, and reservations in every state. */
async function makeSample() {
  const accounts = newMemoryAccounts();
  const store = createMemoryAccountStore({ tasks: createMemoryTaskStore(), accounts });
  const keys = [
    await store.createKey({ organizationId }),
    await store.createKey({ organizationId, readOnly: true, expiresInMs: 1e9 }),
  ];
  await store.grant(organizationId, 100);
  for (const taskId of ['a', 'b', 'c']) await store.reserve({ organizationId, taskId, retries: 0 }, 3);
  await store.settle({ organizationId, taskId: 'a', retries: 0 }, 'spend');
  await store.settle({ organizationId, taskId: 'b', retries: 0 }, 'refund');
  await store.close();
  return { accounts, keys };
}

const SAMPLE = await makeSample();
const keyPath = (id: string): string => `accounts/keys/${id}.json`;

/** A store over a copy of the sample. */
function openCopy() {
  const accounts = { documents: new Map(SAMPLE.accounts.documents), logs: new Map(SAMPLE.accounts.logs) };
  return { accounts, store: createMemoryAccountStore({ tasks: createMemoryTaskStore(), accounts }) };
}

function expectCorrupt(error: unknown): void {
  expect(error).toBeInstanceOf(ListingVideoError);
  expect(error).toMatchObject({ code: 'store_corrupt' });
}

describe('a damaged ledger', () => {
  const lines = Buffer.from(SAMPLE.accounts.logs.get(LEDGER)!);

  it('still has a balance, and counts what is granted next', { timeout: FUZZ_TIMEOUT_MS }, async () => {
    await fc.assert(
      fc.asyncProperty(damagedFiles(lines), async (bytes) => {
        const { accounts, store } = openCopy();
        accounts.logs.set(LEDGER, bytes);
        // A last line that lacks only its line break counts from the next line on.
        const before = await store.grant(organizationId, 7);
        expect(Number.isSafeInteger(before.balance)).toBe(true);
        const after = await store.grant(organizationId, 7);
        expect(after.balance - before.balance).toBe(7);
        await store.reconcile();
        await store.close();
      }),
      fuzz(100),
    );
  });
});

describe('a damaged key', () => {
  const texts = SAMPLE.keys.map(({ id }) => Buffer.from(SAMPLE.accounts.documents.get(keyPath(id))!));

  it('opens no more than it did, and hides no other key', { timeout: FUZZ_TIMEOUT_MS }, async () => {
    await fc.assert(
      fc.asyncProperty(damagedFiles(texts[1]!), async (bytes) => {
        const { accounts, store } = openCopy();
        const [sound, damaged] = SAMPLE.keys as [(typeof SAMPLE.keys)[0], (typeof SAMPLE.keys)[0]];
        accounts.documents.set(keyPath(damaged.id), bytes.toString());
        const caller = await store.authenticate(damaged.key).catch(expectCorrupt);
        if (caller != null && 'keyId' in caller) expect(caller.keyId).toBe(damaged.id);
        expect(await store.authenticate(sound.key)).toMatchObject({ keyId: sound.id, readOnly: false });
        expect(await store.authenticate(`${damaged.key.slice(0, -4)}AAAA`).catch(expectCorrupt)).toBeFalsy();
        expect(await store.hasEverHadKeys()).toBe(true);
      }),
      fuzz(100),
    );
  });
});

/** The files of accounts, after a broken disk, a bad restore, or the hand of an operator. */
import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ListingVideoError } from '../../src/platform/errors.ts';
import { temporaryFolder } from '../leftovers/temporary-folder.ts';
import { createTestAccounts } from '../task/accounts/test-accounts.ts';
import { createMemoryTaskStore } from '../task/memory-task-store.ts';
import { FUZZ_TIMEOUT_MS, fuzz } from './fuzz-runs.ts';
import { damagedFiles } from './mutations.ts';

const organizationId = 'org_default';
const DOCUMENT = `accounts/organizations/${organizationId}/organization.json`;

const openIn = (home: string) => createTestAccounts({ tasks: createMemoryTaskStore(), home });

/** A data folder with keys of two organizations, one that expires, a grant, and reservations in every state. */
async function makeSample() {
  const home = temporaryFolder();
  const store = openIn(home);
  const { id: other } = await store.createOrganization();
  const keys = [
    await store.createKey({ organizationId: other }),
    await store.createKey({ organizationId, readOnly: true, expiresInMs: 1e9 }),
  ];
  await store.grant(organizationId, 100);
  for (const taskId of ['a', 'b', 'c']) await store.reserve({ organizationId, taskId, retries: 0 }, 3);
  await store.settle({ organizationId, taskId: 'a', retries: 0 }, 'spend');
  await store.settle({ organizationId, taskId: 'b', retries: 0 }, 'refund');
  await store.close();
  return { home, keys };
}

const SAMPLE = await makeSample();
const bytes = readFileSync(path.join(SAMPLE.home, DOCUMENT));

/** A store over a copy of the sample with this document. */
function openCopy(document: Uint8Array) {
  const home = temporaryFolder();
  cpSync(SAMPLE.home, home, { recursive: true });
  writeFileSync(path.join(home, DOCUMENT), document);
  return openIn(home);
}

function expectCorrupt(error: unknown): null {
  expect(error).toBeInstanceOf(ListingVideoError);
  expect(error).toMatchObject({ code: 'store_corrupt' });
  return null;
}

describe('a damaged organization', () => {
  it('has a whole balance that counts what is granted next, or none', {
    timeout: FUZZ_TIMEOUT_MS,
  }, async () => {
    await fc.assert(
      fc.asyncProperty(damagedFiles(bytes), async (damaged) => {
        const store = openCopy(damaged);
        const before = await store.grant(organizationId, 7).catch(expectCorrupt);
        if (before !== null) {
          expect(Number.isSafeInteger(before.balance)).toBe(true);
          const after = await store.grant(organizationId, 7);
          expect(after.balance - before.balance).toBe(7);
        }
        await store.reconcile();
        await store.close();
      }),
      fuzz(100),
    );
  });

  it('opens no more than it did, and hides no key of another', { timeout: FUZZ_TIMEOUT_MS }, async () => {
    await fc.assert(
      fc.asyncProperty(damagedFiles(bytes), async (damaged) => {
        const store = openCopy(damaged);
        const [sound, key] = SAMPLE.keys as [(typeof SAMPLE.keys)[0], (typeof SAMPLE.keys)[0]];
        const caller = await store.authenticate(key.key);
        if (caller != null && 'keyId' in caller) expect(caller.keyId).toBe(key.id);
        expect(await store.authenticate(sound.key)).toMatchObject({ keyId: sound.id, readOnly: false });
        expect(await store.authenticate(`${key.key.slice(0, -4)}AAAA`)).toBeFalsy();
        expect(await store.hasEverHadKeys()).toBe(true);
        await store.close();
      }),
      fuzz(100),
    );
  });
});

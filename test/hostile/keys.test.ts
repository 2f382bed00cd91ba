/**
 * Attacks on who is let in: lost accounts, a key kept too long, and files of the data folder that cannot be written.
 */
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createFileAccountStore } from '../../src/task/files/accounts/create-account-store.ts';
import { createFileTaskStore } from '../../src/task/files/tasks/file-task-store.ts';
import { openHarness } from '../api/server/harness.ts';
import { Desk, type Running } from '../e2e/program.ts';
import { aListing } from '../listing/a-listing.ts';

let desk: Desk;
const running: Running[] = [];
beforeEach(() => {
  desk = new Desk();
});
afterEach(async () => {
  for (const { kill, finished } of running.splice(0)) {
    kill('SIGKILL');
    await finished;
  }
  desk.close();
});

async function serve(): Promise<{ url: string; program: Running }> {
  const program = desk.start(['serve', '--port', '0']);
  running.push(program);
  const [, url] = await program.says(/listening on (http\S+)/);
  return { url: url!, program };
}

async function createKey(...options: string[]): Promise<string> {
  const { stdout, stderr, exitCode } = await desk.run(['keys', 'create', ...options]);
  expect([exitCode, stderr]).toEqual([0, expect.any(String)]);
  return stdout.trim();
}

function openAccounts() {
  return createFileAccountStore({ home: desk.home, tasks: createFileTaskStore({ home: desk.home }) });
}

describe('a server whose data folder lost its accounts', () => {
  it('answers nobody without a key, says what to do, and serves a new key within a second', async () => {
    const old = await createKey();
    await rm(path.join(desk.home, 'accounts'), { recursive: true });
    const { url, program } = await serve();
    await program.sees(/every request to \/v1 gets 401.*restore.*keys create/);
    const ask = (headers: Record<string, string>, body?: string) =>
      fetch(`${url}/v1/tasks`, {
        method: body === undefined ? 'GET' : 'POST',
        headers,
        ...(body && { body }),
      });
    const listing = JSON.stringify(aListing());
    const json = { 'content-type': 'application/json' };
    for (const headers of [{}, { 'x-api-key': old }, { authorization: `Bearer ${old}` }] as const) {
      expect((await ask({ ...headers })).status).toBe(401);
      expect((await ask({ ...json, ...headers }, listing)).status).toBe(401);
    }
    expect((await fetch(`${url}/v1/organization`)).status).toBe(401);
    const headers = { 'x-api-key': await createKey() };
    await expect.poll(async () => (await ask(headers)).status).toBe(200);
    expect(await (await ask(headers)).json()).toEqual({ data: [], has_more: false });
  });

  it('refuses requests though the accounts vanish while it runs', async () => {
    await createKey();
    const { url } = await serve();
    expect((await fetch(`${url}/v1/tasks`)).status).toBe(401);
    await rm(path.join(desk.home, 'accounts'), { recursive: true });
    expect((await fetch(`${url}/v1/tasks`)).status).toBe(401);
  });
});

describe('a key', () => {
  it('that expired opens nothing on a server that knew it, and the answer says why', async () => {
    const { url } = await serve();
    const key = await createKey('--expires', '2s');
    const ask = () => fetch(`${url}/v1/tasks`, { headers: { 'x-api-key': key } });
    await expect.poll(async () => (await ask()).status).toBe(401);
    expect(await (await ask()).json()).toMatchObject({
      code: 'unauthenticated',
      message: expect.stringMatching(/^this API key expired at /),
    });
  });

  it('serves every request though its last use cannot be written', async () => {
    const accounts = openAccounts();
    const { key } = await accounts.createKey({ organizationId: accounts.defaultOrganizationId });
    const organization = path.join(desk.home, 'accounts', 'organizations', accounts.defaultOrganizationId);
    await writeFile(path.join(organization, 'lock'), 'a file where the folder should be');
    const api = openHarness({ accounts });
    const answers = await Promise.all(
      Array.from({ length: 500 }, () => api.ask('/v1/organization', { headers: { 'x-api-key': key } })),
    );
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    await accounts.close();
  });

  it('is not made, and no credit is granted, without a line in the audit log', async () => {
    await createKey();
    const log = path.join(desk.home, 'audit.ndjson');
    const before = await readFile(log, 'utf8');
    await rm(log);
    await mkdir(log);
    for (const words of [
      ['keys', 'create'],
      ['organization', 'grant', '500'],
    ]) {
      const { exitCode, stdout, stderr } = await desk.run(words);
      expect([exitCode, stdout]).toEqual([3, '']);
      expect(stderr).toContain('audit.ndjson');
    }
    await rm(log, { recursive: true });
    await writeFile(log, before);
    const accounts = openAccounts();
    expect((await accounts.listKeys()).data).toHaveLength(1);
    expect(await accounts.defaultOrganization()).toMatchObject({ isMetered: false });
    expect(
      before
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line)),
    ).toMatchObject([{ event: 'key.created' }]);
  });
});

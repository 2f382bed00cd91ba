/** What every `WebhookStore` does, whatever it is made of. Run once per store. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { MAX_WEBHOOKS } from '../../../../src/task/webhooks/webhook.ts';
import type { WebhookStore } from '../../../../src/task/webhooks/webhook-store.ts';
import { endTask, ORGANIZATION, type WebhookHarness, type WebhookProcess } from './webhook-harness.ts';

const URL_A = 'https://a.example/hook?token=1';
const NOW = '2026-11-20T14:03:07.123Z';

export function describeWebhookStore(name: string, openHarness: () => Promise<WebhookHarness>): void {
  describe(`${name} as a WebhookStore`, () => {
    let at: WebhookHarness;
    let first: WebhookProcess;
    let store: WebhookStore;

    beforeEach(async () => {
      at = await openHarness();
      first = at.open();
      store = first.store;
    });
    afterEach(() => at.close());

    const create = (change = {}) =>
      store.createWebhook({ organizationId: ORGANIZATION, url: URL_A, ...change });
    const list = async (query = {}) => (await store.listDeliveries({ limit: 50, ...query })).data;

    describe('webhooks', () => {
      it('are made with a secret that is shown once, and read by another process', async () => {
        const { secret, ...webhook } = await create();
        expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{32}$/);
        expect(webhook).toEqual({
          id: expect.stringMatching(/^wh_[0-9a-f]{16}$/),
          organizationId: ORGANIZATION,
          url: URL_A,
          events: ['task.succeeded', 'task.failed'],
          createdAt: NOW,
          disabledAt: null,
        });
        const second = at.open('second').store;
        expect(await second.getWebhook(webhook.id)).toEqual(webhook);
        expect(await second.listWebhooks()).toEqual({ data: [webhook], warnings: [] });
        expect(JSON.stringify(await second.listWebhooks())).not.toContain('whsec_');
        expect(await second.signingSecrets(webhook.id)).toEqual([secret]);
      });

      it.each([
        ['', 'is not a URL'],
        ['example.com/hook', 'is not a URL'],
        ['/hook', 'is not a URL'],
        ['ftp://example.com/', 'does not start with https:// or http://'],
        ['file:///etc/passwd', 'does not start with https:// or http://'],
        ['javascript:alert(1)', 'does not start with https:// or http://'],
        ['https://ann:secret@example.com/', 'has a user name or password'],
        ['https://ann@example.com/', 'has a user name or password'],
        [`https://example.com/${'x'.repeat(2_100)}`, 'is longer than 2083 characters'],
      ])('are not made with the URL %s', async (url, problem) => {
        await expect(create({ url })).rejects.toMatchObject({
          code: 'usage',
          message: `the URL of the webhook ${problem}`,
        });
        expect((await store.listWebhooks()).data).toEqual([]);
      });

      it(`are ${MAX_WEBHOOKS} at most; deleting one makes room`, async () => {
        const made = [];
        for (let n = 0; n < MAX_WEBHOOKS; n++) made.push(await create());
        await expect(create()).rejects.toMatchObject({ code: 'usage' });
        await store.deleteWebhook(made[3]!.id);
        await create();
      });

      it('belong to an organization that exists', async () => {
        for (const organizationId of ['org_0123456789abcdef', '../../etc', 'nobody']) {
          const call = create({ organizationId });
          await expect(call).rejects.toMatchObject({ code: 'organization_not_found' });
          await expect(store.listWebhooks(organizationId)).rejects.toMatchObject({
            code: 'organization_not_found',
          });
        }
      });

      it.each(['wh_0123456789abcdef', 'nonsense', '../../accounts', ''])(
        'are not found by %j',
        async (id) => {
          const calls = [
            'getWebhook',
            'deleteWebhook',
            'rotateSecret',
            'signingSecrets',
            'disableWebhook',
          ] as const;
          for (const call of calls) {
            await expect(store[call](id)).rejects.toMatchObject({ code: 'webhook_not_found' });
          }
          await expect(list({ webhookId: id })).rejects.toMatchObject({ code: 'webhook_not_found' });
        },
      );

      it('do not show a secret that was given instead of an id', async () => {
        const { secret } = await create();
        const error = await store.deleteWebhook(secret).catch((thrown) => thrown);
        expect(JSON.stringify([error.message, error.context])).not.toContain(secret.slice(6));
      });

      it('sign with the previous secret too for a day after a rotation', async () => {
        const made = await create();
        const rotated = await store.rotateSecret(made.id);
        expect(rotated.secret).not.toBe(made.secret);
        expect(await store.signingSecrets(made.id)).toEqual([rotated.secret, made.secret]);
        at.nowMs += 24 * 3_600_000;
        expect(await store.signingSecrets(made.id)).toEqual([rotated.secret]);
        const again = await store.rotateSecret(made.id);
        const last = await store.rotateSecret(made.id);
        expect(await store.signingSecrets(made.id)).toEqual([last.secret, again.secret]);
      });

      it('keep each of two changes at the same time', async () => {
        const [server, command] = [at.open('server').store, at.open('command').store];
        const make = () => server.createWebhook({ organizationId: ORGANIZATION, url: 'https://a.example/' });
        const rotated = await make();
        const [, { secret }] = await Promise.all([
          server.disableWebhook(rotated.id),
          command.rotateSecret(rotated.id),
        ]);
        expect(await server.getWebhook(rotated.id)).toMatchObject({ disabledAt: expect.any(String) });
        expect(await server.signingSecrets(rotated.id)).toContain(secret);
        for (const act of ['disableWebhook', 'rotateSecret'] as const) {
          const { id } = await make();
          await Promise.allSettled([command.deleteWebhook(id), server[act](id)]);
          await expect(server.getWebhook(id)).rejects.toMatchObject({ code: 'webhook_not_found' });
        }
      });

      it('are gone at once when they are deleted', async () => {
        const { id } = await create();
        await store.deleteWebhook(id);
        const second = at.open('second').store;
        await expect(second.getWebhook(id)).rejects.toMatchObject({ code: 'webhook_not_found' });
        expect((await second.listWebhooks(ORGANIZATION)).data).toEqual([]);
        await endTask(first, at.newId());
        expect(await list()).toEqual([]);
      });
    });

    describe('the end of a task', () => {
      it('makes a delivery for each webhook that wants it', async () => {
        const both = await create();
        const failures = await create({ events: ['task.failed'] });
        const successes = await create({ events: ['task.succeeded'] });
        at.nowMs += 1_000;
        const task = await endTask(first, at.newId(), 'SUCCEEDED');
        const made = await list();
        expect(made.map(({ webhookId }) => webhookId).sort()).toEqual([both.id, successes.id].sort());
        expect(await list({ webhookId: both.id })).toEqual([
          {
            id: expect.stringMatching(/^dlv_[0-9a-f]{24}$/),
            messageId: `msg_${task.id.replaceAll('-', '')}_0`,
            webhookId: both.id,
            organizationId: ORGANIZATION,
            taskId: task.id,
            event: 'task.succeeded',
            state: 'waiting',
            createdAt: task.updatedAt,
            attempts: 0,
            firstAttemptAt: null,
            nextAttemptAt: task.updatedAt,
            lastAttempt: null,
            problem: null,
            redeliveryOf: null,
          },
        ]);
        expect(await store.countWaiting()).toBe(2);
        await endTask(first, at.newId(), 'FAILED');
        expect((await list({ webhookId: failures.id })).map(({ event }) => event)).toEqual(['task.failed']);
      });

      it('makes none for another organization, and none for a task of the command line', async () => {
        await create();
        const { tasks } = first;
        await endTask(first, at.newId(), 'FAILED', 'org_0123456789abcdef');
        await endTask(first, at.newId(), 'FAILED', null);
        await tasks.create({ id: at.newId(), origin: 'api', organizationId: ORGANIZATION, payload: null });
        expect(await list()).toEqual([]);
      });

      it('makes one for each end, with an id of its own, if the task is retried', async () => {
        await create();
        const task = await endTask(first, at.newId());
        await first.tasks.retry(task.id);
        at.nowMs += 1_000;
        await first.tasks.requestCancel(task.id);
        const made = await list();
        expect(made.map(({ messageId }) => messageId.slice(-2))).toEqual(['_1', '_0']);
        expect(await list({ startingAfter: made[0]!.id })).toEqual([made[1]]);
        expect(await store.listDeliveries({ limit: 1 })).toMatchObject({ data: [made[0]], hasMore: true });
      });

      it('makes one for a webhook that is disabled no more', async () => {
        const { id } = await create();
        await store.disableWebhook(id);
        expect(await store.getWebhook(id)).toMatchObject({ disabledAt: NOW });
        await endTask(first, at.newId());
        expect(await list()).toEqual([]);
      });
    });

    describe('a redelivery', () => {
      it('is a new delivery of the same message, which is due at once', async () => {
        await create();
        await endTask(first, at.newId());
        const [delivery] = await list();
        at.nowMs += 60_000;
        const again = await at.open('second').store.redeliver(delivery!.id);
        expect(again).toEqual({
          ...delivery,
          id: expect.not.stringContaining(delivery!.id),
          createdAt: new Date(at.nowMs).toISOString(),
          nextAttemptAt: new Date(at.nowMs).toISOString(),
          redeliveryOf: delivery!.id,
        });
        expect(await list()).toEqual([again, delivery]);
      });

      it('is refused for a webhook that is disabled or deleted, and for an unknown id', async () => {
        const { id } = await create();
        await endTask(first, at.newId());
        const [delivery] = await list();
        await store.disableWebhook(id);
        await expect(store.redeliver(delivery!.id)).rejects.toMatchObject({ code: 'usage' });
        await store.deleteWebhook(id);
        await expect(store.redeliver(delivery!.id)).rejects.toMatchObject({ code: 'webhook_not_found' });
        for (const unknown of ['dlv_000000000000000000000000', '../x', '']) {
          await expect(store.redeliver(unknown)).rejects.toMatchObject({ code: 'delivery_not_found' });
        }
      });
    });
  });
}

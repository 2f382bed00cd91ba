/**
 * A process that stops dead at any one of its file operations: no event is lost, none is sent for an end that nobody
 * saw, and no end shows before its delivery is stored. Every operation of every scenario is tried.
 */
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { isTerminal } from '../../../../src/task/task-transition.ts';
import { attemptDelivery } from '../../../../src/task/webhooks/attempt-delivery.ts';
import type { Message } from '../../../../src/task/webhooks/send-message.ts';
import type { FullDelivery } from '../../../../src/task/webhooks/webhook.ts';
import { crashPoints, pauseAt } from '../../crash-at.ts';
import {
  endTask,
  FAILURE,
  ORGANIZATION,
  openFileWebhookHarness,
  type SendingProcess,
  type WebhookProcess,
} from './webhook-harness.ts';

const atEveryOperation = crashPoints({
  openHarness: openFileWebhookHarness,
  openProcess: (harness, name) => harness.open(name),
});

/** Sends all that can be sent now, as the worker does. Returns the types of the messages. */
async function sendAll({ store, claims }: SendingProcess, nowMs: number, status = 200): Promise<string[]> {
  const sent: string[] = [];
  const deps = {
    store,
    random: () => 0,
    nowMs: () => nowMs,
    bodyOf: ({ event }: FullDelivery) => event,
    send: async ({ body }: Message) => {
      sent.push(body);
      return { at: new Date(nowMs).toISOString(), durationMs: 1, status, error: null, response: '' };
    },
  };
  await claims.upkeep();
  for (const isFailing of [false, true]) {
    for (const claimed of await claims.claim(9, isFailing)) {
      const { signal } = new AbortController();
      await claims.finish(claimed, await attemptDelivery(claimed.delivery, claimed.webhook, deps, signal), 0);
    }
  }
  return sent;
}

const createTwo = async ({ store }: WebhookProcess) => {
  for (const name of ['a', 'b'])
    await store.createWebhook({ organizationId: ORGANIZATION, url: `https://${name}.example/` });
};

describe('a process that dies at any file operation', () => {
  it('while it ends a task: the end shows only with its deliveries, and each event is sent', async () => {
    const operations = await atEveryOperation(
      async (helper, id) => {
        await createTwo(helper);
        await helper.tasks.create({ id, origin: 'api', organizationId: ORGANIZATION, payload: null });
      },
      async ({ tasks }, id) => {
        const result = await tasks.claim(id);
        if (result.kind !== 'claimed') throw new Error(result.kind);
        await tasks.settle(result.claim, { kind: 'succeeded', outcome: 'victim' }, null);
      },
      async (second, id, _, harness) => {
        const { state } = await second.tasks.get(id);
        const stored = (await second.store.listDeliveries({ limit: 9 })).data.length;
        if (isTerminal(state)) expect(stored).toBe(2);
        // Before the task is taken over, nothing tells of an end that nobody saw.
        const early = await sendAll(second, harness.nowMs);
        expect(early).toEqual(isTerminal(state) ? Array(2).fill('task.succeeded') : []);
        harness.nowMs += 2_000;
        const result = await second.tasks.claimNext({ origin: 'api', trustLeases: true });
        if (result?.kind === 'claimed')
          await second.tasks.settle(result.claim, { kind: 'failed', failure: FAILURE }, null);
        const late = await sendAll(second, harness.nowMs);
        expect(late).toEqual(isTerminal(state) ? [] : Array(2).fill('task.failed'));
        const left = await second.store.listDeliveries({ limit: 9 });
        expect(left.data.map((delivery) => delivery.state)).toEqual(['succeeded', 'succeeded']);
        expect(left.warnings).toEqual([]);
      },
    );
    expect(operations).toBeGreaterThan(40);
  });

  it('while it cancels a waiting task', async () => {
    await atEveryOperation(
      async (helper, id) => {
        await createTwo(helper);
        await helper.tasks.create({ id, origin: 'api', organizationId: ORGANIZATION, payload: null });
      },
      async ({ tasks }, id) => void (await tasks.requestCancel(id)),
      async (second, id, _, harness) => {
        const { state } = await second.tasks.get(id);
        expect(await sendAll(second, harness.nowMs)).toEqual(
          isTerminal(state) ? Array(2).fill('task.failed') : [],
        );
      },
    );
  });

  it.each([200, 500])(
    'while it sends deliveries that get %d: what waits is sent by the next',
    async (status) => {
      await atEveryOperation(
        async (helper, id) => {
          await createTwo(helper);
          await endTask(helper, id);
        },
        async (victim, _, promise) => {
          await sendAll(victim, Date.parse((await victim.store.listWebhooks()).data[0]!.createdAt), status);
          promise('sent');
        },
        async (second, _, promised, harness) => {
          harness.nowMs += 60_000;
          const sent = await sendAll(second, harness.nowMs);
          if (status === 200 && promised.has('sent')) expect(sent).toEqual([]);
          if (status === 500) expect(sent).toHaveLength(2);
          const { data, warnings } = await second.store.listDeliveries({ limit: 9 });
          expect(data.map(({ state }) => state)).toEqual(['succeeded', 'succeeded']);
          expect(warnings).toEqual([]);
          expect(await second.store.countWaiting()).toBe(0);
          await second.claims.upkeep();
          const left = await readdir(join(harness.home, 'webhooks'), { recursive: true });
          expect(left.filter((name) => name.endsWith('.tmp'))).toEqual([]);
        },
      );
    },
  );

  it('while it makes, rotates and deletes a webhook: each is there as a whole or not', async () => {
    await atEveryOperation(
      async () => {},
      async ({ store }, _, promise) => {
        const { id } = await store.createWebhook({ organizationId: ORGANIZATION, url: 'https://a.example/' });
        promise('made');
        await store.rotateSecret(id);
        await store.deleteWebhook(id);
        promise('deleted');
      },
      async ({ store }, _, promised) => {
        const { data, warnings } = await store.listWebhooks();
        expect(warnings).toEqual([]);
        expect(data.length).toBeLessThanOrEqual(promised.has('deleted') ? 0 : 1);
        for (const { id } of data) expect((await store.signingSecrets(id)).length).toBeGreaterThan(0);
      },
    );
  });
});

describe('a process that is stopped at any file operation while it ends a task, and then goes on', () => {
  it.each([
    ['ended', false, false],
    ['ended and sent', false, true],
    ['ended and retried', true, false],
    ['ended, sent and retried', true, true],
  ])(
    'sends the ends that were visible and no others, if another process has %s it',
    async (_, isRetried, isSent) => {
      let takeovers = 0;
      for (let n = 1; ; n++) {
        const harness = await openFileWebhookHarness();
        const id = harness.newId();
        const helper = harness.open('helper');
        await createTwo(helper);
        await helper.tasks.create({ id, origin: 'api', organizationId: ORGANIZATION, payload: null });
        const victim = harness.open('victim');
        const claim = await victim.tasks.claim(id);
        if (claim.kind !== 'claimed') throw new Error(claim.kind);
        const pause = pauseAt(n, () =>
          victim.tasks.settle(claim.claim, { kind: 'succeeded', outcome: 'victim' }, null),
        );
        try {
          if ((await pause.stopped) === 'ended') break;
          harness.nowMs += 31_000;
          const second = harness.open('second');
          const taken = await second.tasks.claimNext({ origin: 'api', trustLeases: true });
          const sent: string[] = [];
          if (taken?.kind === 'claimed') {
            takeovers++;
            await second.tasks.settle(taken.claim, { kind: 'failed', failure: FAILURE }, null);
            if (isSent) sent.push(...(await sendAll(second, harness.nowMs)));
            if (isRetried) await second.tasks.retry(id);
          }
          await pause.go();
          sent.push(...(await sendAll(second, harness.nowMs)));
          const expected = taken?.kind === 'claimed' ? 'task.failed' : 'task.succeeded';
          expect([n, ...sent]).toEqual([n, expected, expected]);
        } finally {
          await pause.go();
          pause.restore();
          await harness.close();
        }
      }
      expect(takeovers).toBeGreaterThan(10);
    },
  );
});

/** The queue's places when the store fails while they are counted. */
import { expect, it } from 'vitest';
import { QueueGate } from '../../../src/api/server/requests/queue-gate.ts';

it('a request that fails leaves its place to the next', async () => {
  let isBroken = true;
  const gate = new QueueGate({
    countWaiting: async (organizationId) => {
      if (isBroken && organizationId === null) throw new Error('the store cannot be read');
      return 0;
    },
    limit: 10,
    organizationLimit: 2,
    health: () => ({ state: 'working' }),
    monotonicMs: () => 0,
  });
  for (let request = 0; request < 3; request++)
    await expect(gate.enter('org')).rejects.toThrow('the store cannot be read');
  isBroken = false;
  expect(await gate.enter('org')).toHaveProperty('settle');
});

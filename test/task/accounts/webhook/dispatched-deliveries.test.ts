/** Deliveries that a queue dispatches: one that it gives out twice is looked at again after the first time. */
import { expect, it } from 'vitest';
import { systemTaskClock } from '../../../../src/task/engine/task-clock.ts';
import {
  DispatchedDeliveries,
  type DispatchedDelivery,
} from '../../../../src/task/webhooks/dispatched-deliveries.ts';
import { LostEvents } from '../../../../src/task/webhooks/lost-events.ts';

const never = async (): Promise<never> => {
  throw new Error('nothing is sent');
};

it('looks again at a delivery that it moved, when its new job comes before the end of the move', async () => {
  const moves: (() => void)[] = [];
  let dispatch: (delivery: DispatchedDelivery) => Promise<void> = never;
  const deliveries = new DispatchedDeliveries(
    {
      store: { signingSecrets: never, disableWebhook: never },
      lost: new LostEvents(),
      clock: systemTaskClock,
      logger: { debug: () => {}, warn: () => {} },
      onAttempt: () => {},
      bodyOf: () => '',
      send: never,
    },
    {
      claim: () => new Promise((resolve) => moves.push(() => resolve(null))),
      finish: never,
      upkeep: async () => {},
    },
    {
      start: (given) => {
        dispatch = given;
      },
      stop: async () => {},
    },
  );
  deliveries.start(() => '');
  const first = dispatch({ id: 'dlv_1', attempt: 1, isAmongFailing: false });
  const second = dispatch({ id: 'dlv_1', attempt: 1, isAmongFailing: false });
  moves.shift()?.();
  await first;
  await expect.poll(() => moves.length).toBe(1);
  moves.shift()?.();
  await second;
  await deliveries.stop(0);
});

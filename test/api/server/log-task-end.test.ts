/** The end of a task in log and metrics. */
import { expect, it } from 'vitest';
import { logTaskEnd } from '../../../src/api/server/watch/log-task-end.ts';
import { ListingVideoError } from '../../../src/platform/errors.ts';
import { type AnyJson, type HarnessOptions, logInto, openHarness, quietMetrics } from './harness.ts';

async function endOf(handler?: HarnessOptions['handler']) {
  const api = openHarness(handler === undefined ? {} : { handler });
  const task = await api.store.get(await api.make());
  const log: AnyJson[] = [];
  const metrics = quietMetrics();
  for (let times = 0; times < 2; times++) logTaskEnd({ logger: logInto(log), metrics }, task);
  return { id: task.id, log, metrics: await metrics.render() };
}

it('is logged once, with the organization of the task', async () => {
  const { id, log, metrics } = await endOf();
  expect(log).toEqual([
    expect.objectContaining({
      level: 'info',
      task: id,
      organization: 'org_default',
      state: 'SUCCEEDED',
      attempts: 1,
    }),
  ]);
  expect(metrics).toContain('listing_video_task_duration_seconds_count{state="SUCCEEDED"} 1');
});

it('a failure that the client can fix is no alarm', async () => {
  const { log } = await endOf(async () => {
    throw new ListingVideoError('no_usable_assets', 'no usable assets: 5 of 5 dropped');
  });
  expect(log).toMatchObject([
    { level: 'info', code: 'no_usable_assets', failure: 'no usable assets: 5 of 5 dropped' },
  ]);
});

it('a failure of ours is one, in words that name the cause', async () => {
  const failures = [
    [new ListingVideoError('output_unwritable', 'cannot write to /srv/files (EACCES)'), 'output_unwritable'],
    [new Error('EACCES: /srv/files'), 'internal_error'],
  ] as const;
  for (const [error, code] of failures) {
    const { log } = await endOf(async () => {
      throw error;
    });
    expect(log).toMatchObject([{ level: 'error', code }]);
    expect(JSON.stringify(log)).toContain('EACCES');
  }
});

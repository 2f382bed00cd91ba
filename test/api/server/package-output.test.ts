/** What a package prints is in the log, without the fields of its errors. */
import { expect, it, vi } from 'vitest';
import { logPackageOutput } from '../../../src/api/server/watch/logger.ts';

it('logs what packages print', () => {
  const logged: unknown[] = [];
  // Restored after the test.
  for (const method of ['debug', 'info', 'log', 'warn', 'error', 'trace'] as const) vi.spyOn(console, method);
  logPackageOutput({ debug: (facts, message) => logged.push([facts, message]) });
  console.error('attempt 2 failed:', new Error('away'));
  console.trace(Object.assign(new Error('gone'), { client: { password: '5ecre7' } }));
  console.warn({ password: '5ecre7' }, null);
  expect(logged).toEqual(
    ['attempt 2 failed: Error: away', 'Error: gone', 'object object'].map((report) => [
      { report },
      'a package reports',
    ]),
  );
});

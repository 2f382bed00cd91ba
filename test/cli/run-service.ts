/** Runs `serve` or `worker` over one in memory, until it has printed something. */
import type { Settings } from '../../src/platform/settings/setting-table.ts';
import { type FakeWorld, run } from './run-cli.ts';

export async function runService<Options>(
  argv: readonly string[],
  world: Partial<FakeWorld>,
  opener: 'openService' | 'openWorker',
  start: () => Promise<string | null>,
) {
  const interrupt = new AbortController();
  const happened: string[] = [];
  let opened: { settings: Settings; options: Options } | undefined;
  const result = await run(argv, {
    cwd: '/nowhere',
    interrupted: interrupt.signal,
    [opener]: async (settings: Settings, options: Options) => {
      opened = { settings, options };
      return {
        start: () => {
          happened.push('start');
          return start();
        },
        stop: async () => {
          happened.push('stop');
        },
      };
    },
    onWrite: (stream, text) => {
      happened.push(`${stream}: ${text.trim()}`);
      interrupt.abort();
    },
    ...world,
  });
  return { ...result, happened, settings: opened!.settings, options: opened!.options };
}

/** The command line with a server behind it, over real sockets, with a clock of the test: nothing waits. */
import { lookup } from 'node:dns';
import { setImmediate } from 'node:timers/promises';
import type { ClientDeps } from '../../../src/platform/network/transport.ts';
import { openRemoteBackend } from '../../../src/wiring/open-remote-backend.ts';
import { type CliRun, type FakeWorld, run } from '../../cli/run-cli.ts';

export interface RemoteWorld extends Omit<FakeWorld, 'openBackend'> {
  readonly server: string;
  readonly key?: string;
  /** Called for every wait, with its length. */
  readonly onWait?: (durationMs: number) => void;
}

/** Waits end at once; clocks stand still; nothing is ever silent for too long. */
export function quickNetwork(onWait: (durationMs: number) => void = () => undefined): ClientDeps {
  return {
    nowMs: () => Date.parse('2026-11-20T14:00:00Z'),
    delay: async (durationMs, signal) => {
      onWait(durationMs);
      await setImmediate();
      signal.throwIfAborted();
    },
    setTimer: () => undefined,
    clearTimer: () => undefined,
    random: () => 0,
    lookup,
  };
}

export function runRemote(argv: readonly string[], context: RemoteWorld): Promise<CliRun> {
  const { server, key, onWait, env, ...rest } = context;
  return run(argv, {
    ...rest,
    env: {
      ...env,
      LISTING_VIDEO_SERVER: server,
      ...(key === undefined ? {} : { LISTING_VIDEO_KEY: key }),
    },
    openBackend: async (settings, options) =>
      openRemoteBackend(settings.server!, settings, { ...options, network: quickNetwork(onWait) }),
  });
}

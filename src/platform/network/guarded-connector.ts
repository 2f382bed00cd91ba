/** The only way to the network: it returns a socket only if its address is allowed. */
import { lookup as systemLookup } from 'node:dns';
import type { LookupFunction, Socket } from 'node:net';
import { buildConnector } from 'undici';
import {
  type AddressPolicy,
  explainRefusal,
  isAddressAllowed,
  parseLiteralAddress,
} from './guard-address.ts';
import { NetworkRefusal } from './network-refusal.ts';

/** DNS, timers and back-off, which tests replace. */
export interface NetworkDeps {
  /** As `dns.lookup` with `all: true`. */
  readonly lookup: typeof systemLookup;
  readonly setTimer: (run: () => void, delayMs: number) => unknown;
  readonly clearTimer: (timer: unknown) => void;
  /** Milliseconds of a clock that never goes back. */
  readonly now: () => number;
  /** Waits before try `nextTry` (2, 3, …), at least as long as the host asks for; rejects when aborted. */
  readonly backOff: (nextTry: number, signal: AbortSignal, retryAfterMs: number | null) => Promise<void>;
}

type Connector = ReturnType<typeof buildConnector>;

/**
 * A connector for undici's `Agent`.
 *
 * It checks a literal address before anything is sent (DNS never sees one), the addresses of a name when they are
 * resolved, and the remote address of the connected socket. One timer covers DNS, TCP and TLS.
 *
 * It fails with an {@link NetworkRefusal} `blocked_address` or `timeout`, else with the socket's own error.
 *
 * @param connecting - Gets a function for every connection while it is being made, which ends it at once.
 */
export function createGuardedConnector(
  policy: AddressPolicy,
  connectTimeoutMs: number,
  network: Pick<NetworkDeps, 'lookup' | 'setTimer' | 'clearTimer'>,
  connecting: Set<() => void>,
): Connector {
  return (options, callback) => {
    const { hostname } = options;
    const literal = parseLiteralAddress(hostname);
    const refusal = literal === null ? null : explainRefusal(hostname, literal, policy);
    if (refusal !== null) {
      queueMicrotask(() => callback(blocked(refusal), null));
      return;
    }
    // undici's own timer is off, because tests cannot replace it.
    const connect = buildConnector({ timeout: 0, lookup: guardLookup(hostname, policy, network.lookup) });
    let isSettled = false;
    const settle = (error: Error | null, socket: Socket | null): void => {
      if (isSettled) return;
      isSettled = true;
      network.clearTimer(timer);
      connecting.delete(close);
      if (socket === null) callback(error ?? new Error('no socket'), null);
      else callback(null, socket);
    };
    let attempt: Socket | undefined;
    const giveUp = (reason: Error) => {
      settle(reason, null);
      attempt?.destroy();
    };
    const close = () => giveUp(new Error('the fetcher is closed'));
    connecting.add(close);
    const timer = network.setTimer(
      () => giveUp(new NetworkRefusal('timeout', `no connection within ${connectTimeoutMs / 1000} s`)),
      connectTimeoutMs,
    );
    // The connector returns the socket that it connects, but its types do not say so.
    attempt = connect(options, (error, socket) => {
      if (error !== null) return settle(error, null);
      if (isSettled) return void socket.destroy();
      const refused = explainRefusal(hostname, socket.remoteAddress ?? '', policy);
      if (refused !== null) {
        socket.destroy();
        return settle(blocked(refused), null);
      }
      settle(null, socket);
    }) as unknown as Socket | undefined;
  };
}

function guardLookup(hostname: string, policy: AddressPolicy, lookup: typeof systemLookup): LookupFunction {
  return (name, options, callback) => {
    lookup(name, { ...options, all: true }, (error, found) => {
      if (error) return callback(error, '', 0);
      const allowed = found.filter(({ address }) => isAddressAllowed(hostname, address, policy));
      const [first] = allowed;
      if (first === undefined) {
        const refusal = explainRefusal(hostname, found[0]?.address ?? '', policy);
        return callback(blocked(refusal ?? 'the host has no address') as NodeJS.ErrnoException, '', 0);
      }
      if (options.all) callback(null, allowed);
      else callback(null, first.address, first.family);
    });
  };
}

function blocked(detail: string): NetworkRefusal {
  return new NetworkRefusal('blocked_address', detail);
}

/** Milliseconds before try `nextTry` (2, 3, …). */
export function backOffMs(nextTry: number, retryAfterMs: number | null): number {
  return Math.max(nextTry === 2 ? 300 : 1500, retryAfterMs ?? 0);
}

/** The system's DNS and timers. */
export const systemNetworkDeps: NetworkDeps = {
  lookup: systemLookup,
  setTimer: (run, delayMs) => setTimeout(run, delayMs),
  clearTimer: (timer) => clearTimeout(timer as NodeJS.Timeout),
  now: () => performance.now(),
  backOff: async (nextTry, signal, retryAfterMs) => {
    const { setTimeout: sleep } = await import('node:timers/promises');
    await sleep(backOffMs(nextTry, retryAfterMs), undefined, { signal });
  },
};

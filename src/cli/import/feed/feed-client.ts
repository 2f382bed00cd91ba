/**
 * Asks a RESO Web API for pages: one request at a time, at most two a second, again when the feed is busy. The token
 * goes to the feed's own host only.
 */
import { ListingVideoError } from '../../../platform/errors.ts';
import { systemNetworkDeps } from '../../../platform/network/guarded-connector.ts';
import { NetworkFailure } from '../../../platform/network/network-failure.ts';
import { SlowReader } from '../../../platform/network/open-answer.ts';
import type { Proxies } from '../../../platform/network/proxies.ts';
import {
  orTemporary,
  type Patience,
  parseRetryAfter,
  TemporaryFailure,
  withRetries,
} from '../../../platform/network/retry.ts';
import { createTransport } from '../../../platform/network/transport.ts';
import type { CommandRun } from '../../command-run.ts';
import { explainRefusal } from './explain-refusal.ts';
import { withoutToken } from './feed-address.ts';

/** MLS Grid allows two requests a second, the least of the vendors. */
const MIN_INTERVAL_MS = 500;
/** A page of 1,000 properties with their media has up to 40 MB. */
const MAX_PAGE_BYTES = 64 * 1024 * 1024;
const TOTAL_MS = 300_000;
/** Quotas are by the minute and by the hour. */
const PATIENCE: Patience = { unreachable: 120_000, busy: 3_600_000, damaged: 0 };
/** Properties in a page, where `--url` does not say it. The greatest number of Bridge. */
const PAGE_SIZE = 200;

export interface FeedPage {
  readonly body: Buffer;
  /** The clock of the feed; null when it does not say. */
  readonly dateMs: number | null;
}

export interface FeedClient {
  /** Requests that were sent, with tries. */
  readonly requests: number;
  /** @throws ListingVideoError; the abort reason. */
  get(url: URL): Promise<FeedPage>;
  /** Headers for a photo: the token, on the feed's own host. */
  headersFor(url: URL): Readonly<Record<string, string>>;
  /** The address as it can be stored. */
  withoutToken(url: URL): URL;
  close(): void;
}

export interface FeedClientOptions {
  /** Of the feed. */
  readonly origin: string;
  readonly token: string | null;
  readonly proxies: Proxies | null;
}

export function openFeedClient(run: CommandRun, { origin, token, proxies }: FeedClientOptions): FeedClient {
  const transport = createTransport({ ...systemNetworkDeps, proxies });
  const { host, signal } = run;
  let requests = 0;
  const headersFor = (url: URL): Readonly<Record<string, string>> =>
    token === null || url.origin !== origin ? {} : { authorization: `Bearer ${token}` };

  const send = async (url: URL): Promise<FeedPage> => {
    // Every request but the first waits, whatever came between: a clock can be set.
    if (requests > 0) await host.delay(MIN_INTERVAL_MS, signal);
    requests += 1;
    try {
      const answer = await transport.send({
        method: 'GET',
        url,
        headers: {
          accept: 'application/json',
          prefer: `odata.maxpagesize=${PAGE_SIZE}`,
          ...headersFor(url),
        },
        totalMs: TOTAL_MS,
        maxWaitingBytes: MAX_PAGE_BYTES,
        // MLS Grid refuses requests that do not accept it.
        canBePacked: true,
        signal,
      });
      const body = await answer.whole();
      const { status, headers } = answer;
      if (status === 200) return { body, dateMs: toTime(headers.date) };
      const refusal = explainRefusal({ status, location: headers.location, body, origin, token });
      throw orTemporary(refusal, parseRetryAfter(headers['retry-after'], host.nowMs()));
    } catch (error) {
      if (error instanceof SlowReader)
        throw new ListingVideoError(
          'server_answer_invalid',
          `a page of ${origin} is larger than ${MAX_PAGE_BYTES >> 20} MiB`,
          { hint: 'ask for smaller pages: add $top=100 to --url' },
        );
      throw error instanceof NetworkFailure ? unreachable(error, origin) : error;
    }
  };

  return {
    get requests() {
      return requests;
    },
    get: (url) =>
      withRetries(() => send(url), {
        network: { delay: host.delay, random: Math.random },
        signal,
        patience: PATIENCE,
        warn: (message) => run.info(`warning: ${message}`),
      }),
    headersFor,
    withoutToken: (url) => withoutToken(url, token),
    close: () => transport.close(),
  };
}

function unreachable(failure: NetworkFailure, origin: string): Error {
  const message = `${origin} does not answer: ${failure.message}`;
  const hint = 'check --url and the network, then run the same command again: it continues';
  const final = new ListingVideoError('server_unreachable', message, { cause: failure, hint });
  return failure.isTemporary ? new TemporaryFailure(final, 'unreachable') : final;
}

function toTime(date: string | undefined): number | null {
  const timeMs = Date.parse(date ?? '');
  return Number.isNaN(timeMs) ? null : timeMs;
}

/**
 * Sends one signed message over HTTP: behind the address guard, within 10 seconds, without following redirects, and
 * without reading more than the start of the answer.
 */
import { causesOf, explainNetworkError } from '../../platform/network/explain-network-error.ts';
import type { AddressPolicy } from '../../platform/network/guard-address.ts';
import { type NetworkDeps, systemNetworkDeps } from '../../platform/network/guarded-connector.ts';
import { createHttpClient } from '../../platform/network/http-client.ts';
import { NetworkRefusal } from '../../platform/network/network-refusal.ts';
import { openAnswer } from '../../platform/network/open-answer.ts';
import type { Proxies } from '../../platform/network/proxies.ts';
import { signatureHeaders } from './sign-message.ts';
import type { Attempt } from './webhook.ts';

/** Limit of an attempt, with DNS, connection and answer. */
const TOTAL_MS = 10_000;
const CONNECT_MS = 5_000;
const MAX_RESPONSE_BYTES = 4_096;
/** One read of a socket, which can bring more than is wanted. */
const MAX_WAITING_BYTES = 256 * 1024;

export interface Message {
  readonly url: string;
  readonly messageId: string;
  readonly body: string;
  readonly secrets: readonly string[];
}

export interface SendOptions {
  readonly policy: AddressPolicy;
  /** Null: every connection is direct. */
  readonly proxies: Proxies | null;
  readonly nowMs: () => number;
  /** For tests. */
  readonly network?: NetworkDeps;
}

/** Sends the message once. @throws The reason of `signal`. Every other failure is part of the attempt. */
export async function sendMessage(
  { url, messageId, body, secrets }: Message,
  { policy, proxies, nowMs, network = systemNetworkDeps }: SendOptions,
  signal: AbortSignal,
): Promise<Attempt> {
  signal.throwIfAborted();
  const startMs = nowMs();
  const began = network.now();
  const total = new AbortController();
  const timer = network.setTimer(
    () => total.abort(new NetworkRefusal('timeout', `no answer within ${TOTAL_MS / 1000} s`)),
    TOTAL_MS,
  );
  const onAbort = () => total.abort(signal.reason);
  signal.addEventListener('abort', onAbort, { once: true });
  // A client for each attempt, because what the guard allows changes with the first API key.
  const client = createHttpClient({
    policy: { ...policy, denyReason: 'this host is not allowed here' },
    proxies,
    connectTimeoutMs: CONNECT_MS,
    network,
  });
  const attemptOf = (facts: Pick<Attempt, 'status' | 'error' | 'response'>): Attempt => ({
    at: new Date(startMs).toISOString(),
    durationMs: Math.round(network.now() - began),
    ...facts,
  });
  try {
    const target = new URL(url);
    const answer = await openAnswer({
      sender: client.senderFor(target),
      method: 'POST',
      url: target,
      headers: {
        ...signatureHeaders({ messageId, timestampSec: Math.floor(startMs / 1000), body }, secrets),
        'content-type': 'application/json',
        'accept-encoding': 'identity',
        'user-agent': 'listing-video',
      },
      body: Buffer.from(body),
      signal: total.signal,
      maxWaitingBytes: MAX_WAITING_BYTES,
    });
    // The status says what became of the message, also if the rest of the answer never comes.
    return attemptOf({ status: answer.status, error: null, response: await readStart(answer.body) });
  } catch (error) {
    signal.throwIfAborted();
    return attemptOf({ status: null, error: describe(error), response: '' });
  } finally {
    network.clearTimer(timer);
    signal.removeEventListener('abort', onAbort);
    await client.close();
  }
}

async function readStart(body: AsyncIterable<Buffer>): Promise<string> {
  const start: Buffer[] = [];
  let sizeBytes = 0;
  try {
    for await (const piece of body) {
      start.push(piece);
      sizeBytes += piece.length;
      if (sizeBytes >= MAX_RESPONSE_BYTES) break;
    }
  } catch {
    // What came before counts.
  }
  return toSafeText(Buffer.concat(start).subarray(0, MAX_RESPONSE_BYTES));
}

/**
 * Foreign UTF-8 as one line of text that is safe to store, log and print: each run of white space is one space, and
 * what has no shape or changes the terminal is replaced: control and format characters, separators, lone surrogates.
 */
export function toSafeText(bytes: Uint8Array): string {
  return new TextDecoder()
    .decode(bytes)
    .replace(/\s+/gu, ' ')
    .replace(/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu, '\uFFFD')
    .trim();
}

function describe(error: unknown): string {
  const refusal = causesOf(error).find((cause) => cause instanceof NetworkRefusal);
  const { code, detail } = refusal ?? explainNetworkError(error) ?? rethrow(error);
  return `${code}: ${detail}`;
}

function rethrow(error: unknown): never {
  throw error;
}

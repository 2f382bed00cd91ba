/**
 * One server for what a lock guards: a second start finds the server that runs, and gets an address of it. Whoever asks
 * for an address, and whoever gives one, proves that it has the key, which only this user can read: another program can
 * listen at the port.
 */
import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { freeIfGone, type LockHolder, readPort } from '../../platform/disk/held-lock.ts';
import { HOST } from './page-server.ts';
import { isEqual, proofOf, TICKET_PATH, ticketMessage } from './studio-guard.ts';

/** A server that was started at the same moment listens within it, on a slow machine too, and one that ends is gone. */
const PATIENCE_MS = 20_000;
const POLL_MS = 50;
/** Of a server that does not answer. */
const ANSWER_MS = 3_000;

export interface OneServer<T> {
  readonly lock: string;
  readonly key: Uint8Array;
  /** Takes the lock. Null: another process has it. */
  readonly take: () => Promise<T | null>;
  /** The error when the owner of the lock gives no address. */
  readonly refuse: (holder: LockHolder) => Error;
  /** How long the owner of the lock has to give one. */
  readonly patienceMs?: number;
}

/** @returns What `take` returned, or an address of the server that runs, which works once. */
export async function takeOrFind<T>({
  lock,
  key,
  take,
  refuse,
  patienceMs = PATIENCE_MS,
}: OneServer<T>): Promise<{ readonly own: T } | { readonly other: string }> {
  const untilMs = performance.now() + patienceMs;
  for (;;) {
    const own = await take();
    if (own !== null) return { own };
    const holder = await freeIfGone(lock);
    const port = holder && (await readPort(holder));
    const other = port === null ? null : await askForAddress(port, key);
    if (other !== null) return { other };
    if (holder !== null && performance.now() > untilMs) throw refuse(holder);
    await sleep(POLL_MS);
  }
}

/** Null when no server with the key answers there. */
async function askForAddress(port: number, key: Uint8Array): Promise<string | null> {
  const address = `http://${HOST}:${port}`;
  const ask = async (place: string, body?: object): Promise<Readonly<Record<string, unknown>>> => {
    const headers = { origin: address, 'content-type': 'application/json' };
    const signal = AbortSignal.timeout(ANSWER_MS);
    const sent = body && { method: 'POST', headers, body: JSON.stringify(body) };
    const answer = await fetch(`${address}${place}`, { ...sent, signal, redirect: 'error' });
    return Object(await answer.json());
  };
  try {
    const { challenge } = await ask('/api/session');
    const nonce = randomBytes(24).toString('base64url');
    const given = await ask(TICKET_PATH, { nonce, proof: proofOf(key, `${challenge} ${HOST}:${port}`) });
    const { ticket, proof } = given;
    const isOurs = typeof proof === 'string' && isEqual(proof, proofOf(key, ticketMessage(nonce)));
    return isOurs && typeof ticket === 'string' ? `${address}/?token=${encodeURIComponent(ticket)}` : null;
  } catch {
    return null;
  }
}

/**
 * Serves the start page, once for each data folder: a second start finds the server that runs, and gets an address of
 * it. The port is in a document under a lock, so that of two starts at one moment one serves. Whoever asks for an address, and whoever gives
 * one, proves that it has the key, which only this user can read: at the port of a dead server somebody else can listen.
 */
import { randomBytes } from 'node:crypto';
import path from 'node:path';
import { toStoreError } from '../../platform/disk/disk-error.ts';
import { changeLocked } from '../../platform/disk/locked-document.ts';
import { livenessOf, systemProbe } from '../../platform/disk/process-identity.ts';
import { ListingVideoError } from '../../platform/errors.ts';
import { memoryFolder, StudioMemory } from '../editor/studio-memory.ts';
import { HOST, type PageServer, type PageServerOptions, startPageServer } from '../server/page-server.ts';
import { isEqual, proofOf, TICKET_PATH, ticketMessage } from '../server/studio-guard.ts';
import { loadStudioKey } from '../server/studio-key.ts';
import type { Start } from './start.ts';
import { createStartApp } from './start-app.ts';

export interface StartServerOptions extends Pick<PageServerOptions, 'port' | 'onFault'> {
  readonly start: Start;
  /** The data folder. */
  readonly home: string;
  readonly homeDir: string;
}

/** Of a server that does not answer. It then counts as dead. */
const ANSWER_MS = 3_000;

/**
 * @returns The server, or the address of the one that runs, which works once.
 * @throws {@link ListingVideoError} `cannot_listen`, `store_corrupt`, `store_unwritable`, `disk_full`.
 */
export async function startOnce(
  options: StartServerOptions,
): Promise<{ readonly own: PageServer } | { readonly other: string }> {
  const { home, onFault } = options;
  const memory = await StudioMemory.open(home, 'start page', onFault);
  const key = await loadStudioKey(memory.keyFile, onFault);
  let own: PageServer | null = null;
  let other: string | null = null;
  const file = path.join(memoryFolder(home), 'running', 'server.json');
  await changeLocked(
    file,
    async (document) => {
      const { port } = (document ?? {}) as { port?: unknown };
      const isOwn = own !== null && own.port === port;
      other = typeof port === 'number' && !isOwn ? await askForAddress(port, key) : null;
      if (other !== null) return document!;
      own ??= await listen(options, memory);
      return { port: own.port };
    },
    {
      last: { text: null, document: null },
      durable: false,
      self: systemProbe().self,
      liveness: (owner) => livenessOf(owner, systemProbe()),
    },
  ).catch(async (error: unknown) => {
    await own?.close();
    throw error instanceof ListingVideoError ? error : toStoreError(error, path.dirname(file));
  });
  // Typescript does not see what the callback sets.
  const found = { own, other } as { own: PageServer | null; other: string | null };
  if (found.other === null) return { own: found.own! };
  await found.own?.close();
  return { other: found.other };
}

/** It is busy while a listing is open. */
function listen(
  { start, homeDir, port, onFault }: StartServerOptions,
  memory: StudioMemory,
): Promise<PageServer> {
  return startPageServer({
    ...{ memory, port, onFault, folder: 'studio/start-page' },
    isBusy: () => start.isBusy,
    createApp: (parts) => createStartApp({ ...parts, start, homeDir }),
  });
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

/** The address that a server listens on: whether the host has one, and why listening on it failed. */
import { lookup as systemLookup } from 'node:dns/promises';
import { isIP } from 'node:net';
import { ListingVideoError } from '../../../platform/errors.ts';

const USE_ANOTHER =
  'use an address of this machine with --host: 127.0.0.1 for this machine only, 0.0.0.0 for all of its addresses';

/**
 * Before anything is said about who could reach the host: a misspelled one is reached by nobody.
 *
 * @throws {@link ListingVideoError} `cannot_listen` for a name without an address.
 */
export async function requireListenHost(
  host: string,
  lookup: (name: string) => Promise<unknown> = systemLookup,
): Promise<void> {
  if (isIP(host.replace(/^\[(.*)\]$/, '$1')) !== 0) return;
  await lookup(host).catch((cause: NodeJS.ErrnoException) => {
    throw cannotListen(cause, 0, host);
  });
}

/** The address of a server that listens on `host`. */
export function toUrl(host: string, port: number): string {
  return `http://${host.includes(':') && !host.startsWith('[') ? `[${host}]` : host}:${port}`;
}

export function cannotListen(cause: NodeJS.ErrnoException, port: number, host: string): ListingVideoError {
  const [message, hint] = explain(cause, port, host);
  const context = { host, port, errno: cause.code ?? null };
  return new ListingVideoError('cannot_listen', message, { cause, hint, context });
}

function explain({ code, message }: NodeJS.ErrnoException, port: number, host: string): [string, string] {
  switch (code) {
    case 'EADDRINUSE':
      return [
        `port ${port} of ${host} is in use`,
        'stop the program that uses it, or choose another port; --port 0 picks a free one',
      ];
    case 'ENOTFOUND':
    case 'ENODATA':
    case 'EAI_AGAIN':
    case 'EAI_NONAME':
      return [`--host ${host}: no address is known for this name`, USE_ANOTHER];
    case 'EADDRNOTAVAIL':
      return [`--host ${host} is not an address of this machine`, USE_ANOTHER];
    case 'EACCES':
      return [
        `this user is not allowed to listen on port ${port} of ${host}`,
        'choose a port above 1023, and let a proxy in front of it listen on 80 or 443',
      ];
    default:
      return [
        `cannot listen on port ${port} of ${host} (${code ?? message})`,
        'choose another --host or --port',
      ];
  }
}

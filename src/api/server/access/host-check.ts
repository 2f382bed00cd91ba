/**
 * Recognizes requests to a development server that do not come from this machine. Without keys the server trusts its
 * callers, so it must know that they are programs of this machine. Pure.
 */
import { isLoopbackAddress } from '../sockets/client-address.ts';

/** True for `localhost`, names that end with `.localhost`, 127.0.0.0/8 and ::1. Takes no port. */
export function isLoopbackHost(hostname: string): boolean {
  const name = hostname.toLowerCase().replace(/\.$/, '');
  return (
    ['localhost', '::1', '[::1]'].includes(name) ||
    name.endsWith('.localhost') ||
    /^127(?:\.\d{1,3}){3}$/.test(name)
  );
}

/** True if the host of this http(s) URL is {@link isLoopbackHost}. */
export function isLoopbackUrl(url: string): boolean {
  return isLoopbackHost(new URL(url).hostname);
}

export interface RequestSigns {
  /** Every host of the request: the Host header, and that of a request target in absolute form. */
  readonly hosts: readonly string[];
  /** In lower case. */
  readonly headerNames: Iterable<string>;
  /** The other end of the connection; undefined where the request came without a socket. */
  readonly peer: string | undefined;
}

/** What proxies add. A proxy on this machine passes on requests of others. */
const PROXY_HEADER = /^(?:forwarded|via|x-real-ip|x-forwarded-.+)$/;

/**
 * Why a request is not from this machine, as a sentence for the client; null if nothing shows that.
 *
 * A web page can point its own name at 127.0.0.1 (DNS rebinding) and make a browser send requests here, but it cannot
 * change the name in the Host header.
 */
export function findRemoteSign({ hosts, headerNames, peer }: RequestSigns): string | null {
  if (peer !== undefined && !isLoopbackAddress(peer)) {
    return 'without API keys this server answers only programs of its own machine';
  }
  if (!hosts.every((host) => isLoopbackHost(hostnameOf(host) ?? ''))) {
    return 'without API keys this server answers only under a loopback name, such as localhost';
  }
  for (const name of headerNames) {
    if (PROXY_HEADER.test(name)) {
      return `without API keys this server does not answer requests that came through a proxy (${name.slice(0, 40)})`;
    }
  }
  return null;
}

/** Host without port, as the URL parser reads it; null if it is not a host. */
function hostnameOf(host: string): string | null {
  // Only host and port are allowed: `127.0.0.1@evil.example` is refused.
  if (!/^[a-z0-9._:[\]-]+$/i.test(host)) return null;
  try {
    return new URL(`http://${host}/`).hostname;
  } catch {
    return null;
  }
}

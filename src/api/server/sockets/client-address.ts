/**
 * The address of a request's client, also behind proxies, and the network that limits count it by. Pure, except that it
 * asks a socket for its address.
 */
import type { IncomingMessage } from 'node:http';
import { BlockList, isIP } from 'node:net';

export interface TrustedProxies {
  /** @param address - IPv4, IPv6, or IPv4 in IPv6. Any other text is not trusted. */
  has(address: string): boolean;
}

/** @param places - Addresses and CIDR blocks, as the setting `trustProxy` has checked them. */
export function createTrustedProxies(places: readonly string[]): TrustedProxies {
  const list = new BlockList();
  for (const place of places) {
    const [address = '', bits] = place.replace(/[[\]]/g, '').split('/');
    const family = isIP(address) === 4 ? 'ipv4' : 'ipv6';
    if (bits === undefined) list.addAddress(address, family);
    else list.addSubnet(address, Number(bits), family);
  }
  return {
    has: (address) => {
      const plain = plainAddress(address);
      const version = isIP(plain);
      return version !== 0 && list.check(plain, version === 4 ? 'ipv4' : 'ipv6');
    },
  };
}

/** The parts of Node's request that say where it comes from. */
export type RequestOrigin = {
  readonly socket: Pick<IncomingMessage['socket'], 'remoteAddress'>;
  readonly headers: IncomingMessage['headers'];
};

/**
 * The peer of the connection. If that is a trusted proxy: the last address in `X-Forwarded-For` that is no trusted
 * proxy. What stands to the left of it was written by strangers.
 *
 * @returns undefined when the client has already left.
 */
export function clientAddressOf(request: RequestOrigin, proxies: TrustedProxies): string | undefined {
  const peer = request.socket.remoteAddress;
  if (peer === undefined) return undefined;
  let client = plainAddress(peer);
  if (!proxies.has(client)) return client;
  const header = request.headers['x-forwarded-for'];
  const hops = (Array.isArray(header) ? header.join() : (header ?? '')).split(',').reverse();
  for (const hop of hops) {
    const address = addressIn(hop.trim());
    // A proxy that hides its client writes `unknown`: then the proxy itself is all that is known.
    if (address === null) break;
    client = address;
    if (!proxies.has(client)) break;
  }
  return client;
}

/** The address of a hop, which some proxies write with a port: `192.0.2.1:4711`, `[2001:db8::1]:4711`. */
function addressIn(hop: string): string | null {
  const bare = /^\[([^\]]*)\](?::\d+)?$/.exec(hop)?.[1] ?? /^([\d.]+):\d+$/.exec(hop)?.[1] ?? hop;
  return isIP(bare) === 0 ? null : plainAddress(bare);
}

/** True for 127.0.0.0/8 and ::1, also as IPv4 in IPv6. */
export function isLoopbackAddress(address: string): boolean {
  const plain = plainAddress(address);
  return plain === '::1' || (isIP(plain) === 4 && plain.startsWith('127.'));
}

/**
 * What limits count an address by. An IPv6 client usually has a whole /64, and could use another address of it for
 * every request, so its first four groups count.
 */
export function networkOf(address: string): string {
  const plain = plainAddress(address);
  if (isIP(plain) !== 6) return plain;
  const [head = '', tail] = plain.split('::');
  const groups = head === '' ? [] : head.split(':');
  if (tail !== undefined) {
    // An IPv4 address at the end stands for two groups; only their number matters here.
    const after = tail === '' ? [] : tail.replace(/[\d.]*\.[\d.]*$/, '0:0').split(':');
    groups.push(...Array<string>(Math.max(0, 8 - groups.length - after.length)).fill('0'), ...after);
  }
  return `${groups
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(':')}::/64`;
}

/**
 * Without the zone (`%eth0`), and IPv4 in IPv6 (`::ffff:192.0.2.1`) as IPv4, as a socket for both
 * families gives it.
 */
export function plainAddress(address: string): string {
  const bare = address.replace(/%.*$/, '');
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(bare)?.[1];
  return mapped !== undefined && isIP(mapped) === 4 ? mapped : bare;
}

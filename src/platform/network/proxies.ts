/** Which proxy a URL goes through: `HTTPS_PROXY`, `HTTP_PROXY` and `NO_PROXY`, as curl and npm read them. Pure. */
import ipaddr from 'ipaddr.js';
import { ListingVideoError } from '../errors.ts';
import { parseLiteralAddress } from './guard-address.ts';

export interface HttpProxy {
  /** With user name and password: never shown. */
  readonly url: string;
  /** `http://proxy.example:3128`, without user name and password. */
  readonly address: string;
  /** The variable that names it: `HTTPS_PROXY`. */
  readonly variable: string;
  /** As messages name it. */
  readonly label: string;
  /** Ends a message about a missing password: what to do. */
  readonly passwordHint: string;
}

export interface Proxies {
  readonly http: HttpProxy | null;
  readonly https: HttpProxy | null;
  /**
   * Hosts that are reached directly: names with their subdomains, addresses, CIDR blocks, each with a port or without;
   * or `*`.
   */
  readonly direct: readonly string[];
  /** The operator chose to use them. They are then used for listings of strangers, too. */
  readonly isChosen: boolean;
}

export interface ProxyAudience {
  /** Clients of a server read them: the address of the proxy is left out. */
  readonly isPublic?: boolean;
  readonly isChosen?: boolean;
}

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * The proxies that the environment names. The lower-case variable wins, as in curl; an empty one counts as absent. As
 * in npm, `HTTP_PROXY` serves https too when `HTTPS_PROXY` is absent.
 *
 * @returns Null when no proxy is named.
 * @throws {@link ListingVideoError} `setting_invalid` for a value that is not a URL of a proxy. The value is not shown,
 *   because it can have a password.
 */
export function readProxies(env: Environment, audience: ProxyAudience = {}): Proxies | null {
  const http = readProxy(env, 'HTTP_PROXY', audience);
  const https = readProxy(env, 'HTTPS_PROXY', audience) ?? http;
  if (https === null) return null;
  const direct = (variableOf(env, 'NO_PROXY')?.value ?? '').split(/[,\s]+/).filter((entry) => entry !== '');
  return { http, https, direct, isChosen: audience.isChosen === true };
}

/** The proxy for this URL; null for a direct connection. This machine itself is always reached directly. */
export function proxyFor(url: URL, proxies: Proxies | null): HttpProxy | null {
  if (proxies === null || isThisMachine(url.hostname)) return null;
  if (proxies.direct.some((entry) => isListed(url, entry))) return null;
  return url.protocol === 'https:' ? proxies.https : proxies.http;
}

function readProxy(env: Environment, name: string, { isPublic }: ProxyAudience): HttpProxy | null {
  const found = variableOf(env, name);
  if (found === null) return null;
  const { value, variable } = found;
  // `proxy.example:3128` is common, and curl and npm read it so.
  const text = value.includes('://') ? value : `http://${value}`;
  const url = parseUrl(text);
  if (url === null || !/^https?:$/.test(url.protocol) || url.hostname === '' || url.pathname.length > 1)
    throw new ListingVideoError(
      'setting_invalid',
      `the environment variable ${variable} is not the URL of a proxy`,
      {
        hint: 'use http://host:port or http://user:password@host:port; write special characters as %40',
        context: { place: `the environment variable ${variable}` },
      },
    );
  const address = url.origin;
  return {
    url: url.href,
    address,
    variable,
    label: isPublic ? 'the proxy of the server' : `the proxy ${address} (from ${variable})`,
    passwordHint: isPublic ? '' : `: use http://user:password@host:port in ${variable}`,
  };
}

function variableOf(env: Environment, name: string): { value: string; variable: string } | null {
  for (const variable of [name.toLowerCase(), name]) {
    const value = env[variable]?.trim();
    if (value) return { value, variable };
  }
  return null;
}

function parseUrl(text: string): URL | null {
  try {
    const url = new URL(text);
    // undici decodes them.
    decodeURIComponent(url.username + url.password);
    return url;
  } catch {
    return null;
  }
}

function isThisMachine(hostname: string): boolean {
  const literal = parseLiteralAddress(hostname);
  if (literal === null) return /^(?:.+\.)?localhost\.?$/i.test(hostname);
  return ipaddr.process(literal).range() === 'loopback';
}

/** Whether an entry of `NO_PROXY` names the host of the URL. */
function isListed(url: URL, entry: string): boolean {
  if (entry === '*') return true;
  const { host, port } = splitPort(entry);
  if (port !== null && port !== (url.port || (url.protocol === 'https:' ? '443' : '80'))) return false;
  const literal = parseLiteralAddress(url.hostname);
  if (literal !== null) return isInBlock(literal, host);
  const name = host
    .toLowerCase()
    .replace(/^\*?\./, '')
    .replace(/\.$/, '');
  const hostname = url.hostname.replace(/\.$/, '');
  return hostname === name || hostname.endsWith(`.${name}`);
}

/** The port only of `name:80`, `10.0.0.1:80` and `[::1]:80`: a bare IPv6 address has colons too. */
function splitPort(entry: string): { host: string; port: string | null } {
  const [, host = entry, port = null] = /^(\[.*\]|[^:]+):(\d+)$/.exec(entry) ?? [];
  return { host, port };
}

function isInBlock(address: string, entry: string): boolean {
  const bare = entry.replace(/^\[(.*)\]$/, '$1');
  const parsed = ipaddr.process(address);
  try {
    if (!bare.includes('/')) return ipaddr.process(bare).toString() === parsed.toString();
    const [base, bits] = ipaddr.parseCIDR(bare);
    return parsed.kind() === base.kind() && parsed.match(base as never, bits as never);
  } catch {
    return false;
  }
}

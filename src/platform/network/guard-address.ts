/** Which network addresses assets can be fetched from. Pure. */
import ipaddr from 'ipaddr.js';

/**
 * Which addresses are allowed in addition to the public internet, and which are not.
 *
 * Entries of the lists are host names (compared by name), and addresses or CIDR blocks (compared by address).
 */
export interface AddressPolicy {
  /** True on the user's own machine: every address is allowed except the metadata addresses of clouds. */
  readonly allowPrivate: boolean;
  /**
   * A metadata address is allowed only by an entry that is an address or block, not by a name: others can own the name.
   */
  readonly allowFrom: readonly string[];
  /** Wins over everything else. Absent: none. */
  readonly denyFrom?: readonly string[];
  /** Why a host of `denyFrom` is refused. Default: the reason of a dropped photo. */
  readonly denyReason?: string;
}

const PHOTOS_DENIED = 'photos from this host are not allowed here';

type Address = ipaddr.IPv4 | ipaddr.IPv6;

/** RFC 4291: only 2000::/3 is global unicast; all other IPv6 ranges are special or unassigned. */
const GLOBAL_UNICAST: [ipaddr.IPv6, number] = [ipaddr.IPv6.parse('2000::'), 3];
/** RFC 6052: the well-known NAT64 prefix. The local prefix (64:ff9b:1::/48) reaches private networks and is refused. */
const NAT64: [ipaddr.IPv6, number] = [ipaddr.IPv6.parse('64:ff9b::'), 96];

/**
 * Where clouds serve the secrets of a machine to every program on it. No photo is there, so they are refused also where
 * private addresses are allowed. Most are link-local, but 168.63.129.16 looks like an address of the public internet.
 */
export const METADATA_ADDRESSES: readonly string[] = [
  '169.254.169.254', // AWS, Azure, Google, Oracle, OpenStack and most others
  '169.254.170.2', // AWS: roles of containers
  '169.254.170.23', // AWS: roles of pods
  'fd00:ec2::254', // AWS
  'fd00:ec2::23', // AWS: roles of pods
  'fd20:ce::254', // Google
  '168.63.129.16', // Azure: secrets of the guest agent
  '100.100.100.200', // Alibaba
  '192.0.0.192', // Oracle, older
];

/** The address without brackets if `hostname` is a literal address, else null. */
export function parseLiteralAddress(hostname: string): string | null {
  const bare = stripBrackets(hostname);
  return ipaddr.isValid(bare) ? bare : null;
}

/** True for an address of the public internet. Of an IPv6 address that embeds an IPv4 address, that address counts. */
export function isPublicAddress(address: string): boolean {
  if (!ipaddr.isValid(address)) return false;
  const parsed = ipaddr.parse(address);
  if (isListed(address, METADATA_ADDRESSES)) return false;
  const embedded = embeddedIpv4(parsed);
  if (embedded !== null) return embedded.range() === 'unicast';
  if (parsed instanceof ipaddr.IPv6) return parsed.range() === 'unicast' && parsed.match(GLOBAL_UNICAST);
  return parsed.range() === 'unicast';
}

/**
 * True when a connection to `hostname` at `address` is allowed.
 *
 * @param hostname - As in the URL: a name, or a literal address with or without brackets.
 * @param address - The resolved address, the literal itself, or the remote address of the connected socket.
 */
export function isAddressAllowed(hostname: string, address: string, policy: AddressPolicy): boolean {
  return explainRefusal(hostname, address, policy) === null;
}

/** As {@link isAddressAllowed}: null, or why not. It tells a client nothing about a private network. */
export function explainRefusal(hostname: string, address: string, policy: AddressPolicy): string | null {
  const { allowPrivate, allowFrom, denyFrom = [], denyReason = PHOTOS_DENIED } = policy;
  const notPublic = 'the host is not on the public internet';
  // A socket that is closed has no address any more.
  if (!ipaddr.isValid(address)) return allowPrivate ? null : notPublic;
  const isPublic = isPublicAddress(address);
  if (isNamed(hostname, denyFrom) || isListed(address, denyFrom)) {
    return isPublic || allowPrivate ? denyReason : notPublic;
  }
  if (isPublic || isListed(address, allowFrom)) return null;
  if (isListed(address, METADATA_ADDRESSES)) return notPublic;
  return allowPrivate || isNamed(hostname, allowFrom) ? null : notPublic;
}

/** Names under which a cloud serves the secrets of a machine. */
const METADATA_NAMES = [
  'metadata',
  'metadata.google.internal',
  'instance-data',
  'instance-data.ec2.internal',
];
/** RFC 6761, 6762 and 8375, ICANN's `.internal`, and endings that home and office networks use: none is public. */
const LOCAL_NAME =
  /^[^.]+$|(?:^|\.)(?:localhost|local|localdomain|internal|intranet|private|corp|home|lan|home\.arpa)$/;

/**
 * As {@link explainRefusal}, for a host whose address only a proxy finds out: literal addresses and names that are
 * plainly local are refused as they would be without a proxy. A public name of a private address is not noticed.
 */
export function explainNameRefusal(hostname: string, policy: AddressPolicy): string | null {
  const name = normalizeHost(hostname);
  // Also behind dots, where a URL keeps it as a name: a proxy can drop them.
  const literal = parseLiteralAddress(name);
  if (literal !== null) return explainRefusal(hostname, literal, policy);
  const { allowPrivate, allowFrom, denyFrom = [], denyReason = PHOTOS_DENIED } = policy;
  const isLocal = LOCAL_NAME.test(name);
  const notPublic = 'the host is not on the public internet';
  if (isNamed(hostname, denyFrom)) {
    return !isLocal || allowPrivate ? denyReason : notPublic;
  }
  if (METADATA_NAMES.includes(name)) return notPublic;
  return !isLocal || allowPrivate || isNamed(hostname, allowFrom) ? null : notPublic;
}

function isNamed(hostname: string, entries: readonly string[]): boolean {
  const name = normalizeHost(hostname);
  return entries.some((entry) => parseRange(entry) === null && normalizeHost(entry) === name);
}

/** Whether an entry holds the address, or the IPv4 address that it embeds. */
function isListed(address: string, entries: readonly string[]): boolean {
  const candidates = [ipaddr.parse(address)];
  const embedded = embeddedIpv4(candidates[0] as Address);
  if (embedded !== null) candidates.push(embedded);
  return entries.some((entry) => {
    const range = parseRange(entry);
    if (range === null) return false;
    return candidates.some((candidate) => candidate.kind() === range[0].kind() && isInside(candidate, range));
  });
}

/** The IPv4 address inside a mapped, NAT64 or 6to4 address, which a packet would reach. */
function embeddedIpv4(address: Address): ipaddr.IPv4 | null {
  if (!(address instanceof ipaddr.IPv6)) return null;
  if (address.isIPv4MappedAddress()) return address.toIPv4Address();
  const bytes = address.toByteArray();
  if (address.match(NAT64)) return new ipaddr.IPv4(bytes.slice(12, 16));
  if (address.range() === '6to4') return new ipaddr.IPv4(bytes.slice(2, 6));
  return null;
}

function parseRange(entry: string): [Address, number] | null {
  const text = entry.trim();
  const [base = '', prefix, ...rest] = text.split('/');
  const bare = stripBrackets(base);
  // Short IPv4 forms ("10.1", "127") are refused: in a list of permissions they are more likely a mistake.
  const isIpv4 = ipaddr.IPv4.isValidFourPartDecimal(bare);
  if (rest.length > 0 || !(isIpv4 || ipaddr.IPv6.isValid(bare))) return null;
  const address = ipaddr.parse(bare);
  const maxBits = isIpv4 ? 32 : 128;
  if (prefix === undefined) return [address, maxBits];
  const bits = Number(prefix);
  return /^\d{1,3}$/.test(prefix) && bits <= maxBits ? [address, bits] : null;
}

function isInside(address: Address, [base, bits]: [Address, number]): boolean {
  return address instanceof ipaddr.IPv4
    ? address.match(base as ipaddr.IPv4, bits)
    : address.match(base as ipaddr.IPv6, bits);
}

function normalizeHost(host: string): string {
  return stripBrackets(host.trim().toLowerCase()).replace(/\.+$/, '');
}

function stripBrackets(host: string): string {
  return host.startsWith('[') && host.endsWith(']') ? host.slice(1, -1) : host;
}

/** Which network addresses an asset may come from. Pure: no look-up, no socket. */
import ipaddr from 'ipaddr.js';

/** What may be reached besides the public internet. */
export interface AddressPolicy {
  /** True on the user's own machine: nothing is refused. */
  readonly allowPrivate: boolean;
  /** Host names (compared by name) and addresses or CIDR blocks (compared by address). */
  readonly allowFrom: readonly string[];
}

type Address = ipaddr.IPv4 | ipaddr.IPv6;

/** RFC 4291: only 2000::/3 is handed out as global unicast; everything else inside IPv6 is special or unassigned. */
const GLOBAL_UNICAST: [ipaddr.IPv6, number] = [ipaddr.IPv6.parse('2000::'), 3];
/** RFC 6052: the well-known NAT64 prefix. The local one (64:ff9b:1::/48) leads into private networks and stays refused. */
const NAT64: [ipaddr.IPv6, number] = [ipaddr.IPv6.parse('64:ff9b::'), 96];

/** The address in brackets-free form when `hostname` is a literal address, else null. */
export function parseLiteralAddress(hostname: string): string | null {
  const bare = stripBrackets(hostname);
  return ipaddr.isValid(bare) ? bare : null;
}

/** True for an address of the public internet. An IPv6 address that carries an IPv4 one is judged by that one too. */
export function isPublicAddress(address: string): boolean {
  if (!ipaddr.isValid(address)) return false;
  const parsed = ipaddr.parse(address);
  const embedded = embeddedIpv4(parsed);
  if (embedded !== null) return embedded.range() === 'unicast';
  if (parsed instanceof ipaddr.IPv6) return parsed.range() === 'unicast' && parsed.match(GLOBAL_UNICAST);
  return parsed.range() === 'unicast';
}

/**
 * True when a connection to `address`, asked for under `hostname`, is allowed.
 *
 * @param hostname - As in the URL: a name, or a literal address with or without brackets.
 * @param address - What the name resolved to, the literal itself, or the connected socket's remote address.
 */
export function isAddressAllowed(hostname: string, address: string, policy: AddressPolicy): boolean {
  if (policy.allowPrivate || isPublicAddress(address)) return true;
  if (!ipaddr.isValid(address)) return false;
  const name = normaliseHost(hostname);
  const candidates = [ipaddr.parse(address)];
  const embedded = embeddedIpv4(candidates[0] as Address);
  if (embedded !== null) candidates.push(embedded);
  return policy.allowFrom.some((entry) => {
    const range = parseRange(entry);
    if (range === null) return normaliseHost(entry) === name;
    return candidates.some((candidate) => candidate.kind() === range[0].kind() && isInside(candidate, range));
  });
}

/** The IPv4 address inside a mapped, NAT64 or 6to4 address: the host that a packet would really reach. */
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
  // The lax IPv4 forms ("10.1", "127") are refused here: in a list of permissions they are more likely a slip.
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

function normaliseHost(host: string): string {
  return stripBrackets(host.trim().toLowerCase()).replace(/\.$/, '');
}

function stripBrackets(host: string): string {
  return host.startsWith('[') && host.endsWith(']') ? host.slice(1, -1) : host;
}

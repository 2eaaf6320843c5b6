/**
 * Addresses of clients: finding them behind proxies, and matching them against lists.
 *
 * An IPv4 address written as IPv6 (`::ffff:10.0.0.1`) is treated as that IPv4 address everywhere.
 */
import { BlockList, isIP, isIPv4 } from 'node:net';

/** The server's knowledge of a request's connection: null after the connection has closed. */
export interface PeerSource {
  requestIP(request: Request): { address: string } | null;
  /** Sets for how long the connection may be silent, seconds; 0 for any time. */
  timeout?(request: Request, seconds: number): void;
}

const MAPPED_PREFIX = '::ffff:';
const PREFIX_LENGTH = /^(0|[1-9]\d{0,2})$/;

/** Returns an IPv4 address in its one form and an IPv6 address as it is; undefined for anything else. */
function normalize(text: string): string | undefined {
  const family = isIP(text);
  if (family === 4) return text;
  // A zone, as in fe80::1%eth0, has a meaning on one machine only.
  if (family === 0 || text.includes('%')) return undefined;
  return mappedIpv4(ipv6Groups(text)) ?? text;
}

/** Returns the eight groups of a valid IPv6 address. */
function ipv6Groups(text: string): number[] {
  const [head = '', tail] = text.split('::').map(parseGroups);
  if (tail === undefined) return head as number[];
  const zeros = new Array<number>(8 - head.length - tail.length).fill(0);
  return [...head, ...zeros, ...tail] as number[];
}

function parseGroups(text: string): number[] {
  if (text === '') return [];
  return text.split(':').flatMap((group) => {
    if (!group.includes('.')) return Number.parseInt(group, 16);
    const [a, b, c, d] = group.split('.').map(Number) as [number, number, number, number];
    return [a * 256 + b, c * 256 + d];
  });
}

/** Returns the IPv4 address that is written as IPv6, undefined if the address is really IPv6. */
function mappedIpv4(groups: readonly number[]): string | undefined {
  const isMapped = groups[5] === 0xffff && groups.slice(0, 5).every((group) => group === 0);
  if (!isMapped) return undefined;
  const [high, low] = groups.slice(6) as [number, number];
  return `${high >> 8}.${high & 255}.${low >> 8}.${low & 255}`;
}

const LARGE_PREFIX = { ipv4: 16, ipv6: 32 } as const;

/** Addresses and CIDR ranges: the allowlist of a key, or the trusted proxies. */
export class AddressList {
  // One list per family: in a common one the IPv6 range ::/0 would include every IPv4 address.
  private readonly lists = { ipv4: new BlockList(), ipv6: new BlockList() };
  private readonly isEmpty: boolean;
  /** Whether a range has more addresses than an IPv4 /16 or an IPv6 /32, the size of a large network. */
  readonly isBroad: boolean;

  /** @throws RangeError naming the entry that is neither an address nor a range */
  constructor(entries: readonly string[]) {
    this.isEmpty = entries.length === 0;
    let isBroad = false;
    for (const entry of entries) {
      const { network, prefix } = parseEntry(entry);
      const family = addressFamily(network);
      this.lists[family].addSubnet(network, prefix, family);
      if (prefix < LARGE_PREFIX[family]) isBroad = true;
    }
    this.isBroad = isBroad;
  }

  includes(text: string): boolean {
    if (this.isEmpty) return false;
    const address = normalize(text);
    if (address === undefined) return false;
    const family = addressFamily(address);
    return this.lists[family].check(address, family);
  }
}

function addressFamily(address: string): 'ipv4' | 'ipv6' {
  return isIPv4(address) ? 'ipv4' : 'ipv6';
}

/** Host bits must be zero: `10.0.0.1/8` may be meant as one host or as all of them. */
function parseEntry(entry: string): { network: string; prefix: number } {
  const slash = entry.indexOf('/');
  const text = slash < 0 ? entry : entry.slice(0, slash);
  const network = normalize(text);
  if (network === undefined) throw invalidEntry(entry);
  const bits = isIPv4(network) ? 32 : 128;
  if (slash < 0) return { network, prefix: bits };
  const digits = entry.slice(slash + 1);
  if (!PREFIX_LENGTH.test(digits)) throw invalidEntry(entry);
  const isMapped = bits === 32 && text.includes(':');
  const prefix = Number(digits) - (isMapped ? 96 : 0);
  if (prefix < 0 || prefix > bits || hasHostBits(network, prefix)) throw invalidEntry(entry);
  return { network, prefix };
}

function hasHostBits(network: string, prefix: number): boolean {
  const isV4 = isIPv4(network);
  const groups = isV4 ? network.split('.').map(Number) : ipv6Groups(network);
  const width = isV4 ? 8 : 16;
  return groups.some((group, index) => {
    const hostBits = Math.min(width, Math.max(0, (index + 1) * width - prefix));
    return (group & ((1 << hostBits) - 1)) !== 0;
  });
}

function invalidEntry(entry: string): RangeError {
  return new RangeError(
    `${JSON.stringify(entry.slice(0, 64))} is not an IP address or CIDR range. Use 192.0.2.1, 192.0.2.0/24 or 2001:db8::/32, with host bits zero.`,
  );
}

/**
 * Returns the scope in which an address is counted: an IPv4 address itself, or the /64 of an IPv6 address, because a
 * subscriber gets at least a /64.
 * @param address A result of `clientAddress`.
 */
export function addressScope(address: string): string {
  if (!address.includes(':')) return address;
  // An address with a zone, such as fe80::1%eth0, belongs to a peer on the same link.
  if (isIP(address) === 0 || address.includes('%')) return address;
  const groups = ipv6Groups(address);
  const mapped = mappedIpv4(groups);
  if (mapped !== undefined) return mapped;
  const [a, b, c, d] = groups as [number, number, number, number];
  return `${(a * 0x10000 + b).toString(16)}:${(c * 0x10000 + d).toString(16)}::/64`;
}

/**
 * Returns the client's address: the peer's, or, if the peer is a trusted proxy, the right-most address in
 * X-Forwarded-For that is not a trusted proxy. Clients can forge everything to the left of it. An entry that is not
 * an address ends the search at the proxy before it.
 */
export function clientAddress(
  peer: string,
  forwardedFor: string | null,
  trustedProxies: AddressList,
): string {
  let client = withoutMapping(peer);
  if (forwardedFor === null) return client;
  let end = forwardedFor.length;
  while (end >= 0 && trustedProxies.includes(client)) {
    const comma = end === 0 ? -1 : forwardedFor.lastIndexOf(',', end - 1);
    const next = normalize(withoutPort(forwardedFor.slice(comma + 1, end).trim()));
    if (next === undefined) break;
    client = next;
    end = comma;
  }
  return client;
}

/** Returns a peer's address; IPv4 peers of a dual-stack socket have a mapped one. */
function withoutMapping(peer: string): string {
  if (!peer.startsWith(MAPPED_PREFIX)) return peer;
  const rest = peer.slice(MAPPED_PREFIX.length);
  return isIPv4(rest) ? rest : (normalize(peer) ?? peer);
}

/** Removes the port and brackets of `192.0.2.1:5000`, `[2001:db8::1]` or `[2001:db8::1]:5000`. */
function withoutPort(entry: string): string {
  const match = /^(?:\[([^\]]*)\]|([^:]*))(?::\d{1,5})?$/.exec(entry);
  return match === null ? entry : (match[1] ?? match[2]!);
}

/**
 * Addresses of clients: reading them, matching them against lists, finding them behind proxies.
 *
 * An IPv4 address written as IPv6 (`::ffff:10.0.0.1`) is that IPv4 address everywhere.
 */

/** One word of 32 bits for IPv4, four for IPv6, the most significant first. */
type Address = readonly number[];

const POINT = 0x2e;
const ZERO = 0x30;
const NINE = 0x39;
const COLON = 0x3a;
const LOWER_A = 0x61;
const LOWER_F = 0x66;
const LOWER_CASE_BIT = 0x20;

/** Undefined for anything but an address, such as one with leading zeros, a zone or a port. */
function parseAddress(text: string): Address | undefined {
  if (text.includes(':')) return parseIpv6(text);
  const word = parseIpv4(text);
  return word === undefined ? undefined : [word];
}

function parseIpv4(text: string): number | undefined {
  let word = 0;
  let position = 0;
  for (let part = 0; part < 4; part++) {
    if (part > 0 && text.charCodeAt(position++) !== POINT) return undefined;
    const start = position;
    let value = 0;
    let character = text.charCodeAt(position);
    while (character >= ZERO && character <= NINE) {
      value = value * 10 + (character - ZERO);
      character = text.charCodeAt(++position);
    }
    const digits = position - start;
    if (digits === 0 || digits > 3 || value > 255) return undefined;
    if (digits > 1 && text.charCodeAt(start) === ZERO) return undefined;
    word = word * 256 + value;
  }
  return position === text.length ? word : undefined;
}

function parseIpv6(text: string): Address | undefined {
  const groups: number[] = [];
  /** How many groups stand before the `::`. */
  let gap = -1;
  let position = 0;
  if (text.startsWith('::')) {
    gap = 0;
    position = 2;
  }
  while (position < text.length) {
    let group = 0;
    let end = position;
    let digit = hexDigit(text, end);
    while (digit >= 0) {
      group = group * 16 + digit;
      digit = hexDigit(text, ++end);
    }
    if (text.charCodeAt(end) === POINT) {
      const word = parseIpv4(text.slice(position));
      if (word === undefined) return undefined;
      groups.push(word >>> 16, word & 0xffff);
      break;
    }
    if (end === position || end > position + 4) return undefined;
    groups.push(group);
    position = end;
    if (position === text.length) break;
    if (text.charCodeAt(position++) !== COLON || position === text.length) return undefined;
    if (text.charCodeAt(position) === COLON) {
      if (gap >= 0) return undefined;
      gap = groups.length;
      position++;
    }
  }
  if (gap < 0 ? groups.length !== 8 : groups.length > 7) return undefined;
  if (gap >= 0) groups.splice(gap, 0, ...new Array<number>(8 - groups.length).fill(0));
  return wordsOf(groups);
}

/** -1 for what is no hexadecimal digit. */
function hexDigit(text: string, position: number): number {
  const character = text.charCodeAt(position);
  if (character >= ZERO && character <= NINE) return character - ZERO;
  const lower = character | LOWER_CASE_BIT;
  return lower >= LOWER_A && lower <= LOWER_F ? lower - LOWER_A + 10 : -1;
}

function wordsOf(groups: readonly number[]): Address {
  const word = (index: number) => groups[index]! * 0x10000 + groups[index + 1]!;
  const words = [word(0), word(2), word(4), word(6)];
  const isMappedIpv4 = words[0] === 0 && words[1] === 0 && words[2] === 0xffff;
  return isMappedIpv4 ? words.slice(3) : words;
}

function formatIpv4(word: number): string {
  return `${word >>> 24}.${(word >>> 16) & 255}.${(word >>> 8) & 255}.${word & 255}`;
}

/** An IPv4 address in its one form; an IPv6 address as it is; undefined for anything else. */
function normalAddress(text: string): string | undefined {
  const address = parseAddress(text);
  if (address === undefined) return undefined;
  return address.length === 1 ? formatIpv4(address[0]!) : text;
}

interface Range {
  readonly network: Address;
  /** One bits where an address must be as the network is. */
  readonly mask: Address;
}

/** Addresses and CIDR ranges: a key's allow-list, the trusted proxies. */
export class AddressList {
  private readonly ranges: readonly Range[];

  /** Throws a RangeError that names the entry which is neither an address nor a range. */
  constructor(entries: readonly string[]) {
    this.ranges = entries.map(parseRange);
  }

  includes(text: string): boolean {
    if (this.ranges.length === 0) return false;
    const address = parseAddress(text);
    return address !== undefined && this.ranges.some((range) => isWithin(address, range));
  }
}

function isWithin(address: Address, { network, mask }: Range): boolean {
  if (address.length !== network.length) return false;
  for (let index = 0; index < address.length; index++) {
    if (((address[index]! ^ network[index]!) & mask[index]!) !== 0) return false;
  }
  return true;
}

/** Bits beyond the prefix must be zero: `10.0.0.1/8` may have meant one host or all of them. */
function parseRange(entry: string): Range {
  const slash = entry.indexOf('/');
  const text = slash < 0 ? entry : entry.slice(0, slash);
  const network = parseAddress(text);
  if (network === undefined) throw notARange(entry);
  const bits = network.length * 32;
  let prefix = bits;
  if (slash >= 0) {
    const digits = entry.slice(slash + 1);
    if (!/^(0|[1-9]\d{0,2})$/.test(digits)) throw notARange(entry);
    const isMappedIpv4 = bits === 32 && text.includes(':');
    prefix = Number(digits) - (isMappedIpv4 ? 96 : 0);
    if (prefix < 0 || prefix > bits) throw notARange(entry);
  }
  const mask = network.map((_, index) => leadingOnes(prefix - 32 * index));
  if (network.some((word, index) => (word & ~mask[index]!) !== 0)) throw notARange(entry);
  return { network, mask };
}

function leadingOnes(count: number): number {
  if (count <= 0) return 0;
  return count >= 32 ? ~0 : ~0 << (32 - count);
}

function notARange(entry: string): RangeError {
  return new RangeError(
    `${JSON.stringify(entry.slice(0, 64))} is no IP address or range: write 192.0.2.1, 192.0.2.0/24 or 2001:db8::/32, with zeros behind the prefix.`,
  );
}

/**
 * Who is counted together: an IPv4 address, or all of an IPv6 /64, which is what one subscriber is
 * given at least. Takes what clientAddress gives.
 */
export function addressScope(address: string): string {
  if (!address.includes(':')) return address;
  const words = parseIpv6(address);
  // One with a zone, such as fe80::1%eth0: only a peer on the same link has it.
  if (words === undefined) return address;
  if (words.length === 1) return formatIpv4(words[0]!);
  return `${words[0]!.toString(16)}:${words[1]!.toString(16)}::/64`;
}

/**
 * The client's address: the peer's own, or behind trusted proxies the right-most address in
 * X-Forwarded-For that is not such a proxy's. Everything left of that is the client's own say. So
 * is what stands left of an entry that is no address: reading stops there, with the last proxy.
 */
export function clientAddress(
  peer: string,
  forwardedFor: string | null,
  trustedProxies: AddressList,
): string {
  let client = peer.startsWith('::ffff:') ? (normalAddress(peer) ?? peer) : peer;
  if (forwardedFor === null) return client;
  let end = forwardedFor.length;
  while (end >= 0 && trustedProxies.includes(client)) {
    const comma = end === 0 ? -1 : forwardedFor.lastIndexOf(',', end - 1);
    const next = normalAddress(withoutPort(forwardedFor.slice(comma + 1, end).trim()));
    if (next === undefined) break;
    client = next;
    end = comma;
  }
  return client;
}

/** Some proxies write `192.0.2.1:5000`, `[2001:db8::1]` or `[2001:db8::1]:5000`. */
function withoutPort(entry: string): string {
  const match = /^(?:\[([^\]]*)\]|([^:]*))(?::\d{1,5})?$/.exec(entry);
  return match === null ? entry : (match[1] ?? match[2]!);
}

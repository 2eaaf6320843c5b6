import { describe, expect, test } from 'bun:test';
import { isIP } from 'node:net';
import fc from 'fast-check';
import { AddressList, addressScope, clientAddress } from './client-address.ts';

function isListed(address: string, ...entries: string[]): boolean {
  return new AddressList(entries).includes(address);
}

/** An IPv6 address as a bigint, often with runs of zeros. */
const ipv6 = fc
  .array(fc.oneof(fc.constant(0n), fc.bigInt({ min: 0n, max: 0xffffn })), {
    minLength: 8,
    maxLength: 8,
  })
  .map((groups) => groups.reduce((address, group) => (address << 16n) | group, 0n))
  .filter((address) => !isMapped(address));

function isMapped(address: bigint): boolean {
  return address >> 32n === 0xffffn;
}

function toGroups(address: bigint): string[] {
  return address.toString(16).padStart(32, '0').match(/.{4}/g)!;
}

function toText(address: bigint): string {
  return toGroups(address).join(':');
}

/** The address in one of its many spellings, chosen by `choice`. */
function spell(address: bigint, choice: number): string {
  const groups = toGroups(address).map((group) =>
    choice & 1 ? group : group.replace(/^0{1,3}/, ''),
  );
  let tail: string[] = [];
  if (choice & 2) {
    const parts = [24n, 16n, 8n, 0n].map((shift) => (address >> shift) & 255n);
    tail = [parts.join('.')];
    groups.length = 6;
  }
  const isZero = (index: number) => /^0+$/.test(groups[index] ?? '');
  const first = (choice >> 4) % 8;
  let end = first;
  while (choice & 4 && isZero(end)) end++;
  const before = groups.slice(0, first);
  const after = [...groups.slice(end), ...tail];
  const text =
    end > first ? `${before.join(':')}::${after.join(':')}` : [...groups, ...tail].join(':');
  return choice & 8 ? text.toUpperCase() : text;
}

const spelling = fc.tuple(ipv6, fc.nat(127)).map(([address, choice]) => spell(address, choice));

describe('AddressList', () => {
  test.each([
    ['192.0.2.1', '192.0.2.1', true],
    ['192.0.2.1', '192.0.2.2', false],
    ['192.0.2.77', '192.0.2.0/24', true],
    ['192.0.3.77', '192.0.2.0/24', false],
    ['255.255.255.255', '0.0.0.0/0', true],
    ['192.0.2.129', '192.0.2.128/25', true],
    ['192.0.2.127', '192.0.2.128/25', false],
    ['2001:db8::1', '2001:DB8:0:0::0001', true],
    ['2001:db8:1::', '2001:db8::/32', true],
    ['2001:db9::', '2001:db8::/32', false],
    ['2001:db8:0:7fff::', '2001:db8::/49', true],
    ['2001:db8:0:8000::', '2001:db8::/49', false],
    ['1:2:3:4:5:6:7:8', '1:2:3:4:5:6:7:8/128', true],
    ['1:2:3:4:5:6:7:9', '1:2:3:4:5:6:7:8/128', false],
    ['::', '::/0', true],
    ['::ffff:192.0.2.1', '192.0.2.0/24', true],
    ['::ffff:c000:201', '192.0.2.1', true],
    ['192.0.2.1', '::ffff:192.0.2.0/120', true],
    ['192.0.2.1', '::ffff:192.0.2.1', true],
    ['192.0.2.1', '::/0', false],
    ['::1', '0.0.0.0/0', false],
    ['192.0.2.1:80', '0.0.0.0/0', false],
    ['', '0.0.0.0/0', false],
  ])('%j in %j: %p', (address, entry, isIn) => {
    expect(isListed(address, entry)).toBe(isIn);
  });

  test.each(
    [
      '',
      'localhost',
      '1.2.3',
      '1.2.3.4.5',
      '1.2.3.256',
      '1.2.3.0004',
      '01.2.3.4',
      '1.2.3.',
      '0x1.2.3.4',
      ' 1.2.3.4',
      '1.2.3.4/33',
      '1.2.3.4/-1',
      '1.2.3.4/',
      '1.2.3.4/08',
      '1.2.3.4/255.255.255.255',
      '10.0.0.1/8',
      ':',
      ':::',
      ':1',
      '1:',
      '1::2::3',
      '12345::',
      'g::',
      '1:2:3:4:5:6:7',
      '1:2:3:4:5:6:7:8:9',
      '1::2:3:4:5:6:7:8',
      '1:2:3:4:5:6:7:1.2.3.4',
      '1.2.3.4::',
      '::1.2.3.4:5',
      '::1.2.3',
      'fe80::1%eth0',
      '[::1]',
      '::/129',
      '2001:db8::1/32',
      '::ffff:0:0/95',
    ].map((entry) => [entry]),
  )('rejects the entry %j and names it', (entry) => {
    expect(() => new AddressList(['192.0.2.1', entry])).toThrow(RangeError);
    expect(() => new AddressList([entry])).toThrow(JSON.stringify(entry));
  });

  test('an empty list includes nothing', () => {
    expect(isListed('192.0.2.1')).toBe(false);
  });

  test('a range includes exactly the addresses with its prefix', () => {
    const prefix = fc.nat(128);
    fc.assert(
      fc.property(ipv6, ipv6, prefix, prefix, (base, other, prefixBits, sharedBits) => {
        const near = withTail(base, other, 128 - sharedBits);
        const network = withTail(base, 0n, 128 - prefixBits);
        fc.pre(!isMapped(near) && !isMapped(network));
        const isIn = withTail(near, 0n, 128 - prefixBits) === network;
        expect(isListed(toText(near), `${toText(network)}/${prefixBits}`)).toBe(isIn);
      }),
      { numRuns: 500 },
    );
  });

  test('all spellings of an address are equal', () => {
    fc.assert(
      fc.property(ipv6, fc.nat(127), (address, choice) => {
        expect(isListed(spell(address, choice), toText(address))).toBe(true);
        expect(isListed(spell(address ^ 1n, choice), toText(address))).toBe(false);
      }),
      { numRuns: 2_000 },
    );
    fc.assert(
      fc.property(fc.ipV4(), (address) => {
        expect(isListed(`::ffff:${address}`, address)).toBe(true);
        expect(isListed(address, `0:0::FFFF:${address}/128`)).toBe(true);
      }),
    );
  });

  test('accepts the same texts as isIP', () => {
    const text = fc.oneof(spelling, fc.ipV4());
    const damage = fc.tuple(
      fc.nat(),
      fc.nat(2),
      fc.constantFrom('', ':', '::', '.', '0', 'f', '9'),
    );
    fc.assert(
      fc.property(text, damage, (original, [place, removed, piece]) => {
        const at = place % (original.length + 1);
        const damaged = original.slice(0, at) + piece + original.slice(at + removed);
        const isAddress = () => new AddressList([damaged]);
        if (isIP(damaged) === 0) expect(isAddress).toThrow(RangeError);
        else expect(isAddress).not.toThrow();
      }),
      { numRuns: 5_000 },
    );
  });
});

/** `address` with its last bits replaced by those of `other`. */
function withTail(address: bigint, other: bigint, bits: number): bigint {
  const shift = BigInt(bits);
  return ((address >> shift) << shift) | BigInt.asUintN(bits, other);
}

describe('addressScope', () => {
  test('is the address itself for IPv4, its /64 for IPv6', () => {
    expect(addressScope('192.0.2.1')).toBe('192.0.2.1');
    expect(addressScope('::ffff:192.0.2.1')).toBe('192.0.2.1');
    expect(addressScope('2001:db8::1')).toBe('20010db8:0::/64');
    expect(addressScope('fe80::1%eth0')).toBe('fe80::1%eth0');
  });

  test('is the same for exactly the addresses of one /64', () => {
    fc.assert(
      fc.property(ipv6, ipv6, fc.boolean(), fc.nat(127), (first, second, isNear, choice) => {
        const other = isNear ? withTail(first, second, 64) : second;
        fc.pre(!isMapped(other));
        const isSame = first >> 64n === other >> 64n;
        expect(addressScope(toText(first)) === addressScope(spell(other, choice))).toBe(isSame);
      }),
    );
  });
});

describe('clientAddress', () => {
  const none = new AddressList([]);
  const proxies = new AddressList(['10.0.0.0/8', '2001:db8:ffff::/48']);

  test.each([
    ['no header', '10.0.0.1', null, '10.0.0.1'],
    ['from a client', '192.0.2.1', '198.51.100.1', '192.0.2.1'],
    ['from a proxy', '10.0.0.1', '198.51.100.1', '198.51.100.1'],
    ['a client that forged addresses', '10.0.0.1', '1.1.1.1, 198.51.100.1', '198.51.100.1'],
    ['a client that forged proxies', '10.0.0.1', '10.0.0.9,198.51.100.1', '198.51.100.1'],
    ['two proxies', '10.0.0.1', '198.51.100.1, 10.0.0.2', '198.51.100.1'],
    ['proxies of both kinds', '2001:db8:ffff::1', '2001:db8::5 ,\t10.0.0.2 ', '2001:db8::5'],
    ['proxies only', '10.0.0.1', '10.0.0.3, 10.0.0.2', '10.0.0.3'],
    ['a mapped peer', '::ffff:10.0.0.1', '198.51.100.1', '198.51.100.1'],
    ['a mapped client', '10.0.0.1', '::FFFF:c633:6401', '198.51.100.1'],
    ['a port', '10.0.0.1', '198.51.100.1:40000', '198.51.100.1'],
    ['an IPv6 port', '10.0.0.1', '[2001:db8::5]:40000', '2001:db8::5'],
    ['brackets', '10.0.0.1', '[2001:db8::5]', '2001:db8::5'],
    ['an entry that is not an address', '10.0.0.1', '1.1.1.1, unknown', '10.0.0.1'],
    ['such an entry before a proxy', '10.0.0.1', '1.1.1.1, unix:, 10.0.0.2', '10.0.0.2'],
    ['such an entry left of the client', '10.0.0.1', '<script>, 198.51.100.1', '198.51.100.1'],
    ['an empty header', '10.0.0.1', '', '10.0.0.1'],
    ['commas', '10.0.0.1', ',,', '10.0.0.1'],
    ['a comma first', '10.0.0.1', ',10.0.0.2', '10.0.0.2'],
    ['a peer without an address', '', '198.51.100.1', ''],
  ])('%s', (_, peer, forwardedFor, client) => {
    expect(clientAddress(peer, forwardedFor, proxies)).toBe(client);
  });

  test('without trusted proxies only the peer counts', () => {
    expect(clientAddress('10.0.0.1', '198.51.100.1', none)).toBe('10.0.0.1');
    expect(clientAddress('::ffff:10.0.0.1', null, none)).toBe('10.0.0.1');
    expect(clientAddress('2001:db8::1', null, none)).toBe('2001:db8::1');
  });

  test('the entry that the proxy appends decides, not those that the client sends', () => {
    fc.assert(
      fc.property(fc.string(), fc.oneof(fc.ipV4(), spelling), (sent, client) => {
        fc.pre(!proxies.includes(client));
        const expected = clientAddress('10.0.0.1', client, proxies);
        expect(clientAddress('10.0.0.1', `${sent}, ${client}`, proxies)).toBe(expected);
      }),
    );
  });
});

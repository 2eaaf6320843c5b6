import { afterAll, expect, test } from 'bun:test';
import { randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { Webhook } from 'standardwebhooks';
import { failureText, post } from '../src/delivery/post.ts';
import { secretText, signatureHeaders } from '../src/delivery/signature.ts';
import { checkTarget, guardedLookup } from '../src/delivery/targets.ts';
import { AddressList } from '../src/gateway/http/request/client-address.ts';
import { check } from './check.ts';

const NONE = { allowed: new AddressList([]) };
const LOCAL = { allowed: new AddressList(['127.0.0.0/8', '::1/128']) };

const requests: { headers: Headers; body: string }[] = [];
let answer: () => Response | Promise<Response> = () => new Response('thanks');
const server = Bun.serve({
  port: 0,
  hostname: '127.0.0.1',
  fetch: async (request) => {
    requests.push({ headers: request.headers, body: await request.text() });
    return answer();
  },
});
afterAll(() => server.stop(true));
const url = `http://127.0.0.1:${server.port}/hook`;
const terms = { headers: {}, body: '{}', timeoutMs: 300 };

test('the library of Standard Webhooks accepts what was signed, and nothing else', () => {
  const property = fc.property(
    fc.uint8Array({ minLength: 24, maxLength: 64 }),
    fc.uint8Array({ minLength: 24, maxLength: 64 }),
    fc.string({ minLength: 1 }).filter((id) => /^[\w-]+$/.test(id)),
    fc.json(),
    (current, previous, id, body) => {
      const message = { id, timestamp: Math.floor(Date.now() / 1000), body };
      const headers = signatureHeaders(message, [current, previous]);
      for (const secret of [current, previous]) {
        const receiver = new Webhook(secretText(secret));
        expect(receiver.verify(body, headers)).toEqual(JSON.parse(body));
        expect(() => receiver.verify(`${body} `, headers)).toThrow();
        expect(() => receiver.verify(body, { ...headers, 'webhook-id': `${id}x` })).toThrow();
      }
      expect(() => new Webhook(secretText(randomBytes(32))).verify(body, headers)).toThrow();
    },
  );
  check(property, 100);
});

/** One address of each range that is not the internet (IANA registries of special-purpose addresses). */
const SPECIAL = [
  ...['0.0.0.0', '10.1.2.3', '100.64.0.1', '127.0.0.1', '169.254.169.254', '172.16.0.1'],
  ...['192.0.0.1', '192.0.2.1', '192.168.1.1', '198.18.0.1', '198.51.100.1', '203.0.113.1'],
  ...[
    '224.0.0.1',
    '240.0.0.1',
    '255.255.255.255',
    '::',
    '::1',
    '::ffff:127.0.0.1',
    '::ffff:10.0.0.1',
  ],
  ...['64:ff9b::a00:1', '100::1', '2001::1', '2001:db8::1', '2002:a00:1::1', 'fc00::1', 'fd12::1'],
  ...['fe80::1', 'ff02::1', 'fec0::1', '64:ff9b:1::a00:1', '::ffff:0:7f00:1', '4000::1'],
  // The address 127.0.0.1 in the deprecated form of IPv6.
  '::7f00:1',
];

test.each(SPECIAL)(
  'the address %s is refused, in a URL and as the address of a name',
  async (address) => {
    const host = address.includes(':') ? `[${address}]` : address;
    expect(checkTarget(`https://${host}/hook`, NONE)).toBeString();
    const attempt = await post({ ...terms, url: `https://${host}/hook`, rules: NONE });
    expect(attempt).toMatchObject({
      status: 0,
      error: expect.stringContaining('leads to an address'),
    });
  },
);

test('a name that leads to this machine is refused when it is resolved', async () => {
  const attempt = await post({
    ...terms,
    url: `https://localhost:${server.port}/hook`,
    rules: NONE,
  });
  expect(attempt.error).toBe('localhost leads to an address that is not in the internet');
  expect(requests).toHaveLength(0);
});

test('the addresses of a name that are not allowed are left out', async () => {
  const rules = { allowed: new AddressList(['127.0.0.0/8']) };
  const found = await new Promise((resolve, reject) =>
    guardedLookup(rules, false)('localhost', { all: true }, (error, addresses) =>
      error === null ? resolve(addresses) : reject(error),
    ),
  );
  expect(found).toEqual([{ address: '127.0.0.1', family: 4 }]);
});

test('a name that changes its address is checked each time, and only the checked address is used', async () => {
  const answers = [['1.1.1.1'], ['127.0.0.1'], ['10.0.0.1', '2606:4700::1111'], ['::7f00:1']];
  const lookup = guardedLookup(NONE, true, (_hostname, _options, callback) => {
    const addresses = answers.shift()!;
    callback(
      null,
      addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })),
    );
  });
  const find = () =>
    new Promise<unknown>((resolve) =>
      lookup('rebind.example.com', { all: true }, (error, found) => resolve(error?.name ?? found)),
    );
  expect(await find()).toEqual([{ address: '1.1.1.1', family: 4 }]);
  expect(await find()).toBe('ForbiddenTargetError');
  expect(await find()).toEqual([{ address: '2606:4700::1111', family: 6 }]);
  expect(await find()).toBe('ForbiddenTargetError');
});

test('a redirect into the network is not followed', async () => {
  const before = requests.length;
  answer = () => Response.redirect(`${url}/inside`, 307);
  const attempt = await post({ ...terms, url, rules: LOCAL });
  expect(attempt).toMatchObject({ status: 307, error: expect.stringContaining('redirects') });
  expect(requests.splice(before)).toHaveLength(1);
  answer = () => new Response('thanks');
});

test.each([
  'http://example.com/hook',
  'https://user:secret@example.com/',
  'https://example.com/#part',
  'https://example.com:25/',
  'https://0x7f000001/',
  'https://2130706433/',
  'https://0177.0.0.1/',
  'https://127.1/',
  'https://127.0.0.1./',
  'https://017700000001/',
  'https://[::ffff:7f00:1]/',
  'https://[::ffff:169.254.169.254]/',
  'https://[::127.0.0.1]/',
  'ftp://example.com/',
  'file:///etc/passwd',
  'hook',
  `https://example.com/${'x'.repeat(500)}`,
])('the URL %s is refused', (text) => {
  expect(checkTarget(text, NONE)).toMatch(/^must /);
});

test.each(['https://example.com/', 'https://example.com:8443/a?b=c', 'https://1.1.1.1/hook'])(
  'the URL %s is accepted',
  (text) => {
    expect(checkTarget(text, NONE)).toBeUndefined();
  },
);

test('an allowed network is reached over HTTP', async () => {
  expect(checkTarget(url, LOCAL)).toBeUndefined();
  const attempt = await post({ ...terms, url, headers: { 'webhook-id': 'a' }, rules: LOCAL });
  expect(attempt).toMatchObject({ status: 200, error: '' });
  const { headers, body } = requests.pop()!;
  expect(headers.get('webhook-id')).toBe('a');
  expect(headers.get('content-type')).toBe('application/json');
  expect(body).toBe('{}');
});

test.each([
  [() => Response.redirect('http://127.0.0.1/', 302), 302, 'it was redirected'],
  [() => new Response('', { status: 500 }), 500, 'the receiver responded with 500'],
  [() => new Promise<Response>(() => {}), 0, 'there was no response within 0.3 s'],
])('a failed attempt says why', async (respond, status, error) => {
  answer = respond;
  const attempt = await post({ ...terms, url, rules: LOCAL });
  expect(attempt.status).toBe(status);
  expect(attempt.error).toStartWith(error);
});

test('a name without addresses differs from a server that refuses the connection', async () => {
  const attempt = async (target: string, rules: typeof LOCAL | undefined) => {
    const { status, error } = await post({ ...terms, url: target, rules, timeoutMs: 20_000 });
    expect(status).toBe(0);
    return error;
  };
  for (const rules of [LOCAL, undefined]) {
    expect(await attempt('http://127.0.0.1:1/', rules)).toBe('127.0.0.1:1 refused the connection');
    // No resolver has names under .invalid (RFC 6761). Without one the system asks to try again.
    expect(await attempt('https://receiver.invalid/', rules)).toMatch(
      /^the (name receiver\.invalid was not found in the DNS|DNS does not respond for the name receiver\.invalid)$/,
    );
  }
});

test('a name that the resolver cannot find now differs from one that does not exist', async () => {
  const target = new URL('https://receiver.example:8443/hook');
  const textFor = (code: string) =>
    new Promise<string>((resolve) => {
      const failing = guardedLookup(NONE, true, (_hostname, _options, callback) =>
        callback(Object.assign(new Error('system'), { code }), []),
      );
      failing(target.hostname, { all: true }, (error) => resolve(failureText(error!, target)));
    });
  expect(await textFor('ENOTFOUND')).toBe('the name receiver.example was not found in the DNS');
  expect(await textFor('EAI_AGAIN')).toBe('the DNS does not respond for the name receiver.example');
  expect(await textFor('ETIMEOUT')).toBe('system');
});

import { randomBytes } from 'node:crypto';

/** Requests that one address without credentials can send, as raw HTTP/1.1 text. */

/** Client addresses reported by a trusted proxy. */
const ATTACKER = '203.0.113.9';
export const TRADER = '198.51.100.7';

const REQUESTS = 2_000;
const PUBLIC = ['markets', 'prices', 'assets', 'time', 'status', 'orderbook?symbol=BTC/USDT'];
const PRIVATE = [
  'orders',
  'fills',
  'ledger',
  'fees',
  'portfolio/balances',
  'account',
  'admin/state',
];

export interface Attack {
  readonly name: string;
  readonly connections: number;
  readonly requests: readonly string[];
  /** Pause between an answer and the next request of its connection. */
  readonly pauseMs?: number;
  /** Sends every request once, while the trader's orders are being counted. */
  readonly isBurst?: true;
}

export function attacks(connections: number): readonly Attack[] {
  const mixed = (index: number) =>
    [
      get(`/api/${pick(PUBLIC, index)}`),
      get(`/api/nothing-${index}`),
      get(`/api/${pick(PRIVATE, index)}`),
      get(`/api/${pick(PRIVATE, index)}`, `Authorization: Bearer ${index}`, 'X-API-Secret: wrong'),
    ][index % 4]!;
  return [
    { name: 'refused', connections, requests: make(mixed) },
    {
      name: 'cookies',
      connections,
      requests: make((index) => get(`/api/${pick(PRIVATE, index)}`, cookie())),
    },
    {
      name: 'signatures',
      connections,
      requests: make((index) => get(`/api/${pick(PRIVATE, index)}`, ...wrongSignature())),
    },
    { name: 'streams', connections, requests: make(() => get('/ws', ...UPGRADE)) },
    { name: 'junk', connections: connections / 10, requests: ['JUNK JUNK\r\n\r\n'] },
  ];
}

/** A request in the name of a key, from the attacker's address. */
export function post(
  path: string,
  { apiKey, apiSecret }: { apiKey: string; apiSecret: string },
  body: string,
  address = ATTACKER,
): string {
  const headers = [
    `Authorization: Bearer ${apiKey}`,
    `X-API-Secret: ${apiSecret}`,
    'Content-Type: application/json',
    `Content-Length: ${body.length}`,
  ];
  return `${head('POST', path, address, headers)}${body}`;
}

const UPGRADE = [
  'Upgrade: websocket',
  'Connection: Upgrade',
  'Sec-WebSocket-Version: 13',
  'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==',
];

const cookie = () => `Cookie: __Host-buttonwood=${randomBytes(32).toString('base64url')}`;

/** A signature of right form that must be checked. */
function wrongSignature(): string[] {
  const bytes = randomBytes(64);
  // A larger number than the order of the curve would be rejected without a check.
  bytes[63]! &= 0x0f;
  return [
    `Authorization: Bearer bwk_${randomBytes(16).toString('hex')}`,
    `X-API-Timestamp: ${Date.now()}`,
    'X-API-Recv-Window: 60000',
    `X-API-Signature: ${bytes.toString('base64')}`,
  ];
}

function make(request: (index: number) => string): string[] {
  return Array.from({ length: REQUESTS }, (_, index) => request(index));
}

function pick(names: readonly string[], index: number): string {
  return names[(index >> 2) % names.length]!;
}

export function get(path: string, ...headers: string[]): string {
  return head('GET', path, ATTACKER, headers);
}

function head(method: string, path: string, address: string, headers: readonly string[]): string {
  const all = ['Host: 127.0.0.1', `X-Forwarded-For: ${address}`, ...headers];
  return `${method} ${path} HTTP/1.1\r\n${all.join('\r\n')}\r\n\r\n`;
}

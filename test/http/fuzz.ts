import { below, type Random } from '../../src/storage/seeded-random.ts';

/** Requests that are nearly right, and some that are not at all; the same for the same seed. */
export interface FuzzRequest {
  /** Whose key, if any. */
  readonly name: string | undefined;
  readonly method: string;
  readonly path: string;
  readonly headers: Record<string, string>;
  readonly body: Uint8Array<ArrayBuffer> | undefined;
}

type Fields = [name: string, literal: string][];

interface Draft {
  name: string | undefined;
  method: string;
  path: string;
  headers: Record<string, string>;
  fields: Fields | undefined;
}

const ORDER_TYPES = ['"limit"', '"limit"', '"limit"', '"market"'];
const SYMBOLS = ['"BTC/USDT"', '"BTC/USDT"', '"ETH/USDT"', '"ETH/BTC"', '"SOL/USDT"'];
const AMOUNTS = ['0.01', '1e-3', '0.5', '1', '0.00000001', '3.00', '250', '1e7'];
const PRICES = ['118000', '117999.99', '1.18e5', '5200', '0.044', '260', '0.01', '1e9'];
const TIMES = ['"GTC"', '"IOC"', '"FOK"', '"GTD"', 'null'];

/** Values that have broken one program or another. */
const NASTY = [
  ...['null', 'true', 'false', '""', '"0"', '[]', '{}', '0', '-0', '-1', '1.5', '1e400', '1E-400'],
  ...['9007199254740993', '18446744073709551616', '0.1e-30', '1e30', '-1e30', '1e31', '00', '.5'],
  ...['NaN', 'Infinity', 'undefined', '0x10', '1_000', '"NaN"', '"\\u0000"', '"\\ud800"'],
  ...['"__proto__"', '"constructor"', '"toString"', '"../../etc/passwd"', '"; DROP TABLE orders"'],
  ...['"<script>alert(1)</script>"', '"%s%n"', '"😀"', '"\\ud83d\\ude00"', '"ﷺ"', '"\u202e"'],
  ...['[[[[[[[[[[1]]]]]]]]]]', '{"a":{"b":{"c":{}}}}', '[1,2,3]', '123456789012.12345678'],
  ...[`"${'x'.repeat(65)}"`, `"${'A'.repeat(5000)}"`, `${'9'.repeat(41)}`, `1${'0'.repeat(39)}`],
  ...['"2026-01-05T13:00:00Z"', '1767700000000', '"2026-02-30T00:00:00Z"', '253402300799999'],
];
const NAMES = ['postonly', '__proto__', 'constructor', 'hasOwnProperty', '', 'ämount', 'cost'];
const QUERY_NAMES = ['limit', 'cursor', 'symbol', 'status', 'side', 'since', 'until', 'sort', 'x'];
const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'QUERY', 'get', 'X'];
const HEADERS: readonly (readonly [string, readonly string[]])[] = [
  ['Content-Type', ['', 'text/plain', 'application/json;charset=x', 'APPLICATION/JSON', 'a/b;c=d']],
  ['Content-Encoding', ['gzip', 'br', 'identity', '']],
  ['Content-Length', ['0', '5', '99999', '-1', 'x', '1e3']],
  ['X-API-Version', ['1', 'v1', '2', '', '1, 1']],
  ['Origin', ['null', 'https://a.example', 'http://127.0.0.1:3000', '', 'x']],
  ['Authorization', ['', 'Bearer', 'Bearer x', 'Basic eDp5', `Bearer ${'a'.repeat(2000)}`]],
  ['X-API-Secret', ['', 'x', 'bws_']],
  ['X-Forwarded-For', ['1.2.3.4', '::1', 'x', ',', `${'1.1.1.1,'.repeat(300)}`]],
  ['Host', ['', 'a b', 'evil.example', '[::1]:1']],
  ['X-Request-Id', ['mine', 'a'.repeat(500)]],
];

export function fuzzRequest(random: Random, orderIds: number): FuzzRequest {
  const pick = <T>(items: readonly T[]): T => items[below(items.length, random)]!;
  const drafts = [
    orderDraft,
    orderDraft,
    orderDraft,
    readDraft,
    cancelDraft,
    amendDraft,
    adminDraft,
  ];
  const draft = pick([...drafts, severalDraft])(pick, random, orderIds);
  const damages = [0, 1, 1, 1, 2, 3][below(6, random)]!;
  let damagesText = 0;
  for (let count = 0; count < damages; count++) {
    const kind = below(8, random);
    if (kind === 0) draft.method = pick(METHODS);
    else if (kind === 1) draft.path = damagePath(draft.path, pick, random);
    else if (kind === 2) {
      const [name, values] = pick(HEADERS);
      draft.headers[name] = pick(values);
    } else if (kind === 3) draft.name = pick([undefined, 'reader', 'operator', 'bob']);
    else if (kind < 7 && draft.fields !== undefined) damageFields(draft.fields, pick, random);
    else damagesText++;
  }
  const { fields, ...rest } = draft;
  if (fields === undefined) return { ...rest, body: undefined };
  const text = `{${fields.map(([name, literal]) => `${JSON.stringify(name)}:${literal}`).join(',')}}`;
  let body = Uint8Array.from(Buffer.from(text));
  for (; damagesText > 0; damagesText--) body = damageBytes(body, random);
  return { ...rest, headers: { 'Content-Type': 'application/json', ...rest.headers }, body };
}

type Pick = <T>(items: readonly T[]) => T;

function orderDraft(pick: Pick, random: Random): Draft {
  const fields: Fields = [
    ['symbol', pick(SYMBOLS)],
    ['side', pick(['"buy"', '"sell"'])],
    ['type', pick(ORDER_TYPES)],
    ['amount', pick(AMOUNTS)],
    ['price', pick(PRICES)],
  ];
  if (fields[2]![1] === '"market"') fields.pop();
  if (below(3, random) === 0) fields.push(['timeInForce', pick(TIMES)]);
  if (below(4, random) === 0) fields.push(['postOnly', pick(['true', 'false', 'null'])]);
  if (below(3, random) === 0) fields.push(['clientOrderId', `"id-${below(40, random)}"`]);
  if (below(5, random) === 0) fields.push(['selfTradePrevention', '"decrement"']);
  const name = pick(['alice', 'bob']);
  return { name, method: 'POST', path: '/api/orders', headers: {}, fields };
}

function readDraft(pick: Pick, random: Random): Draft {
  const path = pick(['/api/orders', '/api/portfolio/balances', '/api/markets', '/api/prices']);
  const values = ['5', '1000', 'open', 'closed', 'buy', 'asc', 'BTC/USDT', '1767614400000', 'x'];
  const query =
    below(2, random) === 0 ? '' : `?${pick(QUERY_NAMES)}=${encodeURIComponent(pick(values))}`;
  return { name: 'alice', method: 'GET', path: path + query, headers: {}, fields: undefined };
}

function cancelDraft(pick: Pick, random: Random, orderIds: number): Draft {
  const path = `/api/orders/${1 + below(orderIds + 1, random)}`;
  return { name: pick(['alice', 'bob']), method: 'DELETE', path, headers: {}, fields: undefined };
}

function amendDraft(pick: Pick, random: Random, orderIds: number): Draft {
  const fields: Fields = [
    ['amount', pick(AMOUNTS)],
    ['price', pick(PRICES)],
  ];
  if (below(2, random) === 0) fields.splice(below(2, random), 1);
  const path = `/api/orders/${1 + below(orderIds + 1, random)}`;
  return { name: pick(['alice', 'bob']), method: 'PATCH', path, headers: {}, fields };
}

/** What speaks of several orders at once. */
function severalDraft(pick: Pick, random: Random, orderIds: number): Draft {
  const name = pick(['alice', 'bob']);
  const id = 1 + below(orderIds + 1, random);
  if (below(2, random) === 0) {
    const query = pick([
      'all=true',
      `ids=${id},${id + 1}`,
      'symbol=ETH/USDT',
      'clientOrderId=id-1',
    ]);
    return { name, method: 'DELETE', path: `/api/orders?${query}`, headers: {}, fields: undefined };
  }
  if (below(2, random) === 0) {
    const fields: Fields = [['timeout', pick(['0', '1', '30', '86400', '86401', '0.5'])]];
    if (below(2, random) === 0) fields.push(['symbol', pick(SYMBOLS)]);
    return { name, method: 'POST', path: '/api/orders/cancel-after', headers: {}, fields };
  }
  const order = `{"symbol":"BTC/USDT","side":"buy","type":"limit","amount":0.01,"price":${pick(PRICES)}}`;
  const orders = Array.from({ length: below(17, random) }, () => pick([order, order, pick(NASTY)]));
  const fields: Fields = [['orders', `[${orders.join(',')}]`]];
  return { name, method: 'POST', path: '/api/orders/batch', headers: {}, fields };
}

function adminDraft(pick: Pick, random: Random): Draft {
  const number = below(30, random);
  const bodies: [string, string, Fields | undefined][] = [
    ['POST', 'accounts', [['accountId', `"a${number}"`]]],
    ['POST', `accounts/a${number}/keys`, [['permissions', '["read","trade"]']]],
    ['GET', 'accounts', undefined],
    ['GET', 'state', undefined],
    ['GET', 'audit?limit=3', undefined],
    [
      'POST',
      'transfers',
      [
        ['account', '"alice"'],
        ['asset', pick(['"BTC"', '"USDT"'])],
        ['amount', pick(['1', '-1', '0.5', '1e-10', '-1e9'])],
        ['reference', `"t${number}"`],
        ['reason', '"fuzz"'],
      ],
    ],
    [
      'PATCH',
      'markets',
      [
        ['symbol', pick(SYMBOLS)],
        ['status', pick(['"online"', '"post_only"', '"halted"'])],
      ],
    ],
    [
      'PATCH',
      `markets${pick(['', '?preview=true'])}`,
      [
        ['symbol', pick(SYMBOLS)],
        [pick(['makerFee', 'takerFee', 'minNotional']), pick(['0', '0.001', '0.0005', '1e-9'])],
      ],
    ],
    ['DELETE', `accounts/${pick(['alice', 'bob'])}/orders?symbol=BTC/USDT`, undefined],
    ['PATCH', 'accounts/alice', [['feeTier', pick(['0', '1', '"volume"'])]]],
    [
      'POST',
      'fee-tiers',
      [
        ['asset', pick(['"USDT"', '"BTC"'])],
        ['tiers', '[{"minVolume":1000,"makerFee":0.0001,"takerFee":0.0002}]'],
      ],
    ],
  ];
  const [method, path, fields] = pick(bodies);
  return { name: 'operator', method, path: `/api/admin/${path}`, headers: {}, fields };
}

function damagePath(path: string, pick: Pick, random: Random): string {
  const at = below(path.length + 1, random);
  const part = pick([
    ...['/', '//', '/..', '/.', '%', '%00', '%2f', '%ff', '%F0%9F%98%80', '?', '&', '=', ';', ':'],
    ...[
      '#',
      '+',
      ' ',
      '\\',
      '\u0000',
      'ä',
      '😀',
      '\ud800',
      '*',
      '{',
      '[',
      '\t',
      '?x=1',
      '&limit=0',
    ],
    ...[`?${pick(QUERY_NAMES)}=${encodeURIComponent(pick(NASTY))}`, 'a'.repeat(4000)],
  ]);
  return path.slice(0, at) + part + path.slice(at);
}

function damageFields(fields: Fields, pick: Pick, random: Random): void {
  const at = below(fields.length, random);
  switch (below(6, random)) {
    case 0:
      fields.splice(at, 1);
      break;
    case 1:
      fields.push([...(fields[at] ?? ['a', '1'])]);
      break;
    case 2:
      fields.splice(at, 0, [pick(NAMES), pick(NASTY)]);
      break;
    default:
      if (fields[at] !== undefined) fields[at][1] = pick(NASTY);
  }
}

/** One byte changed, removed or put in, an end cut off, or the whole written twice. */
function damageBytes(bytes: Uint8Array<ArrayBuffer>, random: Random): Uint8Array<ArrayBuffer> {
  const at = below(bytes.length, random);
  const byte = below(256, random);
  switch (below(6, random)) {
    case 0:
      return bytes.slice(0, at);
    case 1:
      return Uint8Array.from([...bytes.slice(0, at), byte, ...bytes.slice(at)]);
    case 2:
      return Uint8Array.from([...bytes.slice(0, at), ...bytes.slice(at + 1)]);
    case 3:
      return Uint8Array.from([...bytes, ...bytes]);
    case 4:
      return Uint8Array.from({ length: below(300, random) }, () => below(256, random));
    default:
      return bytes.map((old, index) => (index === at ? byte : old));
  }
}

import { createHmac } from 'node:crypto';
import type { BinanceEndpoint } from '../../src/gateway/binance/endpoint.ts';
import { BINANCE_ENDPOINTS } from '../../src/gateway/binance/endpoints.ts';
import { below, type Random } from '../../src/storage/seeded-random.ts';

/** Random requests of the Binance dialect, most of them nearly valid, and the rules for their answers. */

export interface Key {
  readonly apiKey: string;
  readonly apiSecret: string;
}

export interface BinanceRequest {
  readonly endpoint: BinanceEndpoint;
  /** A new request for each call. */
  readonly create: () => Request;
  /** Whether its signature and time are right, as far as it needs them. */
  readonly isAuthentic: boolean;
  /** For messages of failures. */
  readonly description: string;
}

type Parameter = readonly [name: string, value: string];

/** Valid values by the name of a parameter. */
const VALUES: Readonly<Record<string, readonly string[]>> = {
  symbol: ['BTCUSDT', 'BTCUSDT', 'ETHUSDT'],
  symbols: ['["BTCUSDT"]', '["BTCUSDT","ETHUSDT"]'],
  side: ['BUY', 'SELL'],
  type: ['LIMIT', 'LIMIT', 'MARKET', 'LIMIT_MAKER', 'STOP_LOSS', 'STOP_LOSS_LIMIT', 'TAKE_PROFIT'],
  timeInForce: ['GTC', 'GTC', 'IOC', 'FOK'],
  quantity: ['0.001', '0.01', '1.00000000', '0.000000001'],
  quoteOrderQty: ['100', '250.5'],
  price: ['117000', '118000.01', '119000.00', '117000.001'],
  stopPrice: ['110000', '125000'],
  trailingDelta: ['100', '2000'],
  icebergQty: ['0.0005'],
  newClientOrderId: ['bot-1', 'bot-2', 'x:y/z_1'],
  newOrderRespType: ['ACK', 'RESULT', 'FULL'],
  selfTradePreventionMode: ['EXPIRE_MAKER', 'EXPIRE_BOTH', 'DECREMENT'],
  orderId: ['1', '2', '3', '17', '40'],
  origClientOrderId: ['bot-1', 'bot-2', '5'],
  cancelReplaceMode: ['STOP_ON_FAILURE', 'ALLOW_FAILURE'],
  cancelOrderId: ['1', '2', '30'],
  cancelRestrictions: ['ONLY_NEW', 'ONLY_PARTIALLY_FILLED'],
  newQty: ['0.0005', '0.005'],
  limit: ['1', '5', '1000'],
  fromId: ['1', '0'],
  startTime: ['1767614400000'],
  endTime: ['1767614460000'],
  interval: ['1m', '1h', '1M', '1s'],
  windowSize: ['1h', '7d'],
  timeZone: [
    '0',
    '8',
    '+05:30',
    '-12:00',
    '14:00',
    '5:45',
    '-3:15',
    '0:01',
    '+05:20',
    '-0:59',
    '14:15',
  ],
  listenKey: ['a'.repeat(60)],
  omitZeroBalances: ['true', 'false'],
  orderListId: ['1', '9'],
  aboveType: ['LIMIT_MAKER'],
  belowType: ['STOP_LOSS'],
  abovePrice: ['130000'],
  belowStopPrice: ['100000'],
  workingType: ['LIMIT', 'LIMIT', 'LIMIT_MAKER'],
  workingSide: ['BUY', 'SELL'],
  workingPrice: ['117000', '118000.01', '119000.00'],
  workingQuantity: ['0.001', '0.01'],
  workingTimeInForce: ['GTC', 'GTC', 'IOC'],
  pendingType: ['LIMIT', 'MARKET', 'LIMIT_MAKER', 'STOP_LOSS', 'TAKE_PROFIT_LIMIT'],
  pendingSide: ['BUY', 'SELL'],
  pendingQuantity: ['0.001', '0.01'],
  pendingPrice: ['117000', '130000'],
  pendingStopPrice: ['110000'],
  pendingTimeInForce: ['GTC', 'IOC'],
  pendingAboveType: ['LIMIT_MAKER'],
  pendingAbovePrice: ['130000'],
  pendingBelowType: ['STOP_LOSS'],
  pendingBelowStopPrice: ['100000'],
};
const NAMES = Object.keys(VALUES);
const ORDER = ['symbol', 'side', 'type', 'timeInForce', 'quantity', 'price'];
const LIST = [
  'symbol',
  'side',
  'quantity',
  'aboveType',
  'belowType',
  'abovePrice',
  'belowStopPrice',
];
const WORKING = [
  ...['symbol', 'workingType', 'workingSide', 'workingPrice', 'workingQuantity'],
  ...['workingTimeInForce', 'pendingSide', 'pendingQuantity'],
];
const OTO = [...WORKING, 'pendingType', 'pendingPrice', 'pendingTimeInForce'];
const OTOCO = [
  ...[...WORKING, 'pendingAboveType', 'pendingAbovePrice'],
  ...['pendingBelowType', 'pendingBelowStopPrice'],
];
const CANCEL = ['symbol', 'orderId'];

/** Values that no parameter may have, or that are at the edge of its range. */
const BAD_VALUES = [
  ...[
    '',
    ' ',
    '0',
    '-1',
    '-0',
    '1e5',
    '1E-7',
    'NaN',
    'Infinity',
    '0x10',
    '٣',
    '１',
    'null',
    'true',
  ],
  ...['9'.repeat(20), '9'.repeat(40), `0.${'0'.repeat(30)}1`, '99999999999999999999.99999999'],
  ...['btcusdt', 'BTC/USDT', 'BTCUSDT\u0000', '日本', 'é', '\u{1f4b0}', '"', '\\', "'; --", '<b>'],
  ...['[]', '["btcusdt"]', '[1]', '{"a":1}', '__proto__', 'constructor', 'A'.repeat(300)],
];

export function generateRequest(random: Random, keys: readonly Key[], now: number): BinanceRequest {
  const pick = <Item>(items: readonly Item[]): Item => items[below(items.length, random)]!;
  const isOften = (share: number) => random() < share;
  const endpoint = pick(BINANCE_ENDPOINTS);
  const { method, path, access } = endpoint;
  const base = chooseNames(endpoint, isOften);
  const added = Array.from({ length: isOften(0.3) ? below(4, random) : 0 }, () => pick(NAMES));
  const parameters: Parameter[] = [...new Set([...base, ...added])].map((name) => [
    isOften(0.02) ? name.toUpperCase() : name,
    isOften(0.06) ? pick(BAD_VALUES) : pick(VALUES[name]!),
  ]);
  if (isOften(0.03) && parameters.length > 0) parameters.push(pick(parameters));
  if (isOften(0.02)) parameters.push([pick(['a', '', 'symbol[]', '__proto__']), pick(BAD_VALUES)]);
  const needsSignature = access !== 'public' && access !== 'key';
  const time = chooseTime(pick, isOften, now);
  if (needsSignature || isOften(0.1)) parameters.push(['timestamp', time.text]);
  if (time.recvWindow !== undefined) parameters.push(['recvWindow', time.recvWindow]);
  const ordered = isOften(0.3) ? parameters.toSorted(() => random() - 0.5) : parameters;
  const split =
    method === 'GET' || isOften(0.4) ? ordered.length : below(ordered.length + 1, random);
  const encode = (each: readonly Parameter[]) =>
    each
      .map(([name, value]) => `${encodeText(name, isOften)}=${encodeText(value, isOften)}`)
      .join('&');
  const key = pick(keys);
  let query = encode(ordered.slice(0, split));
  let body = encode(ordered.slice(split));
  let isRight = true;
  if (needsSignature || isOften(0.05)) {
    const tampering = isOften(0.12) ? pick(TAMPERINGS) : undefined;
    isRight = tampering === undefined;
    const digits = createHmac('sha256', key.apiSecret)
      .update(query + body)
      .digest('hex');
    ({ query, body } = addSignature(query, body, digits, method === 'GET' || isOften(0.5)));
    if (tampering !== undefined) ({ query, body } = tampering(query, body));
    // A GET has no body.
    if (method === 'GET') [query, body] = [query + body, ''];
  }
  const headers: Record<string, string> = {
    'Content-Type': pick(['application/x-www-form-urlencoded', 'application/json', 'text/plain']),
  };
  if (access !== 'public' || isOften(0.2)) headers['X-MBX-APIKEY'] = key.apiKey;
  const url = `http://127.0.0.1:3000/binance${path}${query === '' ? '' : `?${query}`}`;
  const create = () => new Request(url, { method, headers, ...(method === 'GET' ? {} : { body }) });
  const isAuthentic = !needsSignature || (isRight && time.isRight);
  return { endpoint, create, isAuthentic, description: `${method} ${url} | ${body}` };
}

/** Returns the names that most requests to an endpoint have. */
function chooseNames({ path, method }: BinanceEndpoint, isOften: (share: number) => boolean) {
  const names = path.includes('cancelReplace')
    ? [...ORDER, 'cancelReplaceMode', 'cancelOrderId']
    : path.includes('orderList/oto')
      ? path.endsWith('oto')
        ? OTO
        : OTOCO
      : path.includes('orderList/') || path.endsWith('/oco')
        ? LIST
        : path.includes('amend')
          ? [...CANCEL, 'newQty']
          : path.endsWith('/order') && method !== 'POST'
            ? CANCEL
            : method === 'POST' && path.includes('/order')
              ? ORDER
              : path.includes('klines')
                ? ['symbol', 'interval']
                : path.includes('userDataStream')
                  ? ['listenKey']
                  : ['symbol'];
  return names.filter(() => !isOften(0.04));
}

function chooseTime(
  pick: <Item>(items: readonly Item[]) => Item,
  isOften: (share: number) => boolean,
  now: number,
): { text: string; recvWindow?: string; isRight: boolean } {
  if (isOften(0.8)) return { text: String(now), isRight: true };
  if (isOften(0.3)) return { text: `${now}000`, recvWindow: '60000', isRight: true };
  if (isOften(0.2)) return { text: String(now - 50_000), recvWindow: '60000', isRight: true };
  const wrong = [
    ...[now - 5001, now + 1001, now - 86_400_000, now + 86_400_000, -now, 0].map(String),
    ...[String(now).slice(0, 10), `${now}000000`, '', 'x', `${now}.5`, '9'.repeat(30), ` ${now}`],
  ];
  return { text: pick(wrong), isRight: false };
}

/** Encodes a text like one of several clients. */
function encodeText(text: string, isOften: (share: number) => boolean): string {
  const encoded = encodeURIComponent(text);
  if (isOften(0.05)) {
    return [...Buffer.from(text)].map((byte) => `%${byte.toString(16).padStart(2, '0')}`).join('');
  }
  return isOften(0.1) ? encoded.replaceAll('%20', '+') : encoded;
}

function addSignature(query: string, body: string, digits: string, isInQuery: boolean) {
  const add = (text: string) => `${text}${text === '' ? '' : '&'}signature=${digits}`;
  return isInQuery ? { query: add(query), body } : { query, body: add(body) };
}

type Tampering = (query: string, body: string) => { query: string; body: string };

/** Changes after the signature was made. Each must make the request worthless. */
const TAMPERINGS: readonly Tampering[] = [
  (query, body) => ({ query: `${query}&recvWindow=59999`, body }),
  (query, body) => ({ query, body: `${body}&recvWindow=59999` }),
  (query, body) => ({ query: `recvWindow=59999&${query}`, body }),
  (query, body) => ({
    query: query.replace(/signature=./, 'signature=Z'),
    body: body.replace(/signature=./, 'signature=Z'),
  }),
  (query, body) => ({
    query: query.replace(/signature=[0-9a-f]{64}/, `signature=${'0'.repeat(64)}`),
    body: body.replace(/signature=[0-9a-f]{64}/, `signature=${'0'.repeat(64)}`),
  }),
  (query, body) => ({
    query: query.replace(/&?signature=[0-9a-f]*/, ''),
    body: body.replace(/&?signature=[0-9a-f]*/, ''),
  }),
];

/** Text that reveals paths, source files, errors of the runtime or names of the native API. */
const INTERNALS =
  /node_modules|\.tsx?:\d|\bat (async )?\w+ \(|\/(home|root|work|tmp|proc)\/|sqlite|TypeError|RangeError|SyntaxError|undefined is not|X-API-|bws_/i;

/**
 * Checks the rules for all answers.
 * @param usedBefore The weight that the address had used before, if limits are on.
 * @returns The weight that it has used.
 * @throws Error with the violated rule
 */
export function judgeAnswer(
  status: number,
  headers: Headers,
  text: string,
  usedBefore = -1,
): number {
  if (status >= 500) throw new Error(`status ${status}: ${text}`);
  if (INTERNALS.test(text)) throw new Error(`internals in the answer: ${text}`);
  const used = Number(headers.get('X-MBX-USED-WEIGHT-1M') ?? Number.NaN);
  if (!(used > usedBefore)) throw new Error(`used weight ${used} after ${usedBefore}`);
  const body = JSON.parse(text);
  if (status !== 200) judgeError(body, text);
  return used;
}

/** Checks that an error has Binance's form. @throws Error */
export function judgeError(body: unknown, text: string): void {
  const { code, msg, ...rest } = body as Record<string, unknown>;
  const isError = Number.isInteger(code) && (code as number) < 0 && typeof msg === 'string';
  const further = Object.keys(rest).filter((name) => name !== 'data');
  if (!isError || msg === '' || further.length > 0) throw new Error(`not Binance's form: ${text}`);
}

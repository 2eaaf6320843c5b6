import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'bun:test';
import { BadRequest, InvalidNonce, type Order, RequestTimeout } from 'ccxt';
import type { buttonwood } from '../../src/client/ccxt/index.ts';
import { type Command, CommandKind } from '../../src/engine/command.ts';
import { newKeyPair } from '../http/signing.ts';
import { ScriptedStream } from './scripted-stream.ts';
import { Venue } from './venue.ts';

/** Orders and amendments with a `deadline`, over both transports, with a secret and with signatures. */

const SYMBOL = 'BTC/USDT';
const LIMIT = [SYMBOL, 'limit', 'buy', 0.01] as const;
const EXITS = { takeProfitLimitPrice: 40_000, stopLossPrice: 150_000 };
const pair = newKeyPair();
let venue: Venue;
/** By which the clock of the exchange is ahead of the bots'. It never goes back. */
let aheadMs = 0;
let signing: Record<string, unknown>;
let submitted: Command[];
/** By which commands with a deadline reach the log later. */
let delayMs = 0;

beforeAll(async () => {
  venue = await Venue.open();
  const { exchange } = venue;
  Object.defineProperty(exchange, 'now', { get: () => Date.now() + aheadMs });
  const body = JSON.stringify({ permissions: ['read', 'trade'], publicKey: pair.publicPem });
  const path = '/api/admin/accounts/alice/keys';
  const { apiKey } = (await exchange.send('operator', 'POST', path, body)).data.key;
  const privateKey = pair.privateKey.export({ format: 'pem', type: 'pkcs8' }) as string;
  // The window of the message that authenticates a socket, whose clock is behind.
  signing = { apiKey, privateKey, secret: '', options: { recvWindow: 60_000 } };
  const { replica } = exchange;
  const submit = replica.submit.bind(replica);
  replica.submit = (command, ...rest) => {
    submitted.push(command);
    if (command.kind === CommandKind.executeBy) aheadMs += delayMs;
    return submit(command, ...rest);
  };
});
afterAll(() => venue.close());
beforeEach(() => {
  submitted = [];
});
afterEach(async () => {
  delayMs = 0;
  await venue.exchange.send('alice', 'DELETE', '/api/orders?all=true');
});

const failure = (promise: Promise<unknown>) =>
  promise.then(
    () => {
      throw new Error('it did not fail');
    },
    (error) => error,
  );

type Placing = (bot: buttonwood, params: object) => Promise<unknown>;
const batch = [
  { symbol: SYMBOL, type: 'limit', side: 'buy', amount: 0.01, price: 40_000 },
] as never;
const PLACINGS: [name: string, place: Placing][] = [
  ['createOrder', (bot, params) => bot.createOrder(...LIMIT, 40_000, params)],
  ['createOrders', (bot, params) => bot.createOrders(batch, params)],
  [
    'an OCO order',
    (bot, params) =>
      bot.createOrder(SYMBOL, 'market', 'buy', 0.01, undefined, { ...EXITS, ...params }),
  ],
  ['createOrderWs', (bot, params) => bot.createOrderWs(...LIMIT, 40_000, params)],
  ['createOrdersWs', (bot, params) => bot.createOrdersWs(batch, params)],
  [
    'an OCO order over the socket',
    (bot, params) =>
      bot.createOrderWs(SYMBOL, 'market', 'buy', 0.01, undefined, { ...EXITS, ...params }),
  ],
];
const EDITS: [
  name: string,
  edit: (bot: buttonwood, id: string, params: object) => Promise<Order>,
][] = [
  ['editOrder', (bot, id, params) => bot.editOrder(id, ...LIMIT, 41_000, params)],
  ['editOrderWs', (bot, id, params) => bot.editOrderWs(id, ...LIMIT, 41_000, params)],
];
const CREDENTIALS = [
  ['a secret', () => ({})],
  ['a signature', () => signing],
] as const;
const CASES = CREDENTIALS.flatMap(([kind, read]) =>
  [
    ...PLACINGS,
    ...EDITS.map(([name, edit]): [string, Placing] => [
      name,
      async (bot, params) => {
        const { id } = await venue.bot('alice').createOrder(...LIMIT, 40_000);
        return edit(bot, id!, params);
      },
    ]),
  ].map(([name, act]) => ({ name, kind, read, act })),
);
/** The deadlines of commands that were submitted. */
const deadlines = () =>
  submitted.flatMap((command) =>
    command.kind === CommandKind.executeBy ? [command.deadline] : [],
  );

test.each(CASES)('$name with $kind carries its deadline to the log', async ({ read, act }) => {
  const bot = venue.bot('alice', read());
  const deadline = Date.now() + 20_000;
  await act(bot, { deadline });
  expect(deadlines()).toHaveLength(1);
  // Equal signed requests differ by a millisecond of their windows.
  expect(deadline - deadlines()[0]!).toBeWithin(0, 3);
  await bot.close();
});

test.each(CASES)('$name with $kind is not sent after its deadline', async ({ read, act }) => {
  const bot = venue.bot('alice', read());
  const error = await failure(act(bot, { deadline: Date.now() - 1 }));
  expect(error).toBeInstanceOf(InvalidNonce);
  expect(error.message).toContain('The deadline of the request has passed');
  expect(deadlines()).toEqual([]);
  await bot.close();
});

test.each(CASES)('$name with $kind is not executed late', async ({ name, read, act }) => {
  const bot = venue.bot('alice', read());
  await bot.loadMarkets();
  delayMs = 1000;
  const result = act(bot, { deadline: venue.exchange.now + 500 });
  if (name.startsWith('createOrders')) {
    const info = { error: { details: { rule: 'recvWindow' } } };
    expect(await result).toMatchObject([{ status: 'rejected', info }]);
  } else {
    const error = await failure(result);
    expect(error).toBeInstanceOf(InvalidNonce);
    expect(error.message).toContain('"rule":"recvWindow"');
  }
  expect(deadlines()).toHaveLength(1);
  for (const { price } of await venue.bot('alice').fetchOpenOrders()) expect(price).toBe(40_000);
  await bot.close();
});

test('a deadline more than a minute ahead is a minute ahead', async () => {
  const bot = venue.bot('alice');
  const before = Date.now();
  await bot.createOrder(...LIMIT, 40_000, { deadline: String(before + 3_600_000) });
  expect(deadlines()[0]! - before).toBeWithin(60_000, 61_000);
});

test.each([Number.NaN, 'soon', '', null, {}])('rejects the deadline %p', async (deadline) => {
  const bot = venue.bot('alice');
  const placings = [
    () => bot.createOrder(...LIMIT, 40_000, { deadline }),
    () => bot.createOrderWs(...LIMIT, 40_000, { deadline }),
  ];
  for (const place of placings) expect(await failure(place())).toBeInstanceOf(BadRequest);
  expect(submitted).toEqual([]);
  await bot.close();
});

test('an order that is repeated after its deadline ends as unknown', async () => {
  const script = new ScriptedStream(venue.url);
  const options = { ws: { backoff: { base: 1, max: 1 } } };
  const bot = venue.bot('alice', { urls: { api: script.url }, options });
  await bot.loadMarkets();
  const authenticate = async () => {
    expect(await script.next()).toMatchObject({ op: 'auth' });
    script.say({ op: 'authenticated' });
  };
  const deadline = Date.now() + 20_000;
  const failed = failure(bot.createOrderWs(...LIMIT, 40_000, { deadline }));
  await authenticate();
  const { timestamp, recvWindow, params } = await script.next();
  expect(timestamp + recvWindow).toBe(deadline);
  expect(params).not.toHaveProperty('deadline');
  script.drop();
  await authenticate();
  const { op, id } = await script.next();
  const details = { field: 'timestamp', rule: 'recvWindow' };
  const error = { code: 'INVALID_REQUEST', message: 'Late.', details };
  script.say({ op, id, success: false, error });
  expect(await failed).toBeInstanceOf(RequestTimeout);
  await bot.close();
  await script.stop();
});

import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { check } from '../../../../test/check.ts';
import { ApiError } from '../../http/response/errors.ts';
import type { AnySocket } from '../../stream/sockets/protocol.ts';
import type { Dialect } from '../dialect.ts';
import { OpenSockets } from '../sockets/open-sockets.ts';
import type { EventSocket } from '../sockets/socket.ts';
import { StreamSockets } from './stream-sockets.ts';

const LISTEN_KEY = 'k'.repeat(60);
const FROM = { address: '127.0.0.1', origin: null, host: null };

const BAD_LISTEN_KEY = 'b'.repeat(60);
const BANNED = '192.0.2.9';

/** @param market Stands for every symbol; by default there is none. */
function open(market?: object) {
  let time = 1000;
  const now = () => time;
  const answers: ((candles: never[]) => void)[] = [];
  const archivist = { query: () => new Promise<never[]>((resolve) => answers.push(resolve)) };
  const state = { time: 0 };
  const services = { archivist, replica: { isStale: false, exchange: { state } }, now };
  const limits = { isBanned: (scope: string) => scope === BANNED };
  const symbols = { find: () => market };
  const dialect = { services, limits, symbols } as unknown as Dialect;
  const attached = new Map<string, (event: string) => string>();
  const attach = (_: EventSocket, key: string, wrapEvent: (event: string) => string) => {
    if (key === BAD_LISTEN_KEY) throw new ApiError('UNAUTHORIZED');
    if (attached.has(key)) throw new Error('attached twice');
    attached.set(key, wrapEvent);
    return () => void attached.delete(key);
  };
  const streams = new StreamSockets(
    dialect,
    new OpenSockets(now, { add() {} }),
    { noteEvent() {} },
    attach,
  );
  const sent: string[] = [];
  const connect = (first: readonly string[], isCombined: boolean, address = FROM.address) =>
    ({
      data: streams.connection({ ...FROM, address }, { first, isCombined, inMicroseconds: false }),
      getBufferedAmount: () => 0,
      subscribe() {},
      unsubscribe() {},
      close: (code: number) => void sent.push(`closed ${code}`),
      send: (text: string) => void sent.push(text),
    }) as unknown as AnySocket;
  const wait = () => {
    time += 1000;
  };
  return { streams, attached, connect, sent, wait, answers };
}

test('a listen key is attached until its socket leaves it or closes', () => {
  const { streams, attached, connect, sent } = open();
  const socket = connect([LISTEN_KEY, 'btcusdt@trade'], false);
  streams.open(socket);
  expect([...attached.keys()]).toEqual([LISTEN_KEY]);
  expect(attached.get(LISTEN_KEY)!('{"e":1}')).toBe('{"e":1}');
  const ask = (method: string, params: unknown[]) =>
    streams.message(socket, JSON.stringify({ method, params, id: 1 }));
  ask('SET_PROPERTY', ['combined', true]);
  expect(attached.get(LISTEN_KEY)!('{"e":1}')).toBe(`{"stream":"${LISTEN_KEY}","data":{"e":1}}`);
  ask('SUBSCRIBE', [LISTEN_KEY]);
  ask('UNSUBSCRIBE', [LISTEN_KEY]);
  expect(attached.size).toBe(0);
  ask('SUBSCRIBE', [LISTEN_KEY]);
  expect(attached.size).toBe(1);
  streams.close(socket);
  expect(attached.size).toBe(0);
  expect(sent).toEqual(Array(4).fill('{"result":null,"id":1}'));
});

test('a subscription with a listen key that is not valid subscribes to nothing', () => {
  const { streams, attached, connect, sent } = open({ index: 0 });
  const socket = connect([], false);
  streams.open(socket);
  const ask = (method: string, params: unknown[]) =>
    streams.message(socket, JSON.stringify({ method, params, id: 1 }));
  ask('SUBSCRIBE', ['btcusdt@trade', LISTEN_KEY, BAD_LISTEN_KEY]);
  ask('LIST_SUBSCRIPTIONS', []);
  expect(JSON.parse(sent[0]!).error.code).toBe(2);
  expect(sent[1]).toBe('{"result":[],"id":1}');
  expect(attached.size).toBe(0);
  ask('SUBSCRIBE', ['btcusdt@trade', LISTEN_KEY, 'ethusdt@trade']);
  ask('LIST_SUBSCRIPTIONS', []);
  expect(sent[3]).toBe(`{"result":["btcusdt@trade","${LISTEN_KEY}","ethusdt@trade"],"id":1}`);
  streams.close(socket);
});

test('the socket of a banned address is closed, and subscribes to nothing', () => {
  const { streams, attached, connect, sent } = open({ index: 0 });
  const socket = connect([LISTEN_KEY], false, BANNED);
  streams.open(socket);
  expect(sent).toEqual(['closed 1008']);
  expect(attached.size).toBe(0);
  streams.close(socket);
});

const klines = (count: number, first = 0) =>
  Array.from({ length: count }, (_, index) => `s${first + index}@kline_1m`);

test('candles are read one at a time by address, and not of streams that have closed', async () => {
  const { streams, connect, answers } = open({ index: 0 });
  const [socket, other] = [
    connect(klines(500), false),
    connect(['t@kline_1m'], false, '192.0.2.1'),
  ];
  streams.open(socket);
  streams.open(other);
  await Bun.sleep(20);
  expect(answers.length).toBe(2);
  streams.message(socket, JSON.stringify({ method: 'UNSUBSCRIBE', params: klines(499), id: 1 }));
  for (let answered = 0; answered < 3; answered++) {
    for (const answer of answers.splice(0)) answer([]);
    await Bun.sleep(20);
    expect(answers.length).toBeLessThanOrEqual(1);
  }
  const { backfill } = streams as unknown as {
    backfill: { waiting: ReadonlyMap<string, unknown> };
  };
  expect([backfill.waiting.size, answers.length]).toEqual([0, 0]);
  for (const each of [socket, other]) streams.close(each);
});

test('klines have streams in UTC and in the zone +08:00 only', async () => {
  const { streams, connect, answers } = open({ index: 0 });
  for (const [zone, queries] of [
    ...([
      ['', 1],
      ['@+08:00', 1],
    ] as const),
    ...([
      ['@+00:01', 0],
      ['@+00:00', 0],
      ['@+08:15', 0],
      ['@-08:00', 0],
      ['@8', 0],
      ['@', 0],
    ] as const),
  ]) {
    const socket = connect([`s@kline_1M${zone}`], false);
    streams.open(socket);
    await Bun.sleep(20);
    expect({ zone, queries: answers.length }).toEqual({ zone, queries });
    for (const answer of answers.splice(0)) answer([]);
    streams.close(socket);
  }
});

test('the streams of an address that wait for history are bounded', () => {
  const { streams, connect, sent } = open({ index: 0 });
  const sockets = Array.from({ length: 6 }, () => connect([], false));
  for (const [index, socket] of sockets.entries()) {
    const params = klines(1000, 1000 * index);
    streams.open(socket);
    streams.message(socket, JSON.stringify({ method: 'SUBSCRIBE', params, id: 1 }));
  }
  const codes = sent.map((text) => JSON.parse(text).error?.code ?? 0);
  expect(codes).toEqual([0, 0, 0, 0, 2, 2]);
  for (const socket of sockets) streams.close(socket);
});

const METHODS = ['SUBSCRIBE', 'UNSUBSCRIBE', 'LIST_SUBSCRIPTIONS', 'SET_PROPERTY', 'GET_PROPERTY'];
const names = fc.oneof(
  fc.constantFrom('btcusdt@trade', '@', '!', '!@arr', 'combined'),
  fc.string(),
);
const requests = fc.record(
  {
    method: fc.oneof(fc.constantFrom(...METHODS), fc.jsonValue()),
    params: fc.oneof(fc.array(fc.oneof(names, fc.boolean())), fc.jsonValue()),
    id: fc.oneof(fc.integer(), fc.constant(null), fc.jsonValue()),
  },
  { requiredKeys: [] },
);
const messages = fc.oneof(
  requests.map((request) => JSON.stringify(request)),
  fc.tuple(requests, fc.nat(80)).map(([request, end]) => JSON.stringify(request).slice(0, end)),
  fc.string(),
  fc.uint8Array(),
);

test('every message gets one response, with its id if that is valid', () => {
  check(
    fc.property(fc.array(messages, { maxLength: 10 }), (list) => {
      const { streams, connect, sent, wait } = open();
      const socket = connect([], false);
      streams.open(socket);
      for (const message of list) {
        wait();
        sent.length = 0;
        streams.message(socket, message);
        expect(sent.length).toBe(1);
        const { result, error, id, ...rest } = JSON.parse(sent[0]!);
        expect(rest).toEqual({});
        if (error === undefined) {
          expect(result === null || typeof result === 'boolean' || Array.isArray(result)).toBe(
            true,
          );
          expect(id).toEqual(JSON.parse(message as string).id);
        } else {
          expect([0, 1, 2, 3]).toContain(error.code);
          expect(error.msg).toMatch(/^(Invalid (request|JSON|value type)|Unknown property)/);
        }
      }
      streams.close(socket);
    }),
    200,
  );
});

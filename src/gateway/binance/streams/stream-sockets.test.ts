import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { check } from '../../../../test/check.ts';
import type { AnySocket } from '../../stream/sockets/protocol.ts';
import type { Dialect } from '../dialect.ts';
import { OpenSockets } from '../sockets/open-sockets.ts';
import type { EventSocket } from '../sockets/socket.ts';
import { StreamSockets } from './stream-sockets.ts';

const LISTEN_KEY = 'k'.repeat(60);
const FROM = { address: '127.0.0.1', origin: null, host: null };

function open() {
  let time = 1000;
  const now = () => time;
  const services = { replica: { isStale: false }, now };
  const dialect = { services, symbols: { find: () => undefined } } as unknown as Dialect;
  const attached = new Map<string, (event: string) => string>();
  const attach = (_: EventSocket, key: string, wrapEvent: (event: string) => string) => {
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
  const connect = (first: readonly string[], isCombined: boolean) =>
    ({
      data: streams.connection(FROM, { first, isCombined, inMicroseconds: false }),
      getBufferedAmount: () => 0,
      send: (text: string) => void sent.push(text),
    }) as unknown as AnySocket;
  const wait = () => {
    time += 1000;
  };
  return { streams, attached, connect, sent, wait };
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

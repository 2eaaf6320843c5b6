import { expect, test } from 'bun:test';
import type { AnySocket } from '../../stream/sockets/protocol.ts';
import type { Dialect } from '../dialect.ts';
import { OpenSockets } from '../sockets/open-sockets.ts';
import type { EventSocket } from '../sockets/socket.ts';
import { StreamSockets } from './stream-sockets.ts';

const LISTEN_KEY = 'k'.repeat(60);
const FROM = { address: '127.0.0.1', origin: null, host: null };

function open() {
  const now = () => 1000;
  const services = { replica: { isStale: false }, now };
  const dialect = { services, symbols: { find: () => undefined } } as unknown as Dialect;
  const attached = new Map<string, (event: string) => string>();
  const attach = (_: EventSocket, key: string, wrapEvent: (event: string) => string) => {
    if (attached.has(key)) throw new Error('attached twice');
    attached.set(key, wrapEvent);
    return () => void attached.delete(key);
  };
  const streams = new StreamSockets(dialect, new OpenSockets(now), attach);
  const sent: string[] = [];
  const connect = (first: readonly string[], isCombined: boolean) =>
    ({
      data: streams.connection(FROM, first, isCombined),
      getBufferedAmount: () => 0,
      send: (text: string) => void sent.push(text),
    }) as unknown as AnySocket;
  return { streams, attached, connect, sent };
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

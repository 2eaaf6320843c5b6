import { expect, test } from 'bun:test';
import type { Socket } from '../../src/gateway/stream/sockets/socket.ts';
import { Streams } from '../../src/gateway/stream/streams.ts';
import { TestExchange } from '../http/exchange.ts';

/** The server's end of a socket, which records what each write has. */
class RecordedSocket {
  /** Messages by write: those of one `cork` leave together. */
  readonly writes: string[][] = [];
  private corked: string[] | undefined;
  readonly socket: Socket;

  constructor(streams: Streams) {
    this.socket = {
      data: streams.connection({ address: '127.0.0.1', origin: null, host: null }),
      readyState: WebSocket.OPEN,
      getBufferedAmount: () => 0,
      subscribe() {},
      unsubscribe() {},
      close() {},
      cork: (callback: (socket: Socket) => void) => {
        this.corked = [];
        callback.call(this.socket, this.socket);
        this.writes.push(this.corked);
        this.corked = undefined;
      },
      send: (text: string) => {
        if (this.corked === undefined) this.writes.push([text]);
        else this.corked.push(text);
      },
    } as unknown as Socket;
  }
}

test('the responses and events of a batch leave in one write per socket', async () => {
  const exchange = await TestExchange.open({ rateLimits: 'off' });
  const streams = new Streams(exchange.services, exchange.authorization);
  exchange.onEvents = (events) => streams.note(events);
  const open = (name: string) => {
    const headers = exchange.headers(name);
    const recorded = new RecordedSocket(streams);
    const apiKey = headers.Authorization!.slice('Bearer '.length);
    const auth = { op: 'auth', apiKey, apiSecret: headers['X-API-Secret'] };
    const send = (message: object) => streams.message(recorded.socket, JSON.stringify(message));
    send(auth);
    return { ...recorded, send, writes: recorded.writes };
  };
  const [alice, bob] = [open('alice'), open('bob')];
  for (const { send } of [alice, bob]) send({ op: 'subscribe', channel: 'orders' });
  await Bun.sleep(0);
  for (const { writes } of [alice, bob]) writes.length = 0;

  const release = await exchange.holdLog();
  const params = { symbol: 'BTC/USDT', side: 'buy', type: 'limit', amount: 0.01, price: 45_000 };
  for (let id = 0; id < 20; id++) alice.send({ op: 'order.place', id, params });
  bob.send({ op: 'order.place', id: 'b', params: { ...params, side: 'sell' } });
  // All of them wait for the log, so they are one batch.
  release();
  // Answered after the batch, or with it.
  await exchange.place('bob', params);
  expect(alice.writes).toHaveLength(1);
  for (const [{ writes }, responses] of [
    [alice, 20],
    [bob, 1],
  ] as const) {
    const messages = writes[0]!.map((text) => JSON.parse(text));
    expect(messages.filter(({ op }) => op === 'order.place')).toHaveLength(responses);
    expect(messages.filter(({ channel }) => channel === 'orders').length).toBeGreaterThan(0);
  }
  await exchange.close();
});

import { expect, test } from 'bun:test';
import type { OrderRecord, TradeEvent } from '../../../engine/event.ts';
import type { Market } from '../../../engine/markets/markets.ts';
import type { State } from '../../../engine/state.ts';
import type { EventSocket } from '../sockets/socket.ts';
import { REAL_TIME, Stream } from './stream.ts';
import { Topics } from './topics.ts';

/** A stream that sends the ids of trades. */
class Ids extends Stream {
  readonly ids: number[] = [];
  isClosed = false;

  constructor(market: number, periodMs = REAL_TIME) {
    super(`market${market}@ids`, { index: market } as Market, periodMs);
  }

  override note(event: OrderRecord | TradeEvent): void {
    this.ids.push(event.id);
  }

  take(): readonly string[] {
    return this.ids.splice(0).map((id) => `{"id":${id}}`);
  }

  override close(): void {
    this.isClosed = true;
  }
}

const socket = () => ({ subscribe() {}, unsubscribe() {} }) as unknown as EventSocket;
const trade = (market: number, id: number) => ({ kind: 'trade', market, id }) as TradeEvent;

function open(isStale = () => false) {
  let reads = 0;
  const state = () => {
    reads++;
    return { freed: [] } as unknown as State;
  };
  const events: string[] = [];
  const noteEvent = (kind: string, event: string, subscribers = 1) =>
    void events.push(`${kind} ${event.length} × ${subscribers}`);
  const topics = new Topics(state, () => performance.now(), isStale, { noteEvent });
  const published: string[] = [];
  topics.publish = (channel, message) => void published.push(`${channel} ${message}`);
  return { topics, published, events, reads: () => reads };
}

test('a message for many subscribers is built once, and published once in each form', async () => {
  const { topics, published, events } = open();
  const stream = new Ids(3);
  for (let count = 0; count < 100; count++) {
    for (const form of ['combined', 'raw', 'raw microseconds'] as const) {
      expect(topics.subscribe(socket(), stream.name, form, () => stream)).toBe(stream);
    }
  }
  topics.note([trade(3, 1)]);
  topics.note([trade(4, 2)]);
  expect(published).toEqual([]);
  await Promise.resolve();
  expect(published).toEqual([
    'binance raw market3@ids {"id":1}',
    'binance combined market3@ids {"stream":"market3@ids","data":{"id":1}}',
    'binance raw microseconds market3@ids {"id":1}',
  ]);
  expect(events).toEqual([8, 40, 8].map((bytes) => `market_data ${bytes} × 100`));
});

test('a command costs nothing without subscribers, and notes nothing of other markets', () => {
  const { topics, reads } = open();
  const [one, client] = [new Ids(1), socket()];
  topics.note([trade(1, 1)]);
  expect(reads()).toBe(0);
  topics.subscribe(client, one.name, 'raw', () => one);
  topics.note([trade(2, 2)]);
  expect(one.ids).toEqual([]);
  topics.note([trade(1, 3)]);
  expect(one.ids).toEqual([3]);
  topics.unsubscribe(client, one.name, 'raw');
  expect(one.isClosed).toBe(true);
  const before = reads();
  topics.note([trade(1, 4)]);
  expect(reads()).toBe(before);
});

test('a subscriber whose messages are wrapped from now on gets them in one form only', async () => {
  const { topics, published } = open();
  const [stream, client] = [new Ids(0), socket()];
  topics.subscribe(client, stream.name, 'raw', () => stream);
  topics.move(client, stream.name, 'raw', 'combined');
  expect(stream.isClosed).toBe(false);
  topics.note([trade(0, 1)]);
  await Promise.resolve();
  expect(published.map((text) => text.split(' ')[1])).toEqual(['combined']);
  topics.unsubscribe(client, stream.name, 'combined');
  expect(stream.isClosed).toBe(true);
});

test('periods have messages when they end, unless the node misses commands', async () => {
  let isStale = true;
  const { topics, published } = open(() => isStale);
  const [stream, client] = [new Ids(0, 100), socket()];
  topics.subscribe(client, stream.name, 'raw', () => stream);
  topics.note([trade(0, 1)]);
  topics.note([trade(0, 2)]);
  await Bun.sleep(250);
  expect(published).toEqual([]);
  isStale = false;
  await Bun.sleep(250);
  expect(published).toEqual([1, 2].map((id) => `binance raw market0@ids {"id":${id}}`));
  topics.unsubscribe(client, stream.name, 'raw');
});

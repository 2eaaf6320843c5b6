import { expect, test } from 'bun:test';
import fc from 'fast-check';
import type { ArchiveQuery } from '../../src/archivist/archive.ts';
import { type Archivist, HistoryUnavailableError } from '../../src/archivist/archivist.ts';
import { Streams } from '../../src/gateway/stream/streams.ts';
import { CHECK_TIMEOUT_MS, checkAsync } from '../check.ts';
import { TestExchange } from '../http/exchange.ts';
import { Flow } from './flow.ts';
import { makeNode } from './follower.ts';
import { UnreadSocket } from './unread-socket.ts';

/** Clients that subscribe, unsubscribe and disconnect while history is slow or unavailable. */

const PATIENCE_MS = 10_000;
const SOCKETS = 4;
const SYMBOLS = ['BTC/USDT', 'ETH/USDT'];
const TOPICS = SYMBOLS.flatMap((symbol) => [
  ...['1m', '1h'].map((interval) => ({ channel: 'candles', symbol, interval })),
  ...['prices', 'trades', 'orderbook'].map((channel) => ({ channel, symbol })),
]);
type Topic = (typeof TOPICS)[number] & { interval?: string };
type Stage = 'none' | 'subscribing' | 'live';

interface Message extends Topic {
  readonly op: string;
  readonly error?: { readonly code: string };
}

const topicKey = ({ channel, symbol, interval = '' }: Topic) => `${channel} ${symbol} ${interval}`;

/** One socket, and the stage of its subscription to each topic. */
class Subscriber {
  readonly stages = new Map<string, Stage>();
  readonly updated = new Set<string>();
  readonly faults: unknown[] = [];
  readonly socket: UnreadSocket;

  constructor(streams: Streams) {
    this.socket = new UnreadSocket(streams, (text) => this.take(JSON.parse(text)));
  }

  subscribe(topic: Topic, sequence: number | undefined): void {
    if (this.findStage(topic) !== 'none') return;
    this.stages.set(topicKey(topic), 'subscribing');
    const from = topic.channel === 'trades' ? { sequence } : {};
    this.socket.receive({ op: 'subscribe', ...topic, ...from });
  }

  unsubscribe(topic: Topic): void {
    this.stages.delete(topicKey(topic));
    this.socket.receive({ op: 'unsubscribe', ...topic });
  }

  findStage(topic: Topic): Stage {
    return this.stages.get(topicKey(topic)) ?? 'none';
  }

  private take(message: Message): void {
    const { op } = message;
    if (op === 'unsubscribed') return;
    const stage = message.channel === undefined ? 'none' : this.findStage(message);
    const isFirst = op === 'snapshot' || (op === 'update' && message.channel === 'trades');
    const isExpected =
      (stage === 'subscribing' && (isFirst || op === 'error')) ||
      (stage === 'live' && op !== 'snapshot');
    if (!isExpected) this.faults.push({ stage, message });
    this.stages.set(topicKey(message), op === 'error' ? 'none' : 'live');
    if (op === 'update') this.updated.add(topicKey(message));
  }
}

/** Responds late, or fails. */
class FailingArchivist {
  isHealthy = false;
  private pending = 0;

  constructor(
    private readonly archivist: Archivist,
    private readonly flow: Flow,
  ) {}

  async query(query: ArchiveQuery, position: number): Promise<unknown> {
    this.pending++;
    try {
      for (let turns = this.flow.below(6); turns > 0; turns--) await nextTurn();
      if (!this.isHealthy && this.flow.below(3) === 0) {
        throw new HistoryUnavailableError('PostgreSQL: Connection closed');
      }
      return await this.archivist.query(query, position);
    } finally {
      this.pending--;
    }
  }

  async close(): Promise<void> {
    while (this.pending > 0) await nextTurn();
  }
}

const one = { socket: fc.nat(SOCKETS - 1), topic: fc.nat(TOPICS.length - 1) };
const steps = fc.array(
  fc.oneof(
    {
      weight: 8,
      arbitrary: fc.record({
        kind: fc.constant('subscribe'),
        ...one,
        sequence: fc.option(fc.constant(0), { nil: undefined }),
      }),
    },
    { weight: 5, arbitrary: fc.record({ kind: fc.constant('unsubscribe'), ...one }) },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant('close'), ...one }) },
    { weight: 2, arbitrary: fc.record({ kind: fc.constant('trade'), ...one }) },
    { weight: 4, arbitrary: fc.record({ kind: fc.constant('wait'), ...one }) },
  ),
  { minLength: 20, maxLength: 120 },
);
type Step = { kind: string; socket: number; topic: number; sequence?: number | undefined };

async function run(program: readonly Step[], seed: number): Promise<void> {
  const exchange = await TestExchange.open();
  const archivist = new FailingArchivist(exchange.archivist, new Flow(seed));
  const services = { ...exchange.services, archivist: archivist as unknown as Archivist };
  const streams = new Streams(services, exchange.authorization);
  exchange.onEvents = (events) => streams.note(events);
  const { sockets } = makeNode(streams);
  const subscribers: Subscriber[] = [];
  const open = (index: number) => {
    subscribers[index] = new Subscriber(streams);
    sockets.add(subscribers[index].socket);
  };
  const close = (index: number) => {
    const { socket, faults } = subscribers[index]!;
    expect(faults).toEqual([]);
    sockets.delete(socket);
    socket.close();
  };
  for (let index = 0; index < SOCKETS; index++) open(index);
  for (const { kind, socket, topic, sequence } of program) {
    exchange.now += 100;
    const subscriber = subscribers[socket]!;
    if (kind === 'subscribe') subscriber.subscribe(TOPICS[topic]!, sequence);
    else if (kind === 'unsubscribe') subscriber.unsubscribe(TOPICS[topic]!);
    else if (kind === 'trade') await trade(exchange, TOPICS[topic]!.symbol);
    else if (kind === 'wait') await nextTurn();
    else {
      close(socket);
      open(socket);
    }
  }
  archivist.isHealthy = true;
  const isSettled = ({ stages }: Subscriber) => ![...stages.values()].includes('subscribing');
  await until(() => subscribers.every(isSettled));
  for (const { updated } of subscribers) updated.clear();
  for (const symbol of SYMBOLS) await trade(exchange, symbol);
  await until(() =>
    subscribers.every(({ stages, updated }) =>
      [...stages].every(([key, stage]) => stage === 'none' || updated.has(key)),
    ),
  );
  for (let index = 0; index < SOCKETS; index++) close(index);
  // No state is left behind.
  const { markets, backfill } = streams as unknown as {
    markets: { topics: { isEmpty: boolean; unsent: Set<unknown>; byMarket: unknown[] } };
    backfill: { waiting: Map<string, unknown> };
  };
  const { topics } = markets;
  expect([topics.isEmpty, topics.unsent.size, backfill.waiting.size]).toEqual([true, 0, 0]);
  expect(topics.byMarket.filter((each) => each !== undefined)).toEqual([]);
  await archivist.close();
  await exchange.close();
}

async function trade(exchange: TestExchange, symbol: string): Promise<void> {
  const order = {
    symbol,
    type: 'limit',
    amount: 0.1,
    price: symbol === 'BTC/USDT' ? 118_000 : 5200,
  };
  expect((await exchange.place('alice', { ...order, side: 'sell' })).status).toBe(200);
  expect((await exchange.place('bob', { ...order, side: 'buy' })).status).toBe(200);
}

/** Waits for a condition. @throws Error after PATIENCE_MS */
async function until(condition: () => boolean): Promise<void> {
  const end = performance.now() + PATIENCE_MS;
  while (!condition()) {
    if (performance.now() > end) throw new Error('a subscription got no message');
    await nextTurn();
  }
}

function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

test(
  'every subscription gets its snapshot and updates, or an error that names it',
  async () => {
    await checkAsync(fc.asyncProperty(steps, fc.nat(), run), 12);
  },
  CHECK_TIMEOUT_MS,
);

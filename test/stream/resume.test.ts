import { expect, test } from 'bun:test';
import fc from 'fast-check';
import type { ArchiveQuery } from '../../src/archivist/archive.ts';
import type { Archivist } from '../../src/archivist/archivist.ts';
import { type Command, CommandKind } from '../../src/engine/command.ts';
import { flush as sendOutgoing } from '../../src/gateway/stream/sockets/outgoing.ts';
import { Streams } from '../../src/gateway/stream/streams.ts';
import { MemoryNetwork } from '../../src/testing/memory-bus.ts';
import { CHECK_TIMEOUT_MS, runs } from '../check.ts';
import { TestExchange } from '../http/exchange.ts';
import { Flow } from './flow.ts';
import { Follower, makeNode, type Node } from './follower.ts';
import { UnreadSocket } from './unread-socket.ts';

const CHANNELS = ['orders', 'fills', 'balances', 'trades'] as const;
type Channel = (typeof CHANNELS)[number];
/** Far longer than any step takes. */
const PATIENCE_MS = 10_000;

// biome-ignore lint/suspicious/noExplicitAny: records have many types
type Item = any;

/** Keeps all records it receives; when it disconnects, it keeps the last sequence of each channel. */
class ResumingClient {
  readonly fills: Item[] = [];
  readonly trades: Item[] = [];
  readonly orders = new Map<string, Item>();
  readonly balances = new Map<string, Item>();
  readonly sequences = new Map<Channel, number>();
  readonly faults: unknown[] = [];
  /** Channels that sent a message since the last subscription to them. */
  readonly started = new Set<Channel>();
  socket: UnreadSocket | undefined;
  private removeSocket = () => {};

  constructor(
    readonly name: string,
    private readonly exchange: TestExchange,
    /** Returns the node to connect to. */
    private readonly nextNode: () => Node,
  ) {}

  connect(): UnreadSocket {
    if (this.socket !== undefined) return this.socket;
    const { streams, sockets } = this.nextNode();
    const socket = new UnreadSocket(streams, (message) => this.take(JSON.parse(message)));
    this.socket = socket;
    this.removeSocket = () => sockets.delete(socket);
    sockets.add(socket);
    const { Authorization, 'X-API-Secret': apiSecret } = this.exchange.headers(this.name);
    socket.receive({ op: 'auth', apiKey: Authorization!.slice('Bearer '.length), apiSecret });
    return socket;
  }

  subscribe(channel: Channel): void {
    const market = channel === 'trades' ? { symbol: 'BTC/USDT' } : {};
    const socket = this.connect();
    // Earlier messages, also those that leave at the end of this turn, must not count as messages of this subscription.
    sendOutgoing();
    socket.read();
    this.started.delete(channel);
    socket.receive({ op: 'unsubscribe', channel, ...market });
    socket.receive({
      op: 'subscribe',
      channel,
      ...market,
      sequence: this.sequences.get(channel),
    });
  }

  disconnect(): void {
    if (this.socket === undefined) return;
    this.removeSocket();
    this.socket.close();
    this.socket = undefined;
  }

  private take(message: Item): void {
    const { op, channel, prevSequence, sequence, data } = message;
    if (op === 'error') this.faults.push(message);
    if (op !== 'snapshot' && op !== 'update') return;
    const own = this.sequences.get(channel);
    const follows = op === 'snapshot' ? own === undefined : prevSequence === own;
    if (!follows || sequence < (own ?? 0)) this.faults.push({ own, ...message, data: {} });
    this.sequences.set(channel, sequence);
    this.started.add(channel);
    this.fills.push(...(data.fills ?? []));
    this.trades.push(...(data.trades ?? []));
    for (const order of data.orders ?? []) this.orders.set(order.orderId, order);
    for (const balance of data.balances ?? []) this.balances.set(balance.asset, balance);
  }
}

/** Responds a few batches later, as the archivist's thread does. */
class SlowArchivist {
  private pending = 0;

  constructor(
    private readonly archivist: Archivist,
    private readonly flow: Flow,
  ) {}

  async query(query: ArchiveQuery, position: number): Promise<unknown> {
    this.pending++;
    for (let turns = this.flow.below(8); turns > 0; turns--) await nextTurn();
    const result = await this.archivist.query(query, position);
    this.pending--;
    return result;
  }

  async close(): Promise<void> {
    while (this.pending > 0) await nextTurn();
  }
}

const readerIndex = { reader: fc.nat(3) };
const ofChannel = { ...readerIndex, channel: fc.constantFrom(...CHANNELS) };
const steps = fc.array(
  fc.oneof(
    { weight: 4, arbitrary: fc.record({ kind: fc.constant('trade'), count: fc.nat(30) }) },
    // More than one page of a backfill, in one batch.
    { weight: 1, arbitrary: fc.record({ kind: fc.constant('burst'), count: fc.nat(900) }) },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant('clear'), trader: fc.nat(1) }) },
    { weight: 5, arbitrary: fc.record({ kind: fc.constant('subscribe'), ...ofChannel }) },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant('unsubscribe'), ...ofChannel }) },
    { weight: 2, arbitrary: fc.record({ kind: fc.constant('disconnect'), ...readerIndex }) },
    { weight: 2, arbitrary: fc.record({ kind: fc.constant('pause'), ...readerIndex }) },
    { weight: 2, arbitrary: fc.record({ kind: fc.constant('read'), ...readerIndex }) },
    { weight: 8, arbitrary: fc.record({ kind: fc.constant('wait'), count: fc.nat(4) }) },
  ),
  { minLength: 20, maxLength: 100 },
);
type Step = { kind: string; count?: number; trader?: number; reader?: number; channel?: Channel };

async function run(program: readonly Step[], seed: number, isCluster: boolean): Promise<void> {
  const exchange = await TestExchange.open();
  const flow = new Flow(seed);
  const archivist = new SlowArchivist(exchange.archivist, flow);
  const bus = isCluster ? new MemoryNetwork().join('one') : undefined;
  const services = { ...exchange.services, bus, archivist: archivist as unknown as Archivist };
  const streams = new Streams(services, exchange.authorization);
  exchange.onEvents = (events) => streams.note(events);
  const nodes = [makeNode(streams)];
  const follower = isCluster ? new Follower(exchange, services) : undefined;
  if (follower !== undefined) nodes.push(follower.node);
  const readers = ['alice', 'bob', 'alice', 'bob'].map(
    (name) => new ResumingClient(name, exchange, () => nodes[flow.below(nodes.length)]!),
  );
  const indexOf = (name: string) => exchange.state.accountsById.get(name)!.index;
  const accounts = [indexOf('alice'), indexOf('bob')];
  const near = () => flow.near(accounts[flow.below(2)]!);
  const submit = (commands: readonly Command[]) => {
    for (const command of commands) exchange.replica.submit(command, () => {});
  };
  try {
    for (const reader of readers) for (const channel of CHANNELS) reader.subscribe(channel);
    // New subscriptions take turns: they do not get what happens before their first message.
    while (readers.some(({ started }) => started.size < CHANNELS.length)) await nextTurn();
    for (const { kind, count = 0, trader = 0, reader = 0, channel = 'orders' } of program) {
      exchange.now += 500;
      const one = readers[reader]!;
      if (kind === 'trade' || kind === 'burst') submit(Array.from({ length: count }, near));
      else if (kind === 'clear') submit([flow.clear(accounts[trader]!)]);
      else if (kind === 'subscribe') one.subscribe(channel);
      else if (kind === 'unsubscribe') {
        const market = channel === 'trades' ? { symbol: 'BTC/USDT' } : {};
        one.socket?.receive({ op: 'unsubscribe', channel, ...market });
      } else if (kind === 'disconnect') one.disconnect();
      else if (kind === 'pause') one.socket?.pause();
      else if (kind === 'read') one.socket?.read();
      else for (let turn = 0; turn <= count; turn++) await nextTurn();
      if (kind === 'wait' && count === 0) follower?.apply(flow.below(4));
    }
    await exchange.replica.execute({ kind: CommandKind.tick });
    // All resume while the follower still lags.
    const catching = setTimeout(() => follower?.apply(Infinity), 5);
    await check(exchange, readers);
    clearTimeout(catching);
  } finally {
    for (const { sockets } of nodes) for (const socket of sockets) socket.close();
    await archivist.close();
    await exchange.close();
  }
}

/** Resumes every subscription and compares what the clients have with REST. */
async function check(exchange: TestExchange, readers: readonly ResumingClient[]): Promise<void> {
  const page = 'sort=asc&limit=1000';
  const trades = await all(exchange, 'alice', `/api/trades?symbol=BTC/USDT&${page}`, 'trades');
  for (const name of ['alice', 'bob']) {
    const fills = await all(exchange, name, `/api/fills?${page}`, 'fills');
    const orders = await all(exchange, name, `/api/orders?${page}`, 'orders');
    const { balances } = (await exchange.send(name, 'GET', '/api/portfolio/balances')).data;
    for (const reader of readers.filter((one) => one.name === name)) {
      for (const channel of CHANNELS) reader.subscribe(channel);
      const until = performance.now() + PATIENCE_MS;
      const isCaughtUp = () =>
        reader.started.size === CHANNELS.length &&
        reader.fills.length >= fills.length &&
        reader.trades.length >= trades.length &&
        orders.every(({ orderId, status }) => reader.orders.get(orderId)?.status === status);
      while (!isCaughtUp() && performance.now() < until) await nextTurn();
      expect(reader.faults).toEqual([]);
      expect(reader.fills).toEqual(fills);
      expect(reader.trades).toEqual(trades);
      expect(Object.fromEntries(reader.orders)).toEqual(
        Object.fromEntries(orders.map((order) => [order.orderId, order])),
      );
      expect([...reader.balances.values()]).toEqual(balances);
    }
  }
}

/** Returns all records of a paged list. */
async function all(exchange: TestExchange, name: string, path: string, field: string) {
  const items: Item[] = [];
  for (let cursor = ''; ; ) {
    const { data } = await exchange.send(name, 'GET', path + cursor);
    items.push(...data[field]);
    if (data.nextCursor === null) return items;
    cursor = `&cursor=${data.nextCursor}`;
  }
}

function nextTurn(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve);
  });
}

test.each([
  ['one node', false, 16],
  ['two nodes, one of them lagging', true, 10],
])(
  'with %s no record is missed or sent twice across disconnects, pauses and resubscriptions',
  async (_, isCluster, times) => {
    await fc.assert(
      fc.asyncProperty(steps, fc.nat(1e6), (program, seed) => run(program, seed, isCluster)),
      // A failing program waits for a timeout, so shrinking would take minutes.
      { numRuns: runs(times), endOnFailure: true },
    );
  },
  CHECK_TIMEOUT_MS,
);

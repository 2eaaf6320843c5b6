import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { Level3Book } from '../../src/client/index.ts';
import { type Command, CommandKind } from '../../src/engine/command.ts';
import { Exchange } from '../../src/engine/exchange.ts';
import type { Market } from '../../src/engine/markets/markets.ts';
import { formatUnits } from '../../src/engine/numbers/units.ts';
import { NONE, Side } from '../../src/engine/terms.ts';
import { bestOrders } from '../../src/gateway/orders/book-orders.ts';
import { PublicOrderIds } from '../../src/gateway/orders/public-order-ids.ts';
import type { Services } from '../../src/gateway/services.ts';
import { OrderChanges } from '../../src/gateway/stream/public-channels/order-changes.ts';
import { OrderReader } from '../../src/gateway/stream/public-channels/order-reader.ts';
import { Outbox } from '../../src/gateway/stream/public-channels/outbox.ts';
import { Topic } from '../../src/gateway/stream/public-channels/topic.ts';
import { Topics } from '../../src/gateway/stream/public-channels/topics.ts';
import type { SocketTopic } from '../../src/gateway/stream/sockets/socket.ts';
import { GENESIS_COMMANDS, limitOrder } from '../../src/testing/test-exchange.ts';
import { CHECK_TIMEOUT_MS, check } from '../check.ts';
import { play, scenario } from '../reference/scenario.ts';
import { type Entry as AnyEntry, entries, readLevel3 } from './book-entries.ts';

type Entry = AnyEntry<string>;

const PART_ORDERS = 3;
const MAX_CHANGED = 12;
const IDS = new PublicOrderIds(Buffer.alloc(16, 9));

/** A slow reader of one market's orders, and the book that it has built. */
class SlowReader {
  private reader: OrderReader;
  book = new Level3Book<string>();

  constructor(private readonly world: World) {
    this.reader = new OrderReader(world.changes, false, PART_ORDERS);
  }

  read(): void {
    this.world.changes.take();
    const message = this.reader.next();
    if (message === undefined) return;
    this.book.apply(readLevel3(message.kind, message.body));
    this.world.expectPrefix(this.book);
  }

  catchUp(): void {
    this.world.changes.take();
    while (!this.reader.isCaughtUp) this.read();
    expect(this.book.isComplete).toBe(true);
    this.world.expectWhole(this.book);
  }

  close(): void {
    this.reader.close();
  }
}

/** One market's orders: as the channel publishes them, and their changes for slow readers. */
class World {
  readonly exchange = new Exchange();
  changes!: OrderChanges;
  private live: Topics | undefined;
  private slow: Topics | undefined;
  private readonly book = new Level3Book<string>();

  get market(): Market | undefined {
    return this.exchange.state.markets[0];
  }

  /** Starts both once the market is listed. */
  start(): void {
    const live = this.topic((text) => this.book.apply(readLevel3('update', readBody(text))));
    const slow = this.topic(() => {});
    this.changes = new OrderChanges(this.exchange.state, this.market!, IDS, MAX_CHANGED);
    (slow.topic as { orders: OrderChanges }).orders = this.changes;
    this.live = live.topics;
    this.slow = slow.topics;
    this.book.apply(readLevel3('snapshot', live.topic.newReader(false).next()!.body));
  }

  private topic(publish: (text: string) => void): { topics: Topics; topic: SocketTopic } {
    const topics = new Topics(
      () => 0,
      () => {},
    );
    const services = { replica: { exchange: this.exchange }, publicOrderIds: IDS, now: () => 0 };
    const outbox = new Outbox(publish, topics.unsent);
    const events = {
      onFailure: (error: unknown) => {
        throw error;
      },
      resendBook: () => {
        throw new Error('there are not so many orders');
      },
    };
    const terms = {
      channel: 'level3',
      market: this.market!,
      interval: undefined,
      everyMs: undefined,
    } as const;
    const topic: SocketTopic = new Topic(
      'level3',
      terms,
      services as unknown as Services,
      outbox,
      events,
    );
    topics.add(topic, this.exchange.state);
    return { topics, topic };
  }

  note(): void {
    const { events, state } = this.exchange;
    this.live!.note(events, state);
    this.slow!.note(events, state);
  }

  publish(): void {
    this.live!.update();
    this.live!.flush();
    this.expectWhole(this.book);
  }

  expectWhole(book: Level3Book<string>): void {
    const { bids, asks } = this.all();
    expect(entries(book.bids)).toEqual(bids);
    expect(entries(book.asks)).toEqual(asks);
    expect(book.sequence).toBe(this.market!.bookSequence);
    expect(sumByPrice(bids)).toEqual(this.levels(Side.buy));
    expect(sumByPrice(asks)).toEqual(this.levels(Side.sell));
    expectPositions(book, 'buy', bids);
    expectPositions(book, 'sell', asks);
  }

  /** Expects the best orders of the book, as many as the reader has. */
  expectPrefix(book: Level3Book<string>): void {
    const { bids, asks } = this.all();
    const [shownBids, shownAsks] = [entries(book.bids), entries(book.asks)];
    expect(shownBids).toEqual(bids.slice(0, shownBids.length));
    expect(shownAsks).toEqual(asks.slice(0, shownAsks.length));
  }

  private all() {
    return { bids: this.side(Side.buy), asks: this.side(Side.sell) };
  }

  private side(side: Side): Entry[] {
    const { details, orders } = this.exchange.state;
    const { rules } = this.market!;
    return bestOrders(this.market!, side, Infinity).map((slot) => [
      IDS.texts([details.id(slot)])[0]!,
      formatUnits(orders.price(slot), rules.priceDecimals),
      formatUnits(orders.remaining(slot), rules.amountDecimals),
    ]);
  }

  /** The book by price, as GET /api/orderbook has it. */
  private levels(side: Side): [string, bigint][] {
    const { book, rules } = this.market!;
    const found: [string, bigint][] = [];
    for (let level = book.bestLevel(side); level !== NONE; level = book.nextLevel(level)) {
      const price = formatUnits(book.levelPrice(level), rules.priceDecimals);
      found.push([price, units(formatUnits(book.levelTotal(level), rules.amountDecimals))]);
    }
    return found;
  }
}

function readBody(text: string): string {
  return text.slice(text.indexOf('"prevSequence"'), -1);
}

/** Expects the place of every order in the queue. */
function expectPositions(
  book: Level3Book<string>,
  side: 'buy' | 'sell',
  all: readonly Entry[],
): void {
  for (const [index, [id, price, amount]] of all.entries()) {
    const ahead = all.slice(0, index).filter(([, other]) => other === price);
    const position = book.position(id)!;
    expect(position).toEqual({ ...position, side, price, amount, ordersAhead: ahead.length });
    const total = ahead.reduce((sum, [, , each]) => sum + units(each), 0n);
    expect(units(position.amountAhead)).toBe(total);
  }
}

function sumByPrice(entries: readonly Entry[]): [string, bigint][] {
  const sums = new Map<string, bigint>();
  for (const [, price, amount] of entries) {
    sums.set(price, (sums.get(price) ?? 0n) + units(amount));
  }
  return [...sums];
}

/** Returns an amount in units of 10^-18. */
function units(amount: string): bigint {
  const [whole, fraction = ''] = amount.split('.');
  return BigInt(whole + fraction.padEnd(18, '0'));
}

const action = fc.constantFrom('nothing', 'nothing', 'publish', 'read', 'read', 'restart');

test(
  'a book rebuilt from level3 equals the order book at every message, also for slow readers',
  () => {
    let restarts = 0;
    const property = fc.property(
      scenario(150),
      fc.array(fc.tuple(action, fc.nat(2)), { minLength: 40, maxLength: 40 }),
      (life, actions) => {
        const world = new World();
        const readers: SlowReader[] = [];
        let at = 0;
        for (const { command, time } of play(life)) {
          world.exchange.apply(command, time);
          if (readers.length === 0) {
            if (world.market === undefined) continue;
            world.start();
            for (let count = 0; count < 3; count++) readers.push(new SlowReader(world));
            continue;
          }
          world.note();
          const [what, who] = actions[at++ % actions.length]!;
          if (what === 'publish') world.publish();
          else if (what === 'read') readers[who]!.read();
          else if (what === 'restart') {
            readers[who]!.close();
            readers[who] = new SlowReader(world);
            restarts++;
          }
        }
        if (world.market === undefined) return;
        world.publish();
        for (const reader of readers) reader.catchUp();
      },
    );
    check(property, 200);
    expect(restarts).toBeGreaterThan(10);
  },
  CHECK_TIMEOUT_MS,
);

const deepStep = fc.record({
  kind: fc.constantFrom(
    'place',
    'place',
    'place',
    'reduce',
    'raise',
    'cancel',
    'take',
    'publish',
    'read',
    'read',
  ),
  index: fc.nat(1000),
});

/** Returns a command of account 1 or 2 on a book of two prices; undefined if there is no order for it. */
function deepCommand({ state }: Exchange, kind: string, index: number): Command | undefined {
  const account = 1 + (index % 2);
  const price = 11_000_000 + (index % 3 === 0 ? 1 : 0);
  if (kind === 'place') return limitOrder(account, Side.buy, price, 10_000 + index);
  if (kind === 'take') return limitOrder(2, Side.sell, 11_000_000, 1 + index * 20);
  const orders = state.accountOpenOrders(state.accounts[account]!);
  const order = orders[index % Math.max(orders.length, 1)];
  if (order === undefined) return undefined;
  const actor = { account, key: NONE, orderId: order.id };
  if (kind === 'cancel') return { kind: CommandKind.cancelOrder, ...actor };
  const amount = kind === 'reduce' ? order.amount - 1 : order.amount + 1;
  return { kind: CommandKind.amendOrder, ...actor, price: 0, triggerPrice: 0, amount };
}

test(
  'slow readers keep the order of long levels that change while they read them in parts',
  () => {
    const property = fc.property(
      fc.array(deepStep, { minLength: 60, maxLength: 200, size: 'max' }),
      (steps) => {
        const world = new World();
        for (const command of GENESIS_COMMANDS) world.exchange.apply(command, 1);
        world.start();
        const apply = (command: Command) => {
          world.exchange.apply(command, 1);
          world.note();
        };
        for (let index = 0; index < 30; index++)
          apply(limitOrder(1 + (index % 2), Side.buy, 11_000_000, 10_000));
        const readers = [0, 1, 2].map(() => new SlowReader(world));
        for (const { kind, index } of steps) {
          if (kind === 'publish') world.publish();
          else if (kind === 'read') readers[index % 3]!.read();
          else {
            const command = deepCommand(world.exchange, kind, index);
            if (command !== undefined) apply(command);
          }
        }
        world.publish();
        for (const reader of readers) reader.catchUp();
      },
    );
    check(property, 80);
  },
  CHECK_TIMEOUT_MS,
);

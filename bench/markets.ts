/**
 * npm run bench:markets [-- --markets N] [--orders N] [--slices N]
 *
 * Measures the cost of a command in the engine and the streams with 1 and with N subscribed markets. Every
 * market has subscribers to all of its twenty topics. Three exchanges take turns in one run, one slice of orders each:
 * one market; N markets with all orders in one of them (`ratio`); N markets with the orders spread over all of them
 * (`spreadRatio`: their books and topics are less often in the processor's caches). The sockets are stand-ins that
 * discard messages, so that only the exchange's own work is measured. The ratios are medians of the ratios of slices
 * next to each other; `ratioFrom` and `ratioTo` are their quartiles. Then an account cancels 2,000 orders at once, with
 * 20 topics and with 20 N. Times are of the processor. Prints one JSON line.
 */

import { parseArgs } from 'node:util';
import { INTERVALS } from '../src/config/intervals.ts';
import { type Command, CommandKind } from '../src/engine/command.ts';
import { Exchange } from '../src/engine/exchange.ts';
import { NONE, OrderType, SelfTradePrevention, Side, TimeInForce } from '../src/engine/terms.ts';
import type { Authorization } from '../src/gateway/auth/authorization.ts';
import { PublicOrderIds, type Services } from '../src/gateway/services.ts';
import type { Socket } from '../src/gateway/stream/sockets/socket.ts';
import { Streams } from '../src/gateway/stream/streams.ts';
import type { Candle } from '../src/history/history.ts';
import { MarketStatisticsBoard } from '../src/replica/market-statistics.ts';
import { genesis, START, Traders } from './engine/mix.ts';

const { values } = parseArgs({
  options: {
    markets: { type: 'string', default: '500' },
    orders: { type: 'string', default: '60000' },
    slices: { type: 'string', default: '60' },
  },
});
const markets = Number(values.markets);
const orders = Number(values.orders);
const slices = Number(values.slices);
const ACCOUNTS = 20;
/** The account after the trading ones. */
const BULK_ACCOUNT = ACCOUNTS;
const BULK_ORDERS = 2000;
const CANCELS = 21;
const OPEN_ORDERS = 4000;
/** Commands per turn of the event loop, after which the messages are sent. */
const TURN = 1;
const SUBSCRIPTIONS_PER_SOCKET = 200;
const MESSAGES_PER_SECOND = 50;

class BenchExchange {
  private readonly exchange = new Exchange();
  private readonly statistics = new MarketStatisticsBoard();
  private readonly streams: Streams;
  private readonly sockets: Socket[] = [];
  private now = START;
  published = 0;

  constructor(opening: readonly Command[]) {
    const candle = { start: START, open: 1, high: 1, low: 1, close: 1 };
    const volumes = { baseVolume: 1, quoteVolume: 1, takerBuyVolume: 1, takerBuyQuoteVolume: 1 };
    const trades = { trades: 1, firstTradeId: 1, lastTradeId: 1, lastAmount: 1 };
    const candles: Candle[] = [{ ...candle, ...volumes, ...trades }];
    const services = {
      replica: { exchange: this.exchange, position: 0 },
      statistics: this.statistics,
      publicOrderIds: new PublicOrderIds(new Uint8Array(16)),
      archivist: { query: async () => candles },
      now: () => this.now,
    } as unknown as Services;
    const refuse = () => {
      throw new Error('private streams are not measured');
    };
    this.streams = new Streams(services, {
      authorizeStream: refuse,
      authorizeStreamBySession: refuse,
    } as unknown as Authorization);
    this.streams.publish = () => this.published++;
    for (const command of opening) this.apply(command);
  }

  /** Subscribes to every topic of every market. @returns The number of topics. */
  async subscribe(): Promise<number> {
    let count = 0;
    for (const { symbol } of this.exchange.state.markets) {
      for (const channel of ['orderbook', 'level3', 'prices', 'trades']) {
        await this.ask(count++, { channel, symbol });
      }
      for (const interval of INTERVALS) {
        await this.ask(count++, { channel: 'candles', symbol, interval });
      }
    }
    await turns(10);
    return count;
  }

  private async ask(index: number, topic: object): Promise<void> {
    if (index % SUBSCRIPTIONS_PER_SOCKET === 0) this.sockets.push(this.open());
    if (index % MESSAGES_PER_SECOND === 0) {
      this.now += 1000;
      await turns(1);
    }
    this.streams.message(this.sockets.at(-1)!, JSON.stringify({ op: 'subscribe', ...topic }));
  }

  private open(): Socket {
    const from = { address: '127.0.0.1', origin: null, host: null };
    const socket = {
      data: this.streams.connection(from),
      send: (text: string) => {
        if (text.startsWith('{"op":"error"')) throw new Error(text);
      },
      subscribe: () => {},
      unsubscribe: () => {},
      getBufferedAmount: () => 0,
    } as unknown as Socket;
    this.streams.readers.open(socket);
    return socket;
  }

  private apply(command: Command): void {
    const outcome = this.exchange.apply(command, this.now);
    if (outcome.kind === 'rejected') throw new Error(`a command was rejected: ${outcome.code}`);
    this.statistics.note(this.exchange.events);
    this.streams.note(this.exchange.events);
  }

  /** Applies commands, each as a separate batch. @returns Processor time, milliseconds. */
  async run(commands: readonly Command[]): Promise<number> {
    const start = cpuMs();
    for (let index = 0; index < commands.length; index++) {
      this.apply(commands[index]!);
      // A microtask builds the updates of a batch.
      await undefined;
      if (index % TURN === TURN - 1) await turns(1);
    }
    return cpuMs() - start;
  }

  /** Places orders of an account, then cancels all of them. @returns Milliseconds of the cancels. */
  async cancelAll(): Promise<number> {
    await this.run(Array.from({ length: BULK_ORDERS }, (_, index) => restingOrder(index)));
    await turns(10);
    const account = this.exchange.state.accounts[BULK_ACCOUNT]!;
    const actor = { account: BULK_ACCOUNT, key: NONE };
    const terms = { market: NONE, orderIds: null, clientOrderId: null };
    const start = cpuMs();
    this.apply({ kind: CommandKind.cancelOrders, ...actor, ...terms });
    await undefined;
    // Continue with the orders left for later commands.
    while (account.openOrders > 0) {
      this.now++;
      this.apply({ kind: CommandKind.tick });
      await undefined;
    }
    return cpuMs() - start;
  }

  close(): void {
    for (const socket of this.sockets) this.streams.close(socket);
  }
}

/** Returns bids and asks that rest far from the traded prices. */
function restingOrder(index: number): Command {
  const away = 100_000 + (index >> 1);
  const side = index % 2 === 0 ? Side.buy : Side.sell;
  return {
    kind: CommandKind.placeOrder,
    account: BULK_ACCOUNT,
    key: NONE,
    market: 0,
    side,
    type: OrderType.limit,
    timeInForce: TimeInForce.gtc,
    postOnly: false,
    selfTradePrevention: SelfTradePrevention.expireMaker,
    cost: 0,
    expiresAt: 0,
    price: 11_800_000 + (side === Side.buy ? -away : away),
    amount: 10_000,
    clientOrderId: null,
  };
}

/** Commands of traders on a number of markets: first those that fill the books, then those to measure. */
function flow(count: number): { filling: Command[]; measured: Command[] } {
  const traders = new Traders({ accounts: ACCOUNTS, markets: count, openOrders: OPEN_ORDERS });
  const filling = traders.opening().slice(genesis(ACCOUNTS, count).length);
  return { filling, measured: traders.next(orders) };
}

async function turns(count: number): Promise<void> {
  for (let turn = 0; turn < count; turn++) await new Promise((resolve) => setImmediate(resolve));
}

/** Processor time of this process: other work on the machine counts little. */
function cpuMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

function quantile(numbers: readonly number[], share: number): number {
  return numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length * share)]!;
}

function round(value: number): number {
  return Math.round(value * 1000) / 1000;
}

const inOne = flow(1);
const overAll = flow(markets);
const cases = [
  { measured: inOne.measured, exchange: open(1, inOne.filling) },
  { measured: inOne.measured, exchange: open(markets, inOne.filling) },
  { measured: overAll.measured, exchange: open(markets, overAll.filling) },
];
const [one, many] = [cases[0]!.exchange, cases[1]!.exchange];
const topics: number[] = [];
for (const { exchange } of cases) topics.push(await exchange.subscribe());

const length = Math.floor(orders / slices);
const times: number[][] = cases.map(() => []);
for (let slice = 0; slice < slices; slice++) {
  // Each exchange goes first equally often.
  for (let turn = 0; turn < cases.length; turn++) {
    const index = (slice + turn) % cases.length;
    const { measured, exchange } = cases[index]!;
    const commands = measured.slice(slice * length, (slice + 1) * length);
    times[index]!.push((await exchange.run(commands)) / length);
  }
}
const cancels: [one: number[], many: number[]] = [[], []];
for (let round = 0; round < CANCELS; round++) {
  cancels[0].push(await one.cancelAll());
  cancels[1].push(await many.cancelAll());
}
if (one.published === 0 || many.published < one.published / 2) throw new Error('too few updates');
// The first slices include compilation.
const [oneMs, manyMs, spreadMs] = times.map((all) => quantile(all.slice(slices >> 2), 0.5));
/** Ratios of the slices of a case to those of one market, without the first ones. */
const ratios = (index: number) =>
  times[index]!.map((ms, slice) => ms / times[0]![slice]!).slice(slices >> 2);
const [cancelOneMs, cancelManyMs] = cancels.map((all) => quantile(all.slice(1), 0.5));
console.log(
  JSON.stringify({
    markets,
    topics: topics[1],
    oneMarketUs: round(oneMs! * 1000),
    manyMarketsUs: round(manyMs! * 1000),
    ratio: round(quantile(ratios(1), 0.5)),
    ratioFrom: round(quantile(ratios(1), 0.25)),
    ratioTo: round(quantile(ratios(1), 0.75)),
    spreadUs: round(spreadMs! * 1000),
    spreadRatio: round(quantile(ratios(2), 0.5)),
    cancelAllOneMarketMs: round(cancelOneMs!),
    cancelAllManyMarketsMs: round(cancelManyMs!),
    cancelAllRatio: round(cancelManyMs! / cancelOneMs!),
    orders,
  }),
);
for (const { exchange } of cases) exchange.close();

function open(count: number, filling: readonly Command[]): BenchExchange {
  return new BenchExchange([...genesis(ACCOUNTS + 1, count), ...filling]);
}

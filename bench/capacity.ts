/**
 * npm run bench:capacity [-- --hours N] [--accounts N] [--rate N]
 *
 * Measures the memory of client order ids: orders with ids at 20,000 per second of engine time, which passes as fast
 * as the machine applies them. The default is long enough for every account to drop ids; `--hours 24` covers a
 * whole day and takes about an hour. Every order of an account that has dropped ids states that history was searched,
 * as the gateway's orders do. Prints one JSON line.
 */
import { heapStats } from 'bun:jsc';
import { parseArgs } from 'node:util';
import { CommandKind, type PlaceOrder } from '../src/engine/command.ts';
import { Exchange } from '../src/engine/exchange.ts';
import { MAX_REMEMBERED } from '../src/engine/limits.ts';
import { writeSnapshot } from '../src/engine/snapshot/snapshot.ts';
import { OrderType, SelfTradePrevention, Side, TimeInForce } from '../src/engine/terms.ts';
import { genesis, START } from './engine/mix.ts';

const { values } = parseArgs({
  options: {
    hours: { type: 'string', default: '0.2' },
    accounts: { type: 'string', default: '1000' },
    rate: { type: 'string', default: '20000' },
  },
});
const ACCOUNTS = Number(values.accounts);
const RATE = Number(values.rate);
const ORDERS = Math.round(Number(values.hours) * 3600 * RATE);
/** One order in this many stays open, up to a maximum number at a time. */
const REST_EVERY = 51;
const MAX_OPEN = 50_000;
const IDS_OF_SMALL_ACCOUNTS = 10;
const LARGE = 100_000;

interface Measured {
  readonly ids: number;
  readonly bytesPerId: number;
  readonly ordersPerSecond: number;
  readonly exchange: Exchange;
}

/** Places orders of accounts in turn, and measures the memory that their ids take. */
async function place(accounts: number, orders: number): Promise<Measured> {
  const exchange = new Exchange();
  for (const command of genesis(accounts, 1)) exchange.apply(command, START);
  const before = await usedBytes();
  const open: number[] = [];
  const startedAt = performance.now();
  for (let n = 0; n < orders; n++) {
    const time = START + Math.floor((n * 1000) / RATE);
    const account = n % accounts;
    const rests = n % REST_EVERY === 0;
    const outcome = exchange.apply(makeOrder(exchange, account, n, rests), time);
    if (outcome.kind !== 'order')
      throw new Error(`unexpected outcome of order ${n}: ${outcome.kind}`);
    if (!rests) continue;
    open.push(n, outcome.order.id);
    if (open.length <= 2 * MAX_OPEN) continue;
    const [owner, orderId] = open.splice(0, 2) as [number, number];
    const actor = { account: owner % accounts, key: owner % accounts };
    exchange.apply({ kind: CommandKind.cancelOrder, ...actor, orderId }, time);
  }
  const seconds = (performance.now() - startedAt) / 1000;
  for (let at = 0; at < open.length; at += 2) {
    const actor = { account: open[at]! % accounts, key: open[at]! % accounts };
    const time = exchange.state.time;
    exchange.apply({ kind: CommandKind.cancelOrder, ...actor, orderId: open[at + 1]! }, time);
  }
  const ids = exchange.state.clientOrderIds.size;
  const bytesPerId = Math.round((((await usedBytes()) - before) / ids) * 10) / 10;
  return { ids, bytesPerId, ordersPerSecond: Math.round(orders / seconds), exchange };
}

function makeOrder(exchange: Exchange, account: number, n: number, rests: boolean): PlaceOrder {
  const { state } = exchange;
  const isDropped = state.clientOrderIds.needsHistory(state.accounts[account]!);
  return {
    kind: CommandKind.placeOrder,
    account,
    key: account,
    market: 0,
    side: Side.buy,
    type: OrderType.limit,
    timeInForce: rests ? TimeInForce.gtc : TimeInForce.ioc,
    postOnly: false,
    selfTradePrevention: SelfTradePrevention.expireMaker,
    price: 11_000_000 - (n % 1000),
    amount: 10_000,
    cost: 0,
    expiresAt: 0,
    // As long as the ids that CCXT generates.
    clientOrderId: `7b1f8c52-${n.toString(16).padStart(23, '0')}`,
    ...(isDropped ? { searchedBelow: state.nextOrderId } : {}),
  };
}

async function usedBytes(): Promise<number> {
  // The second collection frees objects whose finalizers ran after the first.
  Bun.gc(true);
  await Bun.sleep(500);
  Bun.gc(true);
  // Typed arrays included.
  return heapStats().heapSize;
}

const all = await place(ACCOUNTS, ORDERS);
// The allocator returns freed pages to the system with a delay.
await Bun.sleep(5_000);
const residentBytes = process.memoryUsage.rss();
const snapshotBytes = writeSnapshot(all.exchange).length;
const one = await place(1, 3 * MAX_REMEMBERED.clientOrderIds);
const small = await place(LARGE, LARGE * IDS_OF_SMALL_ACCOUNTS);
console.log(
  JSON.stringify({
    hours: Number(values.hours),
    accounts: ACCOUNTS,
    orders: ORDERS,
    ordersPerSecond: all.ordersPerSecond,
    idsRemembered: all.ids,
    bytesPerId: all.bytesPerId,
    residentBytes,
    snapshotBytes,
    oneAccount: { ids: one.ids, bytesPerId: one.bytesPerId },
    accountsOfTenIds: {
      accounts: LARGE,
      bytesPerAccount: Math.round(small.bytesPerId * IDS_OF_SMALL_ACCOUNTS),
    },
    // Extrapolated: memory if every account remembers the maximum number of ids.
    fullAccounts: {
      accounts: LARGE,
      bytes: Math.round(all.bytesPerId * MAX_REMEMBERED.clientOrderIds * LARGE),
    },
  }),
);

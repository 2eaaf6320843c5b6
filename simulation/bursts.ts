import { type Command, CommandKind, type PlaceOrder } from '../src/engine/command.ts';
import {
  MarketStatus,
  NONE,
  OrderType,
  SelfTradePrevention,
  Side,
  TimeInForce,
} from '../src/engine/terms.ts';
import type { NaiveMarket, NaiveState } from '../test/reference/naive-state.ts';
import { inBase, readPrice, worth } from '../test/reference/naive-values.ts';
import { USUAL_STEPS } from '../test/reference/scenario-parts.ts';
import { below, type Random } from './random.ts';

// Commands that belong together. Single random moves seldom produce what these cause.

/** The number of orders of a burst: several portions of `SMALL_PORTION`. */
const ORDERS = 6;
/** Time after which orders expire: enough for all of them to be placed. */
const EXPIRES_IN_MS = 60;

const BURSTS = [expireTogether, disconnect, trade];

/** Returns the commands of a burst, of one kind after the other; none if no account can pay for them. */
export function makeBurst(
  count: number,
  state: NaiveState,
  time: number,
  random: Random,
): Command[] {
  const open = state.markets.filter(({ status }) => status === MarketStatus.online);
  const market = open[below(Math.max(1, open.length), random)];
  if (market === undefined) return [];
  return BURSTS[count % BURSTS.length]!(state, market, time);
}

/** Orders that rest until all of them expire at the same time. */
function expireTogether(state: NaiveState, market: NaiveMarket, time: number): Command[] {
  const order = restingOrder(state, market);
  if (order === undefined) return [];
  const expiresAt = time + EXPIRES_IN_MS;
  return Array.from({ length: ORDERS }, () => ({
    ...order,
    timeInForce: TimeInForce.gtd,
    expiresAt,
  }));
}

/** A connection with orders that ends. If another one is opened at the same time, its orders are rejected. */
function disconnect(state: NaiveState, market: NaiveMarket): Command[] {
  const order = restingOrder(state, market);
  if (order === undefined) return [];
  const { account, key } = order;
  const connection = state.nextConnectionId;
  const placing = { kind: CommandKind.placeOnConnection, connection, command: order } as const;
  return [
    { kind: CommandKind.openConnection, account, key, node: 'burst' },
    ...Array.from({ length: ORDERS }, () => placing),
    { kind: CommandKind.closeConnection, connection },
  ];
}

/** Orders of two accounts that trade with each other, or with better ones in the book. */
function trade(state: NaiveState, market: NaiveMarket): Command[] {
  const price = readPrice(market);
  const seller = findPayer(state, market, Side.sell, price);
  const buyer = findPayer(state, market, Side.buy, price, seller);
  if (seller === undefined || buyer === undefined) return [];
  const sell = limitOrder(market, seller, Side.sell, price);
  const buy = { ...limitOrder(market, buyer, Side.buy, price), timeInForce: TimeInForce.ioc };
  return Array.from({ length: ORDERS }, (_, index) => (index % 2 === 0 ? sell : buy));
}

/** Returns an order at the end of the book, of an account that can pay for a burst of them. */
function restingOrder(state: NaiveState, market: NaiveMarket): PlaceOrder | undefined {
  const { minPrice, maxPrice } = market.rules;
  const seller = findPayer(state, market, Side.sell, maxPrice);
  if (seller !== undefined) return limitOrder(market, seller, Side.sell, maxPrice);
  const buyer = findPayer(state, market, Side.buy, minPrice);
  return buyer === undefined ? undefined : limitOrder(market, buyer, Side.buy, minPrice);
}

/** Returns an account, other than `excluded`, that can pay for a burst of orders. */
function findPayer(
  state: NaiveState,
  market: NaiveMarket,
  side: Side,
  price: number,
  excluded?: number,
): number | undefined {
  const amount = ORDERS * usualAmount(market);
  const isSell = side === Side.sell;
  const required = isSell ? inBase(market, amount) : worth(market, price, amount);
  const asset = isSell ? market.base.index : market.quote.index;
  return state.accounts.find(
    ({ index, frozen }) =>
      index > 0 && index !== excluded && !frozen && state.available(index, asset) >= required,
  )?.index;
}

function usualAmount({ rules: { step, minAmount, maxAmount } }: NaiveMarket): number {
  return Math.min(Math.max(step * USUAL_STEPS, minAmount), maxAmount);
}

function limitOrder(market: NaiveMarket, account: number, side: Side, price: number): PlaceOrder {
  return {
    kind: CommandKind.placeOrder,
    account,
    key: NONE,
    market: market.index,
    side,
    type: OrderType.limit,
    timeInForce: TimeInForce.gtc,
    postOnly: false,
    selfTradePrevention: SelfTradePrevention.expireMaker,
    price,
    amount: usualAmount(market),
    cost: 0,
    expiresAt: 0,
    clientOrderId: null,
  };
}

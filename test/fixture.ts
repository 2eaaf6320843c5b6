import {
  type Command,
  CommandKind,
  type CreateHmacKey,
  type CreateKey,
  type ListedRules,
  type MarketRules,
  type PlaceOrder,
  SYSTEM_ACTOR,
} from '../src/engine/command.ts';
import type { EntryEvent, Event, OrderRecord, Outcome, TradeEvent } from '../src/engine/event.ts';
import { ENGINE_VERSION, Exchange } from '../src/engine/exchange.ts';
import type { Exact } from '../src/engine/numbers/exact.ts';
import {
  entryTypes,
  NONE,
  OrderType,
  orderStatuses,
  Permission,
  Side,
  TimeInForce,
} from '../src/engine/terms.ts';
import { expandFill, toFills } from '../src/history/tables/fills.ts';
import { limitOrder as plainLimitOrder } from '../src/testing/test-exchange.ts';

/** Accounts of every fixture. */
export const ALICE = 0;
export const BOB = 1;
export const CAROL = 2;

/** Assets of every fixture. */
export const BTC = 0;
export const USDT = 1;

export const START = 1_700_000_000_000;
export const FUNDS = { [BTC]: 1_000, [USDT]: 100_000 } as const;

const RULES: ListedRules = {
  priceDecimals: 0,
  amountDecimals: 0,
  tick: 1,
  step: 1,
  minPrice: 1,
  maxPrice: 1_000_000,
  minAmount: 1,
  maxAmount: 10_000,
  minNotional: 10,
  makerFee: 0,
  takerFee: 0,
  referencePrice: 100,
  collar: 0,
};

/**
 * An exchange for testing a single rule: BTC/USDT without decimals, so that a price of 100 and an amount
 * of 3 cost 300, no fees, and three accounts with 1,000 BTC and 100,000 USDT each.
 */
export class Fixture {
  readonly exchange = new Exchange();
  time = START;

  constructor(rules: Partial<MarketRules> = {}, version: number = ENGINE_VERSION) {
    this.apply({ kind: CommandKind.open, version, sandbox: true });
    for (const asset of ['BTC', 'USDT']) {
      this.apply({
        kind: CommandKind.createAsset,
        ...SYSTEM_ACTOR,
        asset,
        name: asset,
        decimals: 0,
      });
    }
    const names = { symbol: 'BTC/USDT', base: 'BTC', quote: 'USDT' };
    this.apply({ kind: CommandKind.listMarket, ...SYSTEM_ACTOR, ...names, ...RULES, ...rules });
    ['alice', 'bob', 'carol'].forEach((accountId, account) => {
      this.apply({ kind: CommandKind.createAccount, ...SYSTEM_ACTOR, accountId, limitClass: 1 });
      for (const asset of [BTC, USDT]) this.transfer(account, asset, FUNDS[asset as 0 | 1]);
    });
  }

  apply(command: Command): Outcome {
    return this.exchange.apply(command, this.time);
  }

  get events(): readonly Event[] {
    return this.exchange.events;
  }

  /** Returns a limit order, good till canceled unless `terms` change it. */
  buy(account: number, amount: number, price: number, terms: Partial<PlaceOrder> = {}): Outcome {
    return this.apply(limitOrder(account, Side.buy, amount, price, terms));
  }

  sell(account: number, amount: number, price: number, terms: Partial<PlaceOrder> = {}): Outcome {
    return this.apply(limitOrder(account, Side.sell, amount, price, terms));
  }

  /** Returns a market order by amount, immediate or cancel unless `terms` change it. */
  market(account: number, side: Side, amount: number, terms: Partial<PlaceOrder> = {}): Outcome {
    const { market, ioc } = { ...OrderType, ...TimeInForce };
    return this.apply(
      limitOrder(account, side, amount, 0, { type: market, timeInForce: ioc, ...terms }),
    );
  }

  /** Returns a market buy that spends `cost`. */
  spend(account: number, cost: Exact, terms: Partial<PlaceOrder> = {}): Outcome {
    return this.market(account, Side.buy, 0, { cost, ...terms });
  }

  /** Returns a market sell that receives `cost`. */
  sellFor(account: number, cost: Exact, terms: Partial<PlaceOrder> = {}): Outcome {
    return this.market(account, Side.sell, 0, { cost, ...terms });
  }

  cancel(account: number, orderId: number): Outcome {
    return this.apply({ kind: CommandKind.cancelOrder, account, key: NONE, orderId });
  }

  setStatus(status: number): Outcome {
    return this.apply({ kind: CommandKind.setMarketStatus, ...SYSTEM_ACTOR, market: 0, status });
  }

  transfer(owner: number, asset: number, amount: Exact, reference?: string): Outcome {
    const terms = { owner, asset, amount, reference: reference ?? `${owner} ${asset} ${amount}` };
    return this.apply({ kind: CommandKind.transfer, ...SYSTEM_ACTOR, ...terms, reason: 'test' });
  }

  /** Advances the time; events of due work are in `events`. */
  wait(milliseconds: number): void {
    this.time += milliseconds;
    this.apply({ kind: CommandKind.tick });
  }

  /** Returns an account's available and held BTC, and available and held USDT. */
  balances(account: number): string {
    const { balances } = this.exchange.state.accounts[account]!;
    return [BTC, USDT]
      .map((asset) => `${balances[asset]!.available}+${balances[asset]!.held}`)
      .join(' ');
  }

  /** Returns both sides of the book, the first to trade first, each order as `amount@price`. */
  book(): string {
    const { orders, markets } = this.exchange.state;
    const side = (which: Side): string => {
      const queue: string[] = [];
      markets[0]!.book.forEachOrder(which, (slot) => {
        queue.push(`${orders.remaining(slot)}@${orders.price(slot)}`);
      });
      return queue.join(' ');
    };
    return `${side(Side.buy)} | ${side(Side.sell)}`.trim();
  }

  /** Returns the trades of the last command, each as `amount@price`. */
  trades(): string {
    return trades(this.events)
      .map(({ amount, price }) => `${amount}@${price}`)
      .join(' ');
  }

  /** Returns the ledger entries of the last command, each as `account type asset amount`. */
  entries(): string[] {
    return entries(this.events).map(
      ({ account, type, asset, amount }) => `${account} ${entryTypes[type]} ${asset} ${amount}`,
    );
  }
}

export function limitOrder(
  account: number,
  side: Side,
  amount: number,
  price: number,
  terms: Partial<PlaceOrder> = {},
): PlaceOrder {
  return { ...plainLimitOrder(account, side, price, amount), ...terms };
}

export function trades(events: readonly Event[]): TradeEvent[] {
  return events.filter((event) => event.kind === 'trade');
}

/** Returns all entries, including those implied by trades. Every market of a fixture is BTC/USDT without decimals. */
export function entries(events: readonly Event[]): EntryEvent[] {
  const terms = { base: { index: BTC }, quote: { index: USDT }, baseUnit: 1, quoteUnit: 1 };
  return events.flatMap((event) => {
    if (event.kind === 'entry') return event;
    if (event.kind !== 'trade') return [];
    return toFills(event).flatMap((fill) => expandFill(fill, terms));
  });
}

/** Returns the order of an outcome. @throws Error if it was rejected. */
export function placed(outcome: Outcome): OrderRecord {
  if (outcome.kind === 'order') return outcome.order;
  throw new Error(`no order, but ${outcome.kind} ${'code' in outcome ? outcome.code : ''}`);
}

/** Returns an order in short: `status filled/amount`. */
export function summary(outcome: Outcome): string {
  const { status, amount, remaining } = placed(outcome);
  return `${orderStatuses[status]} ${amount - remaining}/${amount}`;
}

/** Creates a trading key of alice that signs with HMAC, unless `terms` change it. */
export function createHmacKey(fixture: Fixture, terms: Partial<CreateHmacKey> = {}): Outcome {
  return fixture.apply({
    kind: CommandKind.createHmacKey,
    ...SYSTEM_ACTOR,
    owner: ALICE,
    apiKey: 'signing',
    sealedSecret: new Uint8Array(64).fill(7),
    permissions: Permission.trade,
    label: '',
    addresses: [],
    expiresAt: 0,
    ...terms,
  });
}

/** Creates a trading key of alice, unless `terms` change it. @returns Its index. */
export function createKey(fixture: Fixture, terms: Partial<CreateKey> = {}): number {
  const outcome = fixture.apply({
    kind: CommandKind.createKey,
    ...SYSTEM_ACTOR,
    owner: ALICE,
    apiKey: `key-${fixture.exchange.state.keys.length}`,
    secretHash: new Uint8Array(32),
    permissions: Permission.trade,
    label: '',
    addresses: [],
    expiresAt: 0,
    ...terms,
  });
  if (outcome.kind !== 'key') throw new Error('the key was refused');
  return outcome.key.index;
}

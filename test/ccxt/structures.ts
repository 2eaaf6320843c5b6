import { expect } from 'bun:test';
import { Precise } from 'ccxt';
import type { buttonwood } from '../../src/client/ccxt/index.ts';

/**
 * Checks of CCXT's unified structures, the same for all exchanges. Fields are compared by their digits, not as doubles.
 */

// biome-ignore lint/suspicious/noExplicitAny: structures of every kind
type Structure = any;
type Kind = 'text' | 'number' | 'flag' | 'list' | 'object';

const KINDS: Record<Kind, (value: unknown) => boolean> = {
  text: (value) => typeof value === 'string' && value !== '',
  number: (value) => typeof value === 'number' && Number.isFinite(value),
  flag: (value) => typeof value === 'boolean',
  list: Array.isArray,
  object: (value) => typeof value === 'object' && value !== null && !Array.isArray(value),
};

/** Checks that every key is present; those with a `?` may be undefined, but not null or of another type. */
function expectShape(structure: Structure, shape: Record<string, `${Kind}${'' | '?'}`>): void {
  for (const [key, wanted] of Object.entries(shape)) {
    expect(Object.keys(structure), `the keys of ${JSON.stringify(structure)}`).toContain(key);
    const value = structure[key];
    if (value === undefined && wanted.endsWith('?')) continue;
    const isKind = KINDS[wanted.replace('?', '') as Kind](value);
    expect(isKind, `${key} is ${JSON.stringify(value)}, not ${wanted}`).toBe(true);
  }
}

function expectMoment(structure: Structure, bot: buttonwood): void {
  const { timestamp, datetime } = structure;
  expect(Number.isInteger(timestamp)).toBe(true);
  expect(timestamp).toBeGreaterThan(Date.UTC(2009, 0, 3));
  expect(datetime).toBe(bot.iso8601(timestamp));
}

/** Checks that the market is one that the bot knows. */
function expectKnownSymbol({ symbol }: Structure, bot: buttonwood): void {
  expect(bot.symbols).toContain(symbol);
}

/** Checks a code, and that the bot finds the asset by its code and by its id. */
function expectKnownCurrency(code: unknown, bot: buttonwood): void {
  expect(Object.keys(bot.currencies)).toContain(code as string);
  const { id } = bot.currency(code as string);
  expect(bot.safeCurrencyCode(id)).toBe(code as string);
}

function expectFee(fee: Structure, bot: buttonwood): void {
  expectShape(fee, { cost: 'number', currency: 'text' });
  expectKnownCurrency(fee.currency, bot);
}

/** Checks that a step is a power of ten, as all steps of this exchange. */
function expectStep(step: number): void {
  expect(digits(step)).toMatch(/^(10*|0\.0*1)$/);
}

/** Whether two numbers are the same but for the rounding of doubles. */
const isClose = (a: number, b: number) => Math.abs(a - b) <= 1e-9 * Math.max(1, Math.abs(b));

const digits = (value: number) => Precise.stringAdd(expandedText(value), '0')!;
const expandedText = (value: number) =>
  String(value).includes('e') ? value.toFixed(20).replace(/0+$/, '') : String(value);
const isPositive = (value: number | undefined) => value === undefined || value > 0;

export function expectMarket(market: Structure, bot: buttonwood): void {
  expectShape(market, {
    id: 'text',
    symbol: 'text',
    base: 'text',
    quote: 'text',
    baseId: 'text',
    quoteId: 'text',
    settle: 'text?',
    settleId: 'text?',
    type: 'text',
    spot: 'flag',
    margin: 'flag?',
    swap: 'flag',
    future: 'flag',
    option: 'flag',
    contract: 'flag',
    active: 'flag',
    linear: 'flag?',
    inverse: 'flag?',
    contractSize: 'number?',
    taker: 'number',
    maker: 'number',
    expiry: 'number?',
    expiryDatetime: 'text?',
    strike: 'number?',
    optionType: 'text?',
    precision: 'object',
    limits: 'object',
    marginModes: 'object',
    created: 'number',
    info: 'object',
  });
  expect(market.symbol).toBe(`${market.base}/${market.quote}`);
  expect(market.type).toBe('spot');
  expect(market.spot).toBe(true);
  const others = [market.swap, market.future, market.option, market.contract];
  expect(others).toEqual([false, false, false, false]);
  for (const name of ['linear', 'inverse', 'contractSize', 'settle', 'expiry', 'strike']) {
    expect(market[name]).toBeUndefined();
  }
  expectStep(market.precision.amount);
  expectStep(market.precision.price);
  for (const name of ['amount', 'price', 'cost']) {
    const { min, max } = market.limits[name];
    expect(min).toBeGreaterThanOrEqual(0);
    expect(isPositive(max) && (max === undefined || max >= min)).toBe(true);
  }
  for (const code of [market.base, market.quote]) expectKnownCurrency(code, bot);
  expect(bot.safeCurrencyCode(market.baseId)).toBe(market.base);
  expect(bot.safeCurrencyCode(market.quoteId)).toBe(market.quote);
  expect(Object.keys(market.marginModes).sort()).toEqual(['cross', 'isolated']);
}

export function expectCurrency(currency: Structure, bot: buttonwood): void {
  expectShape(currency, {
    id: 'text',
    code: 'text',
    name: 'text',
    active: 'flag',
    deposit: 'flag',
    withdraw: 'flag',
    precision: 'number',
    fee: 'number?',
    networks: 'object',
    type: 'text',
    limits: 'object',
    info: 'object',
  });
  expectStep(currency.precision);
  expectKnownCurrency(currency.code, bot);
  expect(bot.currency(currency.code).id).toBe(currency.id);
  // Every asset can be traded; this exchange has no networks.
  expect([currency.active, currency.deposit, currency.withdraw]).toEqual([true, false, false]);
  expect(Object.keys(currency.limits)).toEqual(
    expect.arrayContaining(['deposit', 'withdraw']) as never,
  );
}

export function expectTicker(ticker: Structure, bot: buttonwood): void {
  expectShape(ticker, {
    symbol: 'text',
    info: 'object',
    timestamp: 'number',
    datetime: 'text',
    high: 'number?',
    low: 'number?',
    bid: 'number?',
    bidVolume: 'number?',
    ask: 'number?',
    askVolume: 'number?',
    vwap: 'number?',
    open: 'number?',
    close: 'number',
    last: 'number',
    previousClose: 'number?',
    change: 'number?',
    percentage: 'number?',
    average: 'number?',
    baseVolume: 'number',
    quoteVolume: 'number',
  });
  expectMoment(ticker, bot);
  expect(ticker.last).toBe(ticker.close);
  for (const name of ['open', 'high', 'low', 'close', 'bid', 'ask', 'average']) {
    expect(isPositive(ticker[name])).toBe(true);
  }
  if (ticker.bid !== undefined && ticker.ask !== undefined) {
    expect(ticker.ask).toBeGreaterThan(ticker.bid);
  }
  if (ticker.high !== undefined) {
    expect(ticker.high).toBeGreaterThanOrEqual(ticker.low);
    expect(ticker.quoteVolume).toBeGreaterThanOrEqual(ticker.baseVolume * ticker.low * (1 - 1e-12));
    expect(ticker.quoteVolume).toBeLessThanOrEqual(ticker.baseVolume * ticker.high * (1 + 1e-12));
    for (const name of ['open', 'close', 'vwap']) {
      expect(ticker[name]).toBeWithin(ticker.low, ticker.high * (1 + 1e-12));
    }
    expect(isClose(ticker.change, ticker.close - ticker.open)).toBe(true);
    // The exchange rounds percentages.
    expect(Math.abs(ticker.percentage - (ticker.change / ticker.open) * 100)).toBeLessThan(0.01);
  }
  expectKnownSymbol(ticker, bot);
}

export function expectLastPrice(price: Structure, bot: buttonwood): void {
  expectShape(price, {
    symbol: 'text',
    timestamp: 'number',
    datetime: 'text',
    price: 'number',
    side: 'text?',
    info: 'object',
  });
  expectMoment(price, bot);
  expectKnownSymbol(price, bot);
  expect(price.price).toBeGreaterThan(0);
  expect(price.side).toBeUndefined();
}

export function expectOrderBook(book: Structure, bot: buttonwood): void {
  expectShape(book, {
    symbol: 'text',
    bids: 'list',
    asks: 'list',
    timestamp: 'number',
    datetime: 'text',
    nonce: 'number',
  });
  expectMoment(book, bot);
  expectKnownSymbol(book, bot);
  const prices = (side: number[][]) => side.map(([price]) => price!);
  expect(prices(book.bids)).toEqual([...new Set(prices(book.bids))].sort((a, b) => b - a));
  expect(prices(book.asks)).toEqual([...new Set(prices(book.asks))].sort((a, b) => a - b));
  for (const [price, amount] of [...book.bids, ...book.asks]) {
    expect(price).toBeGreaterThan(0);
    expect(amount).toBeGreaterThan(0);
  }
  if (book.bids.length > 0 && book.asks.length > 0) {
    expect(book.bids[0][0]).toBeLessThan(book.asks[0][0]);
  }
}

/** Checks a public trade, or with `isOwn` a fill. */
export function expectTrade(trade: Structure, bot: buttonwood, isOwn: boolean): void {
  expectShape(trade, {
    id: 'text',
    info: 'object',
    timestamp: 'number',
    datetime: 'text',
    symbol: 'text',
    side: 'text',
    price: 'number',
    amount: 'number',
    cost: 'number',
    fees: 'list',
    fee: 'object',
    order: isOwn ? 'text' : 'text?',
    takerOrMaker: isOwn ? 'text' : 'text?',
  });
  expectMoment(trade, bot);
  expectKnownSymbol(trade, bot);
  expect(['buy', 'sell']).toContain(trade.side);
  expect(digits(trade.cost)).toBe(Precise.stringMul(digits(trade.price), digits(trade.amount))!);
  if (!isOwn) return;
  expect(['maker', 'taker']).toContain(trade.takerOrMaker);
  expectFee(trade.fee, bot);
  expect(trade.fees).toEqual([trade.fee]);
}

export function expectOrder(order: Structure, bot: buttonwood): void {
  expectShape(order, {
    id: 'text',
    clientOrderId: 'text?',
    info: 'object',
    timestamp: 'number',
    datetime: 'text',
    lastTradeTimestamp: 'number?',
    lastUpdateTimestamp: 'number',
    symbol: 'text',
    type: 'text',
    timeInForce: 'text',
    postOnly: 'flag',
    side: 'text',
    price: 'number?',
    triggerPrice: 'number?',
    stopPrice: 'number?',
    amount: 'number',
    stopLossPrice: 'number?',
    takeProfitPrice: 'number?',
    cost: 'number',
    status: 'text',
    average: 'number?',
    filled: 'number',
    remaining: 'number',
    fee: 'object?',
    fees: 'list',
    trades: 'list',
  });
  expectMoment(order, bot);
  expectKnownSymbol(order, bot);
  expect(['limit', 'market']).toContain(order.type);
  expect(['GTC', 'IOC', 'FOK', 'GTD', 'PO']).toContain(order.timeInForce);
  expect(['open', 'closed', 'canceled', 'expired', 'rejected']).toContain(order.status);
  expect(['buy', 'sell']).toContain(order.side);
  expect(isPositive(order.price) && isPositive(order.average)).toBe(true);
  expect(Precise.stringAdd(digits(order.filled), digits(order.remaining))).toBe(
    digits(order.amount),
  );
  if (order.status === 'closed') expect(order.remaining).toBe(0);
  if (order.filled > 0) expect(order.cost).toBeGreaterThan(0);
  for (const fee of order.fees) expectFee(fee, bot);
}

export function expectCandles(candles: Structure[], widthMs: number): void {
  candles.forEach((candle, place) => {
    expect(candle).toHaveLength(6);
    const [timestamp, open, high, low, close, volume] = candle;
    expect(timestamp % widthMs).toBe(0);
    if (place > 0) expect(timestamp).toBe(candles[place - 1][0] + widthMs);
    expect(high).toBeGreaterThanOrEqual(Math.max(open, close));
    expect(low).toBeLessThanOrEqual(Math.min(open, close));
    expect(volume).toBeGreaterThanOrEqual(0);
  });
}

export function expectBalances(balances: Structure, bot: buttonwood): void {
  expectShape(balances, { info: 'object', free: 'object', used: 'object', total: 'object' });
  const codes = Object.keys(balances.total);
  expect(codes.length).toBeGreaterThan(0);
  for (const code of codes) {
    expectKnownCurrency(code, bot);
    const { free, used, total } = balances[code];
    expect([free, used, total]).toEqual([
      balances.free[code],
      balances.used[code],
      balances.total[code],
    ]);
    expect(Math.min(free, used, total)).toBeGreaterThanOrEqual(0);
    expect(Precise.stringAdd(digits(free), digits(used))).toBe(digits(total));
  }
}

export function expectLedgerEntry(entry: Structure, bot: buttonwood): void {
  expectShape(entry, {
    id: 'text',
    info: 'object',
    timestamp: 'number',
    datetime: 'text',
    direction: 'text',
    account: 'text',
    referenceId: 'text',
    referenceAccount: 'text?',
    type: 'text',
    currency: 'text',
    amount: 'number',
    before: 'number',
    after: 'number',
    status: 'text',
    fee: 'object',
  });
  expectFee(entry.fee, bot);
  expect(entry.fee).toEqual({ cost: 0, currency: entry.currency });
  expectMoment(entry, bot);
  expect(['in', 'out']).toContain(entry.direction);
  expect(entry.status).toBe('ok');
  expect(Math.min(entry.amount, entry.before, entry.after)).toBeGreaterThanOrEqual(0);
  const change = (entry.direction === 'in' ? '' : '-') + digits(entry.amount);
  expect(Precise.stringAdd(digits(entry.before), change)).toBe(digits(entry.after));
}

export function expectTradingFee(fee: Structure, bot: buttonwood): void {
  expectShape(fee, {
    info: 'object',
    symbol: 'text',
    maker: 'number',
    taker: 'number',
    percentage: 'flag',
    tierBased: 'flag',
  });
  expectKnownSymbol(fee, bot);
  // Parts of one, as CCXT's rates are.
  expect(fee.maker).toBeWithin(0, 0.1);
  expect(fee.taker).toBeWithin(fee.maker, 0.1);
}

/** Checks that the list is sorted earliest first, as in CCXT. */
export function expectInOrder(list: readonly Structure[]): void {
  const times = list.map(({ timestamp }) => timestamp);
  expect(times).toEqual([...times].sort((a, b) => a - b));
}

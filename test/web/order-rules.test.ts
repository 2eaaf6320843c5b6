import { describe, expect, test } from 'bun:test';
import Big from 'big.js';
import { ApiRequestError, UnreachableError } from '../../src/client/index.ts';
import { convert, findRoute, share } from '../../web/portfolio/rates.ts';
import { bookRows, defaultGroup, groupingSteps, toUnits } from '../../web/trade/book-view.ts';
import {
  applyEdit,
  type Draft,
  type OrderContext,
  plainNumbers,
  priceEdit,
} from '../../web/trade/draft.ts';
import { amountForPercent, estimate, walkBook } from '../../web/trade/order-estimate.ts';
import {
  describeFills,
  describeOcoOutcome,
  describeOutcome,
} from '../../web/trade/order-outcome.ts';
import { describeFailure, toFault } from '../../web/trade/order-rejection.ts';
import { marketClosedReason, validateDraft } from '../../web/trade/order-rules.ts';
import { findOcoPartner } from '../../web/trade/partner.ts';
import type { ExactFill, ExactMarket, ExactOrder } from '../../web/trade/records.ts';

const MARKET: ExactMarket = {
  symbol: 'BTC/USDT',
  base: 'BTC',
  quote: 'USDT',
  status: 'online',
  active: true,
  tickSize: '0.01',
  stepSize: '0.001',
  minAmount: '0.001',
  maxAmount: '9000',
  minPrice: '0.01',
  maxPrice: '1000000',
  minNotional: '10',
  makerFee: '0.0008',
  takerFee: '0.001',
  collar: '0.1',
  staticBand: null,
  dynamicBand: null,
  auctionMs: null,
  auction: null,
  orderTypes: ['limit', 'market'],
  timeInForce: ['GTC'],
  listedAt: '2026-01-01T00:00:00.000Z',
  last: '100',
  high: null,
  low: null,
  change: '0',
  percentage: '0',
  baseVolume: '0',
  quoteVolume: '0',
};
const CONTEXT: OrderContext = {
  market: MARKET,
  last: new Big('100'),
  asks: [
    ['101', '1'],
    ['102', '2'],
  ],
  bids: [
    ['99', '1'],
    ['98', '2'],
  ],
  available: { base: new Big('10'), quote: new Big('1000') },
  nowMs: Date.UTC(2026, 0, 5),
};
const DRAFT: Draft = {
  side: 'buy',
  type: 'limit',
  by: { buy: 'amount', sell: 'amount' },
  amount: '1',
  cost: '',
  price: '100',
  triggerPrice: '',
  trailBy: 'percent',
  trailingPercent: '',
  trailingAmount: '',
  activationPrice: '',
  displayAmount: '',
  hasAttached: false,
  takeProfitPrice: '',
  stopTrigger: '',
  stopPrice: '',
  timeInForce: 'GTC',
  chosen: {},
  expiresAt: '',
  postOnly: false,
};
const BY_COST = { buy: 'cost', sell: 'cost' } as const;
const faults = (change: Partial<Draft>, context: Partial<OrderContext> = {}) =>
  validateDraft({ ...DRAFT, ...change }, { ...CONTEXT, ...context });

describe('draft validation', () => {
  test('accepts valid drafts', () => {
    expect(faults({})).toEqual([]);
    expect(faults({ type: 'market', by: BY_COST, cost: '250.5', amount: '' })).toEqual([]);
    expect(faults({ type: 'stop', triggerPrice: '105' })).toEqual([]);
    const oco = { type: 'oco', side: 'sell', takeProfitPrice: '110', stopTrigger: '90' } as const;
    expect(faults(oco)).toEqual([]);
    expect(faults({ hasAttached: true, takeProfitPrice: '110', stopTrigger: '90' })).toEqual([]);
    expect(faults({ type: 'trailing_stop', trailingPercent: '2.5' })).toEqual([]);
    expect(faults({ displayAmount: '0.25' })).toEqual([]);
  });

  test.each([
    [{ amount: '' }, 'amount', undefined],
    [{ amount: 'x' }, 'amount', undefined],
    [{ amount: '0' }, 'amount', undefined],
    [{ amount: '-1' }, 'amount', undefined],
    [{ amount: '0.0005' }, 'amount', '0.001'],
    [{ amount: '1.0009' }, 'amount', '1'],
    [{ amount: '9001' }, 'amount', '9000'],
    [{ price: '100.005' }, 'price', '100.01'],
    [{ price: '2000000' }, 'price', '1000000'],
    [{ amount: '0.05' }, 'amount', undefined],
    [{ amount: '10.001' }, 'amount', undefined],
    [{ type: 'market', by: BY_COST, cost: '1' }, 'cost', '10'],
    [{ type: 'market', by: BY_COST, cost: '1001' }, 'cost', undefined],
    [{ type: 'market', side: 'sell', by: BY_COST, cost: '1' }, 'cost', '10'],
    [{ type: 'market', side: 'sell', by: BY_COST, cost: '' }, 'cost', undefined],
    [{ type: 'stop', triggerPrice: '99' }, 'triggerPrice', undefined],
    [{ type: 'take_profit', triggerPrice: '101' }, 'triggerPrice', undefined],
    [{ type: 'stop', side: 'sell', triggerPrice: '101' }, 'triggerPrice', undefined],
    [
      { type: 'oco', side: 'sell', takeProfitPrice: '99', stopTrigger: '90' },
      'takeProfitPrice',
      undefined,
    ],
    [{ type: 'trailing_stop' }, 'trailingPercent', undefined],
    [{ type: 'trailing_stop', trailingPercent: '60' }, 'trailingPercent', '50'],
    [{ type: 'trailing_stop', trailingPercent: '2.555' }, 'trailingPercent', '2.56'],
    [
      { type: 'trailing_stop', trailBy: 'amount', trailingAmount: '0' },
      'trailingAmount',
      undefined,
    ],
    [
      { type: 'trailing_stop', trailingPercent: '1', activationPrice: '1.005' },
      'activationPrice',
      '1.01',
    ],
    [{ displayAmount: '2' }, 'displayAmount', '1'],
    [{ displayAmount: '0.005' }, 'displayAmount', undefined],
    [{ hasAttached: true, stopTrigger: '101' }, 'stopTrigger', undefined],
    [{ hasAttached: true }, 'takeProfitPrice', undefined],
    [{ timeInForce: 'GTD', expiresAt: '' }, 'expiresAt', undefined],
    [{ timeInForce: 'GTD', expiresAt: '2026-01-04T00:00' }, 'expiresAt', undefined],
  ] as const)('%j', (change, field, nearest) => {
    const [fault] = faults(change as Partial<Draft>);
    expect([fault?.field, fault?.nearest]).toEqual([field, nearest]);
  });

  test('a market order is worth its amount at the best opposite price, as in the engine', () => {
    const market = { type: 'market', amount: '0.1' } as const;
    expect(faults(market, { last: new Big('98') })).toEqual([]);
    const sell = faults({ ...market, side: 'sell' });
    expect(sell).toMatchObject([{ field: 'amount', text: 'Below minimum order value (10 USDT).' }]);
  });

  test('a comma either groups thousands or is a fault, so it never makes an order larger', () => {
    const of = (change: Partial<Draft>) => faults(plainNumbers({ ...DRAFT, ...change }));
    const fault = (field: string) => [{ field, text: 'Use a decimal point, not a comma.' }];
    expect(of({ amount: '0,5' })).toEqual(fault('amount') as never);
    expect(of({ price: '100,5' })).toEqual(fault('price') as never);
    expect(of({ type: 'market', by: BY_COST, cost: '50,75' })).toEqual(fault('cost') as never);
    const ambiguous = '1,000 is ambiguous. Enter 1000 or 1.000.';
    expect(of({ price: '1,000' })).toEqual([{ field: 'price', text: ambiguous }]);
    expect(of({ price: '1,000.00', amount: '0.5' })).toEqual([]);
  });

  test('a post-only order that would match is a fault while it is typed, with the nearest price', () => {
    const [buy] = faults({ amount: '', price: '101', postOnly: true }).filter(
      ({ field }) => field === 'price',
    );
    expect(buy).toMatchObject({ nearest: '100.99', isUrgent: true });
    expect(buy!.text).toStartWith('Post-only order would match immediately');
    const sell = faults({ side: 'sell', price: '98.5', postOnly: true });
    expect(sell).toMatchObject([{ field: 'price', nearest: '99.01' }]);
    expect(faults({ price: '100.99', amount: '0.5', postOnly: true })).toEqual([]);
    const auction: ExactMarket = { ...MARKET, status: 'auction' };
    expect(faults({ price: '101', postOnly: true }, { market: auction })).toEqual([]);
  });

  test('does not check the balance when signed out', () => {
    expect(faults({ amount: '5000' }, { available: undefined })).toEqual([]);
  });

  test('a stop buy needs funds up to the collar', () => {
    // 9 × 105 × 1.1 is above 1000, though 9 × 105 is below.
    const [fault] = faults({ type: 'stop', triggerPrice: '105', amount: '9' });
    expect(fault?.text).toBe('Insufficient balance: needs 1,039.5 USDT, 1,000 available.');
  });
});

describe('orders that a market’s status allows', () => {
  const oco = { type: 'oco', takeProfitPrice: '90', stopTrigger: '110' } as const;
  test.each([
    ['online', { type: 'market' }, undefined],
    ['post_only', {}, 'Only post-only limit orders are accepted.'],
    ['post_only', { postOnly: true }, undefined],
    ['post_only', oco, 'Only post-only limit orders are accepted.'],
    ['limit_only', {}, undefined],
    ['limit_only', { type: 'market' }, 'Only orders with a limit price are accepted.'],
    ['limit_only', { type: 'stop' }, 'Only orders with a limit price are accepted.'],
    ['limit_only', oco, 'Only orders with a limit price are accepted.'],
    ['limit_only', { ...oco, stopPrice: '111' }, undefined],
    ['cancel_only', { postOnly: true }, 'BTC/USDT is in cancel-only mode.'],
    [
      'halted',
      { postOnly: true },
      'BTC/USDT is halted. New orders are not accepted; open orders can be canceled.',
    ],
  ] as const)('%s %j', (status, change, words) => {
    const found = marketClosedReason({ ...DRAFT, ...change }, { ...MARKET, status });
    if (words === undefined) expect(found).toBeUndefined();
    else expect(found).toContain(words);
  });
});

describe('time in force', () => {
  const market = applyEdit(DRAFT, { type: 'market' });

  test('switching to market orders and back keeps the time in force of limit orders', () => {
    expect(market.timeInForce).toBe('IOC');
    expect(applyEdit(market, { type: 'limit' }).timeInForce).toBe('GTC');
    const limit = applyEdit(market, priceEdit(market, '99'));
    expect([limit.type, limit.price, limit.timeInForce]).toEqual(['limit', '99', 'GTC']);
  });

  test('a choice is kept for its order type only', () => {
    const fok = applyEdit(market, { timeInForce: 'FOK' });
    const limit = applyEdit(fok, { type: 'limit' });
    expect(limit.timeInForce).toBe('GTC');
    expect(applyEdit(limit, { type: 'market' }).timeInForce).toBe('FOK');
    const dated = applyEdit(limit, { timeInForce: 'GTD' });
    expect(applyEdit(applyEdit(dated, { type: 'stop' }), { type: 'limit' }).timeInForce).toBe(
      'GTD',
    );
    expect(applyEdit(dated, { amount: '2' }).timeInForce).toBe('GTD');
  });
});

describe('order outcome messages', () => {
  const order = {
    symbol: 'BTC/USDT',
    side: 'buy',
    type: 'limit',
    status: 'open',
    amount: '1000',
    filled: '0',
    average: null,
    reason: null,
    timeInForce: 'GTC',
  } as ExactOrder;
  test.each([
    [{}, 'Limit buy order placed.', 'success'],
    [
      { status: 'filled', filled: '1000', average: '99.5' },
      'Bought 1,000 BTC at 99.50 USDT.',
      'success',
    ],
    [
      { filled: '400', average: '99.5' },
      'Bought 400 of 1,000 BTC at 99.50 USDT. The remainder is open.',
      'success',
    ],
    [
      { side: 'sell', status: 'expired', filled: '400', average: '99.505', reason: 'collar' },
      'Sold 400 of 1,000 BTC at 99.51 USDT. The remainder expired: the next price was outside the market-order price band.',
      'info',
    ],
    [
      { status: 'expired', reason: 'time_in_force' },
      'Limit buy order expired without a fill: not enough liquidity at its limit price.',
      'error',
    ],
    [
      { status: 'expired', reason: 'time_in_force', timeInForce: 'FOK' },
      'Limit buy order expired without a fill: it could not be filled completely at once.',
      'error',
    ],
    [
      { type: 'stop', status: 'rejected', reason: 'market_unavailable' },
      'Stop buy order rejected: the market was not open.',
      'error',
    ],
  ] as const)('%j', (change, text, tone) => {
    expect(describeOutcome({ ...order, ...change } as ExactOrder, 2)).toEqual({ text, tone });
  });

  test('describes fills of one order by their total and average price', () => {
    const fill = (amount: string, cost: string) => ({ ...order, side: 'sell', amount, cost });
    const fills = [fill('0.01', '600'), fill('0.02', '1200.1')] as unknown as ExactFill[];
    expect(describeFills(fills, 2)).toBe('Sold 0.03 BTC at 60,003.33 USDT.');
  });

  test('describes an OCO order by the leg that has traded or ended', () => {
    expect(describeOcoOutcome([order, order], 2).text).toBe('OCO order placed.');
    const traded = { ...order, filled: '1', average: '7' };
    expect(describeOcoOutcome([order, traded], 2).text).toStartWith(
      'Bought 1 of 1,000 BTC at 7.00',
    );
    const ended = { ...order, status: 'expired', reason: 'self_trade' } as const;
    const linked = { ...order, status: 'canceled', reason: 'linked' } as const;
    expect(describeOcoOutcome([linked, ended], 2)).toEqual({
      text: 'Limit buy order expired without a fill: it would have matched your own order.',
      tone: 'error',
    });
  });
});

test('the legs of an OCO order find each other while both are open', () => {
  const profit = { orderId: '9', ocoOrderId: '10' } as ExactOrder;
  const stop = { orderId: '10', ocoOrderId: '9' } as ExactOrder;
  const single = { orderId: '11', ocoOrderId: null } as ExactOrder;
  const open = [single, stop, profit];
  expect(open.map((order) => findOcoPartner(order, open))).toEqual([undefined, profit, stop]);
  expect(findOcoPartner(profit, [single, profit])).toBeUndefined();
});

describe('rejection messages', () => {
  const apiError = (message: string, details = {}) =>
    new ApiRequestError(400, 'INVALID_PRICE', message, details, undefined, undefined);

  test.each([
    [
      'price must be a multiple of 0.01; the nearest is 100000.01.',
      'Price must be a multiple of 0.01; the nearest is 100,000.01.',
    ],
    ['triggerPrice must be at least 1000.', 'Trigger price must be at least 1,000.'],
    ['takeProfit.price is needed.', 'Take profit price is needed.'],
    [
      'This needs 1234567.12345678 USDT; 0.00001234 is available.',
      'This needs 1,234,567.12345678 USDT; 0.00001234 is available.',
    ],
    ['Not before 2026-01-05T00:00:00.000Z.', 'Not before 2026-01-05T00:00:00.000Z.'],
  ])('%s', (message, text) => {
    expect(describeFailure(apiError(message), 'amended')).toBe(text);
  });

  test('are shown at the field that caused them', () => {
    const details = { field: 'takeProfit.price', nearest: '5' };
    expect(toFault(apiError('x.', details), DRAFT)).toEqual({
      field: 'takeProfitPrice',
      text: 'X.',
      nearest: '5',
    });
  });

  test('without a response the order may have been placed', () => {
    expect(toFault(new UnreachableError('', 'Failed to fetch'), DRAFT)).toEqual({
      field: undefined,
      text: 'No response. Your order may have been placed. Check Open orders before retrying.',
    });
  });
});

describe('order estimate', () => {
  const decimals = { base: 8, quote: 10 };
  const of = (change: Partial<Draft>) =>
    estimate({ ...DRAFT, ...change }, CONTEXT, MARKET, decimals);

  test('a rebate is in the asset given, rounded down, and no part of the proceeds', () => {
    const rebate = (change: Partial<Draft>) => {
      const rates = { makerFee: '-0.00033', takerFee: '0.001' };
      const found = estimate({ ...DRAFT, ...change }, CONTEXT, rates, { base: 3, quote: 2 })!;
      return [found.fee.cost.toFixed(), found.fee.asset, found.received.toFixed()];
    };
    // A buy of 2 at 100 gives 200 USDT, a sell 20 BTC.
    expect(rebate({ amount: '2' })).toEqual(['-0.06', 'USDT', '2']);
    expect(rebate({ amount: '20', side: 'sell', price: '130' })).toEqual(['-0.006', 'BTC', '2600']);
  });

  test('a resting limit order pays the maker rate on its proceeds', () => {
    const { total, fee, received } = of({ amount: '2' })!;
    expect([total.toFixed(), fee.cost.toFixed(), fee.asset, fee.isTaker]).toEqual([
      '200',
      '0.0016',
      'BTC',
      false,
    ]);
    expect(received.toFixed()).toBe('1.9984');
  });

  test('a crossing limit order pays the taker rate, unless it is post-only', () => {
    expect(of({ price: '101' })!.fee.isTaker).toBe(true);
    expect(of({ price: '101', postOnly: true })!.fee.isTaker).toBe(false);
  });

  test('a market order walks the book', () => {
    const sale = of({ type: 'market', side: 'sell', amount: '2' })!;
    expect([sale.total.toFixed(), sale.fee.cost.toFixed(), sale.fee.asset]).toEqual([
      '197',
      '0.197',
      'USDT',
    ]);
    expect(of({ type: 'market', amount: '4' })!.shortage).toBe('liquidity');
    expect(
      walkBook(CONTEXT.asks, { cost: new Big('152'), step: new Big('0.001') }).amount.toFixed(),
    ).toBe('1.5');
  });

  test('reports the hold if it differs from the total', () => {
    const readHeld = (change: Partial<Draft>) => {
      const held = of(change)!.held;
      return held?.toFixed();
    };
    expect(readHeld({})).toBeUndefined();
    expect(readHeld({ side: 'sell' })).toBeUndefined();
    expect(readHeld({ type: 'market' })).toBeUndefined();
    expect(readHeld({ type: 'stop', triggerPrice: '105', amount: '2' })).toBe('231');
    expect(readHeld({ type: 'stop_limit', triggerPrice: '105' })).toBeUndefined();
    const oco = { type: 'oco', takeProfitPrice: '90', stopTrigger: '110' } as const;
    expect(readHeld(oco)).toBe('121');
    expect(readHeld({ ...oco, stopPrice: '112' })).toBe('112');
    expect(readHeld({ ...oco, side: 'sell' })).toBeUndefined();
  });

  test('an OCO order has a fee estimate per leg', () => {
    const oco = { type: 'oco', side: 'sell', takeProfitPrice: '110', stopTrigger: '90' } as const;
    const listFees = ({ fee, stopFee }: NonNullable<ReturnType<typeof of>>) =>
      [fee, stopFee!].map(({ cost, asset, isTaker }) => [cost.toFixed(), asset, isTaker]);
    expect(listFees(of(oco)!)).toEqual([
      ['0.088', 'USDT', false],
      ['0.09', 'USDT', true],
    ]);
    // A sell limit above its trigger rests in the book.
    expect(listFees(of({ ...oco, stopPrice: '95' })!)[1]).toEqual(['0.076', 'USDT', false]);
    expect(of({ type: 'oco', takeProfitPrice: '110' })!.stopFee).toBeUndefined();
    expect(of(oco)!.stopPrice?.toFixed()).toBe('90');
    expect(of({ ...oco, stopPrice: '95' })!.stopPrice?.toFixed()).toBe('95');
    expect(of({ type: 'stop_limit', triggerPrice: '99' })!.fee.isTaker).toBe(true);
  });

  test('a market buy by cost buys whole steps only', () => {
    // 1 at 101, then 0.147 at 102: the remainder of the cost is less than one step.
    const { total, amount } = of({ type: 'market', by: BY_COST, cost: '116' })!;
    expect([amount.toFixed(), total.toFixed()]).toEqual(['1.147', '115.994']);
    const little = of({ type: 'market', by: BY_COST, cost: '0.1' })!;
    expect([little.amount.toFixed(), little.total.toFixed()]).toEqual(['0', '0']);
  });

  test.each([
    [{}, 50, '5'],
    [{ side: 'sell' }, 25, '2.5'],
    [{ type: 'market', by: BY_COST }, 75, '750'],
    [{ type: 'market', side: 'sell', by: BY_COST }, 20, '197'],
    [{ type: 'market', side: 'sell', by: BY_COST }, 100, '295'],
    [{ type: 'market' }, 100, '3'],
    [{ type: 'stop', triggerPrice: '125' }, 100, '7.272'],
    [{ price: '333' }, 100, '3.003'],
  ] as const)('%j: %d%% of the balance is %s', (change, part, wanted) => {
    const value = amountForPercent({ ...DRAFT, ...(change as Partial<Draft>) }, CONTEXT, part, 10);
    expect(value!.toFixed()).toBe(wanted);
  });
});

describe('order book grouping', () => {
  const scale = { price: 2, amount: 3 };
  const asks = [
    ['100.01', '1'],
    ['100.99', '0.5'],
    ['101', '2'],
    ['103.5', '1'],
  ] as const;

  test('rounds asks up and bids down, with cumulative totals', () => {
    expect(bookRows(asks, 'ask', 100n, 5, scale)).toEqual([
      { price: 10100n, amount: 3500n, total: 3500n },
      { price: 10400n, amount: 1000n, total: 4500n },
    ]);
    expect(bookRows([...asks].reverse(), 'bid', 100n, 2, scale)).toEqual([
      { price: 10300n, amount: 1000n, total: 1000n },
      { price: 10100n, amount: 2000n, total: 3000n },
    ]);
  });

  test('grouping steps are the tick times powers of ten', () => {
    const groups = groupingSteps(1n, toUnits('118000.00', 2));
    expect(groups).toEqual([1n, 10n, 100n, 1000n, 10_000n, 100_000n]);
    expect(defaultGroup(groups, toUnits('118000.00', 2))).toBe(100n);
    expect(groupingSteps(1n, 4n)).toEqual([1n]);
  });
});

describe('conversion over several markets', () => {
  const pairs = [
    { symbol: 'BTC/USDT', base: 'BTC', quote: 'USDT' },
    { symbol: 'ETH/BTC', base: 'ETH', quote: 'BTC' },
  ];
  const prices = new Map([
    ['BTC/USDT', '100000'],
    ['ETH/BTC', '0.05'],
  ]);
  test.each([
    ['BTC', 'USDT', '2', '200000'],
    ['USDT', 'BTC', '50000', '0.5'],
    ['ETH', 'USDT', '2', '10000'],
    ['USDT', 'ETH', '10000', '2'],
    ['BTC', 'BTC', '3', '3'],
  ])('%s in %s', (asset, quote, amount, wanted) => {
    const route = findRoute(asset, quote, pairs)!;
    expect(convert(new Big(amount), route, (each) => prices.get(each))?.toFixed()).toBe(wanted);
  });

  test('an asset without a market has no value', () => {
    expect(findRoute('SOL', 'USDT', pairs)).toBeUndefined();
    expect(
      convert(new Big('1'), findRoute('BTC', 'USDT', pairs)!, () => undefined),
    ).toBeUndefined();
    expect(share(new Big('1'), new Big('3')).toFixed()).toBe('33.33');
  });
});

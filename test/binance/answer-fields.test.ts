import { afterAll, beforeAll, expect, test } from 'bun:test';
import { BINANCE_ENDPOINTS } from '../../src/gateway/binance/endpoints.ts';
import { BinanceVenue, type Json, type Values } from './venue.ts';

/**
 * The names and types of the fields of every answer about orders and accounts, as Binance documents them (rest-api.md; those
 * of /sapi in the OpenAPI description of its Spot and Wallet APIs).
 * Those of market data and of events are compared in market-data.test.ts and streams.test.ts.
 */

/** A type of a field, an object of them, or an array of one. A name with a question mark may be missing. */
type Form = string | readonly [Form] | readonly [] | Fields;
interface Fields {
  readonly [name: string]: Form;
}

const D = 'decimal';
const I = 'integer';
const T = 'text';
const B = 'boolean';

const ORDER_TERMS: Fields = {
  ...{ price: D, origQty: D, executedQty: D, origQuoteOrderQty: D, cummulativeQuoteQty: D },
  ...{ status: T, timeInForce: T, type: T, side: T, selfTradePreventionMode: T },
  // Only of orders that have them.
  ...{ 'stopPrice?': D, 'trailingDelta?': I, 'icebergQty?': D, 'trailingTime?': I },
  ...{ 'preventedMatchId?': I, 'preventedQuantity?': D, 'expiryReason?': T },
};
const ACK: Fields = { symbol: T, orderId: I, orderListId: I, clientOrderId: T, transactTime: I };
const RESULT: Fields = { ...ACK, ...ORDER_TERMS, 'workingTime?': I };
const FILL: Fields = { price: D, qty: D, commission: D, commissionAsset: T, tradeId: I };
const FULL: Fields = { ...RESULT, fills: [FILL] };
const CANCELED: Fields = { ...ACK, ...ORDER_TERMS, origClientOrderId: T };
const QUERIED: Fields = {
  ...{ symbol: T, orderId: I, orderListId: I, clientOrderId: T, ...ORDER_TERMS },
  ...{ stopPrice: D, icebergQty: D, time: I, updateTime: I, isWorking: B, workingTime: I },
};
const LIST_ORDER: Fields = { symbol: T, orderId: I, clientOrderId: T };
const LIST: Fields = {
  ...{ orderListId: I, contingencyType: T, listStatusType: T, listOrderStatus: T },
  ...{ listClientOrderId: T, transactionTime: I, symbol: T, orders: [LIST_ORDER] },
};
const PLACED_LIST: Fields = { ...LIST, orderReports: [RESULT] };
const TWO_RATES: Fields = { maker: D, taker: D };
const RATES: Fields = { ...TWO_RATES, buyer: D, seller: D };
const DISCOUNT: Fields = {
  enabledForAccount: B,
  enabledForSymbol: B,
  discountAsset: T,
  discount: D,
};
const LIMIT: Fields = { rateLimitType: T, interval: T, intervalNum: I, limit: I };
const TRADE: Fields = {
  ...{ symbol: T, id: I, orderId: I, orderListId: I, price: D, qty: D, quoteQty: D },
  ...{ commission: D, commissionAsset: T, time: I, isBuyer: B, isMaker: B, isBestMatch: B },
};
const AMENDED: Fields = {
  ...{ symbol: T, orderId: I, orderListId: I, origClientOrderId: T, clientOrderId: T, price: D },
  ...{
    qty: D,
    executedQty: D,
    preventedQty: D,
    quoteOrderQty: D,
    cumulativeQuoteQty: D,
    status: T,
  },
  ...{ timeInForce: T, type: T, side: T, workingTime: I, selfTradePreventionMode: T },
};
const SYMBOL: Fields = {
  ...{ symbol: T, status: T, baseAsset: T, baseAssetPrecision: I, quoteAsset: T },
  ...{ quotePrecision: I, quoteAssetPrecision: I, baseCommissionPrecision: I },
  ...{ quoteCommissionPrecision: I, orderTypes: [T], icebergAllowed: B, ocoAllowed: B },
  ...{ otoAllowed: B, opoAllowed: B, quoteOrderQtyMarketAllowed: B, allowTrailingStop: B },
  ...{ cancelReplaceAllowed: B, amendAllowed: B, pegInstructionsAllowed: B },
  ...{ isSpotTradingAllowed: B, isMarginTradingAllowed: B, filters: 'any', permissions: [] },
  ...{ permissionSets: [[T]], defaultSelfTradePreventionMode: T },
  allowedSelfTradePreventionModes: [T],
};

const ACCOUNT: Fields = {
  ...{ makerCommission: I, takerCommission: I, buyerCommission: I, sellerCommission: I },
  ...{ commissionRates: RATES, canTrade: B, canWithdraw: B, canDeposit: B, brokered: B },
  ...{ requireSelfTradePrevention: B, preventSor: B, updateTime: I, accountType: T },
  ...{ balances: [{ asset: T, free: D, locked: D }], permissions: [T], uid: I },
};

let dialect: BinanceVenue;
beforeAll(async () => {
  dialect = await BinanceVenue.open();
});
afterAll(() => dialect.close());

/** Returns what differs from a form, with its path. */
function compare(value: Json, form: Form, path = '$'): string[] {
  if (form === 'any') return [];
  if (typeof form === 'string') {
    const type = fieldType(value);
    return type === form || (form === T && type === D) ? [] : [`${path} is ${type}, not ${form}`];
  }
  if (Array.isArray(form)) {
    if (!Array.isArray(value)) return [`${path} is ${fieldType(value)}, not an array`];
    return value.flatMap((each, index) => {
      const [element] = form as readonly Form[];
      const at = `${path}[${index}]`;
      return element === undefined ? [`${at} is unexpected`] : compare(each, element, at);
    });
  }
  if (fieldType(value) !== 'object') return [`${path} is ${fieldType(value)}, not an object`];
  const known = new Set<string>();
  const differences = Object.entries(form).flatMap(([key, each]) => {
    const name = key.replace('?', '');
    known.add(name);
    if (!(name in value)) return key === name ? [`${path}.${name} is missing`] : [];
    return compare(value[name], each, `${path}.${name}`);
  });
  const more = Object.keys(value).filter((name) => !known.has(name));
  return [...differences, ...more.map((name) => `${path}.${name} is not documented`)];
}

function fieldType(value: unknown): string {
  if (typeof value === 'string') return /^-?\d+\.\d{8}$/.test(value) ? D : T;
  if (typeof value === 'number') return Number.isSafeInteger(value) ? I : 'number';
  if (value === null) return 'null';
  return Array.isArray(value) ? 'array' : typeof value;
}

const covered = new Set<string>();

/** Sends a request as alice, and compares the answer. */
async function expectForm(
  method: string,
  path: string,
  values: Values,
  form: Form,
  isEmptyAllowed = false,
): Promise<Json> {
  covered.add(`${method} ${path}`);
  const answer = await dialect.send('alice', method, path, values);
  expect({ path, differences: compare(answer, form) }).toEqual({ path, differences: [] });
  if (Array.isArray(form) && !isEmptyAllowed) expect(answer.length).toBeGreaterThan(0);
  return answer;
}

test('what differs is found', () => {
  const form = { price: D, 'id?': I, fills: [{ qty: D }] } as const;
  expect(compare({ price: '1.00000000', fills: [] }, form)).toEqual([]);
  expect(compare({ price: '1', id: 1.5, fills: [{ quantity: '1.00000000' }] }, form)).toEqual([
    '$.price is text, not decimal',
    '$.id is number, not integer',
    '$.fills[0].qty is missing',
    '$.fills[0].quantity is not documented',
  ]);
});

const symbol = 'BTCUSDT';
const ORDER = '/api/v3/order';
const limit = (price: number, more: Values = {}): Values => ({
  ...{ symbol, side: 'BUY', type: 'LIMIT', timeInForce: 'GTC', quantity: '0.01', price, ...more },
});

test('answers to new orders', async () => {
  await dialect.send('bob', 'POST', ORDER, limit(50_000, { side: 'SELL', quantity: '0.02' }));
  const full = await expectForm('POST', ORDER, limit(50_000), FULL);
  expect(full.fills).toHaveLength(1);
  await expectForm('POST', ORDER, limit(40_000, { newOrderRespType: 'ACK' }), ACK);
  await expectForm('POST', ORDER, limit(40_000, { newOrderRespType: 'RESULT' }), RESULT);
  await expectForm('POST', ORDER, limit(40_000, { icebergQty: '0.005' }), FULL);
  const stop = {
    side: 'SELL',
    type: 'STOP_LOSS_LIMIT',
    stopPrice: 39_000,
    newOrderRespType: 'FULL',
  };
  await expectForm('POST', ORDER, limit(38_000, stop), FULL);
  await expectForm('POST', `${ORDER}/test`, limit(40_000), {});
  await expectForm('POST', `${ORDER}/test`, limit(40_000, { computeCommissionRates: true }), {
    standardCommissionForOrder: TWO_RATES,
    specialCommissionForOrder: TWO_RATES,
    taxCommissionForOrder: TWO_RATES,
    discount: DISCOUNT,
  });
});

test('answers about orders', async () => {
  const { orderId } = await dialect.send('alice', 'POST', ORDER, limit(41_000));
  await expectForm('GET', ORDER, { symbol, orderId }, QUERIED);
  await expectForm('GET', '/api/v3/openOrders', { symbol }, [QUERIED]);
  await expectForm('GET', '/api/v3/allOrders', { symbol }, [QUERIED]);
  await expectForm('GET', '/api/v3/myTrades', { symbol }, [TRADE]);
  const smaller = { symbol, orderId, newQty: '0.005' };
  await expectForm('PUT', `${ORDER}/amend/keepPriority`, smaller, {
    ...{ transactTime: I, executionId: I, amendedOrder: AMENDED },
  });
  const replacement = limit(41_001, {
    ...{ cancelReplaceMode: 'STOP_ON_FAILURE', cancelOrderId: orderId },
  });
  const replaced = await expectForm('POST', `${ORDER}/cancelReplace`, replacement, {
    ...{ cancelResult: T, newOrderResult: T, cancelResponse: CANCELED, newOrderResponse: FULL },
  });
  const next = replaced.newOrderResponse.orderId;
  await expectForm('DELETE', ORDER, { symbol, orderId: next }, CANCELED);
  await expectForm('DELETE', '/api/v3/openOrders', { symbol }, [CANCELED]);
});

test('answers about order lists', async () => {
  const above = { aboveType: 'LIMIT_MAKER', abovePrice: 60_000 };
  const below = { belowType: 'STOP_LOSS', belowStopPrice: 40_000 };
  const oco = { symbol, side: 'SELL', quantity: '0.01', ...above, ...below };
  const result = { newOrderRespType: 'RESULT' };
  const { orderListId } = await expectForm(
    ...(['POST', '/api/v3/orderList/oco', { ...oco, ...result }, PLACED_LIST] as const),
  );
  await expectForm('GET', '/api/v3/orderList', { orderListId }, LIST);
  await expectForm('GET', '/api/v3/openOrderList', {}, [LIST]);
  await expectForm('GET', '/api/v3/allOrderList', {}, [LIST]);
  await expectForm(
    'DELETE',
    '/api/v3/orderList',
    { symbol, orderListId },
    {
      ...{ ...LIST, orderReports: [CANCELED] },
    },
  );
  const older = { symbol, side: 'SELL', quantity: '0.01', price: 60_000, stopPrice: 40_000 };
  await expectForm('POST', `${ORDER}/oco`, { ...older, ...result }, PLACED_LIST);
  const working = {
    ...{ symbol, ...result, workingType: 'LIMIT_MAKER', workingSide: 'BUY', workingPrice: 45_000 },
    ...{ workingQuantity: '0.01', pendingSide: 'SELL', pendingQuantity: '0.01' },
  };
  const pair = {
    ...{ pendingAboveType: 'LIMIT_MAKER', pendingAbovePrice: 60_000 },
    ...{ pendingBelowType: 'STOP_LOSS', pendingBelowStopPrice: 40_000 },
  };
  for (const [kind, pending] of [
    ['oto', { pendingType: 'MARKET' }],
    ['otoco', pair],
  ] as const) {
    const path = `/api/v3/orderList/${kind}`;
    await expectForm('POST', path, { ...working, ...pending }, PLACED_LIST);
  }
  // The orders of the last lists. The test's clock stands still, and a request that cancels is used once.
  const orders = await dialect.send('alice', 'DELETE', '/api/v3/openOrders', {
    ...{ symbol, recvWindow: 4000 },
  });
  expect(compare(orders, [{ ...LIST, orderReports: [CANCELED] }])).toEqual([]);
});

test('answers about the account', async () => {
  await expectForm('GET', '/api/v3/account', {}, ACCOUNT);
  await expectForm(
    'GET',
    '/api/v3/account/commission',
    { symbol },
    {
      ...{ symbol: T, standardCommission: RATES, specialCommission: RATES, taxCommission: RATES },
      discount: DISCOUNT,
    },
  );
  await expectForm('GET', '/api/v3/rateLimit/order', {}, [{ ...LIMIT, count: I }]);
  await expectForm('GET', '/api/v3/myPreventedMatches', { symbol, orderId: 1 }, [], true);
  await expectForm('GET', '/api/v3/myAllocations', { symbol }, [], true);
});

test('the answer about the exchange', async () => {
  const info: Json = await (await fetch(`${dialect.url}/api/v3/exchangeInfo`)).json();
  const form: Fields = { timezone: T, serverTime: I, rateLimits: [LIMIT], symbols: [SYMBOL] };
  const differences = compare(info, { ...form, exchangeFilters: 'any', 'sors?': 'any' });
  expect(differences).toEqual([]);
});

const SAPI = '/sapi/v1';

test('answers about the wallet and the key', async () => {
  const none = { freeze: D, ipoable: D, ipoing: D, storage: D, withdrawing: D };
  const coin: Fields = {
    ...{ coin: T, name: T, free: D, locked: D, ...none, isLegalMoney: B, trading: B },
    ...{ depositAllEnable: B, withdrawAllEnable: B, networkList: [] },
  };
  await expectForm('GET', `${SAPI}/capital/config/getall`, {}, [coin]);
  const fee = { symbol: T, makerCommission: D, takerCommission: D };
  await expectForm('GET', `${SAPI}/asset/tradeFee`, {}, [fee]);
  const [one] = await expectForm('GET', `${SAPI}/asset/tradeFee`, { symbol }, [fee]);
  expect(one.symbol).toBe(symbol);
  covered.add(`GET ${SAPI}/system/status`);
  const { json } = await dialect.get(`${SAPI}/system/status`);
  expect(compare(json, { status: I, msg: T })).toEqual([]);
  await expectForm('GET', `${SAPI}/account/status`, {}, { data: T });
  const restrictions: Fields = {
    ...{ ipRestrict: B, createTime: I, enableReading: B, enableSpotAndMarginTrading: B },
    ...{ enableWithdrawals: B, enableInternalTransfer: B, enableMargin: B, enableFutures: B },
    ...{ permitsUniversalTransfer: B, enableVanillaOptions: B, enableFixApiTrade: B },
    ...{ enableFixReadOnly: B, enablePortfolioMarginTrading: B },
  };
  const path = `${SAPI}/account/apiRestrictions`;
  const own = await expectForm('GET', path, {}, restrictions);
  expect([own.enableReading, own.enableSpotAndMarginTrading, own.ipRestrict]).toEqual([
    ...[true, true, false],
  ]);
  const expiresAt = new Date(dialect.exchange.now + 60_000).toISOString();
  const terms = { permissions: ['read'], addresses: ['127.0.0.1'], expiresAt };
  await dialect.addKey('reader', 'alice', terms);
  const limited = await dialect.send('reader', 'GET', path, {});
  expect(compare(limited, { ...restrictions, tradingAuthorityExpirationTime: I })).toEqual([]);
  expect([limited.enableReading, limited.enableSpotAndMarginTrading, limited.ipRestrict]).toEqual([
    ...[true, false, true],
  ]);
  expect(limited.tradingAuthorityExpirationTime).toBe(Date.parse(expiresAt));
});

test('answers about what this exchange does not have', async () => {
  for (const path of ['spot/delist-schedule', 'margin/allPairs', 'margin/isolated/allPairs']) {
    await expectForm('GET', `${SAPI}/${path}`, {}, [], true);
  }
});

test('every endpoint about orders, accounts and wallets is compared', () => {
  const isSigned = (access: string) => access !== 'public' && access !== 'key';
  const expected = BINANCE_ENDPOINTS.filter(
    ({ access, path }) => path.startsWith('/sapi/') || isSigned(access),
  );
  expect(new Set(expected.map(({ method, path }) => `${method} ${path}`))).toEqual(covered);
});

import type { EntryEvent } from '../../../engine/event.ts';
import type { Account, Balance } from '../../../engine/ledger/accounts.ts';
import type { Asset, Market } from '../../../engine/markets/markets.ts';
import type { Exact } from '../../../engine/numbers/exact.ts';
import { Permission } from '../../../engine/terms.ts';
import type { Page } from '../../../history/history.ts';
import { showBalances } from '../../faults/reports.ts';
import { ApiError } from '../../http/response/errors.ts';
import type { BinanceCall } from '../call.ts';
import { decimalText } from '../decimals.ts';
import { type BinanceEndpoint, READ } from '../endpoint.ts';
import { queryHistory } from '../history-page.ts';
import { toSymbol } from '../symbols.ts';

/** Fee rates are in millionths. */
const RATE_DECIMALS = 6;
/** Binance counts commissions in hundredths of a percent. */
const MILLIONTHS_PER_BASIS_POINT = 100;
const NO_RATES =
  '{"maker":"0.00000000","taker":"0.00000000","buyer":"0.00000000","seller":"0.00000000"}';

/** GET /api/v3/account. */
async function getAccount(call: BinanceCall): Promise<string> {
  const { given, account, exchange } = call;
  const omitsZeros = given.boolean('omitZeroBalances') ?? false;
  given.checkAllRead();
  const updateTime = await findUpdateTime(call);
  const [market] = call.symbols.all;
  const { maker, taker } = market === undefined ? { maker: 0, taker: 0 } : rates(call, market);
  const shown = showBalances(call);
  const balances = exchange.state.assets.flatMap((asset) => {
    const balance = shown[asset.index];
    const isZero = balance === undefined || (balance.available === 0 && balance.held === 0);
    return isZero && omitsZeros ? [] : [balanceText(balance, asset)];
  });
  const canTrade = !account.isFrozen && ((call.key?.permissions ?? 0) & Permission.trade) !== 0;
  return (
    `{"makerCommission":${Math.round(maker / MILLIONTHS_PER_BASIS_POINT)},` +
    `"takerCommission":${Math.round(taker / MILLIONTHS_PER_BASIS_POINT)},"buyerCommission":0,` +
    `"sellerCommission":0,"commissionRates":${ratesText(maker, taker)},"canTrade":${canTrade},` +
    '"canWithdraw":false,"canDeposit":false,"brokered":false,"requireSelfTradePrevention":true,' +
    `"preventSor":true,"updateTime":${updateTime},"accountType":"SPOT",` +
    `"balances":[${balances.join(',')}],"permissions":["SPOT"],"uid":${accountUid(account)}}`
  );
}

/** Returns when a balance of the account changed last, milliseconds since 1970. */
async function findUpdateTime(call: BinanceCall): Promise<number> {
  const filter = { account: call.account.index, limit: 1, descending: true };
  try {
    const { items } = await queryHistory<Page<EntryEvent>>(call, { kind: 'entries', filter });
    return items[0]?.time ?? call.account.createdAt;
  } catch (error) {
    // Balances must be readable while history is not.
    if (error instanceof ApiError) return call.account.createdAt;
    throw error;
  }
}

/** Hexadecimal digits of a uid: as a number it is an exact integer. */
const UID_DIGITS = 12;

/** Returns a number that stays the same for an account, and does not reveal how many there are. */
function accountUid({ id }: Account): number {
  return Number.parseInt(Bun.SHA256.hash(`uid ${id}`, 'hex').slice(0, UID_DIGITS), 16);
}

/** Returns `{asset, free, locked}`. @param balance Undefined for an asset that the account never had. */
export function balanceText(balance: Balance | undefined, { asset, decimals }: Asset): string {
  const text = (units: Exact) => decimalText(units, decimals);
  const { available = 0, held = 0 } = balance ?? {};
  return `{"asset":"${asset}","free":"${text(available)}","locked":"${text(held)}"}`;
}

/** GET /api/v3/account/commission. */
function getCommission(call: BinanceCall): string {
  const market = call.symbols.read(call.given);
  call.given.checkAllRead();
  const { maker, taker } = rates(call, market);
  return (
    `{"symbol":"${toSymbol(market)}","standardCommission":${ratesText(maker, taker)},` +
    `"specialCommission":${NO_RATES},"taxCommission":${NO_RATES},` +
    `"discount":${NO_DISCOUNT}}`
  );
}

/** This exchange has no token that pays fees at a discount. */
export const NO_DISCOUNT =
  '{"enabledForAccount":false,"enabledForSymbol":false,"discountAsset":"","discount":"0.00000000"}';

/** Returns the account's fee rates in a market, in millionths. */
export function rates(
  { account, exchange, services }: BinanceCall,
  market: Market,
): { readonly maker: number; readonly taker: number } {
  const { feeTiers, time } = exchange.state;
  const now = Math.max(services.now(), time);
  return {
    maker: feeTiers.makerFee(account, market, now),
    taker: feeTiers.takerFee(account, market, now),
  };
}

function ratesText(maker: number, taker: number): string {
  return (
    `{"maker":"${rateText(maker)}","taker":"${rateText(taker)}",` +
    '"buyer":"0.00000000","seller":"0.00000000"}'
  );
}

export function rateText(millionths: number): string {
  return decimalText(millionths, RATE_DECIMALS);
}

/** GET /api/v3/rateLimit/order. */
function getOrderCounts({ given, limits, account }: BinanceCall): string {
  given.checkAllRead();
  const { tenSeconds, day } = limits.usedOrders(account);
  const text = (interval: string, count: number, { used, limit }: typeof day) =>
    `{"rateLimitType":"ORDERS","interval":"${interval}","intervalNum":${count},"limit":${limit},"count":${used}}`;
  return `[${text('SECOND', 10, tenSeconds)},${text('DAY', 1, day)}]`;
}

/**
 * GET /api/v3/myPreventedMatches and /api/v3/myAllocations: always empty. The exchange keeps no list of matches that
 * self-trade prevention avoided (the orders themselves say so), and it routes no orders.
 */
function getNothing(call: BinanceCall): string {
  call.symbols.read(call.given);
  call.given.ignore(
    ...['preventedMatchId', 'orderId', 'fromPreventedMatchId', 'limit'],
    ...['startTime', 'endTime', 'fromAllocationId'],
  );
  call.given.checkAllRead();
  return '[]';
}

export const ACCOUNT_ENDPOINTS: readonly BinanceEndpoint[] = [
  { ...READ, path: '/api/v3/account', operation: 'account.status', weight: 20, handle: getAccount },
  {
    ...READ,
    path: '/api/v3/account/commission',
    operation: 'account.commission',
    weight: 20,
    handle: getCommission,
  },
  {
    ...READ,
    path: '/api/v3/rateLimit/order',
    operation: 'account.rateLimits.orders',
    weight: 40,
    handle: getOrderCounts,
  },
  {
    ...READ,
    path: '/api/v3/myPreventedMatches',
    operation: 'myPreventedMatches',
    weight: (given) => (given.has('orderId') ? 20 : 2),
    handle: getNothing,
  },
  {
    ...READ,
    path: '/api/v3/myAllocations',
    operation: 'myAllocations',
    weight: 20,
    handle: getNothing,
  },
];

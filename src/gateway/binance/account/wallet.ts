import type { Asset } from '../../../engine/markets/markets.ts';
import { Permission } from '../../../engine/terms.ts';
import { showBalances } from '../../faults/reports.ts';
import type { BinanceCall } from '../call.ts';
import { decimalText } from '../decimals.ts';
import { type BinanceEndpoint, READ } from '../endpoint.ts';
import { toSymbol } from '../symbols.ts';
import { balanceText, rates, rateText } from './account.ts';

// The part of Binance's wallet API (/sapi) that clients ask for when they only trade. Deposits, withdrawals, margin and futures
// are not part of this exchange: what is listed of them is empty.

/** Amounts that balances of this exchange do not have. */
const NO_AMOUNTS = ['freeze', 'ipoable', 'ipoing', 'storage', 'withdrawing']
  .map((name) => `"${name}":"${decimalText(0, 0)}"`)
  .join(',');

/** GET /sapi/v1/capital/config/getall. */
function getCoins(call: BinanceCall): string {
  const { given, exchange } = call;
  given.checkAllRead();
  const balances = showBalances(call);
  const text = (asset: Asset) => {
    const balance = balanceText(balances[asset.index], asset).replace('"asset"', '"coin"');
    return (
      `${balance.slice(0, -1)},"depositAllEnable":false,"withdrawAllEnable":false,"trading":true,` +
      `"name":${JSON.stringify(asset.name)},"isLegalMoney":false,${NO_AMOUNTS},"networkList":[]}`
    );
  };
  return `[${exchange.state.assets.map(text).join(',')}]`;
}

/** GET /sapi/v1/asset/tradeFee. */
function getTradeFees(call: BinanceCall): string {
  const market = call.symbols.readOptional(call.given);
  call.given.checkAllRead();
  const texts = (market === undefined ? call.symbols.all : [market]).map((each) => {
    const { maker, taker } = rates(call, each);
    return (
      `{"symbol":"${toSymbol(each)}","makerCommission":"${rateText(maker)}",` +
      `"takerCommission":"${rateText(taker)}"}`
    );
  });
  return `[${texts.join(',')}]`;
}

/** GET /sapi/v1/system/status. */
function getSystemStatus({ given }: BinanceCall): string {
  given.checkAllRead();
  return '{"status":0,"msg":"normal"}';
}

/** GET /sapi/v1/account/status. */
function getAccountStatus({ given, account }: BinanceCall): string {
  given.checkAllRead();
  return `{"data":"${account.isFrozen ? 'Locked' : 'Normal'}"}`;
}

/** GET /sapi/v1/account/apiRestrictions. */
function getApiRestrictions({ given, key }: BinanceCall): string {
  given.checkAllRead();
  const { permissions, addresses, createdAt, expiresAt } = key!;
  const has = (permission: number) => (permissions & permission) !== 0;
  return (
    `{"ipRestrict":${addresses.length > 0},"createTime":${createdAt},` +
    `"enableReading":${has(Permission.read)},"enableSpotAndMarginTrading":${has(Permission.trade)},` +
    '"enableWithdrawals":false,"enableInternalTransfer":false,"enableMargin":false,' +
    '"enableFutures":false,"permitsUniversalTransfer":false,"enableVanillaOptions":false,' +
    '"enableFixApiTrade":false,"enableFixReadOnly":false,"enablePortfolioMarginTrading":false' +
    `${expiresAt === 0 ? '' : `,"tradingAuthorityExpirationTime":${expiresAt}`}}`
  );
}

/** Returns an empty list, of things that this exchange does not have. */
function getEmptyList({ given }: BinanceCall): string {
  given.ignore('symbol', 'base', 'quote');
  given.checkAllRead();
  return '[]';
}

/** GET /fapi/v1/exchangeInfo and /dapi/v1/exchangeInfo: there are no futures. */
function getNoFutures({ given, services }: BinanceCall): string {
  given.checkAllRead();
  return (
    `{"timezone":"UTC","serverTime":${services.now()},"rateLimits":[],"exchangeFilters":[],` +
    '"assets":[],"symbols":[]}'
  );
}

const read = { ...READ, weight: 1 } as const;
const open = { method: 'GET', access: 'public', weight: 1 } as const;
const keyed = { method: 'GET', access: 'key', weight: 1 } as const;

export const WALLET_ENDPOINTS: readonly BinanceEndpoint[] = [
  { ...read, path: '/sapi/v1/capital/config/getall', weight: 10, handle: getCoins },
  { ...read, path: '/sapi/v1/asset/tradeFee', handle: getTradeFees },
  { ...open, path: '/sapi/v1/system/status', handle: getSystemStatus },
  { ...read, path: '/sapi/v1/account/status', handle: getAccountStatus },
  { ...read, path: '/sapi/v1/account/apiRestrictions', handle: getApiRestrictions },
  { ...keyed, path: '/sapi/v1/spot/delist-schedule', weight: 100, handle: getEmptyList },
  { ...keyed, path: '/sapi/v1/margin/allPairs', handle: getEmptyList },
  { ...read, path: '/sapi/v1/margin/isolated/allPairs', weight: 10, handle: getEmptyList },
  { ...open, path: '/fapi/v1/exchangeInfo', handle: getNoFutures },
  { ...open, path: '/dapi/v1/exchangeInfo', handle: getNoFutures },
];

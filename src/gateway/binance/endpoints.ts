import { ACCOUNT_ENDPOINTS } from './account/account.ts';
import { LIST_ENDPOINTS } from './account/lists.ts';
import { WALLET_ENDPOINTS } from './account/wallet.ts';
import type { BinanceEndpoint } from './endpoint.ts';
import { DEPTH_ENDPOINTS } from './market-data/depth.ts';
import { EXCHANGE_INFO_ENDPOINTS } from './market-data/exchange-info.ts';
import { GENERAL_ENDPOINTS } from './market-data/general.ts';
import { KLINE_ENDPOINTS } from './market-data/klines.ts';
import { PRICE_ENDPOINTS } from './market-data/prices.ts';
import { TICKER_ENDPOINTS } from './market-data/tickers.ts';
import { TRADE_ENDPOINTS } from './market-data/trades.ts';
import { ORDER_LIST_ENDPOINTS } from './order-lists/order-lists.ts';
import { CHANGE_ENDPOINTS } from './orders/changes.ts';
import { ORDER_ENDPOINTS } from './orders/orders.ts';
import { USER_DATA_ENDPOINTS } from './user-data/endpoints.ts';

/** Every endpoint of the dialect, for its REST API and its WebSocket API. */
export const BINANCE_ENDPOINTS: readonly BinanceEndpoint[] = [
  ...GENERAL_ENDPOINTS,
  ...EXCHANGE_INFO_ENDPOINTS,
  ...DEPTH_ENDPOINTS,
  ...TRADE_ENDPOINTS,
  ...KLINE_ENDPOINTS,
  ...PRICE_ENDPOINTS,
  ...TICKER_ENDPOINTS,
  ...ORDER_ENDPOINTS,
  ...CHANGE_ENDPOINTS,
  ...ORDER_LIST_ENDPOINTS,
  ...LIST_ENDPOINTS,
  ...ACCOUNT_ENDPOINTS,
  ...WALLET_ENDPOINTS,
  ...USER_DATA_ENDPOINTS,
];

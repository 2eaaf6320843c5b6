import type { Market } from '../../../engine/markets/markets.ts';
import type { Call } from '../../http/request/call.ts';
import { describe } from '../../openapi/description.ts';
import { record } from '../../openapi/json-schema.ts';
import { recordList } from '../../openapi/record-schemas.ts';
import { assetText, marketText, priceText } from '../records.ts';

const SYMBOL = ['symbol'] as const;

/** GET /api/markets: `{markets}`, all of them or the one of `symbol`. */
export function getMarkets(call: Call): string {
  const { statistics, now } = call.services;
  const texts = selectMarkets(call).map((market) =>
    marketText(market, statistics.get(market.index).at(now()), call.exchange.state),
  );
  return `{"markets":[${texts.join(',')}]}`;
}
getMarkets.description = describe({
  operationId: 'getMarkets',
  tag: 'Market data',
  summary: 'Markets, their rules and 24 h figures',
  notes: 'Delisted markets are included, with status `delisted`.',
  query: SYMBOL,
  data: record({ markets: recordList('Market') }),
  errors: ['INVALID_SYMBOL'],
});

/** GET /api/prices: `{prices}` of all markets or the one of `symbol`. */
export function getPrices(call: Call): string {
  const { statistics, now } = call.services;
  const { auctions } = call.exchange.state.parts;
  const time = now();
  const texts = selectMarkets(call).map((market) =>
    priceText(market, statistics.get(market.index).at(time), time, auctions),
  );
  return `{"prices":[${texts.join(',')}]}`;
}
getPrices.description = describe({
  operationId: 'getPrices',
  tag: 'Market data',
  summary: 'Current prices and rolling 24 h figures',
  notes: 'All figures of a record are from the same trades.',
  query: SYMBOL,
  data: record({ prices: recordList('Price') }),
  errors: ['INVALID_SYMBOL'],
});

/** GET /api/assets: `{assets}`. */
export function getAssets(call: Call): string {
  call.query([]);
  return `{"assets":[${call.exchange.state.assets.map(assetText).join(',')}]}`;
}
getAssets.description = describe({
  operationId: 'getAssets',
  tag: 'Market data',
  summary: 'All assets',
  data: record({ assets: recordList('Asset') }),
});

function selectMarkets(call: Call): readonly Market[] {
  const market = call.query(SYMBOL).market(call.exchange);
  return market === undefined ? call.exchange.state.markets : [market];
}

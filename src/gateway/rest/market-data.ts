import type { Market } from '../../engine/markets.ts';
import type { Call } from '../call.ts';
import { marketText, priceText } from '../records.ts';

/** GET /api/markets: `{markets}`, all of them or the one of `?symbol=`. */
export function getMarkets(call: Call): string {
  const { statistics, now } = call.services;
  const texts = marketsOf(call).map((market) =>
    marketText(market, statistics.of(market.index).at(now())),
  );
  return `{"markets":[${texts.join(',')}]}`;
}

/** GET /api/prices: `{prices}`, of all markets or the one of `?symbol=`. */
export function getPrices(call: Call): string {
  const { statistics, now } = call.services;
  const time = now();
  const texts = marketsOf(call).map((market) =>
    priceText(market, statistics.of(market.index).at(time), time),
  );
  return `{"prices":[${texts.join(',')}]}`;
}

function marketsOf(call: Call): readonly Market[] {
  const market = call.query(['symbol']).market(call.exchange);
  return market === undefined ? call.exchange.state.markets : [market];
}

import type { ComponentChildren } from 'preact';
import { compact } from '../format.ts';
import { t } from '../i18n/index.ts';
import { book, bookFrame } from '../trade/feed.ts';
import { market, markets, prices, symbol } from '../trade/markets.ts';
import { describeSpread } from '../trade/spread.ts';
import { totalVolume } from '../trade/volumes.ts';
import { valueWithin } from './depth-value.ts';

/** Distance from the mid price within which the depth is counted. */
const SHARE = 0.01;

/** The volume of all markets, and spread and depth of the market with the highest volume. */
export function Figures() {
  void bookFrame.value;
  const [bid, ask] = [book.bids[0]?.[0], book.asks[0]?.[0]];
  const quote = market.value?.quote;
  if (quote === undefined || bid === undefined || ask === undefined) return null;
  const volume = totalVolume(
    markets.value.map((each) => ({ ...each, ...prices.value.get(each.symbol) })),
    quote,
  );
  const depth = valueWithin(book.bids, book.asks, SHARE);
  return (
    <dl class="home-figures">
      <Figure name={t('24h volume')}>{`${compact(volume.toFixed(0))} ${quote}`}</Figure>
      <Figure name={t('{symbol} depth within 1%', { symbol: symbol.value })}>
        {`${compact(depth.toFixed(0))} ${quote}`}
      </Figure>
      <Figure name={t('{symbol} spread', { symbol: symbol.value })}>
        {describeSpread(bid, ask).share}
      </Figure>
    </dl>
  );
}

function Figure({ name, children }: { name: string; children: ComponentChildren }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}

import { AssetIcon } from '../components/asset-icon.tsx';
import { TrendLine } from '../components/trend-line.tsx';
import { changeTone, compact, countDecimals, percent, rounded } from '../format.ts';
import { t } from '../i18n/index.ts';
import { assetName } from '../trade/asset-names.ts';
import { marketPath, prices } from '../trade/markets.ts';
import type { ExactMarket } from '../trade/records.ts';
import { trends } from './trends.ts';

/** The markets with the highest volume: price, change, trend and volume of the last 24 hours. */
export function MarketTable({ markets }: { markets: readonly ExactMarket[] }) {
  return (
    <section class="panel home-markets" aria-labelledby="markets-title">
      <header class="panel-head">
        <h2 id="markets-title">{t('Markets')}</h2>
        <a href="/trade">{t('All markets')}</a>
      </header>
      <table>
        <thead>
          <tr>
            <th scope="col">{t('Market')}</th>
            <th scope="col" class="numeric">
              {t('Price')}
            </th>
            <th scope="col" class="numeric">
              {t('24h change')}
            </th>
            <th scope="col" class="numeric home-wide">
              {t('Last 24 hours')}
            </th>
            <th scope="col" class="numeric home-wide">
              {t('24h volume')}
            </th>
          </tr>
        </thead>
        <tbody>
          {markets.map((each) => (
            <MarketRow key={each.symbol} market={each} />
          ))}
        </tbody>
      </table>
    </section>
  );
}

function MarketRow({ market: shown }: { market: ExactMarket }) {
  const {
    price = shown.last,
    percentage = shown.percentage,
    quoteVolume = shown.quoteVolume,
  } = prices.value.get(shown.symbol) ?? {};
  const tone = changeTone(percentage);
  return (
    <tr>
      <td>
        <a href={marketPath(shown.symbol)}>
          <AssetIcon asset={shown.base} />
          <span>
            <b>{shown.symbol}</b>
            <small class="muted">{assetName(shown.base)}</small>
          </span>
        </a>
      </td>
      <td class="numeric">{rounded(price, countDecimals(shown.tickSize))}</td>
      <td class={`numeric ${tone}`}>{percent(percentage)}</td>
      <td class={`numeric home-wide ${tone}`}>
        <TrendLine values={trends.value.get(shown.symbol) ?? []} />
      </td>
      <td class="numeric home-wide">
        {compact(quoteVolume)} {shown.quote}
      </td>
    </tr>
  );
}

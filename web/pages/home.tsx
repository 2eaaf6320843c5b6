import '../styles/base.css';
import '../styles/home.css';
import { batch } from '@preact/signals';
import type { Level } from '../../src/client/index.ts';
import { api } from '../api.ts';
import { AssetIcon } from '../components/asset-icon.tsx';
import { Shell } from '../components/shell.tsx';
import { announceError } from '../components/toast.tsx';
import { ARROWS, changeTone, compact, countDecimals, percent, rounded } from '../format.ts';
import { t } from '../i18n/index.ts';
import { hasBinance, isSandbox } from '../sandbox.ts';
import { loadSession, profile } from '../session.ts';
import { showPage } from '../show-page.ts';
import { book, bookFrame, hasBook, lastSide, startFeed, tradeFrame } from '../trade/feed.ts';
import { withoutDelisted } from '../trade/listings.ts';
import { listMarkets } from '../trade/market-order.ts';
import {
  amountDecimals,
  lastPrice,
  market,
  marketPath,
  markets,
  priceDecimals,
  prices,
  symbol,
} from '../trade/markets.ts';
import type { ExactMarket } from '../trade/records.ts';

const BOOK_ROWS = 5;
const MARKET_ROWS = 6;

function HomePage() {
  return (
    <Shell at="/" class="home">
      <Introduction />
      <Book />
      <Markets />
      <ul class="home-links">
        <li>
          <a href="/docs">{t('API documentation')}</a>
        </li>
        <li>
          <a href="/openapi.json">OpenAPI</a>
        </li>
        <li>
          <a href="/asyncapi.json">AsyncAPI</a>
        </li>
        <li>
          <a href="/status">{t('Status')}</a>
        </li>
        {hasBinance ? (
          <li>
            <a href="/bots">{t('Bots')}</a>
          </li>
        ) : null}
      </ul>
    </Shell>
  );
}

function Introduction() {
  return (
    <div class="home-intro">
      <h1>{t('Trade cryptocurrencies on an open, exact order book')}</h1>
      <p>
        {isSandbox
          ? t(
              'This is a sandbox: all funds are test funds, and market makers quote around the clock. Sign up and get test funds with one click. Everything that you do on these pages works through the API too.',
            )
          : t(
              'Orders are matched by price, then by time. Amounts and fees are exact to the last decimal. Everything that you do on these pages works through the API too.',
            )}
      </p>
      <div class="home-actions">
        <a class="button primary" href="/trade">
          {t('Trade')}
        </a>
        {profile.value ? (
          <a class="button" href="/portfolio">
            {t('Portfolio')}
          </a>
        ) : (
          <a class="button" href="/sign-up">
            {t('Sign up')}
          </a>
        )}
      </div>
    </div>
  );
}

/** The best prices of the market with the highest volume. */
function Book() {
  void bookFrame.value;
  void tradeFrame.value;
  const { base = '', quote = '' } = market.value ?? {};
  const tone = { buy: 'buy', sell: 'sell', none: '' }[
    lastSide.value ?? 'none'
  ] as keyof typeof ARROWS;
  return (
    <section class="panel home-book" aria-labelledby="book-title" aria-busy={!hasBook.value}>
      <header class="panel-head">
        <h2 id="book-title">{t('Order book of {symbol}', { symbol: symbol.value })}</h2>
      </header>
      <table>
        <thead>
          <tr>
            <th scope="col">{t('Price ({asset})', { asset: quote })}</th>
            <th scope="col" class="numeric">
              {t('Amount ({asset})', { asset: base })}
            </th>
          </tr>
        </thead>
        <BookRows levels={book.asks} tone="sell" />
        <tbody>
          <tr class="spread">
            <td colSpan={2} class={tone}>
              {lastPrice.value === undefined
                ? '–'
                : `${ARROWS[tone]}${rounded(lastPrice.value, priceDecimals.value)}`}
            </td>
          </tr>
        </tbody>
        <BookRows levels={book.bids} tone="buy" />
      </table>
    </section>
  );
}

interface RowsProps {
  /** Best first. */
  readonly levels: readonly Level<string>[];
  readonly tone: 'buy' | 'sell';
}

/** One side of the book, always of the same height, with its best price at the spread. */
function BookRows({ levels, tone }: RowsProps) {
  const ranks = Array.from({ length: BOOK_ROWS }, (_, rank) => rank);
  return (
    <tbody>
      {(tone === 'sell' ? ranks.reverse() : ranks).map((rank) => {
        const level = levels[rank];
        return (
          <tr key={rank}>
            <td class={tone}>{level && rounded(level[0], priceDecimals.value)}</td>
            <td class="numeric">{level && rounded(level[1], amountDecimals.value)}</td>
          </tr>
        );
      })}
    </tbody>
  );
}

function Markets() {
  const found = byVolume().slice(0, MARKET_ROWS);
  return (
    <section class="panel home-markets" aria-labelledby="markets-title">
      <header class="panel-head">
        <h2 id="markets-title">{t('Markets')}</h2>
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
              {t('24h volume')}
            </th>
          </tr>
        </thead>
        <tbody>
          {found.map((each) => (
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
  return (
    <tr>
      <td>
        <a href={marketPath(shown.symbol)}>
          <AssetIcon asset={shown.base} />
          <b>{shown.symbol}</b>
        </a>
      </td>
      <td class="numeric">{rounded(price, countDecimals(shown.tickSize))}</td>
      <td class={`numeric ${changeTone(percentage)}`}>{percent(percentage)}</td>
      <td class="numeric home-wide">
        {compact(quoteVolume)} {shown.quote}
      </td>
    </tr>
  );
}

function byVolume(): readonly ExactMarket[] {
  return listMarkets(markets.value, prices.value, {
    query: '',
    filter: 'all',
    sort: '-volume',
    favorites: new Set(),
  });
}

async function load(): Promise<void> {
  const [listed, { prices: figures }] = await Promise.all([api.getMarkets(), api.getPrices()]);
  batch(() => {
    markets.value = withoutDelisted(listed.markets, '');
    prices.value = new Map(figures.map((each) => [each.symbol, each]));
    symbol.value = byVolume()[0]?.symbol ?? '';
  });
}

loadSession().catch(announceError);
load().catch(announceError);
startFeed();
showPage(<HomePage />);

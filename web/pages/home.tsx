import '../styles/base.css';
import '../styles/fee-table.css';
import '../styles/home.css';
import { batch, computed } from '@preact/signals';
import { api } from '../api.ts';
import { Shell } from '../components/shell.tsx';
import { SiteFooter } from '../components/site-footer.tsx';
import { announceError } from '../components/toast.tsx';
import { Features } from '../home/features.tsx';
import { Fees, feeSchedule } from '../home/fees.tsx';
import { Figures } from '../home/figures.tsx';
import { LiveBook } from '../home/live-book.tsx';
import { MarketTable } from '../home/market-table.tsx';
import { loadTrends } from '../home/trends.ts';
import { t } from '../i18n/index.ts';
import { isSandbox } from '../sandbox.ts';
import { loadSession, profile } from '../session.ts';
import { showPage } from '../show-page.ts';
import { startFeed } from '../trade/feed.ts';
import { withoutDelisted } from '../trade/listings.ts';
import { listMarkets } from '../trade/market-order.ts';
import { markets, prices, symbol } from '../trade/markets.ts';

const MARKET_ROWS = 8;

function HomePage() {
  return (
    <Shell at="/" class="home">
      <Introduction />
      <LiveBook />
      <MarketTable markets={topMarkets.value} />
      <Fees />
      <Features />
      <SiteFooter />
    </Shell>
  );
}

function Introduction() {
  return (
    <div class="home-intro">
      <h1>{t('Trade crypto on a transparent order book')}</h1>
      <p>
        {isSandbox
          ? t(
              'Practice with live markets and test funds. Orders match by price, then time, exact to the last decimal. Everything here is also available through the API.',
            )
          : t(
              'Orders match by price, then time. Amounts and fees are exact to the last decimal. Everything here is also available through the API.',
            )}
      </p>
      <div class="home-actions">
        {profile.value ? (
          <>
            <a class="button primary large" href="/trade">
              {t('Trade')}
            </a>
            <a class="button large" href="/portfolio">
              {t('Portfolio')}
            </a>
          </>
        ) : (
          <>
            <a class="button primary large" href="/sign-up">
              {isSandbox ? t('Create a demo account') : t('Sign up')}
            </a>
            <a class="button large" href="/trade">
              {t('View markets')}
            </a>
          </>
        )}
      </div>
      <Figures />
    </div>
  );
}

/** The markets with the highest volume. */
const topMarkets = computed(() =>
  listMarkets(markets.value, prices.value, {
    query: '',
    filter: 'all',
    sort: '-volume',
    favorites: new Set(),
  }).slice(0, MARKET_ROWS),
);

async function load(): Promise<void> {
  const [listed, { prices: figures }, schedule] = await Promise.all([
    api.getMarkets(),
    api.getPrices(),
    api.getFeeSchedule(),
  ]);
  batch(() => {
    feeSchedule.value = schedule;
    markets.value = withoutDelisted(listed.markets, '');
    prices.value = new Map(figures.map((each) => [each.symbol, each]));
    symbol.value = topMarkets.value[0]?.symbol ?? '';
  });
  await loadTrends(topMarkets.value.map((each) => each.symbol));
}

loadSession().catch(announceError);
load().catch(announceError);
startFeed();
showPage(<HomePage />);

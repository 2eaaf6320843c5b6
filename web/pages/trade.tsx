import '../styles/base.css';
import '../styles/trade.css';
import { effect } from '@preact/signals';
import { api } from '../api.ts';
import { ConnectionBadge } from '../components/connection-badge.tsx';
import { Later } from '../components/later.tsx';
import { Shell } from '../components/shell.tsx';
import { StaleNote } from '../components/stale-note.tsx';
import { announceError } from '../components/toast.tsx';
import { readExchangeClock } from '../exchange-clock.ts';
import { rounded } from '../format.ts';
import { t } from '../i18n/index.ts';
import { isSandbox } from '../sandbox.ts';
import { isSubAccount, selectedAccount } from '../selected-account.ts';
import { loadSession } from '../session.ts';
import { showPage } from '../show-page.ts';
import { isSignedIn, startAccount } from '../trade/account.ts';
import { AmendDialog } from '../trade/amend-dialog.tsx';
import { ChartPanel } from '../trade/chart/chart-panel.tsx';
import { hasBook, startFeed } from '../trade/feed.ts';
import { LayoutMenu } from '../trade/layout/layout-menu.tsx';
import { isEditing, isLadderShown, panelGrid } from '../trade/layout/panel-grid.ts';
import { MarketList } from '../trade/market-list.tsx';
import { lastPrice, loadMarkets, missingMarket, priceDecimals, symbol } from '../trade/markets.ts';
import { OrderBookPanel } from '../trade/order-book.tsx';
import { OrderDialog } from '../trade/order-details/order-dialog.tsx';
import { OrderForm } from '../trade/order-form.tsx';
import { startOrderTests } from '../trade/order-test.ts';
import { OrdersPanel } from '../trade/orders-panel.tsx';
import { FormSheet, isFormOpen } from '../trade/phone/form-sheet.tsx';
import { PhoneBar, phoneView, useSwipes } from '../trade/phone/phone-views.tsx';
import { Shortcuts, ShortcutsButton } from '../trade/shortcuts.tsx';
import { sidePanel } from '../trade/side-switch.tsx';
import { Tape } from '../trade/tape.tsx';
import { Ticker } from '../trade/ticker.tsx';
import { startTrading } from '../trade/trading.ts';

const TITLE_EVERY_MS = 1000;
/** Interval at which the clock of a sandbox is read. */
const SANDBOX_CLOCK_MS = 10_000;

/** The trading page. On a phone it shows one view at a time. */
function TradePage() {
  useSwipes();
  if (missingMarket.value !== undefined) return <MissingMarket symbol={missingMarket.value} />;
  const classes = [
    'trade',
    `view-${phoneView.value}`,
    `side-${sidePanel.value}`,
    isFormOpen.value ? 'form-open' : '',
    isSignedIn.value ? '' : 'visitor',
    ...panelGrid.value.classes,
  ];
  return (
    <Shell
      at="/trade"
      class={classes.join(' ')}
      style={panelGrid.value.style}
      aside={
        <>
          <ConnectionBadge />
          <LayoutMenu />
          <ShortcutsButton />
        </>
      }
    >
      <Ticker />
      <section class="panel markets" aria-labelledby="markets-title">
        <StaleNote />
        <header class="panel-head">
          <h2 id="markets-title">{t('Markets')}</h2>
        </header>
        <MarketList />
      </section>
      <ChartPanel />
      <OrderBookPanel />
      <Tape />
      {isLadderShown.value ? <Later load={loadLadder} /> : null}
      <FormSheet />
      <OrderForm />
      <OrdersPanel />
      <PhoneBar />
      <Shortcuts />
      <OrderDialog />
      <AmendDialog />
      {isEditing.value ? <Later load={loadLayoutEditor} /> : null}
      <span class="visually-hidden" data-ready={hasBook.value} />
    </Shell>
  );
}

const loadLadder = () =>
  import('../trade/ladder/ladder-panel.tsx').then(({ LadderPanel }) => LadderPanel);
const loadLayoutEditor = () =>
  import('../trade/layout/layout-editor.tsx').then(({ LayoutEditor }) => LayoutEditor);

/** Shown for a URL that names no listed market. */
function MissingMarket({ symbol: wanted }: { symbol: string }) {
  return (
    <Shell at="/trade" class="page missing-market">
      <h1>{t('Market {wanted} not found', { wanted })}</h1>
      <p class="muted">{t('It does not exist, or has been delisted. Choose another market:')}</p>
      <section class="panel" aria-label={t('Markets')}>
        <MarketList />
      </section>
    </Shell>
  );
}

loadSession().catch(announceError);
loadMarkets().catch(announceError);
startFeed();
followClock();
startAccount();
startTrading();
startOrderTests();
setInterval(showTitle, TITLE_EVERY_MS);
effect(() => {
  if (symbol.value !== '') showTitle();
});
showPage(<TradePage />);

/** Reads the clock of the exchange, and that of a sandbox, which may be frozen or faster, again every few seconds. */
function followClock(): void {
  const read = () => readExchangeClock(async () => Date.parse((await api.getTime()).timestamp));
  read().catch(announceError);
  if (!isSandbox) return;
  setInterval(() => {
    // The badge shows that the exchange is unreachable.
    if (!document.hidden) read().catch(() => {});
  }, SANDBOX_CLOCK_MS);
}

/** Shows the last price in the title of the browser tab. */
function showTitle(): void {
  const last = lastPrice.peek();
  if (last === undefined) return;
  const shown = rounded(last, priceDecimals.peek());
  const name = isSubAccount.peek() ? `${selectedAccount.peek()!.name} · ` : '';
  const title = `${shown} ${symbol.peek()} · ${name}Buttonwood`;
  if (document.title !== title) document.title = title;
}

import '../styles/base.css';
import '../styles/trade.css';
import { effect, useSignal } from '@preact/signals';
import { ConnectionBadge } from '../components/connection-badge.tsx';
import { Shell } from '../components/shell.tsx';
import { StaleNote } from '../components/stale-note.tsx';
import { announceError } from '../components/toast.tsx';
import { rounded } from '../format.ts';
import { isSubAccount, selectedAccount } from '../selected-account.ts';
import { loadSession } from '../session.ts';
import { showPage } from '../show-page.ts';
import { startAccount } from '../trade/account.ts';
import { AmendDialog } from '../trade/amend-dialog.tsx';
import { ChartPanel } from '../trade/chart/chart-panel.tsx';
import { hasBook, startFeed } from '../trade/feed.ts';
import { MarketList } from '../trade/market-list.tsx';
import { lastPrice, loadMarkets, priceDecimals, symbol } from '../trade/markets.ts';
import { OrderBookPanel } from '../trade/order-book.tsx';
import { OrderForm } from '../trade/order-form.tsx';
import { startOrderTests } from '../trade/order-test.ts';
import { OrdersPanel } from '../trade/orders-panel.tsx';
import { Shortcuts, ShortcutsButton } from '../trade/shortcuts.tsx';
import { Tape } from '../trade/tape.tsx';
import { Ticker } from '../trade/ticker.tsx';
import { startTrading } from '../trade/trading.ts';

const TITLE_EVERY_MS = 1000;
const VIEWS = [
  ['chart', 'Chart'],
  ['book', 'Book'],
  ['tape', 'Trades'],
  ['form', 'Buy/Sell'],
  ['orders', 'Orders'],
] as const;

/** The trading page. On a phone it shows one view at a time, chosen by the buttons of `VIEWS`. */
function TradePage() {
  const view = useSignal<(typeof VIEWS)[number][0]>('chart');
  return (
    <Shell
      at="/trade"
      class={`trade view-${view.value}`}
      aside={
        <>
          <ConnectionBadge />
          <ShortcutsButton />
        </>
      }
    >
      <Ticker />
      <nav class="views" aria-label="Views">
        {VIEWS.map(([id, label]) => (
          <button
            key={id}
            type="button"
            aria-pressed={view.value === id}
            onClick={() => {
              view.value = id;
              // Charts do not draw while hidden.
              requestAnimationFrame(() => dispatchEvent(new Event('resize')));
            }}
          >
            {label}
          </button>
        ))}
      </nav>
      <section class="panel markets" aria-labelledby="markets-title">
        <StaleNote />
        <header class="panel-head">
          <h2 id="markets-title">Markets</h2>
        </header>
        <MarketList />
      </section>
      <ChartPanel />
      <OrderBookPanel />
      <Tape />
      <OrderForm />
      <OrdersPanel />
      <Shortcuts />
      <AmendDialog />
      <span class="visually-hidden" data-ready={hasBook.value} />
    </Shell>
  );
}

loadSession().catch(announceError);
loadMarkets().catch(announceError);
startFeed();
startAccount();
startTrading();
startOrderTests();
setInterval(showTitle, TITLE_EVERY_MS);
effect(() => {
  if (symbol.value !== '') showTitle();
});
showPage(<TradePage />);

/** Shows the last price in the title of the browser tab. */
function showTitle(): void {
  const last = lastPrice.peek();
  if (last === undefined) return;
  const shown = rounded(last, priceDecimals.peek());
  const name = isSubAccount.peek() ? `${selectedAccount.peek()!.name} · ` : '';
  const title = `${shown} ${symbol.peek()} · ${name}Buttonwood`;
  if (document.title !== title) document.title = title;
}

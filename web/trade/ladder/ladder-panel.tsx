import { useEffect, useRef } from 'preact/hooks';
import { StaleNote } from '../../components/stale-note.tsx';
import { announce } from '../../components/toast.tsx';
import { t } from '../../i18n/index.ts';
import { ConfirmOrder } from '../confirm-order.tsx';
import { hasBook } from '../feed.ts';
import { symbol } from '../markets.ts';
import { EMPTY_DRAFT, findClosedReason } from '../order-draft.ts';
import { GroupingSelect } from '../price-grouping.tsx';
import { CancelButtons, OneClickSwitch, SizeControls } from './ladder-controls.tsx';
import { isArmed, send, unconfirmed } from './ladder-trading.ts';
import { chosenSteps, LadderView } from './ladder-view.ts';

/** A price ladder: one row per price step, with a click on each side of it to trade at that price. */
export function LadderPanel() {
  const box = useRef<HTMLDivElement>(null);
  const body = useRef<HTMLTableSectionElement>(null);
  const view = useRef<LadderView>(undefined);
  useEffect(() => {
    view.current = new LadderView(box.current!, body.current!);
    return () => view.current?.remove();
  }, []);
  return (
    <section
      class={isArmed.value ? 'panel ladder armed' : 'panel ladder'}
      aria-labelledby="ladder-title"
    >
      <StaleNote />
      <header class="panel-head">
        <h2 id="ladder-title">{t('Price ladder')}</h2>
        <div class="book-controls">
          <button
            type="button"
            class="button small quiet"
            title={t('Center on the last price (C)')}
            onClick={() => view.current?.center()}
          >
            {t('Center')}
          </button>
          <GroupingSelect label={t('Price step')} chosenSteps={chosenSteps} />
        </div>
      </header>
      <SizeControls />
      <OneClickSwitch />
      <div class="ladder-box" ref={box} aria-busy={!hasBook.value}>
        <table class="ladder-table">
          <caption class="visually-hidden">
            {t(
              'Prices, highest first. Arrow keys move, B buys and S sells at the focused price, C centers on the last price.',
            )}
          </caption>
          <thead>
            <tr>
              <th scope="col">{t('My buys')}</th>
              <th scope="col">{t('Bids')}</th>
              <th scope="col">{t('Price')}</th>
              <th scope="col">{t('Asks')}</th>
              <th scope="col">{t('My sells')}</th>
            </tr>
          </thead>
          <tbody ref={body} />
        </table>
      </div>
      <CancelButtons />
      <ConfirmFarOrder />
    </section>
  );
}

/** Asks before an order that the user wants to confirm, as the order form does. */
function ConfirmFarOrder() {
  const asked = unconfirmed.value;
  const close = () => {
    unconfirmed.value = undefined;
  };
  return (
    <ConfirmOrder
      draft={asked?.draft ?? EMPTY_DRAFT}
      // Going back in the browser's history may show another market.
      open={asked?.symbol === symbol.value}
      onClose={close}
      onConfirm={() => {
        const closed = findClosedReason(asked!.draft);
        if (closed === undefined) void send(asked!.draft, asked!.symbol);
        else announce(closed, 'error');
      }}
    />
  );
}

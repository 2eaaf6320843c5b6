import { computed, type Signal, useSignal, useSignalEffect } from '@preact/signals';
import type { RefObject } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { StaleNote } from '../components/stale-note.tsx';
import { ARROWS, fixed } from '../format.ts';
import { msg, T, t } from '../i18n/index.ts';
import { preference } from '../preferences.ts';
import { isLandscapePhone } from '../viewport.ts';
import { fitRows } from './book-rows.ts';
import { BookSide } from './book-side.ts';
import { bookRows } from './book-view.ts';
import { book, bookFrame, hasBook, lastSide } from './feed.ts';
import { ColumnChars } from './live-rows.ts';
import { amountDecimals, lastPrice, market, price, priceDecimals, symbol } from './markets.ts';
import { pickPrice } from './order-draft.ts';
import { ownAmounts } from './own-orders.ts';
import { currentGrouping, type Grouping, GroupingSelect, storedSteps } from './price-grouping.tsx';
import { SideSwitch } from './side-switch.tsx';
import { describeSpread } from './spread.ts';
import { UnitTitle } from './unit-title.tsx';

const HEAD_PX = 24;
const SPREAD_PX = 34;

const chosenSteps = storedSteps('book-groups', 1n);

const VIEWS = { both: msg('Bids and asks'), bids: msg('Bids'), asks: msg('Asks') } as const;
type View = keyof typeof VIEWS;
const view = preference<View>('book-view', ['both', 'bids', 'asks'], 'both');
/** Whether bids and asks are next to each other, because few rows fit below each other. */
const isSideBySide = computed(() => isLandscapePhone.value && view.value === 'both');

const PRICE_TITLE = msg('Price<unit> ({asset})</unit>');
const AMOUNT_TITLE = msg('Amount<unit> ({asset})</unit>');
const TOTAL_TITLE = msg('Total<unit> ({asset})</unit>');

/** Bids and asks with depth bars; clicking a price puts it into the order form. */
export function OrderBookPanel() {
  const box = useRef<HTMLDivElement>(null);
  const asks = useRef<HTMLTableSectionElement>(null);
  const bids = useRef<HTMLTableSectionElement>(null);
  const sides = useRef<Sides>(undefined);
  const chars = useRef<ColumnChars>(undefined);
  const rowCount = useRowCount(box);
  useEffect(() => {
    chars.current = new ColumnChars(box.current!, ['price', 'amount', 'total']);
    sides.current = {
      ask: new BookSide(asks.current!, 'ask', pickPrice, chars.current),
      bid: new BookSide(bids.current!, 'bid', pickPrice, chars.current),
    };
  }, []);
  useSignalEffect(() => {
    void [symbol.value, chosenSteps.steps.value];
    chars.current?.reset();
  });
  useSignalEffect(() => {
    void bookFrame.value;
    const count = rowCount.value;
    if (sides.current !== undefined && count > 0)
      paint(sides.current, count, currentGrouping(chosenSteps));
  });
  const { base = '', quote = '' } = market.value ?? {};
  return (
    <section class="panel book" aria-labelledby="book-title">
      <StaleNote />
      <header class="panel-head">
        <h2 id="book-title">{t('Order book')}</h2>
        <SideSwitch />
        <div class="book-controls">
          <ViewButtons />
          <GroupingSelect label={t('Price grouping')} chosenSteps={chosenSteps} />
        </div>
      </header>
      <div class="book-box" ref={box} aria-busy={!hasBook.value}>
        <table class={`book-table ${isSideBySide.value ? 'side-by-side' : ''}`}>
          <caption class="visually-hidden">
            {isSideBySide.value
              ? t('Asks, then bids, best prices first. Select a price to use it in the order form.')
              : t(
                  'Asks, best price last, then bids, best price first. Select a price to use it in the order form.',
                )}
          </caption>
          <colgroup>
            <col class="price" />
            <col />
            <col class="total" />
          </colgroup>
          <thead>
            <tr>
              <th scope="col">
                <UnitTitle text={PRICE_TITLE} asset={quote} />
              </th>
              <th scope="col">
                <UnitTitle text={AMOUNT_TITLE} asset={base} />
              </th>
              <th scope="col">
                <UnitTitle text={TOTAL_TITLE} asset={base} />
              </th>
              {isSideBySide.value ? <BidTitles base={base} quote={quote} /> : null}
            </tr>
          </thead>
          <tbody ref={asks} class="asks" aria-label={t('Asks')} />
          <tbody class="spread-body">
            <tr>
              <td colSpan={3}>
                <Spread />
              </td>
            </tr>
          </tbody>
          <tbody ref={bids} class="bids" aria-label={t('Bids')} />
        </table>
      </div>
    </section>
  );
}

interface Sides {
  readonly ask: BookSide;
  readonly bid: BookSide;
}

function paint(sides: Sides, count: number, { step, scale }: Grouping): void {
  const askCount = countRows('asks', count);
  const bidCount = countRows('bids', count);
  const shown = {
    decimals: scale,
    amountDecimals: amountDecimals.value,
    group: step,
    isSideBySide: isSideBySide.value,
  };
  const askRows = bookRows(book.asks, 'ask', step, askCount, scale);
  const bidRows = bookRows(book.bids, 'bid', step, bidCount, scale);
  const askTotal = askRows.at(-1)?.total ?? 0n;
  const bidTotal = bidRows.at(-1)?.total ?? 0n;
  const maxTotal = askTotal > bidTotal ? askTotal : bidTotal;
  sides.ask.paint(askRows, askCount, maxTotal, { ...shown, own: ownAmounts('ask', step, scale) });
  sides.bid.paint(bidRows, bidCount, maxTotal, { ...shown, own: ownAmounts('bid', step, scale) });
}

/** Titles above the bids, which screen readers have once already. */
function BidTitles({ base, quote }: { base: string; quote: string }) {
  const titles = [
    [TOTAL_TITLE, base],
    [AMOUNT_TITLE, base],
    [PRICE_TITLE, quote],
  ] as const;
  return (
    <>
      {titles.map(([text, asset]) => (
        <td key={text} class="bid-title" aria-hidden="true">
          <UnitTitle text={text} asset={asset} />
        </td>
      ))}
    </>
  );
}

/** Returns the rows of a side: all of the space if the other side is hidden. @param half Rows of each of both sides */
function countRows(side: 'bids' | 'asks', half: number): number {
  if (view.value === 'both') return half;
  return view.value === side ? 2 * half : 0;
}

function ViewButtons() {
  return (
    <fieldset class="book-views">
      <legend class="visually-hidden">{t('Sides')}</legend>
      {(Object.keys(VIEWS) as View[]).map((id) => (
        <button
          key={id}
          type="button"
          class={`book-view-${id}`}
          aria-label={t(VIEWS[id])}
          title={t(VIEWS[id])}
          aria-pressed={view.value === id}
          onClick={() => {
            view.value = id;
          }}
        >
          <svg viewBox="0 0 16 16" aria-hidden="true">
            <path class="sell" d="M2 3h12M2 6h12" />
            <path class="buy" d="M2 10h12M2 13h12" />
          </svg>
        </button>
      ))}
    </fieldset>
  );
}

const TOUCH = matchMedia('(pointer: coarse)');

/** Returns how many rows per side fit into the box; 0 while it is hidden, when nothing is painted. */
function useRowCount(box: RefObject<HTMLDivElement | null>): Signal<number> {
  const rowCount = useSignal(0);
  const height = useSignal(0);
  useEffect(() => {
    const observer = new ResizeObserver(([entry]) => {
      height.value = entry!.contentRect.height;
    });
    observer.observe(box.current!);
    return () => observer.disconnect();
  }, [box, height]);
  useSignalEffect(() => {
    if (height.value === 0) {
      rowCount.value = 0;
      return;
    }
    const availablePx = isSideBySide.value
      ? 2 * (height.value - HEAD_PX)
      : height.value - HEAD_PX - SPREAD_PX;
    const { count, rowPx, restPx, isRoomy } = fitRows(availablePx, TOUCH.matches);
    rowCount.value = count;
    const { style, classList } = box.current!;
    style.setProperty('--row', `${rowPx}px`);
    style.setProperty('--spread', `${SPREAD_PX + restPx}px`);
    classList.toggle('roomy', isRoomy);
  });
  return rowCount;
}

function Spread() {
  const last = lastPrice.value;
  const { bid, ask } = price.value ?? {};
  if (last === undefined) return <span class="muted">{t('Loading order book…')}</span>;
  const side = lastSide.value ?? '';
  return (
    <div class="spread">
      <b class={side}>
        {ARROWS[side]}
        {fixed(last, priceDecimals.value)}
      </b>
      {market.value?.status === 'auction' ? (
        <span class="muted">{t('Auction: prices may cross')}</span>
      ) : bid && ask ? (
        <SpreadFigures bid={bid} ask={ask} />
      ) : (
        <span class="muted">
          {bid ? t('No asks') : ask ? t('No bids') : t('Order book is empty')}
        </span>
      )}
    </div>
  );
}

/** The spread as a price and in percent. In a narrow book first the word gives way, then the percentage. */
function SpreadFigures({ bid, ask }: { bid: string; ask: string }) {
  const { spread, share } = describeSpread(bid, ask);
  return (
    <span class="muted spread-text" title={t('Spread {spread} ({share})', { spread, share })}>
      <T
        text="<label>Spread </label><figures>{spread}<more> ({share})</more></figures>"
        share={share}
        spread={spread}
        label={(children) => <span>{children}</span>}
        figures={(children) => <span class="unit-title">{children}</span>}
        more={(children) => <span>{children}</span>}
      />
    </span>
  );
}

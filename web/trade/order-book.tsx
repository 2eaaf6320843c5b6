import { useSignal, useSignalEffect } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { Select } from '../components/field.tsx';
import { exact, rounded, subtract, toFixedText, toText } from '../decimal.ts';
import { ARROWS, grouped, percent } from '../format.ts';
import { BookSide } from './book-side.ts';
import { bookRows, defaultGroup, groupingSteps, toUnits } from './book-view.ts';
import { book, bookFrame, hasBook, lastSide } from './feed.ts';
import { amountDecimals, lastPrice, market, price, priceDecimals } from './markets.ts';
import { pickPrice } from './order-draft.ts';

const ROW_PX = 20;
const HEAD_PX = 24;
const SPREAD_PX = 34;
const MIN_ROWS = 4;

/** Bids and asks with depth bars; clicking a price puts it into the order form. */
export function OrderBookPanel() {
  const box = useRef<HTMLDivElement>(null);
  const asks = useRef<HTMLTableSectionElement>(null);
  const bids = useRef<HTMLTableSectionElement>(null);
  const sides = useRef<{ ask: BookSide; bid: BookSide }>(undefined);
  /** 0 while the book is hidden; then it is not painted. */
  const rowCount = useSignal(0);
  const chosen = useSignal<{ symbol: string; group: bigint } | undefined>(undefined);

  const scale = () => ({
    price: priceDecimals.value,
    amount: decimalsOfStep(market.value?.stepSize ?? '1'),
  });
  const groups = () => {
    const { tickSize = '1', last = '1' } = market.value ?? {};
    const { price: decimals } = scale();
    const all = groupingSteps(toUnits(tickSize, decimals), toUnits(last, decimals));
    const { symbol = '' } = market.value ?? {};
    const group =
      chosen.value?.symbol === symbol
        ? chosen.value.group
        : defaultGroup(all, toUnits(last, decimals));
    return { all, group };
  };

  useEffect(() => {
    const pick = (text: string) => pickPrice(text);
    sides.current = {
      ask: new BookSide(asks.current!, 'ask', pick),
      bid: new BookSide(bids.current!, 'bid', pick),
    };
    const observer = new ResizeObserver(([entry]) => {
      const { height } = entry!.contentRect;
      if (height === 0) {
        rowCount.value = 0;
        return;
      }
      const available = height - HEAD_PX - SPREAD_PX;
      const count = Math.max(MIN_ROWS, Math.floor(available / 2 / ROW_PX));
      rowCount.value = count;
      // Distributes the remaining pixels, so that the rows fill the box.
      box.current!.style.setProperty('--row', `${Math.max(ROW_PX, available / 2 / count)}px`);
    });
    observer.observe(box.current!);
    return () => observer.disconnect();
  }, [rowCount]);

  useSignalEffect(() => {
    void bookFrame.value;
    const count = rowCount.value;
    if (sides.current === undefined || count === 0) return;
    const { group } = groups();
    const units = scale();
    const shown = { decimals: units, amountDecimals: amountDecimals.value, group };
    const askRows = bookRows(book.asks, 'ask', group, count, units);
    const bidRows = bookRows(book.bids, 'bid', group, count, units);
    const askTotal = askRows.at(-1)?.total ?? 0n;
    const bidTotal = bidRows.at(-1)?.total ?? 0n;
    const maxTotal = askTotal > bidTotal ? askTotal : bidTotal;
    sides.current.ask.paint(askRows, count, maxTotal, shown);
    sides.current.bid.paint(bidRows, count, maxTotal, shown);
  });

  const { base = '', quote = '' } = market.value ?? {};
  const { all, group } = groups();
  return (
    <section class="panel book" aria-labelledby="book-title">
      <header class="panel-head">
        <h2 id="book-title">Order book</h2>
        <Select
          label="Price grouping"
          hiddenLabel
          value={`${group}`}
          options={all.map((each) => [
            `${each}`,
            toText({ units: each, scale: priceDecimals.value }),
          ])}
          onChange={(value) => {
            chosen.value = { symbol: market.value?.symbol ?? '', group: BigInt(value) };
          }}
        />
      </header>
      <div class="book-box" ref={box} aria-busy={!hasBook.value}>
        <table class="book-table">
          <caption class="visually-hidden">
            Asks, best price last, then bids, best price first. Select a price to use it in the
            order form.
          </caption>
          <thead>
            <tr>
              <th scope="col">Price ({quote})</th>
              <th scope="col">Amount ({base})</th>
              <th scope="col">Total ({base})</th>
            </tr>
          </thead>
          <tbody ref={asks} class="asks" aria-label="Asks" />
          <tbody class="spread-body">
            <tr>
              <td colSpan={3}>
                <Spread />
              </td>
            </tr>
          </tbody>
          <tbody ref={bids} class="bids" aria-label="Bids" />
        </table>
      </div>
    </section>
  );
}

function Spread() {
  const last = lastPrice.value;
  const { bid, ask } = price.value ?? {};
  if (last === undefined) return <span class="muted">Loading order book…</span>;
  const side = lastSide.value ?? '';
  return (
    <div class="spread">
      <b class={side}>
        {ARROWS[side]}
        {grouped(toFixedText(rounded(exact(last), priceDecimals.value, 'down')))}
      </b>
      {bid && ask ? (
        <span class="muted">
          Spread {grouped(toText(subtract(exact(ask), exact(bid))))} ({spreadPercent(bid, ask)})
        </span>
      ) : (
        <span class="muted">{bid ? 'No asks' : ask ? 'No bids' : 'Order book is empty'}</span>
      )}
    </div>
  );
}

function spreadPercent(bid: string, ask: string): string {
  const width = subtract(exact(ask), exact(bid));
  const share = (Number(toText(width)) / Number(ask)) * 100;
  return percent(share.toFixed(6), 3).replace('+', '');
}

function decimalsOfStep(step: string): number {
  return step.split('.')[1]?.length ?? 0;
}

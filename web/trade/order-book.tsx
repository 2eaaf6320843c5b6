import { type Signal, useSignal, useSignalEffect } from '@preact/signals';
import Big from 'big.js';
import type { RefObject } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { Select } from '../components/field.tsx';
import { StaleNote } from '../components/stale-note.tsx';
import { fromUnits } from '../decimal.ts';
import { ARROWS, countDecimals, fixed, grouped, percent } from '../format.ts';
import { BookSide } from './book-side.ts';
import { type BookScale, bookRows, defaultGroup, groupingSteps, toUnits } from './book-view.ts';
import { book, bookFrame, hasBook, lastSide } from './feed.ts';
import { amountDecimals, lastPrice, market, price, priceDecimals } from './markets.ts';
import { pickPrice } from './order-draft.ts';

const ROW_PX = 20;
const HEAD_PX = 24;
const SPREAD_PX = 34;
const MIN_ROWS = 4;

/** Grouping steps of the current market, the chosen one, and the decimals of its units. */
interface Grouping {
  readonly steps: readonly bigint[];
  readonly step: bigint;
  readonly scale: BookScale;
}

/** The step chosen by the user, which applies to one market only. */
type ChosenStep = Signal<{ readonly symbol: string; readonly step: bigint } | undefined>;

/** Bids and asks with depth bars; clicking a price puts it into the order form. */
export function OrderBookPanel() {
  const box = useRef<HTMLDivElement>(null);
  const asks = useRef<HTMLTableSectionElement>(null);
  const bids = useRef<HTMLTableSectionElement>(null);
  const sides = useRef<Sides>(undefined);
  const rowCount = useRowCount(box);
  const chosen: ChosenStep = useSignal(undefined);
  useEffect(() => {
    sides.current = {
      ask: new BookSide(asks.current!, 'ask', pickPrice),
      bid: new BookSide(bids.current!, 'bid', pickPrice),
    };
  }, []);
  useSignalEffect(() => {
    void bookFrame.value;
    const count = rowCount.value;
    if (sides.current !== undefined && count > 0) paint(sides.current, count, grouping(chosen));
  });
  const { base = '', quote = '' } = market.value ?? {};
  return (
    <section class="panel book" aria-labelledby="book-title">
      <StaleNote />
      <header class="panel-head">
        <h2 id="book-title">Order book</h2>
        <GroupingSelect chosen={chosen} />
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

interface Sides {
  readonly ask: BookSide;
  readonly bid: BookSide;
}

function paint(sides: Sides, count: number, { step, scale }: Grouping): void {
  const shown = { decimals: scale, amountDecimals: amountDecimals.value, group: step };
  const askRows = bookRows(book.asks, 'ask', step, count, scale);
  const bidRows = bookRows(book.bids, 'bid', step, count, scale);
  const askTotal = askRows.at(-1)?.total ?? 0n;
  const bidTotal = bidRows.at(-1)?.total ?? 0n;
  const maxTotal = askTotal > bidTotal ? askTotal : bidTotal;
  sides.ask.paint(askRows, count, maxTotal, shown);
  sides.bid.paint(bidRows, count, maxTotal, shown);
}

function grouping(chosen: ChosenStep): Grouping {
  const { symbol = '', tickSize = '1', stepSize = '1', last = '1' } = market.value ?? {};
  const scale = { price: priceDecimals.value, amount: countDecimals(stepSize) };
  const price = toUnits(last, scale.price);
  const steps = groupingSteps(toUnits(tickSize, scale.price), price);
  const step = chosen.value?.symbol === symbol ? chosen.value.step : defaultGroup(steps, price);
  return { steps, step, scale };
}

function GroupingSelect({ chosen }: { chosen: ChosenStep }) {
  const { steps, step, scale } = grouping(chosen);
  return (
    <Select
      label="Price grouping"
      hiddenLabel
      value={`${step}`}
      options={steps.map((each) => [`${each}`, fromUnits(each, scale.price).toFixed()])}
      onChange={(value) => {
        chosen.value = { symbol: market.value?.symbol ?? '', step: BigInt(value) };
      }}
    />
  );
}

/** Returns how many rows per side fit into the box; 0 while it is hidden, when nothing is painted. */
function useRowCount(box: RefObject<HTMLDivElement | null>): Signal<number> {
  const rowCount = useSignal(0);
  useEffect(() => {
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
  }, [box, rowCount]);
  return rowCount;
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
        {fixed(last, priceDecimals.value)}
      </b>
      {market.value?.status === 'auction' ? (
        <span class="muted">Auction: prices may cross</span>
      ) : bid && ask ? (
        <span class="muted">
          Spread {grouped(new Big(ask).minus(bid))} ({spreadPercent(bid, ask)})
        </span>
      ) : (
        <span class="muted">{bid ? 'No asks' : ask ? 'No bids' : 'Order book is empty'}</span>
      )}
    </div>
  );
}

function spreadPercent(bid: string, ask: string): string {
  const share = (new Big(ask).minus(bid).toNumber() / Number(ask)) * 100;
  return percent(share.toFixed(6), 3).replace('+', '');
}

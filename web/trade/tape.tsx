import { type ReadonlySignal, useComputed, useSignal, useSignalEffect } from '@preact/signals';
import Big from 'big.js';
import type { RefObject } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { StaleNote } from '../components/stale-note.tsx';
import { amountText, grouped, rounded, timeOfDay } from '../format.ts';
import { msg, t } from '../i18n/index.ts';
import { tradeFrame, trades } from './feed.ts';
import { ColumnChars, LiveRows, textCell } from './live-rows.ts';
import { amountDecimals, market, priceDecimals, symbol } from './markets.ts';
import { SideSwitch } from './side-switch.tsx';
import { UnitTitle } from './unit-title.tsx';

const MAX_ROWS = 60;
const ROW_PX = 20;
/** Rows below those in view, without which the box could not be scrolled. */
const SPARE_ROWS = 3;
/** Maximum length of an amount; longer ones are shortened. */
const MAX_CHARS = 8;
const PRICE_TITLE = msg('Price<unit> ({asset})</unit>');
const AMOUNT_TITLE = msg('Amount<unit> ({asset})</unit>');

/** Latest trades, newest first; arrow and color show the taker side. */
export function Tape() {
  const body = useRef<HTMLTableSectionElement>(null);
  const live = useRef<LiveRows>(undefined);
  const chars = useRef<ColumnChars>(undefined);
  const box = useRef<HTMLDivElement>(null);
  const rowCount = useRowCount(box);
  useEffect(() => {
    chars.current = new ColumnChars(body.current!.parentElement!, ['price', 'amount', 'time']);
    live.current = new LiveRows(body.current!, makeRow, chars.current);
  }, []);
  useSignalEffect(() => {
    void symbol.value;
    chars.current?.reset();
  });
  useSignalEffect(() => {
    void tradeFrame.value;
    const count = rowCount.value;
    if (count > 0 && live.current !== undefined) paint(live.current, count);
  });
  const { base = '', quote = '' } = market.value ?? {};
  return (
    <section class="panel tape" aria-labelledby="tape-title">
      <StaleNote />
      <header class="panel-head">
        <h2 id="tape-title">{t('Trades')}</h2>
        <SideSwitch />
      </header>
      <div class="tape-area">
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable content must be reachable by keyboard */}
        <div class="tape-box" ref={box} tabIndex={0}>
          <table class="book-table">
            <caption class="visually-hidden">
              {t('Latest trades, newest first: ↑ taker bought, ↓ taker sold.')}
            </caption>
            <colgroup>
              <col class="price" />
              <col />
              <col class="time" />
            </colgroup>
            <thead>
              <tr class="tape-titles">
                <th scope="col">
                  <UnitTitle text={PRICE_TITLE} asset={quote} />
                </th>
                <th scope="col">
                  <UnitTitle text={AMOUNT_TITLE} asset={base} />
                </th>
                <th scope="col">
                  <span class="unit-title">{t('Time')}</span>
                </th>
              </tr>
            </thead>
            <tbody ref={body} />
          </table>
          <NoTrades />
        </div>
      </div>
    </section>
  );
}

function makeRow() {
  const row = document.createElement('tr');
  const [price, priceText] = textCell('price');
  const [amount, amountText] = textCell('amount');
  const [time, timeText] = textCell('time');
  row.append(price, amount, time);
  row.addEventListener('pointerenter', () => {
    const trade = trades[row.sectionRowIndex];
    if (trade !== undefined) amount.title = grouped(trade.amount);
  });
  return { row, texts: [priceText, amountText, timeText] };
}

/** Returns how many rows to paint: those in view and some to scroll to, all once the user has scrolled; 0 while hidden. */
function useRowCount(box: RefObject<HTMLDivElement | null>): ReadonlySignal<number> {
  const heightPx = useSignal(0);
  const isScrolled = useSignal(false);
  useEffect(() => {
    const { current } = box;
    const observer = new ResizeObserver(([entry]) => {
      heightPx.value = entry!.contentRect.height;
    });
    observer.observe(current!);
    const onScroll = () => {
      isScrolled.value = current!.scrollTop > 0;
    };
    current!.addEventListener('scroll', onScroll, { passive: true });
    return () => {
      observer.disconnect();
      current!.removeEventListener('scroll', onScroll);
    };
  }, [box, heightPx, isScrolled]);
  return useComputed(() => {
    if (heightPx.value === 0) return 0;
    return isScrolled.value ? MAX_ROWS : Math.ceil(heightPx.value / ROW_PX) + SPARE_ROWS;
  });
}

function paint(live: LiveRows, maxRows: number): void {
  const count = Math.min(trades.length, maxRows);
  live.resize(count);
  for (let index = 0; index < count; index++) {
    const { side, price, amount, timestamp } = trades[index]!;
    const row = live.rows[index]!;
    if (row.className !== side) row.className = side;
    live.set(index, [
      `${side === 'buy' ? '↑' : '↓'} ${rounded(price, priceDecimals.value)}`,
      amountText(new Big(amount), amountDecimals.value, MAX_CHARS),
      timeOfDay(timestamp),
    ]);
  }
}

function NoTrades() {
  void tradeFrame.value;
  return trades.length === 0 ? <p class="empty">{t('No trades yet.')}</p> : null;
}

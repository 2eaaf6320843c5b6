import { useSignal, useSignalEffect } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { exact, rounded, toFixedText } from '../decimal.ts';
import { grouped, timeOfDay } from '../format.ts';
import { tradeFrame, trades } from './feed.ts';
import { LiveRows, textCell } from './live-rows.ts';
import { amountDecimals, market, priceDecimals } from './markets.ts';

const SHOWN = 40;

/** Latest trades, newest first; arrow and color show the taker side. */
export function Tape() {
  const body = useRef<HTMLTableSectionElement>(null);
  const live = useRef<LiveRows>(undefined);
  const isShown = useSignal(false);
  useEffect(() => {
    const observer = new ResizeObserver(([entry]) => {
      isShown.value = entry!.contentRect.height > 0;
    });
    observer.observe(body.current!.closest('.tape-box')!);
    live.current = new LiveRows(body.current!, () => {
      const row = document.createElement('tr');
      const [price, priceText] = textCell('price');
      const [amount, amountText] = textCell('amount');
      const [time, timeText] = textCell('time');
      row.append(price, amount, time);
      return { row, texts: [priceText, amountText, timeText] };
    });
    return () => observer.disconnect();
  }, [isShown]);
  useSignalEffect(() => {
    void tradeFrame.value;
    const rows = live.current;
    if (!isShown.value || rows === undefined) return;
    const count = Math.min(trades.length, SHOWN);
    rows.resize(count);
    for (let index = 0; index < count; index++) {
      const { side, price, amount, timestamp } = trades[index]!;
      const row = rows.rows[index]!;
      if (row.className !== side) row.className = side;
      const shown = (text: string, decimals: number) =>
        grouped(toFixedText(rounded(exact(text), decimals, 'half')));
      rows.set(index, [
        `${side === 'buy' ? '↑' : '↓'} ${shown(price, priceDecimals.value)}`,
        shown(amount, amountDecimals.value),
        timeOfDay(timestamp),
      ]);
    }
  });
  const { base = '', quote = '' } = market.value ?? {};
  return (
    <section class="panel tape" aria-labelledby="tape-title">
      <header class="panel-head">
        <h2 id="tape-title">Trades</h2>
      </header>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard */}
      <div class="tape-box" tabIndex={0}>
        <table class="book-table">
          <caption class="visually-hidden">
            Latest trades, newest first: ↑ taker bought, ↓ taker sold.
          </caption>
          <thead>
            <tr>
              <th scope="col">Price ({quote})</th>
              <th scope="col">Amount ({base})</th>
              <th scope="col">Time</th>
            </tr>
          </thead>
          <tbody ref={body} />
        </table>
        <NoTrades />
      </div>
    </section>
  );
}

function NoTrades() {
  void tradeFrame.value;
  return trades.length === 0 ? <p class="empty">No trades yet.</p> : null;
}

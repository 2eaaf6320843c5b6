import { useSignal, useSignalEffect } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { StaleNote } from '../components/stale-note.tsx';
import { rounded, timeOfDay } from '../format.ts';
import { T, t } from '../i18n/index.ts';
import { tradeFrame, trades } from './feed.ts';
import { LiveRows, textCell } from './live-rows.ts';
import { amountDecimals, market, priceDecimals } from './markets.ts';
import { SideSwitch } from './side-switch.tsx';

const MAX_ROWS = 40;

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
    live.current = new LiveRows(body.current!, makeRow);
    return () => observer.disconnect();
  }, [isShown]);
  useSignalEffect(() => {
    void tradeFrame.value;
    if (isShown.value && live.current !== undefined) paint(live.current);
  });
  const { base = '', quote = '' } = market.value ?? {};
  return (
    <section class="panel tape" aria-labelledby="tape-title">
      <StaleNote />
      <header class="panel-head">
        <h2 id="tape-title">{t('Trades')}</h2>
        <SideSwitch />
      </header>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable content must be reachable by keyboard */}
      <div class="tape-box" tabIndex={0}>
        <table class="book-table">
          <caption class="visually-hidden">
            {t('Latest trades, newest first: ↑ taker bought, ↓ taker sold.')}
          </caption>
          <thead>
            <tr>
              <th scope="col">
                <T text="Price ({quote})" quote={quote} />
              </th>
              <th scope="col">
                <T text="Amount ({base})" base={base} />
              </th>
              <th scope="col">{t('Time')}</th>
            </tr>
          </thead>
          <tbody ref={body} />
        </table>
        <NoTrades />
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
  return { row, texts: [priceText, amountText, timeText] };
}

function paint(live: LiveRows): void {
  const count = Math.min(trades.length, MAX_ROWS);
  live.resize(count);
  for (let index = 0; index < count; index++) {
    const { side, price, amount, timestamp } = trades[index]!;
    const row = live.rows[index]!;
    if (row.className !== side) row.className = side;
    live.set(index, [
      `${side === 'buy' ? '↑' : '↓'} ${rounded(price, priceDecimals.value)}`,
      rounded(amount, amountDecimals.value),
      timeOfDay(timestamp),
    ]);
  }
}

function NoTrades() {
  void tradeFrame.value;
  return trades.length === 0 ? <p class="empty">{t('No trades yet.')}</p> : null;
}

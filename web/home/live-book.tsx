import type { Level } from '../../src/client/index.ts';
import { ARROWS, rounded } from '../format.ts';
import { T, t } from '../i18n/index.ts';
import { book, bookFrame, hasBook, lastSide, tradeFrame } from '../trade/feed.ts';
import {
  amountDecimals,
  lastPrice,
  market,
  marketPath,
  priceDecimals,
  symbol,
} from '../trade/markets.ts';

const ROWS = 6;

/** The best prices of the market with the highest volume, with bars for their amounts. */
export function LiveBook() {
  void bookFrame.value;
  void tradeFrame.value;
  const { base = '', quote = '' } = market.value ?? {};
  const tone = { buy: 'buy', sell: 'sell', none: '' }[
    lastSide.value ?? 'none'
  ] as keyof typeof ARROWS;
  const shown = [...book.asks.slice(0, ROWS), ...book.bids.slice(0, ROWS)];
  const largest = Math.max(...shown.map(([, amount]) => Number(amount)));
  return (
    <section class="panel home-book" aria-labelledby="book-title" aria-busy={!hasBook.value}>
      <header class="panel-head">
        <h2 id="book-title">{t('{symbol} order book', { symbol: symbol.value })}</h2>
        <a href={marketPath(symbol.value)}>{t('Trade')}</a>
      </header>
      <table>
        <thead>
          <tr>
            <th scope="col">
              <T text="Price ({quote})" quote={quote} />
            </th>
            <th scope="col" class="numeric">
              <T text="Amount ({base})" base={base} />
            </th>
          </tr>
        </thead>
        <Rows levels={book.asks} tone="sell" largest={largest} />
        <tbody>
          <tr class="spread">
            <td colSpan={2} class={tone}>
              {lastPrice.value === undefined
                ? '–'
                : `${ARROWS[tone]}${rounded(lastPrice.value, priceDecimals.value)}`}
            </td>
          </tr>
        </tbody>
        <Rows levels={book.bids} tone="buy" largest={largest} />
      </table>
    </section>
  );
}

interface RowsProps {
  /** Best first. */
  readonly levels: readonly Level<string>[];
  readonly tone: 'buy' | 'sell';
  /** The amount whose bar fills the row. */
  readonly largest: number;
}

/** One side of the book, always of the same height, with its best price at the spread. */
function Rows({ levels, tone, largest }: RowsProps) {
  const ranks = Array.from({ length: ROWS }, (_, rank) => rank);
  return (
    <tbody class={`${tone}-rows`}>
      {(tone === 'sell' ? ranks.reverse() : ranks).map((rank) => {
        const level = levels[rank];
        const width = level === undefined ? 0 : (Number(level[1]) / largest) * 100;
        return (
          <tr key={rank} style={{ backgroundSize: `${width.toFixed(1)}% 100%` }}>
            <td class={tone}>{level && rounded(level[0], priceDecimals.value)}</td>
            <td class="numeric">{level && rounded(level[1], amountDecimals.value)}</td>
          </tr>
        );
      })}
    </tbody>
  );
}

import type { Level } from '../../src/client/index.ts';
import { ZERO } from '../decimal.ts';
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
import { describeSpread } from '../trade/spread.ts';

const ROWS = 6;

/** The best prices of the market with the highest volume, with bars for the amounts up to them. */
export function LiveBook() {
  void bookFrame.value;
  void tradeFrame.value;
  const { base = '', quote = '' } = market.value ?? {};
  const tone = { buy: 'buy', sell: 'sell', none: '' }[
    lastSide.value ?? 'none'
  ] as keyof typeof ARROWS;
  const sides = [book.asks, book.bids].map(accumulate);
  const largest = Math.max(...sides.map((totals) => Number(totals.at(-1) ?? 0)));
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
            <th scope="col" class="numeric">
              <T text="Total ({base})" base={base} />
            </th>
          </tr>
        </thead>
        <Rows levels={book.asks} totals={sides[0]!} tone="sell" largest={largest} />
        <tbody>
          <tr class="spread">
            <td colSpan={2} class={tone}>
              {lastPrice.value === undefined
                ? '–'
                : `${ARROWS[tone]}${rounded(lastPrice.value, priceDecimals.value)}`}
            </td>
            <td class="numeric muted">
              <Spread />
            </td>
          </tr>
        </tbody>
        <Rows levels={book.bids} totals={sides[1]!} tone="buy" largest={largest} />
      </table>
    </section>
  );
}

/** Returns the amounts from the best price up to each of the shown ones. */
function accumulate(levels: readonly Level<string>[]): readonly string[] {
  let total = ZERO;
  return levels.slice(0, ROWS).map(([, amount]) => {
    total = total.plus(amount);
    return total.toFixed();
  });
}

function Spread() {
  const [bid, ask] = [book.bids[0]?.[0], book.asks[0]?.[0]];
  if (bid === undefined || ask === undefined) return null;
  return <T text="Spread {share}" share={describeSpread(bid, ask).share} />;
}

interface RowsProps {
  /** Best first. */
  readonly levels: readonly Level<string>[];
  /** Cumulative amounts of the levels. */
  readonly totals: readonly string[];
  readonly tone: 'buy' | 'sell';
  /** The cumulative amount whose bar fills the row. */
  readonly largest: number;
}

/** One side of the book, always of the same height, with its best price at the spread. */
function Rows({ levels, totals, tone, largest }: RowsProps) {
  const ranks = Array.from({ length: ROWS }, (_, rank) => rank);
  return (
    <tbody class={`${tone}-rows`}>
      {(tone === 'sell' ? ranks.reverse() : ranks).map((rank) => {
        const level = levels[rank];
        const total = totals[rank];
        const width = total === undefined ? 0 : (Number(total) / largest) * 100;
        return (
          <tr key={rank} style={{ '--bar': `${width.toFixed(1)}%` }}>
            <td class={tone}>{level && rounded(level[0], priceDecimals.value)}</td>
            <td class="numeric">{level && rounded(level[1], amountDecimals.value)}</td>
            <td class="numeric muted">{total && rounded(total, amountDecimals.value)}</td>
          </tr>
        );
      })}
    </tbody>
  );
}

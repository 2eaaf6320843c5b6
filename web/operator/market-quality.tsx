import { useSignal } from '@preact/signals';
import Big from 'big.js';
import type { Market } from '../../src/client/index.ts';
import { api } from '../api.ts';
import { Dialog } from '../components/dialog.tsx';
import { announceError } from '../components/toast.tsx';
import { ARROWS, changeTone, compact, fixed, grouped, percent } from '../format.ts';
import { msg, t } from '../i18n/index.ts';
import { marketPath } from '../trade/markets.ts';
import type { Dashboard } from './dashboard.tsx';
import { MarketStatus, StatusButton } from './market-status.tsx';
import { type SortedColumn, SortedTable } from './sorted-table.tsx';

type Row = Dashboard['markets'][number];

interface MarketQualityProps {
  readonly markets: readonly Row[];
  readonly onChanged: () => Promise<void>;
}

/** The markets with the quality of their books, and buttons that change their statuses. */
export function MarketQuality({ markets, onChanged }: MarketQualityProps) {
  const opened = useSignal<Market<string> | undefined>(undefined);
  const close = () => {
    opened.value = undefined;
  };
  const open = async (symbol: string) => {
    const found = await api.getMarkets({ symbol });
    opened.value = found.markets[0];
  };
  return (
    <>
      <SortedTable
        caption={t('Quality of the markets')}
        columns={buildColumns((symbol) => open(symbol).catch(announceError))}
        rows={markets}
        rowKey={({ symbol }) => symbol}
        class="market-quality"
        empty={t('No markets yet.')}
      />
      <Dialog
        title={t('{symbol} status', { symbol: opened.value?.symbol ?? '' })}
        open={opened.value !== undefined}
        onClose={close}
      >
        {opened.value === undefined ? null : (
          <MarketStatus
            market={opened.value}
            onDone={async () => {
              close();
              await onChanged();
            }}
          />
        )}
      </Dialog>
    </>
  );
}

const buildColumns = (onOpen: (symbol: string) => void): readonly SortedColumn<Row>[] => [
  {
    key: 'symbol',
    title: msg('Market'),
    cell: ({ symbol }) => <MarketLink symbol={symbol} />,
    sortBy: ({ symbol }) => symbol,
  },
  {
    key: 'status',
    title: msg('Status'),
    cell: (market) => <StatusButton market={market} onOpen={() => onOpen(market.symbol)} />,
    sortBy: ({ status }) => status,
  },
  {
    key: 'last',
    title: msg('Last price'),
    numeric: true,
    cell: ({ last }) => grouped(last),
    sortBy: ({ last }) => toNumber(last),
  },
  {
    key: 'percentage',
    title: msg('24h change'),
    numeric: true,
    cell: ({ percentage }) => <Change percentage={percentage} />,
    sortBy: ({ percentage }) => toNumber(percentage),
  },
  {
    key: 'spread',
    title: msg('Spread'),
    numeric: true,
    cell: ({ spreadBasisPoints }) =>
      spreadBasisPoints === null ? '–' : t('{points} bps', { points: fixed(spreadBasisPoints, 2) }),
    sortBy: ({ spreadBasisPoints }) => toNumber(spreadBasisPoints),
  },
  depth('bidDepth', msg('Bids within 0.5%')),
  depth('askDepth', msg('Asks within 0.5%')),
  {
    key: 'uptime',
    title: msg('Two-sided uptime'),
    numeric: true,
    cell: ({ twoSidedPercent }) =>
      twoSidedPercent === null ? '–' : `${fixed(twoSidedPercent, 2)}%`,
    sortBy: ({ twoSidedPercent }) => toNumber(twoSidedPercent),
  },
  {
    key: 'volume',
    title: msg('24h volume'),
    numeric: true,
    cell: ({ volume, quote }) => <InQuote value={volume} quote={quote} />,
    sortBy: ({ volume }) => toNumber(volume),
  },
  {
    key: 'trades',
    title: msg('24h trades'),
    numeric: true,
    cell: ({ trades }) => grouped(`${trades}`),
    sortBy: ({ trades }) => trades,
  },
];

/** The name of a market, which opens its page. */
export function MarketLink({ symbol }: { symbol: string }) {
  return (
    <a href={marketPath(symbol)}>
      <b>{symbol}</b>
    </a>
  );
}

/** A change of a price in percent, with its sign, arrow and color. */
export function Change({ percentage }: { percentage: string }) {
  const tone = changeTone(percentage);
  return (
    <span class={tone}>
      {ARROWS[tone]}
      {percent(percentage)}
    </span>
  );
}

/** A compact amount. Where it is narrow, only the name of the market says the asset. */
export function InQuote({ value, quote }: { value: string; quote: string }) {
  return (
    <>
      {compact(value)}
      <span class="quote-unit"> {quote}</span>
    </>
  );
}

/** Depth at the last price, so that markets of one quote asset can be compared. */
function depth(key: 'bidDepth' | 'askDepth', title: string): SortedColumn<Row> {
  const value = ({ [key]: amount, last }: Row) =>
    amount === null ? null : new Big(amount).times(last).toFixed();
  return {
    ...{ key, title, numeric: true },
    cell: (row) => {
      const quoteValue = value(row);
      if (quoteValue === null) return '–';
      return (
        <span title={`${grouped(row[key]!)} ${row.base}`}>
          <InQuote value={quoteValue} quote={row.quote} />
        </span>
      );
    },
    sortBy: (row) => toNumber(value(row)),
  };
}

/** Sorting needs no exact numbers. */
function toNumber(text: string | null): number | null {
  return text === null ? null : Number(text);
}

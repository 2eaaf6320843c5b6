import Big from 'big.js';
import type { LedgerEntry } from '../../src/client/index.ts';
import type { Column } from '../components/table.tsx';
import { dateTime, grouped, recentTime, rounded, sentenceCase, usefulDecimals } from '../format.ts';
import { msg, T, t } from '../i18n/index.ts';
import { Amount } from '../portfolio/amount.tsx';
import { Quantity, unitHead } from './column-units.tsx';
import { priceDecimalsFor, priceText } from './markets.ts';
import { describeConditions, triggerText } from './order-conditions.ts';
import { hasLimit, orderName, STATUS_NAMES, shortTypeName, typeName } from './order-names.ts';
import { describeReason, describeStatus } from './order-reasons.ts';
import type { ExactFill, ExactOrder } from './records.ts';
import { Rounded } from './rounded.tsx';
import { unitAsset } from './row-assets.ts';

type Sided = { readonly side: 'buy' | 'sell'; readonly symbol: string };

/** The arrow and the word carry the meaning for users who do not see the color; narrow panels show the word alone. */
function SideText({ side }: Pick<Sided, 'side'>) {
  return (
    <span class={side}>
      <span class="side-arrow">{side === 'buy' ? '↑ ' : '↓ '}</span>
      <span class="side-name">{side === 'buy' ? t('Buy') : t('Sell')}</span>
    </span>
  );
}

const price = (text: string | null, { symbol }: { readonly symbol: string }) =>
  text === null ? '–' : priceText(text, symbol);

/** A time, short; the full time is a tooltip. */
function ShortTime({ at }: { at: string }) {
  return (
    <time dateTime={at} title={dateTime(at)}>
      {recentTime(at)}
    </time>
  );
}

const time: Column<{ readonly timestamp: string }> = {
  key: 'time',
  title: msg('Time'),
  cell: ({ timestamp }) => <ShortTime at={timestamp} />,
};
const market: Column<Sided> = {
  key: 'market',
  title: msg('Market'),
  cell: ({ symbol }) => (
    <span class="market-cell" title={symbol}>
      {symbol}
    </span>
  ),
};
const side: Column<Sided> = {
  key: 'side',
  title: msg('Side'),
  cell: (row) => <SideText {...row} />,
};

const limit: Column<ExactOrder> = {
  key: 'price',
  title: msg('Price'),
  head: () => (
    <>
      {t('Price')}
      <span class="without-trigger"> / {t('Trigger')}</span>
    </>
  ),
  numeric: true,
  cell: (order) => <Limit order={order} />,
};

/** The limit price. Of an order that has none, panels without the column of trigger prices show that instead. */
function Limit({ order }: { order: ExactOrder }) {
  // The exchange gives the average price as that of an order without a limit; it has a column of its own.
  if (order.price !== null && hasLimit(order)) return <>{price(order.price, order)}</>;
  if (order.triggerPrice === null) return <>{t('Market||order type')}</>;
  return (
    <>
      <span class="with-trigger">{t('Market||order type')}</span>
      <span class="without-trigger" title={t('Trigger price')}>
        {triggerText(order)}
      </span>
    </>
  );
}

const trigger: Column<ExactOrder> = {
  key: 'trigger',
  title: msg('Trigger'),
  numeric: true,
  cell: (order) => (order.triggerPrice === null ? '–' : triggerText(order)),
};
const amount: Column<Pick<ExactOrder, 'amount' | 'symbol'>> = {
  key: 'amount',
  title: msg('Amount'),
  head: unitHead(msg('Amount<unit> ({asset})</unit>'), 'base'),
  numeric: true,
  cell: ({ amount: text, symbol }) => (
    <Quantity text={grouped(text)} exact={text} asset={unitAsset(symbol, 'base')} />
  ),
};
const total = {
  key: 'total',
  title: msg('Total'),
  head: unitHead(msg('Total<unit> ({asset})</unit>'), 'quote'),
  numeric: true,
} as const;
const filled: Column<ExactOrder> = {
  key: 'filled',
  title: msg('Filled'),
  numeric: true,
  cell: (order) => <Filled {...order} />,
};

/** The value of an order at its price. An order at the market price may get another than its trigger price. */
function Total({ order }: { order: ExactOrder }) {
  const isExact = hasLimit(order);
  const at = isExact ? order.price : order.triggerPrice;
  if (at === null) return <>–</>;
  const value = new Big(at).times(order.amount);
  const text = `${isExact ? '' : '≈ '}${rounded(value, usefulDecimals(value))}`;
  return <Quantity text={text} exact={value} asset={unitAsset(order.symbol, 'quote')} />;
}

/** The value of what has traded. */
function Cost({ cost, symbol }: Pick<ExactFill, 'cost' | 'symbol'>) {
  if (new Big(cost).eq(0)) return <>–</>;
  const text = rounded(cost, usefulDecimals(cost));
  return <Quantity text={text} exact={cost} asset={unitAsset(symbol, 'quote')} />;
}

/** The filled amount, muted while it is zero. */
function Filled({ filled: text }: Pick<ExactOrder, 'filled'>) {
  return <span class={new Big(text).eq(0) ? 'muted' : ''}>{grouped(text)}</span>;
}

/** Returns the column of the order types, whose cells open the details of the orders. */
function typeColumn(onOpen: (order: ExactOrder) => void): Column<ExactOrder> {
  const cell = (order: ExactOrder) => (
    <button
      type="button"
      class="cell-link"
      aria-haspopup="dialog"
      title={t('{type}: show details', { type: typeName(order.type) })}
      onClick={() => onOpen(order)}
    >
      <T
        text="{type}<hidden>: Details of {order}</hidden>"
        type={shortTypeName(order.type)}
        order={orderName(order)}
        hidden={(children) => <span class="visually-hidden">{children}</span>}
      />
    </button>
  );
  return { key: 'type', title: msg('Type'), cell };
}

/** Columns of open orders. Narrow panels hide some of them; see orders.css. */
export function openColumns(onOpen: (order: ExactOrder) => void): readonly Column<ExactOrder>[] {
  return [
    time,
    market,
    side,
    typeColumn(onOpen),
    limit,
    trigger,
    amount,
    filled,
    { ...total, cell: (order) => <Total order={order} /> },
    {
      key: 'conditions',
      title: msg('Conditions'),
      cell: (order) => <Conditions order={order} />,
    },
  ];
}

/**
 * The conditions in one line; the whole text is a tooltip. Narrow panels show a short text; panels without the column of
 * trigger prices show the trigger price here.
 */
function Conditions({ order }: { order: ExactOrder }) {
  const text = describeConditions(order);
  const hasBoth = order.triggerPrice !== null && order.price !== null;
  const triggered = hasBoth ? t('Trigger {price}', { price: triggerText(order) }) : '';
  return (
    <span class="conditions" title={[triggered, text].filter(Boolean).join(' · ')}>
      {triggered === '' ? null : <span class="without-trigger">{triggered} · </span>}
      <span class="long-text">{text}</span>
      <span class="short-text">{describeConditions(order, true)}</span>
    </span>
  );
}

export function pastColumns(onOpen: (order: ExactOrder) => void): readonly Column<ExactOrder>[] {
  return [
    time,
    market,
    side,
    typeColumn(onOpen),
    limit,
    trigger,
    amount,
    filled,
    {
      key: 'average',
      title: msg('Average price'),
      numeric: true,
      cell: averagePrice,
    },
    { ...total, cell: (order) => <Cost {...order} /> },
    {
      key: 'status',
      title: msg('Status'),
      cell: (order) => (
        <span class="conditions" title={statusTitle(order)}>
          {describeStatus(order)}
        </span>
      ),
    },
  ];
}

/** Returns the status with its reason as a whole sentence. */
function statusTitle(order: ExactOrder): string {
  const name = t(STATUS_NAMES[order.status]);
  const reason = order.status === 'filled' ? undefined : describeReason(order);
  return reason === undefined ? name : `${name}: ${reason}`;
}

/** The average price, rounded to the tick size; all its digits are a tooltip. */
function averagePrice({ average, symbol }: ExactOrder) {
  if (average === null) return '–';
  return <Rounded value={average} decimals={priceDecimalsFor(symbol)} />;
}

export const ROLES = { maker: msg('Maker'), taker: msg('Taker') } as const;

/** Returns the market, whose text opens the details of the order of a fill. */
function orderLinkColumn(onOpen: (fill: ExactFill) => void): Column<ExactFill> {
  const cell = (fill: ExactFill) => (
    <button
      type="button"
      class="cell-link market-cell"
      aria-haspopup="dialog"
      title={t('{symbol}: show order', { symbol: fill.symbol })}
      onClick={() => onOpen(fill)}
    >
      <T
        text="{symbol}<hidden>: Details of order {id}</hidden>"
        symbol={fill.symbol}
        id={fill.orderId}
        hidden={(children) => <span class="visually-hidden">{children}</span>}
      />
    </button>
  );
  return { key: 'market', title: msg('Market'), cell };
}

/** Columns of the fills of one order. */
export const ORDER_FILL_COLUMNS: readonly Column<ExactFill>[] = [
  time,
  { key: 'price', title: msg('Price'), numeric: true, cell: (fill) => price(fill.price, fill) },
  amount,
  { ...total, cell: (fill) => <Cost {...fill} /> },
  {
    key: 'fee',
    title: msg('Fee'),
    numeric: true,
    cell: ({ fee }) => <Rounded value={fee.cost} unit={fee.asset} />,
  },
  { key: 'role', title: msg('Role'), cell: (fill) => t(ROLES[fill.liquidity]) },
];

/** Columns of fills of many orders. @param onOpen Shows the order of a fill */
export function fillColumns(onOpen: (fill: ExactFill) => void): readonly Column<ExactFill>[] {
  const [, ...others] = ORDER_FILL_COLUMNS;
  return [time, orderLinkColumn(onOpen), side, ...others];
}

/** The types of ledger entries, as customers read them. */
export const ENTRY_TYPES: Readonly<Record<LedgerEntry['type'], string>> = {
  trade: msg('Trade'),
  fee: msg('Fee'),
  hold: msg('Hold for an order'),
  release: msg('Release of a hold'),
  transfer: msg('Transfer'),
  deposit: msg('Deposit'),
  withdrawal: msg('Withdrawal'),
  withdrawal_fee: msg('Withdrawal fee'),
  custody_hold: msg('Hold for a withdrawal'),
  custody_release: msg('Release of a withdrawal hold'),
  internal_transfer: msg('Internal transfer'),
  trade_bust: msg('Trade reversal'),
  trade_bust_fee: msg('Fee of a reversal'),
  rebate: msg('Rebate'),
  referral: msg('Referral'),
};

export const LEDGER_COLUMNS: readonly Column<LedgerEntry<string>>[] = [
  time,
  { key: 'asset', title: msg('Asset'), cell: ({ asset }) => <b>{asset}</b> },
  {
    key: 'type',
    title: msg('Type'),
    // A newer exchange may have types that the page does not know.
    cell: ({ type }) => t(ENTRY_TYPES[type] ?? sentenceCase(type)),
  },
  { key: 'change', title: msg('Change||ledger'), numeric: true, cell: ledgerChange },
  {
    key: 'after',
    title: msg('Available after'),
    numeric: true,
    cell: ({ asset, after }) => <Amount asset={asset} amount={after} />,
  },
  {
    key: 'reference',
    title: msg('Reference'),
    cell: ({ reference }) => (
      <span class="conditions" title={reference}>
        {reference}
      </span>
    ),
  },
];

/** The sign carries the meaning for users who do not see the color. */
function ledgerChange({ amount }: LedgerEntry<string>) {
  const isLoss = amount.startsWith('-');
  return (
    <span class={isLoss ? 'sell' : 'buy'}>
      {isLoss ? '−' : '+'}
      <Rounded value={isLoss ? amount.slice(1) : amount} />
    </span>
  );
}

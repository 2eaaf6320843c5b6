import { signal } from '@preact/signals';
import type Big from 'big.js';
import type { ComponentChildren } from 'preact';
import { useId } from 'preact/hooks';
import { Dialog } from '../components/dialog.tsx';
import { Select } from '../components/field.tsx';
import { Notice } from '../components/notice.tsx';
import { Facts } from '../components/panel.tsx';
import { grouped, percent, rounded } from '../format.ts';
import { msg, T, t } from '../i18n/index.ts';
import { clock, preference, storedValue } from '../preferences.ts';
import { type Draft, isByCost, type OrderContext, type Side } from './draft.ts';
import { market, priceDecimalsFor } from './markets.ts';
import { currentContext } from './order-draft.ts';
import { type Fact, listFacts } from './order-facts.ts';
import {
  averageText,
  estimateOrder,
  feeText,
  receivedText,
  slippageText,
  totalText,
} from './order-preview.tsx';
import {
  type ConfirmPolicy,
  isFar,
  type MarketDistance,
  measureDistances,
  needsConfirmation,
} from './price-guard.ts';

const POLICIES = ['always', 'far', 'never'] as const;
const POLICY_NAMES: Readonly<Record<ConfirmPolicy, string>> = {
  always: msg('Every order'),
  far: msg('Prices far from the market'),
  never: msg('Never'),
};
/** When orders are confirmed, and the distance in percent that counts as far. */
const confirmPolicy = preference<ConfirmPolicy>('confirm', POLICIES, 'far');
const farPercent = storedValue<number>('confirm-percent', parsePercent, 2);

function parsePercent(json: unknown): number | undefined {
  return typeof json === 'number' && json > 0 && json <= 100 ? json : undefined;
}

/** Whether the dialog that confirms the order is open. */
export const isConfirming = signal(false);

/** The settings of confirmations. */
export function ConfirmationSettings() {
  const id = useId();
  return (
    <div class="confirmation-settings">
      <Select
        label={t('Confirm before sending')}
        value={confirmPolicy.value}
        options={POLICIES.map((policy) => [policy, POLICY_NAMES[policy]] as const)}
        onChange={(policy) => {
          confirmPolicy.value = policy;
        }}
      />
      {confirmPolicy.value === 'far' ? (
        <div class="field">
          <label for={id}>{t('Ask if the price is off the market by')}</label>
          <div class="input-box">
            <input
              id={id}
              type="number"
              min={0.1}
              max={100}
              step={0.1}
              value={farPercent.value}
              onChange={({ currentTarget }) => {
                const found = parsePercent(currentTarget.valueAsNumber);
                if (found === undefined) currentTarget.value = `${farPercent.peek()}`;
                else farPercent.value = found;
              }}
            />
            <span class="unit">%</span>
          </div>
        </div>
      ) : null}
    </div>
  );
}

/** Returns whether the user wants to confirm an order before it is sent. @param context Market of the order */
export function mustConfirm(order: Draft, context = currentContext()): boolean {
  const distances = context === undefined ? [] : measureDistances(order, context);
  return needsConfirmation(confirmPolicy.value, farPercent.value, distances);
}

interface PriceWarningProps {
  readonly draft: Draft;
  /** The market of the order; by default the one shown. */
  readonly context?: OrderContext | undefined;
}

/** Warns if a price of an order is far from the market, or from its trigger price. */
export function PriceWarning({ draft: order, context = currentContext() }: PriceWarningProps) {
  if (context === undefined) return null;
  const far = measureDistances(order, context).filter((each) => isFar(each, farPercent.value));
  if (far.length === 0) return null;
  const decimals = priceDecimalsFor(context.market.symbol);
  return (
    <>
      {far.map((distance) => (
        <Notice key={distance.from} kind="warning">
          <DistanceText distance={distance} decimals={decimals} />
        </Notice>
      ))}
    </>
  );
}

const DISTANCE_TEXTS: Readonly<Record<Side, Readonly<Record<MarketDistance['from'], string>>>> = {
  buy: {
    book: msg('The limit price is <b>{share} above</b> the best ask, {best}.'),
    last: msg('The limit price is <b>{share} above</b> the last price, {best}.'),
    trigger: msg('The limit price is <b>{share} above</b> the trigger price, {best}.'),
  },
  sell: {
    book: msg('The limit price is <b>{share} below</b> the best bid, {best}.'),
    last: msg('The limit price is <b>{share} below</b> the last price, {best}.'),
    trigger: msg('The limit price is <b>{share} below</b> the trigger price, {best}.'),
  },
};

function DistanceText({ distance, decimals }: { distance: MarketDistance; decimals: number }) {
  const { side, from, best, throughPercent, average, slippagePercent } = distance;
  const b = (children: ComponentChildren) => <b>{children}</b>;
  if (throughPercent.lte(0)) {
    return (
      <T
        text="Estimated slippage: <b>{slippage}</b> (average {average})"
        slippage={percentText(slippagePercent)}
        average={average === undefined ? '–' : rounded(average, decimals)}
        b={b}
      />
    );
  }
  return (
    <T
      text={DISTANCE_TEXTS[side][from]}
      share={percentText(throughPercent)}
      best={rounded(best, decimals)}
      b={b}
    />
  );
}

/** Formats a distance, which has no sign: `2.10%`. */
function percentText(value: Big): string {
  return percent(value.toFixed(2)).replace('+', '');
}

interface ConfirmOrderProps {
  readonly draft: Draft;
  readonly open: boolean;
  readonly onClose: () => void;
  readonly onConfirm: () => void;
}

/** The dialog that shows what an order does before it is sent. */
export function ConfirmOrder({ draft: order, open, onClose, onConfirm }: ConfirmOrderProps) {
  const isBuy = order.side === 'buy';
  return (
    <Dialog
      title={isBuy ? t('Confirm buy order') : t('Confirm sell order')}
      open={open}
      onClose={onClose}
    >
      <PriceWarning draft={order} />
      <OrderFacts draft={order} />
      <div class="dialog-actions">
        <button type="button" class="button" onClick={onClose}>
          {t('Go back')}
        </button>
        <button
          type="button"
          class={`button ${order.side}-fill`}
          onClick={() => {
            onClose();
            onConfirm();
          }}
        >
          {isBuy ? t('Buy {base}', { base: base() }) : t('Sell {base}', { base: base() })}
        </button>
      </div>
    </Dialog>
  );
}

const base = () => market.value?.base ?? '';

function OrderFacts({ draft: now }: { draft: Draft }) {
  const context = currentContext();
  if (context === undefined) return null;
  const facts = listFacts(now, context.market, clock.value);
  return <Facts facts={[...facts, ...estimatedFacts(now, context)]} />;
}

/** Returns what the order does on arrival, as the exchange has tested it or the page estimates it. */
function estimatedFacts(now: Draft, context: OrderContext): Fact[] {
  const { found } = estimateOrder(now, context);
  if (found === undefined) return [];
  const received: Fact = [msg('You receive'), receivedText(found, now, context)];
  const fee: Fact = [msg('Fee'), feeText(found.fee)];
  if (now.type === 'oco') return [];
  if (found.immediate.amount.eq(0)) return [fee, received];
  return [
    [msg('Fills immediately'), `≈ ${grouped(found.immediate.amount)} ${base()}`],
    [msg('Average price'), averageText(found, now, context)],
    [msg('Slippage'), slippageText(found, now, context)],
    ...(isByCost(now) ? [] : [[msg('Total'), totalText(found, now, context)] as const]),
    fee,
    received,
  ];
}

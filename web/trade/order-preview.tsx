import { signal } from '@preact/signals';
import Big from 'big.js';
import type { ComponentChildren } from 'preact';
import { divide } from '../decimal.ts';
import { grouped, rate, rounded } from '../format.ts';
import { t } from '../i18n/index.ts';
import { available, fees, hasBalances, isSignedIn } from './account.ts';
import { firstTrigger, hasPrice, isByCost, type OrderContext, pendingActivation } from './draft.ts';
import { bookFrame } from './feed.ts';
import { assetDecimals, market, priceDecimals } from './markets.ts';
import { currentContext, draft, edit, parsedDraft, touch } from './order-draft.ts';
import {
  amountForPercent,
  type Estimate,
  estimate,
  type Fee,
  type FeeRates,
} from './order-estimate.ts';

const SHORTAGES = {
  balance: 'The balance covers only this part; the remainder will be canceled.',
  maximum: 'Above the maximum amount of an order; the remainder will be canceled.',
  liquidity: 'Not enough liquidity; the remainder will be canceled.',
} as const;
/** Used until the assets have loaded. */
const DEFAULT_DECIMALS = 8;

/** Balance available for this order. */
export function Available() {
  if (!isSignedIn.value || market.value === undefined) return null;
  const asset = draft.value.side === 'buy' ? market.value.quote : market.value.base;
  const value = available(asset);
  return (
    <p class="available">
      <span class="muted">{t('Available')}</span>
      <span>
        {hasBalances.value ? grouped(value ?? '0') : '–'} {asset}
      </span>
    </p>
  );
}

/** Buttons that size the order as a share of the balance. */
export function BalanceShares() {
  const isDisabled = !isSignedIn.value || !hasBalances.value;
  // The slider shows what it was set to, until the size is changed in another way.
  const shown = slid.value?.size === readSize() ? slid.value.percent : 0;
  return (
    <fieldset class="parts">
      <legend class="visually-hidden">{t('% of balance')}</legend>
      <input
        type="range"
        class="share-slider"
        aria-label={t('% of balance')}
        min={0}
        max={100}
        step={1}
        value={shown}
        disabled={isDisabled}
        aria-valuetext={`${shown}%`}
        onInput={({ currentTarget }) => applyShare(currentTarget.valueAsNumber)}
      />
      {[25, 50, 75, 100].map((percent) => (
        <button
          key={percent}
          type="button"
          class="button small"
          disabled={isDisabled}
          onClick={() => applyShare(percent)}
        >
          {percent}%
        </button>
      ))}
    </fieldset>
  );
}

/** Sizes the order as `percent` of the available balance. */
export function applyShare(percent: number): void {
  const context = currentContext();
  if (context === undefined) return;
  const quoteDecimals = assetDecimals.value.get(context.market.quote) ?? DEFAULT_DECIMALS;
  const value = amountForPercent(parsedDraft.value, context, percent, quoteDecimals);
  if (value === undefined) return;
  const field = isByCost(draft.value) ? 'cost' : 'amount';
  edit({ [field]: value.eq(0) ? '' : value.toFixed() });
  if (value.gt(0)) touch(field);
  slid.value = { percent, size: readSize() };
}

/** The last share that was chosen, and the size that it gave. */
const slid = signal<{ readonly percent: number; readonly size: string } | undefined>(undefined);

const readSize = () => (isByCost(draft.value) ? draft.value.cost : draft.value.amount);

/** Estimated total, fee and proceeds with all digits, since rounding would hide a small fee. The rows are always rendered, so that the form does not jump. */
export function Preview() {
  if (draft.value.type === 'market') void bookFrame.value;
  const context = currentContext();
  const shown = market.value;
  if (context === undefined || shown === undefined) return null;
  const rates = fees.value.get(shown.symbol) ?? shown;
  const decimals = {
    base: assetDecimals.value.get(shown.base) ?? DEFAULT_DECIMALS,
    quote: assetDecimals.value.get(shown.quote) ?? DEFAULT_DECIMALS,
  };
  const found = estimate(parsedDraft.value, context, rates, decimals);
  const isBuy = draft.value.side === 'buy';
  const isOco = draft.value.type === 'oco';
  const leg = isOco ? 'take profit' : '';
  // An order that executes at the market may get another price than that of the estimate.
  const isExact = isOco || hasPrice(draft.value) || isByCost(draft.value);
  return (
    <>
      <dl class="preview">
        {draft.value.type === 'trailing_stop' ? <FirstTrigger context={context} /> : null}
        {draft.value.type === 'market' ? (
          <Row title={t('Average price')}>
            {found === undefined || found.amount.eq(0)
              ? '–'
              : `≈ ${averagePrice(found)} ${shown.quote}`}
          </Row>
        ) : null}
        <Row title={legTitle('Total', leg)}>
          {found === undefined
            ? '–'
            : `${isExact ? '' : '≈ '}${grouped(found.total)} ${shown.quote}`}
        </Row>
        {found?.held === undefined ? null : (
          <Row title={t('On hold')}>
            {grouped(found.held)} {shown.quote}
          </Row>
        )}
        <FeeRow leg={leg} fee={found?.fee} rates={rates} isTaker={!isOco} />
        {isOco ? <FeeRow leg="stop" fee={found?.stopFee} rates={rates} isTaker /> : null}
        <Row title={legTitle('You receive', leg)}>
          {found === undefined
            ? '–'
            : `≈ ${grouped(found.received)} ${isBuy ? shown.base : shown.quote}`}
        </Row>
      </dl>
      <p class="preview-hint" role="status">
        {found?.shortage === undefined || found.amount.eq(0) ? '' : SHORTAGES[found.shortage]}
      </p>
    </>
  );
}

/** The trigger price of a trailing stop if it were placed now; it moves with the last price. */
function FirstTrigger({ context }: { context: OrderContext }) {
  const { last, market: shown } = context;
  const trigger = firstTrigger(parsedDraft.value, last);
  const isPending = pendingActivation(parsedDraft.value, last) !== undefined;
  return (
    <Row title={isPending ? t('Trigger at activation') : t('Trigger price')}>
      {trigger === undefined ? '–' : `≈ ${rounded(trigger, priceDecimals.value)} ${shown.quote}`}
    </Row>
  );
}

/** Returns `Total (take profit)` for a leg of an OCO order, else `Total`. */
function legTitle(title: string, leg: string): string {
  return leg === '' ? title : `${title} (${leg})`;
}

function averagePrice({ total, amount }: Estimate): string {
  const decimals = priceDecimals.value;
  return rounded(divide(total, amount, decimals, Big.roundHalfUp), decimals);
}

interface FeeRowProps {
  /** Leg of an OCO order; empty for other types. */
  readonly leg: string;
  readonly fee: Fee | undefined;
  readonly rates: FeeRates;
  /** Rate to show until there is a fee. */
  readonly isTaker: boolean;
}

/** The fee is approximate, because the exchange rounds it up for each fill. */
function FeeRow({ leg, fee, rates, isTaker: isUsuallyTaker }: FeeRowProps) {
  const isTaker = fee?.isTaker ?? isUsuallyTaker;
  const percent = rate(isTaker ? rates.takerFee : rates.makerFee);
  const isRebate = !isTaker && rates.makerFee.startsWith('-');
  const title = isRebate ? 'Rebate' : 'Fee';
  const role = isTaker ? 'taker' : 'maker';
  return (
    <Row title={`${title} (${leg === '' ? '' : `${leg}, `}${role} ${percent.replace('-', '')})`}>
      {fee === undefined ? '–' : `≈ ${grouped(fee.cost.abs())} ${fee.asset}`}
    </Row>
  );
}

function Row({ title, children }: { title: string; children: ComponentChildren }) {
  return (
    <div>
      <dt>{title}</dt>
      <dd>{children}</dd>
    </div>
  );
}

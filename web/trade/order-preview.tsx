import { signal } from '@preact/signals';
import Big from 'big.js';
import type { ComponentChildren } from 'preact';
import type { TestedOrder } from '../../src/client/index.ts';
import { divide, ZERO } from '../decimal.ts';
import { grouped, percent, rate, rounded } from '../format.ts';
import { msg, t } from '../i18n/index.ts';
import { Amount } from '../portfolio/amount.tsx';
import { available, fees, hasBalances, isSignedIn } from './account.ts';
import {
  type Draft,
  firstTrigger,
  hasPrice,
  isByCost,
  type OrderContext,
  pendingActivation,
} from './draft.ts';
import { bookFrame } from './feed.ts';
import { FundsLink } from './get-funds.tsx';
import { assetDecimals, market, priceDecimals, priceDecimalsFor } from './markets.ts';
import { currentContext, draft, edit, parsedDraft, touch } from './order-draft.ts';
import {
  amountForPercent,
  type Estimate,
  estimate,
  type Fee,
  type FeeRates,
  usedPercent,
} from './order-estimate.ts';
import { tested } from './order-test.ts';
import { worseBy } from './price-guard.ts';

const SLIPPAGE_PLACES = 18;
const SHORTAGES = {
  balance: msg('The balance covers only this part; the remainder will be canceled.'),
  maximum: msg('Above the maximum amount of an order; the remainder will be canceled.'),
  liquidity: msg('Not enough liquidity; the remainder will be canceled.'),
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
        {hasBalances.value ? <Amount asset={asset} amount={value ?? '0'} hasUnit /> : `– ${asset}`}{' '}
        <FundsLink />
      </span>
    </p>
  );
}

/** The slider and buttons that size the order as a share of the balance. */
export function BalanceShares() {
  const isDisabled = !isSignedIn.value || !hasBalances.value;
  const shown = shownPercent();
  return (
    <fieldset class="parts" title={isSignedIn.value ? undefined : t('Sign in to use your balance')}>
      <legend class="visually-hidden">{t('% of balance')}</legend>
      <input
        type="range"
        class={`share-slider ${draft.value.side}`}
        aria-label={t('% of balance')}
        min={0}
        max={100}
        step={1}
        value={shown}
        style={{ '--share': shown / 100 }}
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

/** Returns what the slider was set to, until the size is changed in another way; else the share that the size needs. */
function shownPercent(): number {
  if (slid.value?.size === readSize()) return slid.value.percent;
  const context = currentContext();
  return (context && usedPercent(parsedDraft.value, context)) ?? 0;
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

export interface Estimated {
  readonly found: Estimate | undefined;
  readonly rates: FeeRates;
  /** The order that the exchange tested. */
  readonly tested: TestedOrder<string> | undefined;
}

/** Estimates an order in the market shown, from the test by the exchange if there is one, else from the book of the page. */
export function estimateOrder(now: Draft, context: OrderContext): Estimated {
  const { market: shown } = context;
  void bookFrame.value;
  const rates = fees.value.get(shown.symbol) ?? shown;
  const decimals = {
    base: assetDecimals.value.get(shown.base) ?? DEFAULT_DECIMALS,
    quote: assetDecimals.value.get(shown.quote) ?? DEFAULT_DECIMALS,
  };
  // Only the order in the form is tested.
  const order = now === parsedDraft.value ? tested.value?.order : undefined;
  const filled = order !== undefined && new Big(order.filled).gt(0) ? order : undefined;
  return { found: estimate(now, context, rates, decimals, filled), rates, tested: order };
}

/** Estimated prices, total, fee and proceeds with all digits, since rounding would hide a small fee. The rows are always rendered, so that the form does not jump. */
export function Preview() {
  const context = currentContext();
  if (context === undefined) return null;
  const now = parsedDraft.value;
  const { found, rates } = estimateOrder(now, context);
  const isOco = now.type === 'oco';
  return (
    <>
      <dl class="preview">
        {now.type === 'trailing_stop' ? <FirstTrigger context={context} /> : null}
        {isOco ? (
          <>
            <Row title={t('Average price (take profit)')}>{averageText(found, now, context)}</Row>
            <Row title={t('Average price (stop)')}>{stopPriceText(found, now, context)}</Row>
          </>
        ) : (
          <>
            <Row title={t('Average price')}>{averageText(found, now, context)}</Row>
            <Row title={t('Slippage')}>{slippageText(found, now, context)}</Row>
          </>
        )}
        {hasTotalField(now) ? null : (
          <Row title={isOco ? t('Order value (take profit)') : t('Order value')}>
            {totalText(found, now, context)}
          </Row>
        )}
        {found?.held === undefined ? null : (
          <Row title={t('On hold')}>
            {grouped(found.held)} {context.market.quote}
          </Row>
        )}
        <FeeRow leg={isOco ? 'takeProfit' : 'none'} fee={found?.fee} rates={rates} />
        {isOco ? <FeeRow leg="stop" fee={found?.stopFee} rates={rates} /> : null}
        <Row title={isOco ? t('You receive (take profit)') : t('You receive')}>
          {receivedText(found, now, context)}
        </Row>
      </dl>
      <p class="preview-hint" role="status">
        {found === undefined ? '' : hintText(found, now)}
      </p>
    </>
  );
}

/** Returns whether the form has a field with the value of the order. */
function hasTotalField(now: Draft): boolean {
  return hasPrice(now) || isByCost(now);
}

function hintText({ shortage, amount }: Estimate, now: Draft): string {
  if (shortage === undefined) return '';
  if (amount.gt(0)) return t(SHORTAGES[shortage]);
  return hasPrice(now) ? t('Not enough liquidity; the order will be canceled.') : '';
}

/** Returns the average price of the part that fills at once, else of the order. */
export function averageText(
  found: Estimate | undefined,
  now: Draft,
  { market: shown }: OrderContext,
): string {
  if (found === undefined || found.amount.eq(0)) return '–';
  const { immediate, total, amount } = found;
  const [cost, size] = immediate.amount.gt(0)
    ? [immediate.cost, immediate.amount]
    : [total, amount];
  const decimals = priceDecimalsFor(shown.symbol);
  const average = divide(cost, size, decimals, Big.roundHalfUp);
  // An order that only rests trades at its limit price, as does the take-profit leg of an OCO order.
  const isExact = (hasPrice(now) || now.type === 'oco') && immediate.amount.eq(0);
  return `${isExact ? '' : '≈ '}${rounded(average, decimals)} ${shown.quote}`;
}

/** Returns the price of the stop leg of an OCO order; without a limit price it may be worse than the trigger price. */
export function stopPriceText(
  found: Estimate | undefined,
  now: Draft,
  { market: shown }: OrderContext,
): string {
  if (found?.stopPrice === undefined) return '–';
  const text = rounded(found.stopPrice, priceDecimalsFor(shown.symbol));
  return `${now.stopPrice === '' ? '≈ ' : ''}${text} ${shown.quote}`;
}

/** Returns by how much the average price of the part that fills at once is worse than the best price. */
export function slippageText(
  found: Estimate | undefined,
  { side }: Draft,
  { asks, bids }: OrderContext,
): string {
  const best = (side === 'buy' ? asks : bids)[0]?.[0];
  if (found === undefined || best === undefined || found.immediate.amount.eq(0)) return '–';
  const { cost, amount } = found.immediate;
  const average = divide(cost, amount, SLIPPAGE_PLACES, Big.roundHalfUp);
  const slippage = worseBy(side, average, new Big(best));
  // A test may be older than the book shown.
  return `≈ ${percent((slippage.lt(0) ? ZERO : slippage).toFixed(2)).replace('+', '')}`;
}

export function totalText(found: Estimate | undefined, now: Draft, { market }: OrderContext) {
  if (found === undefined) return '–';
  // An order that executes at the market may get another price than that of the estimate.
  const isExact = now.type === 'oco' || hasPrice(now) || isByCost(now);
  return `${isExact ? '' : '≈ '}${grouped(found.total)} ${market.quote}`;
}

export function receivedText(found: Estimate | undefined, now: Draft, { market }: OrderContext) {
  if (found === undefined) return '–';
  return `≈ ${grouped(found.received)} ${now.side === 'buy' ? market.base : market.quote}`;
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

interface FeeRowProps {
  /** Leg of an OCO order. */
  readonly leg: 'none' | 'takeProfit' | 'stop';
  readonly fee: Fee | undefined;
  readonly rates: FeeRates;
}

/** The fee is approximate, because the exchange rounds it up for each fill. */
function FeeRow({ leg, fee, rates }: FeeRowProps) {
  // A limit order without an amount may trade at once, rest, or both.
  if (fee === undefined && leg === 'none' && hasPrice(parsedDraft.value)) {
    const both = `${rate(rates.makerFee)} / ${rate(rates.takerFee)}`;
    return <Row title={t('Fee (maker / taker)')}>{both}</Row>;
  }
  const isTaker = fee?.isTaker ?? leg !== 'takeProfit';
  const isRebate = !isTaker && rates.makerFee.startsWith('-');
  const title = t(
    '{isRebate, select, true {Rebate} other {Fee}} ({leg, select, takeProfit {take profit, } stop {stop, } other {}}{role, select, maker {maker} other {taker}} {rate})',
    {
      leg,
      isRebate: `${isRebate}`,
      role: isTaker ? 'taker' : 'maker',
      rate: rate(isTaker ? rates.takerFee : rates.makerFee).replace('-', ''),
    },
  );
  return <Row title={fee?.isMixed ? t('Fee (taker and maker)') : title}>{feeText(fee)}</Row>;
}

export function feeText(fee: Fee | undefined): string {
  return fee === undefined ? '–' : `≈ ${grouped(fee.cost.abs())} ${fee.asset}`;
}

function Row({ title, children }: { title: string; children: ComponentChildren }) {
  return (
    <div>
      <dt>{title}</dt>
      <dd>{children}</dd>
    </div>
  );
}

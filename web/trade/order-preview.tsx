import type { ComponentChildren } from 'preact';
import { type Decimal, divide, isZero, toFixedText, toText } from '../decimal.ts';
import { grouped, rate } from '../format.ts';
import { available, fees, isSignedIn } from './account.ts';
import { isByCost } from './draft.ts';
import { bookFrame } from './feed.ts';
import { assetDecimals, market, priceDecimals } from './markets.ts';
import { currentContext, draft, edit, parsedDraft, touch } from './order-draft.ts';
import { estimate, type Fee, type FeeRates, shareOfBalance } from './order-estimate.ts';

/** Of an asset that is not known yet. */
const USUAL_DECIMALS = 8;

/** What the account may use for this order. */
export function Available() {
  if (!isSignedIn.value || market.value === undefined) return null;
  const asset = draft.value.side === 'buy' ? market.value.quote : market.value.base;
  const value = available(asset);
  return (
    <p class="available">
      <span class="muted">Available</span>
      <span>
        {value === undefined ? '0' : grouped(toText(value))} {asset}
      </span>
    </p>
  );
}

/** Takes a part of the balance. */
export function Parts() {
  return (
    <fieldset class="parts">
      <legend class="visually-hidden">Part of your balance</legend>
      {[25, 50, 75, 100].map((part) => (
        <button
          key={part}
          type="button"
          class="button small"
          disabled={!isSignedIn.value}
          onClick={() => take(part)}
        >
          {part}%
        </button>
      ))}
    </fieldset>
  );
}

/** Also by keyboard, see shortcuts. */
export function take(part: number): void {
  const context = currentContext();
  if (context === undefined) return;
  const quoteDecimals = assetDecimals.value.get(context.market.quote) ?? USUAL_DECIMALS;
  const value = shareOfBalance(parsedDraft.value, context, part, quoteDecimals);
  if (value === undefined) return;
  const field = isByCost(draft.value) ? 'cost' : 'amount';
  edit({ [field]: toText(value) });
  touch(field);
}

/** What the order comes to: total, fee, and what is received. The rows are there from the start. */
export function Preview() {
  if (draft.value.type === 'market') void bookFrame.value;
  const context = currentContext();
  const shown = market.value;
  if (context === undefined || shown === undefined) return null;
  const rates = fees.value.get(shown.symbol) ?? shown;
  const decimals = {
    base: assetDecimals.value.get(shown.base) ?? USUAL_DECIMALS,
    quote: assetDecimals.value.get(shown.quote) ?? USUAL_DECIMALS,
  };
  const found = estimate(parsedDraft.value, context, rates, decimals);
  const isBuy = draft.value.side === 'buy';
  const isPair = draft.value.type === 'oco';
  const ofLeg = isPair ? ', take profit' : '';
  return (
    <>
      <dl class="preview">
        {draft.value.type === 'market' ? (
          <Row title="Average price">
            {found === undefined || isZero(found.amount)
              ? '–'
              : `≈ ${grouped(
                  toFixedText(divide(found.total, found.amount, priceDecimals.value, 'half')),
                )} ${shown.quote}`}
          </Row>
        ) : null}
        <Row title={`Total${ofLeg}`}>
          {found === undefined ? '–' : `${money(found.total)} ${shown.quote}`}
        </Row>
        {found?.held === undefined ? null : (
          <Row title="Held">
            {money(found.held)} {shown.quote}
          </Row>
        )}
        <FeeRow of={ofLeg} fee={found?.fee} rates={rates} isTaker={!isPair} />
        {isPair ? <FeeRow of=", stop" fee={found?.stopFee} rates={rates} isTaker /> : null}
        <Row title={`You receive${ofLeg}`}>
          {found === undefined
            ? '–'
            : `≈ ${money(found.received)} ${isBuy ? shown.base : shown.quote}`}
        </Row>
      </dl>
      <p class="preview-hint" role="status">
        {found === undefined || found.isWhole || isZero(found.amount)
          ? ''
          : 'The book has less than this: the rest would expire.'}
      </p>
    </>
  );
}

/** All digits: rounded ones would hide a small fee. */
function money(value: Decimal): string {
  return grouped(toText(value));
}

interface FeeRowProps {
  /** Of which order of a pair. */
  readonly of: string;
  readonly fee: Fee | undefined;
  readonly rates: FeeRates;
  /** As long as there is no fee. */
  readonly isTaker: boolean;
}

/** Each fill's fee is rounded up by itself: the sum is near what is shown. */
function FeeRow({ of, fee, rates, isTaker: usual }: FeeRowProps) {
  const isTaker = fee?.isTaker ?? usual;
  const percent = rate(isTaker ? rates.takerFee : rates.makerFee);
  return (
    <Row title={`Fee${of} (${isTaker ? 'taker' : 'maker'} ${percent})`}>
      {fee === undefined ? '–' : `≈ ${money(fee.cost)} ${fee.asset}`}
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

/** What the market asks of an order. */
export function MarketRules() {
  const shown = market.value;
  if (shown === undefined) return null;
  const { base, quote, tickSize, stepSize, minAmount, minNotional, symbol } = shown;
  const { makerFee, takerFee } = fees.value.get(symbol) ?? shown;
  return (
    <section class="rules" aria-labelledby="rules-title">
      <h3 id="rules-title">{symbol} rules</h3>
      <dl>
        <Row title="Price step">
          {tickSize} {quote}
        </Row>
        <Row title="Amount step">
          {stepSize} {base}
        </Row>
        <Row title="Least order">
          {minAmount} {base}, {minNotional} {quote}
        </Row>
        <Row title="Fee, maker / taker">
          {rate(makerFee)} / {rate(takerFee)}
        </Row>
      </dl>
    </section>
  );
}

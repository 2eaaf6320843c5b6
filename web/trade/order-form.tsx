import { signal, useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useRef } from 'preact/hooks';
import { ApiRequestError, newClientOrderId } from '../../src/client/index.ts';
import { Field, Select } from '../components/field.tsx';
import { Notice } from '../components/notice.tsx';
import { announce } from '../components/toast.tsx';
import { grouped, sentenceCase } from '../format.ts';
import { t } from '../i18n/index.ts';
import { signInPath } from '../session.ts';
import { canTrade, fillToasts, isSignedIn } from './account.ts';
import { AuctionPanel } from './auction-panel.tsx';
import {
  ConfirmOrder,
  confirmPolicy,
  farPercent,
  isConfirming,
  PriceWarning,
} from './confirm-order.tsx';
import {
  canAttach,
  canBePostOnly,
  canHide,
  type Draft,
  type FormType,
  hasPrice,
  hasTrigger,
  isByCost,
  type Side,
  type TimeInForce,
  timesInForce,
} from './draft.ts';
import { FormDetails } from './form-details.tsx';
import { market, priceDecimalsFor, symbol } from './markets.ts';
import {
  clearQuantity,
  closedReason,
  currentContext,
  draft,
  edit,
  faults,
  parsedDraft,
  rejection,
  toPlacement,
  touch,
  visibleFault,
} from './order-draft.ts';
import { isLimitReached, OrdersLeft } from './order-limit.tsx';
import { describeOcoOutcome, describeOutcome } from './order-outcome.ts';
import { Available, BalanceShares, Preview } from './order-preview.tsx';
import { toFault } from './order-rejection.ts';
import type { Field as FieldName } from './order-rules.ts';
import { PriceButtons, TotalField } from './price-fields.tsx';
import { measureDistance, needsConfirmation } from './price-guard.ts';
import { RoundTrip } from './round-trip.tsx';
import { placing } from './trading.ts';

const TYPES: readonly (readonly [FormType, string])[] = [
  ['limit', 'Limit'],
  ['market', 'Market'],
  ['stop', 'Stop'],
  ['stop_limit', 'Stop limit'],
  ['take_profit', 'Take profit'],
  ['take_profit_limit', 'Take profit limit'],
  ['trailing_stop', 'Trailing stop'],
  ['oco', 'OCO (one cancels the other)'],
];
const TIME_IN_FORCE_LABELS: Readonly<Record<TimeInForce, string>> = {
  GTC: 'Good till canceled',
  IOC: 'Immediate or cancel',
  FOK: 'Fill or kill',
  GTD: 'Good till date',
};
/** Maximum time to wait for a response, retries included. */
const MAX_WAIT_MS = 15_000;
const ALL_FIELDS: readonly FieldName[] = [
  'amount',
  'cost',
  'price',
  'triggerPrice',
  'trailingPercent',
  'trailingAmount',
  'activationPrice',
  'displayAmount',
  'takeProfitPrice',
  'stopTrigger',
  'stopPrice',
  'expiresAt',
];

/** Places orders of every type; validated while typing, with the exchange's rejections shown at their fields. */
export function OrderForm() {
  const isSending = useSignal(false);
  const form = useRef<HTMLFormElement>(null);
  const submit = async (isConfirmed: boolean) => {
    if (isSending.value || closedReason.value !== undefined || isLimitReached.value) return;
    touch(...ALL_FIELDS);
    if (faults.value.length > 0) {
      // The fields show their faults only after the next render.
      requestAnimationFrame(() =>
        form.current?.querySelector<HTMLElement>('[aria-invalid]')?.focus(),
      );
      return;
    }
    if (isConfirmed || !mustConfirm()) await send();
    else isConfirming.value = true;
  };
  const send = async () => {
    isSending.value = true;
    await placeOrder().finally(() => {
      isSending.value = false;
    });
  };
  return (
    <section class="panel order-form" aria-labelledby="form-title">
      <h2 id="form-title" class="visually-hidden">
        Place an order
      </h2>
      <AuctionPanel />
      <form
        ref={form}
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          void submit(false);
        }}
      >
        <Sides side={draft.value.side} />
        <div class={draft.value.type === 'market' ? '' : 'type-row'}>
          <Select
            label={t('Order type')}
            value={draft.value.type}
            options={TYPES}
            onChange={(type) => edit({ type })}
          />
          {draft.value.type === 'market' ? null : <TimeInForceSelect />}
        </div>
        <Available />
        <OrderFields />
        <PriceWarning />
        <Preview />
        <RejectionMessage />
        <div role="status">
          {closedReason.value === undefined ? null : (
            <Notice kind="warning">{closedReason.value}</Notice>
          )}
        </div>
        <div class="submit-area">
          <OrdersLeft />
          <Submit side={draft.value.side} isSending={isSending.value} />
          {canTrade.value ? <RoundTrip /> : null}
        </div>
      </form>
      <FormDetails />
      <ConfirmOrder onConfirm={() => void submit(true)} />
    </section>
  );
}

function mustConfirm(): boolean {
  const context = currentContext();
  const distance = context && measureDistance(parsedDraft.value, context);
  return needsConfirmation(confirmPolicy.value, farPercent.value, distance);
}

/** Returns the fields that the form shows for a draft. */
function shownFields(now: Draft): readonly FieldName[] {
  return [
    isByCost(now) ? 'cost' : 'amount',
    ...(hasPrice(now) ? (['price'] as const) : []),
    ...(hasTrigger(now) ? (['triggerPrice'] as const) : []),
    ...(canHide(now) ? (['displayAmount'] as const) : []),
    ...(now.timeInForce === 'GTD' ? (['expiresAt'] as const) : []),
    ...(now.type === 'oco' || now.hasAttached
      ? (['takeProfitPrice', 'stopTrigger', 'stopPrice'] as const)
      : []),
    ...(now.type === 'trailing_stop'
      ? (['trailingPercent', 'trailingAmount', 'activationPrice'] as const)
      : []),
  ];
}

/** The last order without a response. The same draft is sent with the same id again, so that it is placed once. */
let unanswered: { readonly draft: unknown; readonly clientOrderId: string } | undefined;

/** Sends the draft, then announces the outcome or shows the rejection in the form. */
async function placeOrder(): Promise<void> {
  const sent = draft.value;
  const options = { signal: AbortSignal.timeout(MAX_WAIT_MS) };
  const placement = toPlacement(parsedDraft.value, symbol.value);
  const clientOrderId = unanswered?.draft === sent ? unanswered.clientOrderId : newClientOrderId();
  unanswered = { draft: sent, clientOrderId };
  try {
    const orders = await fillToasts.reportedBy(() =>
      placing(async (trader) =>
        placement.kind === 'oco'
          ? (await trader.placePair({ ...placement.parameters, clientOrderId }, options)).orders
          : [await trader.placeOrder({ ...placement.parameters, clientOrderId }, options)],
      ),
    );
    unanswered = undefined;
    const decimals = priceDecimalsFor(orders[0]!.symbol);
    const { text, tone } =
      placement.kind === 'oco'
        ? describeOcoOutcome(orders, decimals)
        : describeOutcome(orders[0]!, decimals);
    announce(text, tone);
    clearQuantity();
  } catch (error) {
    if (error instanceof ApiRequestError) unanswered = undefined;
    rejection.value = toFault(error, sent);
  }
}

/** Prices, size and conditions of the chosen order type. */
function OrderFields() {
  const now = draft.value;
  const { base = '', quote = '' } = market.value ?? {};
  return (
    <>
      {hasTrigger(now) ? (
        <NumberField name="triggerPrice" label="Trigger price" unit={quote} />
      ) : null}
      {hasPrice(now) ? (
        <NumberField name="price" label="Limit price" unit={quote} aside={<PriceButtons />} />
      ) : null}
      {now.type === 'trailing_stop' ? <TrailingFields quote={quote} /> : null}
      {now.type === 'oco' ? <LegFields quote={quote} /> : null}
      {now.type === 'market' ? <SizeUnit base={base} quote={quote} /> : null}
      {isByCost(now) ? (
        <NumberField name="cost" label="Total" unit={quote} />
      ) : (
        <NumberField name="amount" label="Amount" unit={base} />
      )}
      {hasPrice(now) ? <TotalField quote={quote} /> : null}
      <BalanceShares />
      {now.timeInForce === 'GTD' ? <ExpiryField /> : null}
      <Options />
      {canHide(now) && isIceberg.value ? (
        <NumberField name="displayAmount" label={t('Visible amount')} unit={base} />
      ) : null}
      {canAttach(now) && now.hasAttached ? (
        <fieldset class="attached">
          <legend class="visually-hidden">{t('Take profit / stop loss')}</legend>
          <LegFields quote={quote} />
        </fieldset>
      ) : null}
    </>
  );
}

/** Whether the form has the field for the visible amount. */
const isIceberg = signal(false);

/** The options of the order type, one after the other. */
function Options() {
  const now = draft.value;
  return (
    <div class="options">
      {hasPrice(now) ? (
        <Check
          label={t('Post only')}
          isChecked={now.postOnly}
          isDisabled={!canBePostOnly(now)}
          onChange={(postOnly) => edit({ postOnly })}
        />
      ) : null}
      {canHide(now) ? (
        <Check
          label={t('Iceberg')}
          isChecked={isIceberg.value}
          onChange={(isChecked) => {
            isIceberg.value = isChecked;
            if (!isChecked) edit({ displayAmount: '' });
          }}
        />
      ) : null}
      {canAttach(now) ? (
        <Check
          label={t('TP / SL')}
          hint={t('Take profit / stop loss')}
          isChecked={now.hasAttached}
          onChange={(hasAttached) => edit({ hasAttached })}
        />
      ) : null}
    </div>
  );
}

interface CheckProps {
  readonly label: string;
  readonly hint?: string;
  readonly isChecked: boolean;
  readonly isDisabled?: boolean;
  readonly onChange: (isChecked: boolean) => void;
}

function Check({ label, hint, isChecked, isDisabled = false, onChange }: CheckProps) {
  return (
    <label class="check" title={hint}>
      <input
        type="checkbox"
        checked={isChecked}
        disabled={isDisabled}
        aria-label={hint}
        onChange={(event) => onChange(event.currentTarget.checked)}
      />
      {label}
    </label>
  );
}

function Sides({ side }: { side: Side }) {
  return (
    <fieldset class="sides">
      <legend class="visually-hidden">Side</legend>
      {(['buy', 'sell'] as const).map((each) => (
        <label key={each} class={each}>
          <input
            type="radio"
            name="side"
            value={each}
            checked={side === each}
            onChange={() => edit({ side: each })}
          />
          <span>{each === 'buy' ? '↑ Buy' : '↓ Sell'}</span>
        </label>
      ))}
    </fieldset>
  );
}

/** Chooses whether a market order is sized in the quote or the base asset. */
function SizeUnit({ base, quote }: { base: string; quote: string }) {
  const { by, side } = draft.value;
  return (
    <Select
      label="Size in"
      value={by[side]}
      options={[
        ['cost', quote],
        ['amount', base],
      ]}
      onChange={(unit) => edit({ by: { ...by, [side]: unit } })}
    />
  );
}

/** Prices of the take-profit and stop-loss legs of an OCO or bracket order. */
function LegFields({ quote }: { quote: string }) {
  return (
    <>
      <NumberField name="takeProfitPrice" label="Take profit price" unit={quote} />
      <NumberField name="stopTrigger" label="Stop trigger price" unit={quote} />
      <NumberField name="stopPrice" label="Stop limit price (optional)" unit={quote} />
    </>
  );
}

/** Distance and activation price of a trailing stop. */
function TrailingFields({ quote }: { quote: string }) {
  const { trailBy } = draft.value;
  return (
    <>
      <div class="trailing">
        {trailBy === 'percent' ? (
          <NumberField name="trailingPercent" label="Trailing distance" />
        ) : (
          <NumberField name="trailingAmount" label="Trailing distance" />
        )}
        <Select
          label="Trail by"
          value={trailBy}
          options={[
            ['percent', '%'],
            ['amount', quote],
          ]}
          onChange={(by) => edit({ trailBy: by })}
        />
      </div>
      <NumberField name="activationPrice" label="Activation price (optional)" unit={quote} />
    </>
  );
}

function TimeInForceSelect() {
  const now = draft.value;
  return (
    <Select
      label={t('Time in force')}
      value={now.timeInForce}
      options={timesInForce(now).map((each) => [each, TIME_IN_FORCE_LABELS[each]])}
      onChange={(timeInForce) => edit({ timeInForce })}
    />
  );
}

function ExpiryField() {
  return (
    <Field
      label={t('Expires (local time)')}
      value={draft.value.expiresAt}
      error={visibleFault('expiresAt')?.text}
      input={{ type: 'datetime-local', onBlur: () => touch('expiresAt') }}
      onInput={(expiresAt) => edit({ expiresAt })}
    />
  );
}

interface NumberProps {
  readonly name: Exclude<FieldName, 'expiresAt'>;
  readonly label: string;
  readonly unit?: string;
  /** Shown next to the label. */
  readonly aside?: ComponentChildren;
}

function NumberField({ name, label, unit = '', aside }: NumberProps) {
  const fault = visibleFault(name);
  const nearest = fault?.nearest;
  const input = useRef<HTMLInputElement>(null);
  return (
    <Field
      label={label}
      unit={unit}
      aside={aside}
      value={draft.value[name]}
      inputRef={input}
      input={{ inputMode: 'decimal', name, maxLength: 40, onBlur: () => leave(name) }}
      error={
        fault === undefined ? undefined : (
          <>
            {fault.text}{' '}
            {nearest === undefined ? null : (
              <button
                type="button"
                class="link-button"
                onClick={() => {
                  edit({ [name]: nearest });
                  input.current?.focus();
                }}
              >
                Use {grouped(nearest)}
              </button>
            )}
          </>
        )
      }
      onInput={(value) => edit({ [name]: value.trim() })}
    />
  );
}

/** Leaving a field empty does not show its fault yet. */
function leave(name: NumberProps['name']): void {
  if (draft.value[name] !== '') touch(name);
}

/** The exchange's rejection, announced to screen readers. A field that caused it shows it too: then only that is visible. */
function RejectionMessage() {
  const found = rejection.value;
  const isAtField = found?.field !== undefined && shownFields(draft.value).includes(found.field);
  return (
    <p class={isAtField ? 'visually-hidden' : 'form-error'} role="alert">
      {found === undefined ? '' : found.text}
    </p>
  );
}

interface SubmitProps {
  readonly side: Side;
  readonly isSending: boolean;
}

function Submit({ side, isSending }: SubmitProps) {
  if (!isSignedIn.value) {
    return (
      <a class="button primary submit" href={signInPath()}>
        Sign in to trade
      </a>
    );
  }
  if (!canTrade.value) return <p class="muted">View-only account</p>;
  return (
    <button
      type="submit"
      class={`button submit ${side}-fill`}
      aria-disabled={isSending || closedReason.value !== undefined || isLimitReached.value}
    >
      {isSending ? 'Submitting…' : `${sentenceCase(side)} ${market.value?.base ?? ''}`}
    </button>
  );
}

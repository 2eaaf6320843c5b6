import { useSignal } from '@preact/signals';
import { useRef } from 'preact/hooks';
import { Select } from '../components/field.tsx';
import { Notice } from '../components/notice.tsx';
import { announce } from '../components/toast.tsx';
import { msg, t } from '../i18n/index.ts';
import { signInPath } from '../session.ts';
import { canTrade, isSignedIn } from './account.ts';
import { AuctionPanel } from './auction-panel.tsx';
import { ConfirmOrder, isConfirming, mustConfirm, PriceWarning } from './confirm-order.tsx';
import {
  canHide,
  type Draft,
  type FormType,
  hasPrice,
  hasTrigger,
  isByCost,
  type Side,
} from './draft.ts';
import { FormAssets, FormDetails } from './form-details.tsx';
import { FundsDialog } from './get-funds.tsx';
import { market, symbol } from './markets.ts';
import {
  clearQuantity,
  closedReason,
  draft,
  edit,
  faults,
  parsedDraft,
  rejection,
  toPlacement,
  touch,
} from './order-draft.ts';
import { OrderFields, TimeInForceSelect } from './order-fields.tsx';
import { isLimitReached, OrdersLeft } from './order-limit.tsx';
import { TYPE_NAMES } from './order-names.ts';
import { Available, Preview } from './order-preview.tsx';
import { toFault } from './order-rejection.ts';
import type { Field as FieldName } from './order-rules.ts';
import { SheetHead } from './phone/form-sheet.tsx';
import { place } from './place-order.ts';
import { RoundTrip } from './round-trip.tsx';

const TYPES = (Object.keys(TYPE_NAMES) as FormType[]).map(
  (type) =>
    [type, TYPE_NAMES[type], type === 'oco' ? msg('One cancels the other') : undefined] as const,
);
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
    if (isConfirmed || !mustConfirm(parsedDraft.value)) await send();
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
        {t('Place an order')}
      </h2>
      <SheetHead />
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
        <PriceWarning draft={parsedDraft.value} />
        <div class="preview-box">
          <Preview />
          <RejectionMessage />
          <div role="status">
            {closedReason.value === undefined ? null : (
              <Notice kind="warning">{closedReason.value}</Notice>
            )}
          </div>
        </div>
        <div class="submit-area">
          <OrdersLeft />
          <Submit side={draft.value.side} isSending={isSending.value} />
          {canTrade.value ? <RoundTrip /> : null}
        </div>
      </form>
      <FormAssets />
      <FormDetails />
      <FundsDialog />
      <ConfirmOrder
        draft={parsedDraft.value}
        open={isConfirming.value}
        onClose={() => {
          isConfirming.value = false;
        }}
        onConfirm={() => void submit(true)}
      />
    </section>
  );
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

/** Sends the draft, then announces the outcome or shows the rejection in the form. */
async function placeOrder(): Promise<void> {
  const sent = draft.value;
  try {
    const { text, tone } = await place(toPlacement(parsedDraft.value, symbol.value));
    announce(text, tone);
    clearQuantity();
  } catch (error) {
    rejection.value = toFault(error, sent);
  }
}

function Sides({ side }: { side: Side }) {
  return (
    <fieldset class="sides">
      <legend class="visually-hidden">{t('Side')}</legend>
      {(['buy', 'sell'] as const).map((each) => (
        <label key={each} class={each}>
          <input
            type="radio"
            name="side"
            value={each}
            checked={side === each}
            onChange={() => edit({ side: each })}
          />
          <span>{each === 'buy' ? t('↑ Buy') : t('↓ Sell')}</span>
        </label>
      ))}
    </fieldset>
  );
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
        {t('Sign in to trade')}
      </a>
    );
  }
  if (!canTrade.value) return <p class="muted">{t('View-only account')}</p>;
  const base = market.value?.base ?? '';
  return (
    <button
      type="submit"
      class={`button submit ${side}-fill`}
      aria-disabled={isSending || closedReason.value !== undefined || isLimitReached.value}
    >
      {isSending
        ? t('Submitting…')
        : side === 'buy'
          ? t('Buy {base}', { base })
          : t('Sell {base}', { base })}
    </button>
  );
}

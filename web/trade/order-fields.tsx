import { signal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useRef } from 'preact/hooks';
import { Field, Select } from '../components/field.tsx';
import { GroupedNumberField } from '../components/grouped-number-field.tsx';
import { t } from '../i18n/index.ts';
import { clock } from '../preferences.ts';
import {
  canAttach,
  canBePostOnly,
  canHide,
  hasPrice,
  hasTrigger,
  isByCost,
  timesInForce,
} from './draft.ts';
import { FaultText } from './fault-text.tsx';
import { FundsLink } from './get-funds.tsx';
import { market } from './markets.ts';
import { draft, edit, editTyped, touch, visibleFault } from './order-draft.ts';
import { TIME_IN_FORCE_NAMES } from './order-names.ts';
import { BalanceShares } from './order-preview.tsx';
import type { Field as FieldName } from './order-rules.ts';
import { isPhone } from './phone/form-sheet.tsx';
import { PriceButtons, TotalField } from './price-fields.tsx';

/** Prices, size and conditions of the chosen order type. */
export function OrderFields() {
  const now = draft.value;
  const { base = '', quote = '' } = market.value ?? {};
  return (
    <>
      {hasTrigger(now) ? (
        <NumberField name="triggerPrice" label={t('Trigger price')} unit={quote} />
      ) : null}
      {hasPrice(now) ? (
        <NumberField name="price" label={t('Limit price')} unit={quote} aside={<PriceButtons />} />
      ) : null}
      {now.type === 'trailing_stop' ? <TrailingFields quote={quote} /> : null}
      {now.type === 'oco' ? <LegFields quote={quote} /> : null}
      {now.type === 'market' ? <SizeUnit base={base} quote={quote} /> : null}
      {isByCost(now) ? (
        <NumberField name="cost" label={t('Total')} unit={quote} />
      ) : (
        <NumberField name="amount" label={t('Amount')} unit={base} />
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

/** Chooses whether a market order is sized in the quote or the base asset. */
function SizeUnit({ base, quote }: { base: string; quote: string }) {
  const { by, side } = draft.value;
  return (
    <Select
      label={t('Size in')}
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
      <NumberField name="takeProfitPrice" label={t('Take profit price')} unit={quote} />
      <div class="stop-leg">
        <NumberField name="stopTrigger" label={t('Stop trigger price')} unit={quote} />
        <NumberField name="stopPrice" label={t('Stop limit (optional)')} unit={quote} />
      </div>
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
          <NumberField name="trailingPercent" label={t('Trailing distance')} />
        ) : (
          <NumberField name="trailingAmount" label={t('Trailing distance')} />
        )}
        <Select
          label={t('Trail by')}
          value={trailBy}
          options={[
            ['percent', '%'],
            ['amount', quote],
          ]}
          onChange={(by) => edit({ trailBy: by })}
        />
      </div>
      <NumberField name="activationPrice" label={t('Activation price (optional)')} unit={quote} />
    </>
  );
}

/** The time in force of the order types that have one; its full name where the sheet of a phone has space for it. */
export function TimeInForceSelect() {
  const now = draft.value;
  return (
    <Select
      label={t('Time in force')}
      value={now.timeInForce}
      options={timesInForce(now).map((each) => {
        const name = TIME_IN_FORCE_NAMES[each];
        return [each, isPhone.value ? name : each, name];
      })}
      onChange={(timeInForce) => edit({ timeInForce })}
    />
  );
}

function ExpiryField() {
  return (
    <Field
      label={clock.value === 'utc' ? t('Expires (UTC)') : t('Expires (local time)')}
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
  const input = useRef<HTMLInputElement>(null);
  return (
    <GroupedNumberField
      label={label}
      unit={unit}
      aside={aside}
      value={draft.value[name]}
      inputRef={input}
      input={{ name, maxLength: 40, onBlur: () => leave(name) }}
      error={
        fault && (
          <>
            <FaultText
              fault={fault}
              onUse={(nearest) => {
                edit({ [name]: nearest });
                input.current?.focus();
              }}
            />
            {fault.lacksFunds ? <FundsLink /> : null}
          </>
        )
      }
      onInput={(value) => editTyped({ [name]: value.trim() })}
    />
  );
}

/** Leaving a field empty does not show its fault yet. */
function leave(name: NumberProps['name']): void {
  if (draft.value[name] !== '') touch(name);
}

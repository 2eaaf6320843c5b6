import { useComputed, useSignal } from '@preact/signals';
import { useRef } from 'preact/hooks';
import { Dialog } from '../../components/dialog.tsx';
import { Field } from '../../components/field.tsx';
import { localNumber, plainNumber } from '../../components/typed-number.ts';
import { grouped } from '../../format.ts';
import { t } from '../../i18n/index.ts';
import { canTrade, hasBalances, isSignedIn } from '../account.ts';
import { cancelThese } from '../cancel-orders.ts';
import type { Side } from '../draft.ts';
import { FaultText } from '../fault-text.tsx';
import { market, symbol } from '../markets.ts';
import { currentContext } from '../order-draft.ts';
import { ownOrders } from '../own-orders.ts';
import { quickSizes } from './ladder-rows.ts';
import {
  acceptsClick,
  amount,
  foundAmountFault,
  isAmountTouched,
  oneClick,
  setAmount,
} from './ladder-trading.ts';

/** The amount of the next order, with buttons for common ones. */
export function SizeControls() {
  const { base = '' } = market.value ?? {};
  const input = useRef<HTMLInputElement>(null);
  const fault = isAmountTouched.value ? foundAmountFault.value : undefined;
  return (
    <div class="ladder-size">
      <Field
        label={t('Amount')}
        unit={base}
        value={amount.value}
        inputRef={input}
        input={{
          inputMode: 'decimal',
          maxLength: 40,
          onBlur: () => {
            isAmountTouched.value = amount.value !== '';
          },
        }}
        error={
          fault && (
            <FaultText
              fault={fault}
              onUse={(nearest) => {
                setAmount(localNumber(nearest));
                input.current?.focus();
              }}
            />
          )
        }
        onInput={(text) => setAmount(text.trim())}
      />
      <QuickSizes base={base} />
    </div>
  );
}

function QuickSizes({ base }: { base: string }) {
  const shown = useQuickSizes();
  return (
    <fieldset class="quick-sizes">
      <legend class="visually-hidden">{t('Quick amounts')}</legend>
      {shown.map((size) => (
        <button
          key={size}
          type="button"
          class="button small"
          aria-label={t('Amount {size} {base}', { size: grouped(size), base })}
          aria-pressed={plainNumber(amount.value) === size}
          onClick={() => setAmount(localNumber(size))}
        >
          {grouped(size)}
        </button>
      ))}
    </fieldset>
  );
}

/** Returns sizes for the market and the account; they stay while prices and balances change, so that no button changes under the pointer. */
function useQuickSizes(): readonly string[] {
  const kept = useRef<{ readonly key: string; readonly sizes: readonly string[] }>(undefined);
  const key = useComputed(() => `${symbol.value} ${isSignedIn.value && hasBalances.value}`).value;
  if (kept.current?.key === key) return kept.current.sizes;
  const context = currentContext();
  if (context === undefined) return [];
  const sizes = quickSizes(context.market, context.last, context.available);
  kept.current = { key, sizes };
  return sizes;
}

/** Turns one-click trading on, after a confirmation, and off. */
export function OneClickSwitch() {
  const isAsking = useSignal(false);
  const isOn = oneClick.value === 'on';
  const close = () => {
    isAsking.value = false;
  };
  return (
    <div class="one-click">
      <button
        type="button"
        role="switch"
        aria-checked={isOn}
        onClick={() => {
          if (isOn) oneClick.value = 'off';
          else isAsking.value = true;
        }}
      >
        {t('One-click trading')}
        <span class="switch" />
      </button>
      <Dialog title={t('Turn on one-click trading?')} open={isAsking.value} onClose={close}>
        <p>{t('A click on a price places a limit order at once.')}</p>
        <p class="muted">
          {t(
            'The left side of a price buys, the right side sells. Orders far from the market are still confirmed, as set in the order form. The setting is kept in this browser.',
          )}
        </p>
        <div class="dialog-actions">
          <button type="button" class="button" onClick={close}>
            {t('Cancel')}
          </button>
          <button
            type="button"
            class="button primary"
            onClick={() => {
              oneClick.value = 'on';
              close();
            }}
          >
            {t('Turn on')}
          </button>
        </div>
      </Dialog>
    </div>
  );
}

/** Buttons that cancel all orders of a side in this market. */
export function CancelButtons() {
  return (
    <footer class="ladder-cancel">
      <CancelSide side="buy" />
      <CancelSide side="sell" />
    </footer>
  );
}

function CancelSide({ side }: { side: Side }) {
  const orders = ownOrders(side);
  const count = orders.length;
  const isBuy = side === 'buy';
  return (
    <button
      type="button"
      class="button small"
      disabled={count === 0 || !canTrade.value}
      title={t('Stop and take-profit orders that have not triggered are included.')}
      onClick={() => {
        if (acceptsClick(`cancel all ${side}`)) void cancelThese(orders);
      }}
    >
      {isBuy
        ? t('Cancel all buys ({count})', { count })
        : t('Cancel all sells ({count})', { count })}
    </button>
  );
}

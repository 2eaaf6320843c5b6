import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import type { Market } from '../../src/client/index.ts';
import { api } from '../api.ts';
import { FieldError, useAction } from '../components/action.ts';
import { bound } from '../components/bound.ts';
import { Field, Select } from '../components/field.tsx';
import { Form, Submit } from '../components/form.tsx';
import { Icon } from '../components/icon.tsx';
import { announce } from '../components/toast.tsx';
import { msg, t } from '../i18n/index.ts';
import { STATUS_NAMES } from '../trade/market-status.ts';
import { Affected, type Preview } from './affected.tsx';

type Status = Market['status'];

const MEANINGS: Readonly<Record<Status, string>> = {
  online: msg('Accepts all orders.'),
  post_only: msg('Accepts only post-only limit orders.'),
  limit_only: msg('Accepts limit orders, but no market orders.'),
  cancel_only: msg('Accepts no new orders. Open orders can be canceled.'),
  halted: msg('Trading stops. No new orders; open orders can be canceled.'),
  delisted: msg('Closes the market permanently and cancels all open orders shortly afterwards.'),
  auction: msg(
    'Calls an auction: limit orders rest, even if their prices cross, and fill at one price when the auction ends. Set another status to end it at once.',
  ),
};
const EFFECTS: Readonly<Record<Status, string>> = {
  online: msg('they stay open and can fill.'),
  post_only: msg('they stay open, but cannot fill while the market is post-only.'),
  limit_only: msg('they stay open and can fill against limit orders.'),
  cancel_only: msg('they stay open, but cannot fill.'),
  halted: msg('they stay open, cannot fill and can be canceled.'),
  delisted: msg('they will be canceled shortly, and their held funds released.'),
  auction: msg('they stay open and take part in the auction.'),
};
/** Names of the statuses of a market. */
const OPTIONS = (Object.keys(MEANINGS) as Status[]).map(
  (status) => [status, STATUS_NAMES[status]] as const,
);

const STATUS_BADGES: Readonly<Record<Status, string>> = {
  online: 'on',
  post_only: 'wait',
  limit_only: 'wait',
  cancel_only: 'wait',
  halted: 'off',
  delisted: '',
  auction: 'wait',
};

interface StatusButtonProps {
  readonly market: Pick<Market<string>, 'symbol' | 'status'>;
  readonly onOpen: () => void;
}

/** The status of a market, as a button that changes it. */
export function StatusButton({ market: { symbol, status }, onOpen }: StatusButtonProps) {
  return (
    <button
      type="button"
      class="status-button"
      aria-haspopup="dialog"
      title={t('Change status')}
      onClick={onOpen}
    >
      <span class={`badge ${STATUS_BADGES[status]}`}>{t(STATUS_NAMES[status])}</span>
      <Icon name="chevron" />
      <span class="visually-hidden"> {t('Status of {symbol}', { symbol })}</span>
    </button>
  );
}

interface MarketStatusProps {
  readonly market: Market<string>;
  readonly onDone: () => Promise<void>;
}

/** Changes a market's status after a preview of the affected orders. */
export function MarketStatus({ market: { symbol, status: present }, onDone }: MarketStatusProps) {
  const status = useSignal<Status>(present);
  const preview = useSignal<Preview | undefined>(undefined);
  const typed = useSignal('');
  const reason = useSignal('');
  const action = useAction();
  const isChange = status.value !== present;
  const isDelisting = status.value === 'delisted';
  useEffect(() => {
    preview.value = undefined;
    if (!isChange) return;
    const previewed = status.value;
    void action.run(async () => {
      const response = await api.changeMarket({ symbol, status: previewed, preview: 'true' });
      if (status.value === previewed) preview.value = response;
    });
  }, [status.value]);
  const submit = async () => {
    if (isDelisting && typed.value.trim() !== symbol) {
      throw new FieldError('typed', t('Type {word} exactly', { word: symbol }));
    }
    const { value } = status;
    const why = reason.value.trim();
    if (why === '') throw new FieldError('reason', t('Enter a reason.'));
    await api.changeMarket({ symbol, status: value, reason: why });
    announce(
      t('{symbol} is {status}', { symbol, status: t(STATUS_NAMES[value]).toLowerCase() }),
      'success',
    );
    await onDone();
  };
  return (
    <Form action={action} onSubmit={submit} fields={['typed', 'reason']}>
      <Select
        label={t('Status')}
        value={status.value}
        options={OPTIONS}
        onChange={(chosen) => {
          status.value = chosen;
        }}
      />
      <p class="muted">{t(MEANINGS[status.value])}</p>
      {preview.value === undefined ? null : (
        <Affected preview={preview.value} effect={t(EFFECTS[status.value])} />
      )}
      {isDelisting && isChange ? (
        <Field
          label={t('Type {symbol} to delist it permanently', { symbol })}
          {...bound(typed)}
          error={action.fieldError('typed')}
          input={{ name: 'typed' }}
        />
      ) : null}
      {isChange ? (
        <Field
          label={t('Reason')}
          hint={t('Recorded in the audit trail')}
          {...bound(reason)}
          error={action.fieldError('reason')}
          input={{ name: 'reason', maxLength: 200, required: true }}
        />
      ) : null}
      <div class="dialog-actions">
        <Submit
          action={action}
          label={isDelisting ? t('Delist market') : t('Apply')}
          kind={isDelisting ? 'danger' : 'primary'}
          disabled={!isChange || preview.value === undefined}
        />
      </div>
    </Form>
  );
}

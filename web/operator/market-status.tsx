import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import type { Market } from '../../src/client/index.ts';
import { api } from '../api.ts';
import { FieldError, useAction } from '../components/action.ts';
import { bound } from '../components/bound.ts';
import { Field, Select } from '../components/field.tsx';
import { Form, Submit } from '../components/form.tsx';
import { announce } from '../components/toast.tsx';
import { sentenceCase } from '../format.ts';
import { Affected, type Preview } from './affected.tsx';

type Status = Market['status'];

const MEANINGS: Readonly<Record<Status, string>> = {
  online: 'Takes every order.',
  post_only: 'Takes limit orders that do not trade at once.',
  limit_only: 'Takes limit orders, no market orders.',
  cancel_only: 'Takes no order; what is open can be canceled.',
  halted: 'Takes no order and nothing trades; what is open can be canceled.',
  delisted: 'Closes for good: every open order is canceled over the following moments.',
};
const FATES: Readonly<Record<Status, string>> = {
  online: 'they stay open and trade.',
  post_only: 'they stay open; nothing trades with them while the market is so.',
  limit_only: 'they stay open and trade with limit orders.',
  cancel_only: 'they stay open and do not trade.',
  halted: 'they stay open, do not trade and can be canceled.',
  delisted: 'they will be canceled over the following moments, and their funds released.',
};
const OPTIONS = (Object.keys(MEANINGS) as Status[]).map(
  (status) => [status, sentenceCase(status)] as const,
);

export const STATUS_BADGES: Readonly<Record<Status, string>> = {
  online: 'on',
  post_only: 'wait',
  limit_only: 'wait',
  cancel_only: 'wait',
  halted: 'off',
  delisted: '',
};

interface MarketStatusProps {
  readonly market: Market<string>;
  readonly onDone: () => Promise<void>;
}

/** Gives a market another status, once its operator has seen whom that concerns. */
export function MarketStatus({ market: { symbol, status: present }, onDone }: MarketStatusProps) {
  const status = useSignal<Status>(present);
  const preview = useSignal<Preview | undefined>(undefined);
  const typed = useSignal('');
  const action = useAction();
  const isChange = status.value !== present;
  const isEnd = status.value === 'delisted';
  useEffect(() => {
    preview.value = undefined;
    if (!isChange) return;
    const asked = status.value;
    void action.run(async () => {
      const answer = await api.changeMarket({ symbol, status: asked, preview: 'true' });
      if (status.value === asked) preview.value = answer;
    });
  }, [status.value]);
  const submit = async () => {
    if (isEnd && typed.value.trim() !== symbol) {
      throw new FieldError('typed', `Type ${symbol}, just so.`);
    }
    await api.changeMarket({ symbol, status: status.value });
    announce(`${symbol} is ${sentenceCase(status.value).toLowerCase()}.`, 'success');
    await onDone();
  };
  return (
    <Form action={action} onSubmit={submit} fields={['typed']}>
      <Select
        label="Status"
        value={status.value}
        options={OPTIONS}
        onChange={(chosen) => {
          status.value = chosen;
        }}
      />
      <p class="muted">{MEANINGS[status.value]}</p>
      {preview.value === undefined ? null : (
        <Affected preview={preview.value} fate={FATES[status.value]} />
      )}
      {isEnd && isChange ? (
        <Field
          label={`Type ${symbol} to delist it for good`}
          {...bound(typed)}
          error={action.errorOf('typed')}
          input={{ name: 'typed' }}
        />
      ) : null}
      <div class="dialog-actions">
        <Submit
          action={action}
          label={isEnd ? 'Delist the market' : 'Change the status'}
          kind={isEnd ? 'danger' : 'primary'}
          disabled={!isChange || preview.value === undefined}
        />
      </div>
    </Form>
  );
}

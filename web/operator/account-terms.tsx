import { useSignal } from '@preact/signals';
import type { Account } from '../../src/client/index.ts';
import { api } from '../api.ts';
import { FieldError, useAction } from '../components/action.ts';
import { bound } from '../components/bound.ts';
import { Field, Select } from '../components/field.tsx';
import { Form, Submit } from '../components/form.tsx';
import { Loaded } from '../components/loaded.tsx';
import { useResource } from '../components/resource.ts';
import { announce } from '../components/toast.tsx';

interface AccountTermsProps {
  readonly account: Account;
  readonly onDone: () => Promise<void>;
}

/** The limit class and the fee tier of an account: two changes, each its own in the log. */
export function AccountTerms({ account, onDone }: AccountTermsProps) {
  const limitClass = useSignal(`${account.limitClass}`);
  const feeTier = useSignal(`${account.feeTier}`);
  const tiers = useResource(() => api.getFeeTiers());
  const action = useAction();
  const submit = async () => {
    const { accountId: id } = account;
    if (!/^\d{1,4}$/.test(limitClass.value.trim())) {
      throw new FieldError('limitClass', 'Write a whole number from 1 to 1000.');
    }
    const times = Number(limitClass.value);
    if (times !== account.limitClass) await api.changeAccount({ id, limitClass: times });
    if (feeTier.value !== `${account.feeTier}`) {
      const tier = feeTier.value === 'volume' ? 'volume' : Number(feeTier.value);
      await api.changeAccount({ id, feeTier: tier });
    }
    announce(`The terms of ${id} are changed.`, 'success');
    await onDone();
  };
  return (
    <Form action={action} onSubmit={submit} fields={['limitClass']}>
      <Field
        label="Limit class"
        {...bound(limitClass)}
        hint="Its rate limits are so many times the usual: more for a market maker."
        error={action.errorOf('limitClass')}
        input={{ name: 'limitClass', inputMode: 'numeric' }}
      />
      <Loaded resource={tiers}>
        {(data) => (
          <Select
            label="Fee tier"
            value={feeTier.value}
            options={[
              ['volume', 'By its 30-day volume'],
              ['0', 'None: the rates of the market'],
              ...data.tiers.map(({ tier }) => [`${tier}`, `Tier ${tier}`] as const),
            ]}
            onChange={(chosen) => {
              feeTier.value = chosen;
            }}
          />
        )}
      </Loaded>
      <div class="dialog-actions">
        <Submit action={action} label="Change the terms" />
      </div>
    </Form>
  );
}

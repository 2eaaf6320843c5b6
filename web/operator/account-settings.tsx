import { useSignal } from '@preact/signals';
import type { Account } from '../../src/client/index.ts';
import { api } from '../api.ts';
import { FieldError, useAction } from '../components/action.ts';
import { bound } from '../components/bound.ts';
import { useIsChanged } from '../components/changed.ts';
import { Field, Select } from '../components/field.tsx';
import { Form, Submit } from '../components/form.tsx';
import { Loaded } from '../components/loaded.tsx';
import { useResource } from '../components/resource.ts';
import { announce } from '../components/toast.tsx';
import { msg, t } from '../i18n/index.ts';
import { listChanges, reviewChanges } from './change-review.tsx';

interface AccountSettingsProps {
  readonly account: Account<string>;
  readonly onDone: () => Promise<void>;
}

/** Rate-limit multiplier, fee tier and referrer of an account. Each is changed by a command of its own. */
export function AccountSettings({ account, onDone }: AccountSettingsProps) {
  const limitClass = useSignal(`${account.limitClass}`);
  const feeTier = useSignal(`${account.feeTier}`);
  const referrer = useSignal('');
  const tiers = useResource(() => api.getFeeTiers());
  const action = useAction();
  const isChanged = useIsChanged(limitClass.value, feeTier.value, referrer.value);
  const submit = async () => {
    const { accountId: id } = account;
    if (!/^\d{1,4}$/.test(limitClass.value.trim())) {
      throw new FieldError('limitClass', t('Enter a whole number from 1 to 1000.'));
    }
    const times = Number(limitClass.value);
    const given = referrer.value.trim();
    const reason = await reviewChanges({
      title: t('Settings of {account}', { account: id }),
      changes: listChanges([
        [t('Rate-limit multiplier'), `${account.limitClass}`, limitClass.value],
        [t('Fee tier'), `${account.feeTier}`, feeTier.value],
        [t('Referred by'), '', given],
      ]),
    });
    if (reason === undefined) return;
    if (times !== account.limitClass) await api.changeAccount({ id, limitClass: times, reason });
    if (feeTier.value !== `${account.feeTier}`) {
      const tier = feeTier.value === 'volume' ? 'volume' : Number(feeTier.value);
      await api.changeAccount({ id, feeTier: tier, reason });
    }
    if (given !== '') await api.changeAccount({ id, referrer: given, reason });
    announce(t('Settings of {account} updated', { account: id }), 'success');
    await onDone();
  };
  return (
    <Form action={action} onSubmit={submit} fields={['limitClass', 'referrer']}>
      <Field
        label={t('Rate-limit multiplier')}
        {...bound(limitClass)}
        hint={t('Multiplies the default rate limits, for example for a market maker.')}
        error={action.fieldError('limitClass')}
        input={{ name: 'limitClass', inputMode: 'numeric' }}
      />
      <Loaded resource={tiers}>
        {(data) => (
          <Select
            label={t('Fee tier')}
            value={feeTier.value}
            options={[
              ['volume', msg('By 30-day volume')],
              ['0', msg('No tier (market fees)')],
              ...data.tiers.map(({ tier }) => [`${tier}`, t('Tier {tier}', { tier })] as const),
            ]}
            onChange={(chosen) => {
              feeTier.value = chosen;
            }}
          />
        )}
      </Loaded>
      {account.referrer === null ? (
        <Field
          label={t('Referred by (optional)')}
          {...bound(referrer)}
          hint={t('The referrer must be older than this account. Cannot be changed later.')}
          error={action.fieldError('referrer')}
          input={{ name: 'referrer' }}
        />
      ) : null}
      <div class="dialog-actions">
        <Submit action={action} label={t('Apply')} disabled={!isChanged} />
      </div>
    </Form>
  );
}

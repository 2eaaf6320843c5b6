import { useSignal } from '@preact/signals';
import { api } from '../api.ts';
import { FieldError, useAction } from '../components/action.ts';
import { bound } from '../components/bound.ts';
import { Field } from '../components/field.tsx';
import { Form, Submit } from '../components/form.tsx';
import { announce } from '../components/toast.tsx';
import { t } from '../i18n/index.ts';

const FIELDS = ['asset', 'name', 'decimals'];

export function NewAsset({ onDone }: { onDone: () => Promise<void> }) {
  const [asset, name, decimals] = [useSignal(''), useSignal(''), useSignal('8')];
  const action = useAction();
  const submit = async () => {
    if (!/^\d{1,2}$/.test(decimals.value.trim())) {
      throw new FieldError('decimals', t('Enter a whole number, such as 8.'));
    }
    const created = {
      asset: asset.value.trim().toUpperCase(),
      name: name.value.trim(),
      decimals: Number(decimals.value),
    };
    await api.createAsset(created);
    announce(t('{asset} added', { asset: created.asset }), 'success');
    await onDone();
  };
  return (
    <Form action={action} onSubmit={submit} fields={FIELDS}>
      <div class="two-columns">
        <Field
          label={t('Asset')}
          {...bound(asset)}
          hint={t('Ticker, such as XRP')}
          error={action.fieldError('asset')}
          input={{ name: 'asset', maxLength: 12, required: true }}
        />
        <Field
          label={t('Name')}
          {...bound(name)}
          hint={t('Such as Ripple')}
          error={action.fieldError('name')}
          input={{ name: 'name', maxLength: 64, required: true }}
        />
      </div>
      <Field
        label={t('Ledger decimals')}
        {...bound(decimals)}
        hint={t(
          'With 8, balances count in steps of 0.00000001. To be a quote asset, it needs the decimals of tick size and lot size together, such as 2 + 8 = 10. It cannot be changed later.',
        )}
        error={action.fieldError('decimals')}
        input={{ name: 'decimals', inputMode: 'numeric', required: true }}
      />
      <div class="dialog-actions">
        <Submit action={action} label={t('Add asset')} />
      </div>
    </Form>
  );
}

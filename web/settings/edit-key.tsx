import { useSignal } from '@preact/signals';
import type { OwnKey } from '../../src/client/index.ts';
import { api } from '../api.ts';
import { useAction } from '../components/action.ts';
import { bound } from '../components/bound.ts';
import { Form, Submit } from '../components/form.tsx';
import { t } from '../i18n/index.ts';
import { ConfirmationField, toConfirmation, withConfirmation } from './confirmation.tsx';
import { AllowlistField, LabelField, readAllowlist, readLabel } from './key-fields.tsx';

const FIELDS = ['label', 'addresses', 'confirmation'];

interface EditKeyProps {
  readonly edited: OwnKey;
  readonly onChanged: () => Promise<void>;
}

/** Changes the label and the IP allowlist of a key. */
export function EditKey({ edited, onChanged }: EditKeyProps) {
  const label = useSignal(edited.label);
  const addresses = useSignal(edited.addresses.join(', '));
  const confirmation = useSignal('');
  const action = useAction();
  const submit = async () => {
    const body = {
      id: edited.id,
      label: readLabel(label.value),
      addresses: readAllowlist(addresses.value),
      ...toConfirmation(confirmation.value),
    };
    await withConfirmation(() => api.changeOwnKey(body), 'confirmation');
    await onChanged();
  };
  return (
    <Form action={action} onSubmit={submit} fields={FIELDS}>
      <LabelField value={label} error={action.fieldError('label')} />
      <AllowlistField
        value={addresses}
        error={action.fieldError('addresses')}
        onlyRemoves={edited.permissions.includes('withdraw')}
      />
      <ConfirmationField {...bound(confirmation)} error={action.fieldError('confirmation')} />
      <div class="dialog-actions">
        <Submit action={action} label={t('Save')} />
      </div>
    </Form>
  );
}

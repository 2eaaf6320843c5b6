import { useSignal } from '@preact/signals';
import type { OwnKey } from '../../src/client/index.ts';
import { api } from '../api.ts';
import { FieldError, useAction } from '../components/action.ts';
import { bound } from '../components/bound.ts';
import { Field, Select } from '../components/field.tsx';
import { Form, Submit } from '../components/form.tsx';
import { profile } from '../session.ts';
import { ConfirmationField, toConfirmation, withConfirmation } from './confirmation.tsx';
import { EXPIRIES, type Expiry, expiresAt } from './expiry.ts';

type KeyPermission = OwnKey['permissions'][number];

export interface Made {
  readonly key: OwnKey;
  readonly apiKey: string;
  readonly apiSecret: string;
}

const MEANINGS: Readonly<Record<KeyPermission, string>> = {
  read: 'Read: balances, orders, fills',
  trade: 'Trade: place, change and cancel orders',
  operate: 'Operate: run the exchange',
};
const FIELDS = ['label', 'permissions', 'addresses', 'expiresAt', 'confirmation'];

export function NewKey({ onMade }: { onMade: (made: Made) => Promise<void> }) {
  const [label, addresses, until, confirmation] = [
    useSignal(''),
    useSignal(''),
    useSignal(''),
    useSignal(''),
  ];
  const expiry = useSignal<Expiry>('never');
  const permissions = useSignal<readonly KeyPermission[]>(['read']);
  const action = useAction();
  const submit = async () => {
    if (label.value.trim() === '') throw new FieldError('label', 'Say what the key is for.');
    if (permissions.value.length === 0) {
      throw new FieldError('permissions', 'Choose at least one.');
    }
    const ends = expiresAt(expiry.value, until.value, Date.now());
    const list = addresses.value.split(/[\s,;]+/).filter((address) => address !== '');
    const body = {
      label: label.value.trim(),
      permissions: permissions.value,
      ...(list.length === 0 ? {} : { addresses: list }),
      ...(ends === undefined ? {} : { expiresAt: ends }),
      ...toConfirmation(confirmation.value),
    };
    await onMade(await withConfirmation(() => api.createOwnKey(body), 'confirmation'));
  };
  return (
    <Form action={action} onSubmit={submit} fields={FIELDS}>
      <Field
        label="Label"
        {...bound(label)}
        hint="What uses it, such as “Grid bot”."
        error={action.errorOf('label')}
        input={{ name: 'label', maxLength: 64, required: true }}
      />
      <Permissions
        chosen={permissions.value}
        onChange={(chosen) => (permissions.value = chosen)}
        error={action.errorOf('permissions')}
      />
      <Field
        label="Addresses that may use it"
        {...bound(addresses)}
        hint="IP addresses or networks, with commas between them. Empty: from anywhere."
        error={action.errorOf('addresses')}
        input={{ name: 'addresses', placeholder: '203.0.113.7, 198.51.100.0/24' }}
      />
      <Select
        label="Expires"
        value={expiry.value}
        options={EXPIRIES}
        onChange={(chosen) => (expiry.value = chosen)}
      />
      {expiry.value === 'date' ? (
        <Field
          label="Expires at"
          {...bound(until)}
          error={action.errorOf('expiresAt')}
          input={{ type: 'datetime-local', name: 'until' }}
        />
      ) : null}
      <ConfirmationField {...bound(confirmation)} error={action.errorOf('confirmation')} />
      <div class="dialog-actions">
        <Submit action={action} label="Create the key" />
      </div>
    </Form>
  );
}

interface PermissionsProps {
  readonly chosen: readonly KeyPermission[];
  readonly onChange: (chosen: readonly KeyPermission[]) => void;
  readonly error: string | undefined;
}

/** Those that the person has: nobody gives a key more. */
function Permissions({ chosen, onChange, error }: PermissionsProps) {
  return (
    <fieldset class="choices" aria-invalid={error === undefined ? undefined : true}>
      <legend>What it may do</legend>
      {(profile.value?.permissions ?? []).map((permission) => (
        <label key={permission} class="check">
          <input
            type="checkbox"
            checked={chosen.includes(permission)}
            onChange={(event) => {
              const others = chosen.filter((other) => other !== permission);
              onChange(event.currentTarget.checked ? [...others, permission] : others);
            }}
          />
          {MEANINGS[permission]}
        </label>
      ))}
      {error === undefined ? null : (
        <p class="form-error" role="alert">
          {error}
        </p>
      )}
    </fieldset>
  );
}

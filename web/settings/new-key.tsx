import { type Signal, useSignal } from '@preact/signals';
import type { OwnKey } from '../../src/client/index.ts';
import { api } from '../api.ts';
import { FieldError, useAction } from '../components/action.ts';
import { bound } from '../components/bound.ts';
import { Field, Select } from '../components/field.tsx';
import { Form, Submit } from '../components/form.tsx';
import { Notice } from '../components/notice.tsx';
import { msg, T, t } from '../i18n/index.ts';
import { profile } from '../session.ts';
import { ConfirmationField, toConfirmation, withConfirmation } from './confirmation.tsx';
import { EXPIRIES, type Expiry, expiresAt } from './expiry.ts';
import { AllowlistField, LabelField, readAllowlist, readLabel } from './key-fields.tsx';

type KeyPermission = OwnKey['permissions'][number];

export interface CreatedKey {
  readonly key: OwnKey;
  readonly apiKey: string;
  /** Null if the key has a public key. */
  readonly apiSecret: string | null;
}

const MEANINGS: Readonly<Record<KeyPermission, string>> = {
  read: msg('Read: view balances, orders and fills'),
  trade: msg('Trade: place, amend and cancel orders'),
  operate: msg('Operate: manage the exchange'),
  withdraw: msg('Withdraw: to addresses of the address book, from listed IP addresses only'),
  transfer: msg('Transfer: send funds to other accounts'),
  support: msg('Support: open accounts, freeze them, cancel orders, write notes'),
  markets: msg('Markets: list markets, change their rules, status and fees'),
  treasury: msg('Treasury: credit and debit accounts'),
  compliance: msg('Compliance: freeze accounts, revoke keys, write notes'),
  audit: msg('Audit: see everything that operators see, change nothing'),
};
/** The proof of a program that it has the key. */
export const CREDENTIALS = [
  ['secret', msg('Secret: sent with every request')],
  ['ed25519', msg('Public key (Ed25519): requests are signed')],
  ['hmac', msg('HMAC: signed with HMAC-SHA256, for Binance-compatible bots')],
] as const;
type Credential = OwnKey['type'];

const FIELDS = ['label', 'publicKey', 'permissions', 'addresses', 'expiresAt', 'confirmation'];

export function NewKey({ onCreated }: { onCreated: (created: CreatedKey) => Promise<void> }) {
  const label = useSignal('');
  const addresses = useSignal('');
  const until = useSignal('');
  const confirmation = useSignal('');
  const expiry = useSignal<Expiry>('never');
  const credential = useSignal<Credential>('secret');
  const publicKey = useSignal('');
  const permissions = useSignal<readonly KeyPermission[]>(['read']);
  const action = useAction();
  const submit = async () => {
    const name = readLabel(label.value);
    if (permissions.value.length === 0) {
      throw new FieldError('permissions', t('Select at least one permission.'));
    }
    const isSigned = credential.value === 'ed25519';
    if (isSigned && publicKey.value.trim() === '') {
      throw new FieldError('publicKey', t('Paste the public key.'));
    }
    const ends = expiresAt(expiry.value, until.value, Date.now());
    const list = readAllowlist(addresses.value);
    const body = {
      label: name,
      permissions: permissions.value,
      type: credential.value,
      ...(isSigned ? { publicKey: publicKey.value } : {}),
      ...(list.length === 0 ? {} : { addresses: list }),
      ...(ends === undefined ? {} : { expiresAt: ends }),
      ...toConfirmation(confirmation.value),
    };
    await onCreated(await withConfirmation(() => api.createOwnKey(body), 'confirmation'));
  };
  return (
    <Form action={action} onSubmit={submit} fields={FIELDS}>
      <LabelField value={label} error={action.fieldError('label')} />
      <CredentialFields
        credential={credential}
        publicKey={publicKey}
        error={action.fieldError('publicKey')}
      />
      <Permissions
        chosen={permissions.value}
        onChange={(chosen) => (permissions.value = chosen)}
        error={action.fieldError('permissions')}
      />
      <AllowlistField value={addresses} error={action.fieldError('addresses')} />
      <ExpiryFields expiry={expiry} until={until} error={action.fieldError('expiresAt')} />
      <ConfirmationField {...bound(confirmation)} error={action.fieldError('confirmation')} />
      <div class="dialog-actions">
        <Submit action={action} label={t('Create key')} />
      </div>
    </Form>
  );
}

interface CredentialFieldsProps {
  readonly credential: Signal<Credential>;
  readonly publicKey: Signal<string>;
  readonly error: string | undefined;
}

function CredentialFields({ credential, publicKey, error }: CredentialFieldsProps) {
  return (
    <>
      <Select
        label={t('Type')}
        value={credential.value}
        options={CREDENTIALS.filter(([type]) => type !== 'hmac' || profile.value?.hmacKeys)}
        onChange={(chosen) => (credential.value = chosen)}
      />
      {credential.value === 'hmac' ? (
        <Notice kind="info">
          {t(
            'The exchange must be able to read this secret, and stores it encrypted. If your program can sign with Ed25519, use a public key instead.',
          )}
        </Notice>
      ) : null}
      {credential.value === 'ed25519' ? (
        <Field
          label={t('Public key')}
          {...bound(publicKey)}
          hint={
            <T
              text="Run {code}, then paste what {code2} prints. The private key stays with you."
              code={<code>openssl genpkey -algorithm ed25519 -out key.pem</code>}
              code2={<code>openssl pkey -in key.pem -pubout</code>}
            />
          }
          error={error}
          input={{ name: 'publicKey', placeholder: t('-----BEGIN PUBLIC KEY-----') }}
        />
      ) : null}
    </>
  );
}

interface ExpiryFieldsProps {
  readonly expiry: Signal<Expiry>;
  readonly until: Signal<string>;
  readonly error: string | undefined;
}

function ExpiryFields({ expiry, until, error }: ExpiryFieldsProps) {
  return (
    <>
      <Select
        label={t('Expires')}
        value={expiry.value}
        options={EXPIRIES}
        onChange={(chosen) => (expiry.value = chosen)}
      />
      {expiry.value === 'date' ? (
        <Field
          label={t('Expires at')}
          {...bound(until)}
          error={error}
          input={{ type: 'datetime-local', name: 'until' }}
        />
      ) : null}
    </>
  );
}

interface PermissionsProps {
  readonly chosen: readonly KeyPermission[];
  readonly onChange: (chosen: readonly KeyPermission[]) => void;
  readonly error: string | undefined;
}

/** Checkboxes of the user's own permissions, since a key cannot have more. */
function Permissions({ chosen, onChange, error }: PermissionsProps) {
  return (
    <fieldset class="choices" aria-invalid={error === undefined ? undefined : true}>
      <legend>{t('Permissions')}</legend>
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
          {t(MEANINGS[permission])}
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

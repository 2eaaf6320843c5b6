import { useSignal } from '@preact/signals';
import type { Passkey } from '../../src/client/index.ts';
import { api } from '../api.ts';
import { useAction } from '../components/action.ts';
import { bound } from '../components/bound.ts';
import { Confirm } from '../components/confirm.tsx';
import { Dialog } from '../components/dialog.tsx';
import { Field } from '../components/field.tsx';
import { Form, Submit } from '../components/form.tsx';
import { Loaded } from '../components/loaded.tsx';
import { Panel } from '../components/panel.tsx';
import { useResource } from '../components/resource.ts';
import { type Column, Table } from '../components/table.tsx';
import { announce } from '../components/toast.tsx';
import { dateTime } from '../format.ts';
import { msg, T, t } from '../i18n/index.ts';
import { addPasskey, hasPasskeys } from '../sign-in/passkeys.ts';
import { ConfirmationField, toConfirmation, withConfirmation } from './confirmation.tsx';

const LEAD = msg('Sign in with your device’s screen lock or a security key instead of a password.');
const EMPTY = hasPasskeys
  ? msg('No passkeys yet. Unlike a password, a passkey cannot be phished or guessed.')
  : msg(
      'Passkeys are not available here. They need a browser that supports them and a domain name with HTTPS (or http://localhost).',
    );

export function PasskeysPanel() {
  const passkeys = useResource(() => api.listPasskeys());
  const adding = useSignal(false);
  const removing = useSignal<Passkey | undefined>(undefined);
  const add = hasPasskeys ? (
    <button type="button" class="button" onClick={() => (adding.value = true)}>
      {t('Add passkey')}
    </button>
  ) : null;
  return (
    <Panel title={t('Passkeys')} lead={t(LEAD)} aside={add} flush>
      <Loaded resource={passkeys}>
        {(data) => (
          <Table
            caption={t('Passkeys')}
            columns={buildColumns((passkey) => (removing.value = passkey))}
            rows={data.passkeys}
            rowKey={({ id }) => id}
            empty={t(EMPTY)}
          />
        )}
      </Loaded>
      <Dialog title={t('Add passkey')} open={adding.value} onClose={() => (adding.value = false)}>
        <AddPasskey
          onAdded={async () => {
            adding.value = false;
            await passkeys.load();
          }}
        />
      </Dialog>
      <Confirm
        title={t('Remove passkey')}
        verb={t('Remove')}
        open={removing.value !== undefined}
        onClose={() => (removing.value = undefined)}
        onConfirm={async () => {
          await passkeys.show(() => api.removePasskey({ id: removing.value!.id }));
        }}
      >
        <p>
          <T
            text="<b>{value}</b> can no longer sign you in. Delete it from your device too."
            value={removing.value?.label}
            b={(children) => <b>{children}</b>}
          />
        </p>
      </Confirm>
    </Panel>
  );
}

function buildColumns(onRemove: (passkey: Passkey) => void): readonly Column<Passkey>[] {
  return [
    { key: 'label', title: t('Name'), cell: ({ label }) => <b>{label}</b> },
    { key: 'created', title: t('Added'), cell: ({ createdAt }) => dateTime(createdAt) },
    {
      key: 'used',
      title: t('Last used'),
      cell: ({ lastUsedAt }) => (lastUsedAt === null ? t('Never||used') : dateTime(lastUsedAt)),
    },
    {
      key: 'remove',
      title: t('Remove'),
      hiddenTitle: true,
      numeric: true,
      cell: (passkey) => (
        <button type="button" class="button small" onClick={() => onRemove(passkey)}>
          <T
            text="Remove<span> {label}</span>"
            label={passkey.label}
            span={(children) => <span class="visually-hidden">{children}</span>}
          />
        </button>
      ),
    },
  ];
}

function AddPasskey({ onAdded }: { onAdded: () => Promise<void> }) {
  const [label, confirmation] = [useSignal(''), useSignal('')];
  const action = useAction();
  const submit = async () => {
    const name = label.value.trim() === '' ? t('Passkey') : label.value.trim();
    await withConfirmation(
      () => addPasskey(name, toConfirmation(confirmation.value)),
      'confirmation',
    );
    announce(t('Passkey added'), 'success');
    await onAdded();
  };
  return (
    <Form action={action} onSubmit={submit} fields={['label', 'confirmation']}>
      <Field
        label={t('Name')}
        {...bound(label)}
        hint={t('A name to recognize it, such as “Phone”.')}
        error={action.fieldError('label')}
        input={{ name: 'label', maxLength: 64 }}
      />
      <ConfirmationField {...bound(confirmation)} error={action.fieldError('confirmation')} />
      <div class="dialog-actions">
        <Submit action={action} label={t('Continue')} />
      </div>
    </Form>
  );
}

import { useSignal } from '@preact/signals';
import type { OwnKey } from '../../src/client/index.ts';
import { api } from '../api.ts';
import { Confirm } from '../components/confirm.tsx';
import { Dialog } from '../components/dialog.tsx';
import { KEY_TERMS, keyActionsColumn, keyColumn } from '../components/key-columns.tsx';
import { Loaded } from '../components/loaded.tsx';
import { Panel } from '../components/panel.tsx';
import { useResource } from '../components/resource.ts';
import { readCells } from '../components/row-card.ts';
import { type Column, Table } from '../components/table.tsx';
import { announce } from '../components/toast.tsx';
import { dateTime } from '../format.ts';
import { T, t } from '../i18n/index.ts';
import { hasBinance } from '../sandbox.ts';
import { isSubAccount, selectedAccount } from '../selected-account.ts';
import { EditKey } from './edit-key.tsx';
import { CREDENTIALS, type CreatedKey, NewKey } from './new-key.tsx';
import { NewSecret } from './new-secret.tsx';

const lead = () => (
  <>
    {isSubAccount.value ? (
      <T
        text="For bots and apps that use <b>{name}</b>."
        name={selectedAccount.value!.name}
        b={(children) => <b>{children}</b>}
      />
    ) : (
      t('For bots and apps that use your account.')
    )}{' '}
    {hasBinance ? (
      <>
        <a href="/bots">{t('Bots')}</a>,{' '}
      </>
    ) : null}
    <a class="one-line" href="/docs">
      {t('API documentation')}
    </a>
  </>
);

export function KeysSection() {
  const keys = useResource(() => api.listOwnKeys({ limit: 1000 }));
  const creating = useSignal(false);
  const created = useSignal<CreatedKey | undefined>(undefined);
  const editing = useSignal<OwnKey | undefined>(undefined);
  const revoking = useSignal<OwnKey | undefined>(undefined);
  const create = (
    <button type="button" class="button primary" onClick={() => (creating.value = true)}>
      {t('Create API key')}
    </button>
  );
  return (
    <>
      {created.value === undefined ? null : (
        <NewSecret created={created.value} onDone={() => (created.value = undefined)} />
      )}
      <Panel title={t('API keys')} lead={lead()} aside={create} flush>
        <Loaded resource={keys}>
          {(data) => (
            <>
              <Table
                caption={t('API keys')}
                columns={buildColumns(
                  (key) => (revoking.value = key),
                  (key) => (editing.value = key),
                )}
                rows={data.keys}
                rowKey={({ id }) => id}
                card={keyCard}
                empty={t(
                  'No API keys yet. Create one to let a program read your balances and place orders.',
                )}
              />
              <KeyNotes keys={data.keys} />
            </>
          )}
        </Loaded>
      </Panel>
      <Dialog
        title={t('Create API key')}
        open={creating.value}
        onClose={() => (creating.value = false)}
      >
        <NewKey
          onCreated={async (key) => {
            creating.value = false;
            created.value = key;
            await keys.load();
          }}
        />
      </Dialog>
      <Dialog
        title={t('Edit API key')}
        open={editing.value !== undefined}
        onClose={() => (editing.value = undefined)}
      >
        {editing.value === undefined ? null : (
          <EditKey
            key={editing.value.id}
            edited={editing.value}
            onChanged={async () => {
              editing.value = undefined;
              await keys.load();
              announce(t('API key changed'), 'success');
            }}
          />
        )}
      </Dialog>
      <Confirm
        title={t('Revoke API key')}
        verb={t('Revoke')}
        open={revoking.value !== undefined}
        onClose={() => (revoking.value = undefined)}
        onConfirm={async () => {
          await api.revokeOwnKey({ id: revoking.value!.id });
          await keys.load();
          announce(t('API key revoked'), 'success');
        }}
      >
        <p>
          <T
            text="<b>{value}</b> stops working immediately and permanently. Its open orders stay open."
            value={revoking.value?.label}
            b={(children) => <b>{children}</b>}
          />
        </p>
      </Confirm>
    </>
  );
}

/** Explains the types in the table, and why the dialog does not change permissions. */
function KeyNotes({ keys }: { keys: readonly OwnKey[] }) {
  if (keys.length === 0) return null;
  return (
    <ul class="key-notes muted">
      {CREDENTIALS.filter(([type]) => keys.some((key) => key.type === type)).map(([type, text]) => (
        <li key={type}>{t(text)}</li>
      ))}
      <li>
        {t('Keys keep their permissions. To change them, create a new key and revoke the old one.')}
      </li>
    </ul>
  );
}

/** Columns in the line of small print of a key on a phone. */
const PHONE_FACTS = ['type', 'addresses', 'expires', 'used'];

/** A key on a phone: name and button, what it may do, then its type and times. */
function keyCard(key: OwnKey, columns: readonly Column<OwnKey>[]) {
  const cell = readCells(key, columns);
  return (
    <div class="key-card">
      <div class="key-card-line">
        {cell('key')}
        {cell('actions')}
      </div>
      {cell('permissions')}
      <small class="key-facts muted">
        {PHONE_FACTS.map((name) => (
          <span key={name}>
            {`${t(columns.find(({ key: id }) => id === name)!.title)}: `}
            {cell(name)}
          </span>
        ))}
      </small>
    </div>
  );
}

function buildColumns(
  onRevoke: (key: OwnKey) => void,
  onEdit: (key: OwnKey) => void,
): readonly Column<OwnKey>[] {
  return [
    keyColumn(({ id }) => id),
    ...KEY_TERMS,
    {
      key: 'used',
      title: t('Last used'),
      cell: ({ lastUsedAt }) => (lastUsedAt === null ? t('Never||used') : dateTime(lastUsedAt)),
    },
    keyActionsColumn(({ status }) => status, onRevoke, onEdit),
  ];
}

import { useSignal } from '@preact/signals';
import type { OwnKey } from '../../src/client/index.ts';
import { api } from '../api.ts';
import { Confirm } from '../components/confirm.tsx';
import { Dialog } from '../components/dialog.tsx';
import { KEY_TERMS, keyColumn, revokeColumn } from '../components/key-columns.tsx';
import { Loaded } from '../components/loaded.tsx';
import { Panel } from '../components/panel.tsx';
import { useResource } from '../components/resource.ts';
import { type Column, Table } from '../components/table.tsx';
import { announce } from '../components/toast.tsx';
import { dateTime } from '../format.ts';
import { hasBinance } from '../sandbox.ts';
import { isSubAccount, selectedAccount } from '../selected-account.ts';
import { type CreatedKey, NewKey } from './new-key.tsx';
import { NewSecret } from './new-secret.tsx';

const lead = () => (
  <>
    For bots and apps that use{' '}
    {isSubAccount.value ? <b>{selectedAccount.value!.name}</b> : 'your account'}.{' '}
    {hasBinance ? (
      <>
        <a href="/bots">Bots</a> ·{' '}
      </>
    ) : null}
    <a href="/docs">API documentation</a>
  </>
);

export function KeysSection() {
  const keys = useResource(() => api.listOwnKeys({ limit: 1000 }));
  const creating = useSignal(false);
  const created = useSignal<CreatedKey | undefined>(undefined);
  const revoking = useSignal<OwnKey | undefined>(undefined);
  const create = (
    <button type="button" class="button primary" onClick={() => (creating.value = true)}>
      Create API key
    </button>
  );
  return (
    <>
      {created.value === undefined ? null : (
        <NewSecret created={created.value} onDone={() => (created.value = undefined)} />
      )}
      <Panel title="API keys" lead={lead()} aside={create} flush>
        <Loaded resource={keys}>
          {(data) => (
            <Table
              caption="API keys"
              columns={buildColumns((key) => (revoking.value = key))}
              rows={data.keys}
              rowKey={({ id }) => id}
              empty="No API keys yet. Create one to let a program read your balances and place orders."
            />
          )}
        </Loaded>
      </Panel>
      <Dialog title="Create API key" open={creating.value} onClose={() => (creating.value = false)}>
        <NewKey
          onCreated={async (key) => {
            creating.value = false;
            created.value = key;
            await keys.load();
          }}
        />
      </Dialog>
      <Confirm
        title="Revoke API key"
        verb="Revoke"
        open={revoking.value !== undefined}
        onClose={() => (revoking.value = undefined)}
        onConfirm={async () => {
          await api.revokeOwnKey({ id: revoking.value!.id });
          await keys.load();
          announce('API key revoked', 'success');
        }}
      >
        <p>
          <b>{revoking.value?.label}</b> stops working immediately and permanently. Its open orders
          stay open.
        </p>
      </Confirm>
    </>
  );
}

function buildColumns(onRevoke: (key: OwnKey) => void): readonly Column<OwnKey>[] {
  return [
    keyColumn(({ id }) => id),
    ...KEY_TERMS,
    {
      key: 'used',
      title: 'Last used',
      cell: ({ lastUsedAt }) => (lastUsedAt === null ? 'Never' : dateTime(lastUsedAt)),
    },
    revokeColumn(({ status }) => status, onRevoke),
  ];
}

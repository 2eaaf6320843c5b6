import { useSignal } from '@preact/signals';
import type { ApiKey } from '../../src/client/index.ts';
import { api } from '../api.ts';
import { Confirm } from '../components/confirm.tsx';
import { Loaded } from '../components/loaded.tsx';
import { Panel } from '../components/panel.tsx';
import { useResource } from '../components/resource.ts';
import { type Column, Table } from '../components/table.tsx';
import { announce } from '../components/toast.tsx';
import { dateTime } from '../format.ts';

/** The keys of an account. Its holder makes them; an operator only ends them. */
export function AccountKeys({ accountId }: { accountId: string }) {
  const keys = useResource(() => api.listKeys({ id: accountId }));
  const revoking = useSignal<ApiKey | undefined>(undefined);
  const columns: readonly Column<ApiKey>[] = [
    {
      key: 'key',
      title: 'Key',
      cell: ({ apiKey, label }) => (
        <div class="two-lines">
          <b>{label === '' ? 'Without a label' : label}</b>
          <code>{apiKey}</code>
        </div>
      ),
    },
    { key: 'may', title: 'Permissions', cell: ({ permissions }) => permissions.join(', ') },
    {
      key: 'from',
      title: 'From',
      cell: ({ addresses }) => (
        <span class="wrapped">{addresses.length === 0 ? 'Anywhere' : addresses.join(', ')}</span>
      ),
    },
    {
      key: 'expires',
      title: 'Expires',
      cell: ({ expiresAt }) => (expiresAt === null ? 'Never' : dateTime(expiresAt)),
    },
    {
      key: 'revoke',
      title: 'Status',
      numeric: true,
      cell: (key) =>
        key.revokedAt === null ? (
          <button
            type="button"
            class="button small"
            onClick={() => {
              revoking.value = key;
            }}
          >
            Revoke<span class="visually-hidden"> {key.label}</span>
          </button>
        ) : (
          <span class="muted">Revoked</span>
        ),
    },
  ];
  return (
    <Panel title="Keys" flush>
      <Loaded resource={keys}>
        {(data) => (
          <Table
            caption={`Keys of ${accountId}`}
            columns={columns}
            rows={data.keys}
            rowKey={({ apiKey }) => apiKey}
            empty="The account has no key."
          />
        )}
      </Loaded>
      <Confirm
        title="Revoke the key"
        verb="Revoke"
        open={revoking.value !== undefined}
        onClose={() => {
          revoking.value = undefined;
        }}
        onConfirm={async () => {
          await api.revokeKey({ id: accountId, apiKey: revoking.value!.apiKey });
          announce('The key is revoked.', 'success');
          await keys.load();
        }}
      >
        <p>
          <b>{revoking.value?.label || revoking.value?.apiKey}</b> stops working at once, for good.
        </p>
      </Confirm>
    </Panel>
  );
}

import { useSignal } from '@preact/signals';
import type { ApiKey } from '../../src/client/index.ts';
import { api } from '../api.ts';
import { Confirm } from '../components/confirm.tsx';
import { KEY_TERMS, keyActionsColumn, keyColumn } from '../components/key-columns.tsx';
import { Loaded } from '../components/loaded.tsx';
import { Panel } from '../components/panel.tsx';
import { useResource } from '../components/resource.ts';
import { type Column, Table } from '../components/table.tsx';
import { announce } from '../components/toast.tsx';
import { T, t } from '../i18n/index.ts';

/** The API keys of an account, which an operator can revoke but not create. */
export function AccountKeys({ accountId }: { accountId: string }) {
  const keys = useResource(() => api.listKeys({ id: accountId, limit: 1000 }));
  const revoking = useSignal<ApiKey | undefined>(undefined);
  const columns: readonly Column<ApiKey>[] = [
    keyColumn(({ apiKey }) => apiKey),
    ...KEY_TERMS,
    keyActionsColumn(keyStatus, (key) => {
      revoking.value = key;
    }),
  ];
  return (
    <Panel title={t('API keys')} flush>
      <Loaded resource={keys}>
        {(data) => (
          <Table
            caption={t('API keys of {account}', { account: accountId })}
            columns={columns}
            rows={data.keys}
            rowKey={({ apiKey }) => apiKey}
            empty={t('No API keys yet.')}
          />
        )}
      </Loaded>
      <Confirm
        title={t('Revoke API key')}
        verb={t('Revoke')}
        open={revoking.value !== undefined}
        onClose={() => {
          revoking.value = undefined;
        }}
        onConfirm={async () => {
          await api.revokeKey({ id: accountId, apiKey: revoking.value!.apiKey });
          announce(t('API key revoked'), 'success');
          await keys.load();
        }}
      >
        <p>
          <T
            text="<b>{key}</b> stops working immediately and permanently."
            key={revoking.value?.label || revoking.value?.apiKey}
            b={(children) => <b>{children}</b>}
          />
        </p>
      </Confirm>
    </Panel>
  );
}

function keyStatus({ revokedAt, expiresAt }: ApiKey) {
  if (revokedAt !== null) return 'revoked';
  return expiresAt !== null && Date.parse(expiresAt) <= Date.now() ? 'expired' : 'active';
}

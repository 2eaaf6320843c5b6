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
import { type Made, NewKey } from './new-key.tsx';
import { NewSecret } from './new-secret.tsx';

const LEAD = (
  <>
    For programs that trade in your name. <a href="/docs">How to use them</a>
  </>
);

export function KeysSection() {
  const keys = useResource(() => api.listOwnKeys({ limit: 1000 }));
  const creating = useSignal(false);
  const made = useSignal<Made | undefined>(undefined);
  const revoking = useSignal<OwnKey | undefined>(undefined);
  const create = (
    <button type="button" class="button primary" onClick={() => (creating.value = true)}>
      Create a key
    </button>
  );
  return (
    <>
      {made.value === undefined ? null : (
        <NewSecret made={made.value} onDone={() => (made.value = undefined)} />
      )}
      <Panel title="API keys" lead={LEAD} aside={create} flush>
        <Loaded resource={keys}>
          {(data) => (
            <Table
              caption="API keys"
              columns={buildColumns((key) => (revoking.value = key))}
              rows={data.keys}
              rowKey={({ id }) => id}
              empty="No key yet. Create one, and a program can read your balances and place orders."
            />
          )}
        </Loaded>
      </Panel>
      <Dialog
        title="Create an API key"
        open={creating.value}
        onClose={() => (creating.value = false)}
      >
        <NewKey
          onMade={async (answer) => {
            creating.value = false;
            made.value = answer;
            await keys.load();
          }}
        />
      </Dialog>
      <Confirm
        title="Revoke the key"
        verb="Revoke"
        open={revoking.value !== undefined}
        onClose={() => (revoking.value = undefined)}
        onConfirm={async () => {
          await api.revokeOwnKey({ id: revoking.value!.id });
          await keys.load();
          announce('The key is revoked.', 'success');
        }}
      >
        <p>
          <b>{revoking.value?.label}</b> stops working at once, for good. Orders that it placed stay
          open.
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

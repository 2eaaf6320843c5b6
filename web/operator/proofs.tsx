import { useSignal } from '@preact/signals';
import type { LiabilityProof } from '../../src/client/index.ts';
import { api } from '../api.ts';
import { CopyButton } from '../components/copy-button.tsx';
import { Loaded } from '../components/loaded.tsx';
import { Panel } from '../components/panel.tsx';
import { useResource } from '../components/resource.ts';
import { type Column, Table } from '../components/table.tsx';
import { announceError } from '../components/toast.tsx';
import { dateTime, grouped } from '../format.ts';
import { msg, t } from '../i18n/index.ts';

const COLUMNS: readonly Column<LiabilityProof>[] = [
  { key: 'time', title: msg('Time'), cell: ({ timestamp }) => dateTime(timestamp) },
  {
    key: 'position',
    title: msg('Log position'),
    numeric: true,
    cell: ({ position }) => grouped(`${position}`),
  },
  {
    key: 'root',
    title: msg('Root'),
    cell: ({ root }) => (
      <span class="with-button">
        <code>{root.slice(0, 16)}…</code>
        <CopyButton text={root} what={t('root')} />
      </span>
    ),
  },
];

/** Makes proofs of liabilities and lists them. */
export function ProofsPanel() {
  const proofs = useResource(() => api.listProofs());
  const isBusy = useSignal(false);
  const publish = async () => {
    isBusy.value = true;
    try {
      await api.makeProof();
      await proofs.load();
    } catch (error) {
      announceError(error);
    } finally {
      isBusy.value = false;
    }
  };
  return (
    <Panel
      title={t('Proofs of liabilities')}
      lead={t(
        'The totals of all accounts, against which every user can check their balances. Post each root in public.',
      )}
      aside={
        <button type="button" class="button" disabled={isBusy.value} onClick={publish}>
          {isBusy.value ? t('Publishing…') : t('Publish proof')}
        </button>
      }
    >
      <Loaded resource={proofs}>
        {(data) => (
          <Table
            caption={t('Published proofs of liabilities')}
            columns={COLUMNS}
            rows={data.proofs}
            rowKey={({ id }) => id}
            empty={t('No proofs yet.')}
          />
        )}
      </Loaded>
    </Panel>
  );
}

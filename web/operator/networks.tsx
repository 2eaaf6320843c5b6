import { useSignal } from '@preact/signals';
import { Dialog } from '../components/dialog.tsx';
import { Loaded } from '../components/loaded.tsx';
import { Panel } from '../components/panel.tsx';
import { type Column, Table } from '../components/table.tsx';
import { announce } from '../components/toast.tsx';
import { networkName, type ShownNetwork, useNetworks } from '../custody/networks.ts';
import { grouped } from '../format.ts';
import { msg, t } from '../i18n/index.ts';
import { NEW_NETWORK, NetworkForm } from './network-form.tsx';
import { recordCard } from './record-card.tsx';

/** The networks of all assets, with their rules. */
export function NetworksPanel() {
  const networks = useNetworks();
  const editing = useSignal<ShownNetwork | undefined>(undefined);
  const edit = (network: ShownNetwork) => {
    editing.value = network;
  };
  const add = (
    <button type="button" class="button primary" onClick={() => edit(NEW_NETWORK)}>
      {t('Add network')}
    </button>
  );
  return (
    <Panel
      class="networks"
      title={t('Networks')}
      lead={t('Fees, limits and confirmations of deposits and withdrawals.')}
      aside={add}
      flush
    >
      <Loaded resource={networks}>
        {(rows) => (
          <Table
            caption={t('Networks')}
            columns={[...COLUMNS, editColumn(edit)]}
            rows={rows}
            rowKey={({ asset, network }) => `${asset} ${network}`}
            card={recordCard('asset', 'network')}
            empty={t('No networks yet. Without one, nothing can be deposited or withdrawn.')}
          />
        )}
      </Loaded>
      <Dialog
        title={editing.value === NEW_NETWORK ? t('Add network') : t('Edit network')}
        open={editing.value !== undefined}
        onClose={() => (editing.value = undefined)}
      >
        {editing.value === undefined ? null : (
          <NetworkForm
            network={editing.value}
            onSaved={async () => {
              editing.value = undefined;
              announce(t('Network saved'), 'success');
              await networks.load();
            }}
          />
        )}
      </Dialog>
    </Panel>
  );
}

function editColumn(edit: (network: ShownNetwork) => void): Column<ShownNetwork> {
  return {
    key: 'edit',
    title: msg('Edit'),
    hiddenTitle: true,
    cell: (network) => (
      <button type="button" class="button small" onClick={() => edit(network)}>
        {t('Edit')}
      </button>
    ),
  };
}

function OnOff({ isOn }: { isOn: boolean }) {
  return <span class={`badge ${isOn ? 'on' : 'wait'}`}>{isOn ? t('On') : t('Off')}</span>;
}

const COLUMNS: readonly Column<ShownNetwork>[] = [
  {
    key: 'asset',
    title: msg('Asset'),
    cell: ({ asset }) => <b>{asset}</b>,
  },
  {
    key: 'network',
    title: msg('Network'),
    cell: ({ network }) => networkName(network),
  },
  {
    key: 'deposits',
    title: msg('Deposits'),
    cell: ({ deposits }) => <OnOff isOn={deposits} />,
  },
  {
    key: 'withdrawals',
    title: msg('Withdrawals'),
    cell: ({ withdrawals }) => <OnOff isOn={withdrawals} />,
  },
  {
    key: 'confirmations',
    title: msg('Confirmations'),
    numeric: true,
    cell: ({ confirmations }) => confirmations,
  },
  {
    key: 'fee',
    title: msg('Fee'),
    numeric: true,
    cell: ({ withdrawalFee, asset }) => `${grouped(withdrawalFee)} ${asset}`,
  },
  {
    key: 'limit',
    title: msg('Daily limit'),
    numeric: true,
    cell: ({ dailyLimit, asset }) =>
      dailyLimit === '0' ? t('None') : `${grouped(dailyLimit)} ${asset}`,
  },
  {
    key: 'approval',
    title: msg('Approval above'),
    numeric: true,
    cell: ({ approvalAbove, asset }) => `${grouped(approvalAbove)} ${asset}`,
  },
];

import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { api } from '../api.ts';
import { Dialog } from '../components/dialog.tsx';
import { Loaded } from '../components/loaded.tsx';
import { Panel } from '../components/panel.tsx';
import { useResource } from '../components/resource.ts';
import { type Column, Table } from '../components/table.tsx';
import { announce } from '../components/toast.tsx';
import { networkName, type ShownNetwork } from '../custody/networks.ts';
import { grouped } from '../format.ts';
import { msg, t } from '../i18n/index.ts';
import { isNewNetwork, NEW_NETWORK, NetworkForm } from './network-form.tsx';
import type { NetworkRules } from './network-rules.ts';
import { recordCard } from './record-card.tsx';
import { NETWORK_LABELS } from './rule-labels.ts';

/** A network of an asset; an asset without one has no rules. */
interface Row {
  readonly asset: string;
  readonly rules: ShownNetwork | undefined;
}

/** The networks of all assets, with their rules, and the assets that have none. */
export function NetworksPanel() {
  const found = useResource(readRows);
  const editing = useSignal<NetworkRules | undefined>(undefined);
  const edit = (network: NetworkRules) => {
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
      lead={t(
        'Fees, limits and confirmations. Without a network, an asset cannot be deposited or withdrawn.',
      )}
      aside={add}
      flush
    >
      <Loaded resource={found}>
        {(rows) => (
          <Table
            caption={t('Networks')}
            columns={[...COLUMNS, editColumn(edit)]}
            rows={rows}
            rowKey={({ asset, rules }) => `${asset} ${rules?.network}`}
            card={recordCard('asset', 'network')}
            empty={t('No assets yet.')}
          />
        )}
      </Loaded>
      <Dialog
        title={
          editing.value !== undefined && isNewNetwork(editing.value)
            ? t('Add network')
            : t('Edit network')
        }
        open={editing.value !== undefined}
        onClose={() => (editing.value = undefined)}
      >
        {editing.value === undefined ? null : (
          <NetworkForm
            network={editing.value}
            onSaved={async () => {
              editing.value = undefined;
              announce(t('Network saved'), 'success');
              await found.load();
            }}
          />
        )}
      </Dialog>
    </Panel>
  );
}

/** Returns the networks, followed by the assets without one. */
async function readRows(): Promise<readonly Row[]> {
  const [{ networks }, { assets }] = await Promise.all([api.getNetworks(), api.listKnownAssets()]);
  const connected = new Set(networks.map(({ asset }) => asset));
  return [
    ...networks.map((rules) => ({ asset: rules.asset, rules })),
    ...assets
      .filter(({ asset }) => !connected.has(asset))
      .map(({ asset }) => ({ asset, rules: undefined })),
  ];
}

function editColumn(edit: (network: NetworkRules) => void): Column<Row> {
  return {
    key: 'edit',
    title: msg('Edit'),
    hiddenTitle: true,
    cell: ({ asset, rules = { ...NEW_NETWORK, asset } }) => (
      <button type="button" class="button small" onClick={() => edit(rules)}>
        {isNewNetwork(rules) ? t('Add') : t('Edit')}
        <span class="visually-hidden">
          {' '}
          {isNewNetwork(rules)
            ? t('a network of {asset}', { asset })
            : t('{asset} on {name}', { asset, name: networkName(rules.network) })}
        </span>
      </button>
    ),
  };
}

function OnOff({ isOn }: { isOn: boolean }) {
  return <span class={`badge ${isOn ? 'on' : 'wait'}`}>{isOn ? t('On') : t('Off')}</span>;
}

/** A column of the rules. */
function ruleColumn(
  key: string,
  title: string,
  show: (rules: ShownNetwork) => ComponentChildren,
  numeric = true,
): Column<Row> {
  return { key, title, numeric, cell: ({ rules }) => (rules === undefined ? '–' : show(rules)) };
}

/** An amount. Where it is narrow, only the first column says the asset. */
function Quantity({ value, asset }: { value: string; asset: string }) {
  return (
    <>
      {grouped(value)}
      <span class="quote-unit"> {asset}</span>
    </>
  );
}

const COLUMNS: readonly Column<Row>[] = [
  {
    key: 'asset',
    title: msg('Asset'),
    cell: ({ asset, rules }) => (
      <span class="account-cell">
        <b>{asset}</b>
        <small class="network-below">{nameNetwork(rules)}</small>
      </span>
    ),
  },
  {
    key: 'network',
    title: msg('Network'),
    cell: ({ rules }) => nameNetwork(rules),
  },
  ruleColumn('deposits', msg('Deposits'), ({ deposits }) => <OnOff isOn={deposits} />, false),
  ruleColumn(
    'withdrawals',
    msg('Withdrawals'),
    ({ withdrawals }) => <OnOff isOn={withdrawals} />,
    false,
  ),
  ruleColumn('confirmations', msg('Confirmations'), ({ confirmations }) => confirmations),
  ruleColumn('minDeposit', NETWORK_LABELS.minDeposit, ({ minDeposit, asset }) => (
    <Quantity value={minDeposit} asset={asset} />
  )),
  ruleColumn('minWithdrawal', NETWORK_LABELS.minWithdrawal, ({ minWithdrawal, asset }) => (
    <Quantity value={minWithdrawal} asset={asset} />
  )),
  ruleColumn('fee', msg('Fee'), ({ withdrawalFee, asset }) => (
    <Quantity value={withdrawalFee} asset={asset} />
  )),
  ruleColumn('limit', msg('Daily limit'), ({ dailyLimit, asset }) =>
    dailyLimit === '0' ? t('None') : <Quantity value={dailyLimit} asset={asset} />,
  ),
  ruleColumn('approval', msg('Approval above'), ({ approvalAbove, asset }) => (
    <Quantity value={approvalAbove} asset={asset} />
  )),
];

function nameNetwork(rules: ShownNetwork | undefined): ComponentChildren {
  if (rules !== undefined) return networkName(rules.network);
  return <span class="muted">{t('No network')}</span>;
}

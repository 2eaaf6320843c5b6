import { type Signal, useSignal } from '@preact/signals';
import { api } from '../api.ts';
import { type Action, FieldError, useAction } from '../components/action.ts';
import { bound } from '../components/bound.ts';
import { Dialog } from '../components/dialog.tsx';
import { Field, Select } from '../components/field.tsx';
import { Form, Submit } from '../components/form.tsx';
import { Loaded } from '../components/loaded.tsx';
import { Panel } from '../components/panel.tsx';
import { type Column, Table } from '../components/table.tsx';
import { announce } from '../components/toast.tsx';
import { parseNumber } from '../components/typed-number.ts';
import { networkName, type ShownNetwork, useNetworks } from '../custody/networks.ts';
import { grouped } from '../format.ts';
import { ConfirmationField, toConfirmation, withConfirmation } from '../settings/confirmation.tsx';
import { withReason } from './approval-reason.tsx';

/** The networks of all assets, with their rules. */
export function NetworksPanel() {
  const networks = useNetworks();
  const editing = useSignal<ShownNetwork | undefined>(undefined);
  const edit = (network: ShownNetwork) => {
    editing.value = network;
  };
  const add = (
    <button type="button" class="button primary" onClick={() => edit(NEW_NETWORK)}>
      Add network
    </button>
  );
  return (
    <Panel title="Networks" lead="Fees, limits and confirmations." aside={add} flush>
      <Loaded resource={networks}>
        {(rows) => (
          <Table
            caption="Networks"
            columns={[
              ...COLUMNS,
              {
                key: 'edit',
                title: 'Edit',
                hiddenTitle: true,
                cell: (network) => (
                  <button type="button" class="button small" onClick={() => edit(network)}>
                    Edit
                  </button>
                ),
              },
            ]}
            rows={rows}
            rowKey={({ asset, network }) => `${asset} ${network}`}
            empty="No networks yet. Without one, nothing can be deposited or withdrawn."
          />
        )}
      </Loaded>
      <Dialog
        title={editing.value === NEW_NETWORK ? 'Add network' : 'Edit network'}
        open={editing.value !== undefined}
        onClose={() => (editing.value = undefined)}
      >
        {editing.value === undefined ? null : (
          <NetworkForm
            network={editing.value}
            onSaved={async () => {
              editing.value = undefined;
              announce('Network saved', 'success');
              await networks.load();
            }}
          />
        )}
      </Dialog>
    </Panel>
  );
}

const DAY_MS = 86_400_000;
const NEW_NETWORK: ShownNetwork = {
  ...{ asset: '', network: '', decimals: 8, minDeposit: '0', minWithdrawal: '0' },
  ...{ withdrawalFee: '0', confirmations: 1, memo: 'none', deposits: false, withdrawals: false },
  ...{ dailyLimit: '0', hourlyCount: 0, addressCoolingMs: DAY_MS, newDeviceDelayMs: DAY_MS },
  approvalAbove: '0',
};

const COLUMNS: readonly Column<ShownNetwork>[] = [
  {
    key: 'asset',
    title: 'Asset',
    cell: ({ asset, network }) => (
      <>
        <b>{asset}</b> <span class="muted">{networkName(network)}</span>
      </>
    ),
  },
  { key: 'deposits', title: 'Deposits', cell: ({ deposits }) => (deposits ? 'On' : 'Off') },
  {
    key: 'withdrawals',
    title: 'Withdrawals',
    cell: ({ withdrawals }) => (withdrawals ? 'On' : 'Off'),
  },
  {
    key: 'confirmations',
    title: 'Confirmations',
    numeric: true,
    cell: ({ confirmations }) => confirmations,
  },
  { key: 'fee', title: 'Fee', numeric: true, cell: (each) => grouped(each.withdrawalFee) },
  {
    key: 'limit',
    title: 'Daily limit',
    numeric: true,
    cell: ({ dailyLimit }) => (dailyLimit === '0' ? 'None' : grouped(dailyLimit)),
  },
  {
    key: 'approval',
    title: 'Approval above',
    numeric: true,
    cell: ({ approvalAbove }) => grouped(approvalAbove),
  },
];

/** The fields that are typed: name, label, hint. */
const TYPED = [
  ['asset', 'Asset', undefined],
  ['network', 'Network', 'A to z, digits and hyphens, such as bitcoin'],
  ['decimals', 'Decimals', 'Those of amounts on the network; they never change'],
  ['confirmations', 'Confirmations', 'Until a deposit is credited'],
  ['minDeposit', 'Minimum deposit', undefined],
  ['minWithdrawal', 'Minimum withdrawal', undefined],
  ['withdrawalFee', 'Withdrawal fee', undefined],
  ['dailyLimit', 'Daily limit per account', 'Over all networks of the asset; 0 for none'],
  ['hourlyCount', 'Withdrawals per hour and account', '0 for no limit'],
  ['approvalAbove', 'Approval by two operators above', 'In 24 hours, counted per account'],
  ['addressCoolingMs', 'Waiting time of new addresses (ms)', undefined],
  ['newDeviceDelayMs', 'Delay after a new device (ms)', undefined],
] as const;
type Typed = (typeof TYPED)[number][0];
const NAMES = TYPED.map(([name]) => name);
const COUNTS = ['decimals', 'confirmations', 'hourlyCount', 'addressCoolingMs', 'newDeviceDelayMs'];

type Draft = Record<Typed, Signal<string>>;

interface NetworkFormProps {
  readonly network: ShownNetwork;
  readonly onSaved: () => Promise<void>;
}

function NetworkForm({ network, onSaved }: NetworkFormProps) {
  // The list never changes, so the hooks are always called in the same order.
  const draft = Object.fromEntries(
    NAMES.map((name) => [name, useSignal(String(network[name]))]),
  ) as Draft;
  const memo = useSignal(network.memo);
  const deposits = useSignal(network.deposits ? 'on' : 'off');
  const withdrawals = useSignal(network.withdrawals ? 'on' : 'off');
  const confirmation = useSignal('');
  const action = useAction();
  const submit = async () => {
    const changed = {
      ...toRules(draft),
      ...{ deposits: deposits.value === 'on', withdrawals: withdrawals.value === 'on' },
      memo: memo.value,
      ...toConfirmation(confirmation.value),
    };
    const save = () => withReason((why) => api.setNetwork({ ...changed, ...why }));
    await withConfirmation(save, 'confirmation');
    await onSaved();
  };
  return (
    <Form action={action} onSubmit={submit} fields={[...NAMES, 'confirmation']}>
      <Select label="Deposits" {...chosen(deposits)} options={SWITCH} />
      <Select label="Withdrawals" {...chosen(withdrawals)} options={SWITCH} />
      <Select label="Memo" {...chosen(memo)} options={MEMO} />
      <TypedFields draft={draft} action={action} isNew={network === NEW_NETWORK} />
      <ConfirmationField {...bound(confirmation)} error={action.fieldError('confirmation')} />
      <div class="dialog-actions">
        <Submit action={action} label="Save network" />
      </div>
    </Form>
  );
}

const SWITCH = [
  ['on', 'On'],
  ['off', 'Off'],
] as const;
const MEMO = [
  ['none', 'None'],
  ['optional', 'Optional'],
  ['required', 'Required'],
] as const;

function chosen<Value extends string>(field: Signal<Value>) {
  return {
    value: field.value,
    onChange: (value: Value) => {
      field.value = value;
    },
  };
}

const IDENTITY: readonly string[] = ['asset', 'network', 'decimals'];

function TypedFields({ draft, action, isNew }: { draft: Draft; action: Action; isNew: boolean }) {
  return (
    <>
      {TYPED.map(([name, label, hint]) => (
        <Field
          key={name}
          label={label}
          {...bound(draft[name])}
          hint={hint}
          error={action.fieldError(name)}
          input={{ name, required: true, disabled: !isNew && IDENTITY.includes(name) }}
        />
      ))}
    </>
  );
}

/** Validates the form. @throws FieldError */
function toRules(draft: Draft) {
  const text = (name: Typed) => draft[name].value.trim();
  const amount = (name: Typed) => parseNumber(text(name), name);
  const count = (name: Typed) => {
    if (!/^\d{1,10}$/.test(text(name))) throw new FieldError(name, 'Enter a whole number.');
    return Number(text(name));
  };
  for (const name of COUNTS) count(name as Typed);
  return {
    ...{ asset: text('asset'), network: text('network'), decimals: count('decimals') },
    ...{ confirmations: count('confirmations'), hourlyCount: count('hourlyCount') },
    addressCoolingMs: count('addressCoolingMs'),
    newDeviceDelayMs: count('newDeviceDelayMs'),
    minDeposit: amount('minDeposit'),
    minWithdrawal: amount('minWithdrawal'),
    withdrawalFee: amount('withdrawalFee'),
    dailyLimit: amount('dailyLimit'),
    approvalAbove: amount('approvalAbove'),
  };
}

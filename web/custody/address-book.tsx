import { useSignal } from '@preact/signals';
import type { WithdrawalAddress } from '../../src/client/index.ts';
import { api } from '../api.ts';
import { FieldError, useAction } from '../components/action.ts';
import { bound } from '../components/bound.ts';
import { Confirm } from '../components/confirm.tsx';
import { Dialog } from '../components/dialog.tsx';
import { Field } from '../components/field.tsx';
import { Form, Submit } from '../components/form.tsx';
import { Loaded } from '../components/loaded.tsx';
import { Panel } from '../components/panel.tsx';
import type { Resource } from '../components/resource.ts';
import { readCells } from '../components/row-card.ts';
import { type Column, Table } from '../components/table.tsx';
import { announce } from '../components/toast.tsx';
import { dateTime } from '../format.ts';
import { T, t } from '../i18n/index.ts';
import {
  ConfirmationField,
  proofField,
  toConfirmation,
  withConfirmation,
} from '../settings/confirmation.tsx';
import { EntryName, MAX_LABEL } from './entry-name.tsx';
import { NetworkFields } from './network-fields.tsx';
import { duration, networkName, type ShownNetwork, useNetworkChoice } from './networks.ts';

interface AddressBookProps {
  readonly networks: readonly ShownNetwork[];
  readonly entries: Resource<readonly WithdrawalAddress[]>;
}

/** The addresses to which the user may withdraw. */
export function AddressBook({ networks, entries }: AddressBookProps) {
  const isAdding = useSignal(false);
  const removing = useSignal<WithdrawalAddress | undefined>(undefined);
  const add =
    networks.length === 0 ? null : (
      <button type="button" class="button primary" onClick={() => (isAdding.value = true)}>
        {t('Add address')}
      </button>
    );
  return (
    <Panel
      title={t('Address book')}
      lead={t(
        'Withdrawals go only to these addresses. A new one can be used after a waiting time.',
      )}
      aside={add}
      flush
    >
      <Loaded resource={entries}>
        {(rows) => (
          <Table
            caption={t('Address book')}
            columns={buildColumns(entries.load, (entry) => (removing.value = entry))}
            rows={rows}
            rowKey={({ id }) => id}
            card={entryCard}
            empty={t('No addresses yet.')}
          />
        )}
      </Loaded>
      <Dialog
        title={t('Add address')}
        open={isAdding.value}
        onClose={() => (isAdding.value = false)}
      >
        <NewAddress
          networks={networks}
          onAdded={async () => {
            isAdding.value = false;
            announce(t('Address added'), 'success');
            await entries.load();
          }}
        />
      </Dialog>
      <Confirm
        title={t('Remove address')}
        verb={t('Remove')}
        open={removing.value !== undefined}
        onClose={() => (removing.value = undefined)}
        onConfirm={async () => {
          await api.removeWithdrawalAddress({ id: removing.value!.id });
          await entries.load();
          announce(t('Address removed'), 'success');
        }}
      >
        <p>
          <T
            text="<span>{value}</span> can no longer be withdrawn to. Added again, it has to wait again."
            value={removing.value === undefined ? '' : nameAndAddress(removing.value)}
            span={(children) => <span class="mono">{children}</span>}
          />
        </p>
      </Confirm>
    </Panel>
  );
}

const FIELDS = ['address', 'memo', 'label', 'password', 'code'];

function nameAndAddress({ label, address }: WithdrawalAddress): string {
  return label === null ? address : `${label} (${address})`;
}

interface NewAddressProps {
  readonly networks: readonly ShownNetwork[];
  readonly onAdded: () => Promise<void>;
}

function NewAddress({ networks, onAdded }: NewAddressProps) {
  const choice = useNetworkChoice(networks);
  const address = useSignal('');
  const memo = useSignal('');
  const label = useSignal('');
  const proof = useSignal('');
  const action = useAction();
  const { asset, network, memo: rule, addressCoolingMs } = choice.chosen!;
  const submit = async () => {
    if (address.value.trim() === '') throw new FieldError('address', t('Enter an address.'));
    const memoText = rule === 'none' ? '' : memo.value.trim();
    if (rule === 'required' && memoText === '') throw new FieldError('memo', t('Enter the memo.'));
    const place = { asset, network, address: address.value.trim() };
    await withConfirmation(
      () =>
        api.addWithdrawalAddress({
          ...place,
          ...(memoText === '' ? {} : { memo: memoText }),
          label: label.value,
          ...toConfirmation(proof.value),
        }),
      proofField(),
    );
    await onAdded();
  };
  return (
    <Form action={action} onSubmit={submit} fields={FIELDS}>
      <NetworkFields choice={choice} />
      <Field
        label={t('Address')}
        {...bound(address)}
        hint={
          addressCoolingMs === 0
            ? undefined
            : t('Usable {addressCoolingMs} after adding it', {
                addressCoolingMs: duration(addressCoolingMs),
              })
        }
        error={action.fieldError('address')}
        input={{ name: 'address', maxLength: 128, required: true }}
      />
      {rule === 'none' ? null : (
        <Field
          label={rule === 'required' ? t('Memo (required)') : t('Memo (optional)')}
          {...bound(memo)}
          hint={t('Ask the recipient. Without the right memo, the payment may be lost.')}
          error={action.fieldError('memo')}
          input={{ name: 'memo', maxLength: 100, required: rule === 'required' }}
        />
      )}
      <Field
        label={t('Name (optional)')}
        {...bound(label)}
        hint={t('Such as Ledger or Cold wallet. Only you and the exchange see it.')}
        error={action.fieldError('label')}
        input={{ name: 'label', maxLength: MAX_LABEL }}
      />
      <ConfirmationField {...bound(proof)} error={action.fieldError('password', 'code')} />
      <div class="dialog-actions">
        <Submit action={action} label={t('Add address')} />
      </div>
    </Form>
  );
}

/** An entry on a phone: name and asset, the whole address, then when it can be used and a button. */
function entryCard(entry: WithdrawalAddress, columns: readonly Column<WithdrawalAddress>[]) {
  const cell = readCells(entry, columns);
  return (
    <div class="row-card">
      <span>{cell('name')}</span>
      <span class="row-end">{cell('asset')}</span>
      <span class="row-line">{cell('address')}</span>
      <span class="muted">
        {t('Usable')}: {cell('usable')}
      </span>
      <span class="row-end">{cell('remove')}</span>
    </div>
  );
}

function buildColumns(
  onRenamed: () => Promise<void>,
  onRemove: (entry: WithdrawalAddress) => void,
): readonly Column<WithdrawalAddress>[] {
  return [
    {
      key: 'name',
      title: t('Name'),
      cell: (entry) => <EntryName entry={entry} onRenamed={onRenamed} />,
    },
    {
      key: 'asset',
      title: t('Asset'),
      cell: ({ asset, network }) => (
        <span>
          <b>{asset}</b> <span class="muted">{networkName(network)}</span>
        </span>
      ),
    },
    {
      key: 'address',
      title: t('Address'),
      cell: ({ address, memo }) => (
        <span class="account-cell">
          <span class="mono">{address}</span>
          {memo === null ? null : <small class="muted">{t('memo {memo}', { memo })}</small>}
        </span>
      ),
    },
    {
      key: 'usable',
      title: t('Usable'),
      cell: ({ usableAt }) =>
        Date.parse(usableAt) <= Date.now()
          ? t('Now')
          : t('From {time}', { time: dateTime(usableAt) }),
    },
    {
      key: 'remove',
      title: t('Remove'),
      hiddenTitle: true,
      cell: (entry) => (
        <button type="button" class="button small" onClick={() => onRemove(entry)}>
          {t('Remove')}
        </button>
      ),
    },
  ];
}

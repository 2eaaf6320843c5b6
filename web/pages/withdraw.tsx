import '../styles/base.css';
import '../sign-in/sign-in.css';
import '../styles/custody.css';
import { useSignal } from '@preact/signals';
import type { Withdrawal } from '../../src/client/index.ts';
import { api } from '../api.ts';
import { Confirm } from '../components/confirm.tsx';
import { Loaded } from '../components/loaded.tsx';
import { Notice } from '../components/notice.tsx';
import { Panel } from '../components/panel.tsx';
import { type Resource, useResource } from '../components/resource.ts';
import { Shell } from '../components/shell.tsx';
import { SignInFirst } from '../components/sign-in-first.tsx';
import { type Column, Table } from '../components/table.tsx';
import { announce, announceError } from '../components/toast.tsx';
import { AddressBook } from '../custody/address-book.tsx';
import { useWithdrawals } from '../custody/live-payments.ts';
import { networkName, useNetworks } from '../custody/networks.ts';
import { Short, WithdrawalStatus } from '../custody/status.tsx';
import { WithdrawForm } from '../custody/withdraw-form.tsx';
import { dateTime, grouped } from '../format.ts';
import { msg, T, t } from '../i18n/index.ts';
import { group, isSubAccount, selectAccount } from '../selected-account.ts';
import { loadSession, profile } from '../session.ts';
import { showPage } from '../show-page.ts';

function WithdrawPage() {
  return (
    <Shell at="/withdraw" class="page">
      <h1>{t('Withdraw')}</h1>
      {profile.value === undefined ? <p class="empty">{t('Loading…')}</p> : null}
      {profile.value === null ? <SignInFirst what={t('your withdrawals')} /> : null}
      {profile.value ? isSubAccount.value ? <MainAccountOnly /> : <Sections /> : null}
    </Shell>
  );
}

/** Only the main account of a group withdraws. */
function MainAccountOnly() {
  const main = group.value[0]!.accountId;
  return (
    <Notice kind="info">
      <T
        text="Sub-accounts cannot withdraw. <a>Transfer</a> to your main account, and withdraw from there. <button>Switch to main account</button>"
        a={(children) => <a href="/accounts">{children}</a>}
        button={(children) => (
          <button type="button" class="button small" onClick={() => selectAccount(main)}>
            {children}
          </button>
        )}
      />
    </Notice>
  );
}

function Sections() {
  const networks = useNetworks();
  const entries = useResource(async () => (await api.listWithdrawalAddresses()).addresses);
  const withdrawals = useWithdrawals();
  return (
    <>
      <Panel title={t('New withdrawal')} lead={t('To an address of your address book.')}>
        <Loaded resource={networks}>
          {(all) => (
            <Loaded resource={entries}>
              {(book) => (
                <WithdrawForm networks={all} entries={book} onRequested={withdrawals.load} />
              )}
            </Loaded>
          )}
        </Loaded>
      </Panel>
      <Withdrawals withdrawals={withdrawals} />
      <Loaded resource={networks}>
        {(all) => <AddressBook networks={all} entries={entries} />}
      </Loaded>
    </>
  );
}

function Withdrawals({ withdrawals }: { withdrawals: Resource<readonly Withdrawal<string>[]> }) {
  const canceling = useSignal<Withdrawal<string> | undefined>(undefined);
  return (
    <Panel title={t('Recent withdrawals')} flush>
      <Loaded resource={withdrawals}>
        {(rows) => (
          <Table
            caption={t('Recent withdrawals')}
            columns={[...COLUMNS, cancelColumn((each) => (canceling.value = each))]}
            rows={rows}
            rowKey={({ id }) => id}
            empty={t('No withdrawals yet.')}
          />
        )}
      </Loaded>
      <Confirm
        title={t('Cancel withdrawal')}
        verb={t('Cancel withdrawal')}
        dismiss={t('Keep withdrawal')}
        open={canceling.value !== undefined}
        onClose={() => (canceling.value = undefined)}
        onConfirm={async () => {
          await api.cancelWithdrawal({ id: canceling.value!.id });
          await withdrawals.load();
          announce(t('Withdrawal canceled'), 'success');
        }}
      >
        <p>
          {canceling.value === undefined
            ? null
            : t('{amount} {asset} and the fee become available again.', {
                amount: grouped(canceling.value.amount),
                asset: canceling.value.asset,
              })}
        </p>
      </Confirm>
    </Panel>
  );
}

const COLUMNS: readonly Column<Withdrawal<string>>[] = [
  { key: 'time', title: msg('Time'), cell: ({ createdAt }) => dateTime(createdAt) },
  {
    key: 'asset',
    title: msg('Asset'),
    cell: ({ asset, network }) => (
      <span>
        <b>{asset}</b> <span class="muted">{networkName(network)}</span>
      </span>
    ),
  },
  { key: 'amount', title: msg('Amount'), numeric: true, cell: ({ amount }) => grouped(amount) },
  { key: 'fee', title: msg('Fee'), numeric: true, cell: ({ fee }) => grouped(fee) },
  { key: 'address', title: msg('Address'), cell: ({ address }) => <Short text={address} /> },
  {
    key: 'status',
    title: msg('Status'),
    cell: (withdrawal) => <WithdrawalStatus withdrawal={withdrawal} />,
  },
  {
    key: 'transaction',
    title: msg('Transaction'),
    cell: ({ transaction }) => (transaction === null ? '–' : <Short text={transaction} />),
  },
];

/** A withdrawal can be canceled until it is approved. */
function cancelColumn(
  onCancel: (withdrawal: Withdrawal<string>) => void,
): Column<Withdrawal<string>> {
  return {
    key: 'cancel',
    title: t('Cancel||withdrawal'),
    hiddenTitle: true,
    cell: (withdrawal) =>
      withdrawal.status === 'delayed' || withdrawal.status === 'awaiting_approval' ? (
        <button type="button" class="button small" onClick={() => onCancel(withdrawal)}>
          {t('Cancel||withdrawal')}
        </button>
      ) : null,
  };
}

showPage(<WithdrawPage />);
loadSession().catch(announceError);

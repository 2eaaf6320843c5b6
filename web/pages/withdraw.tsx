import '../styles/base.css';
import '../sign-in/sign-in.css';
import '../styles/custody.css';
import { useSignal } from '@preact/signals';
import type { Withdrawal, WithdrawalAddress } from '../../src/client/index.ts';
import { api } from '../api.ts';
import { Confirm } from '../components/confirm.tsx';
import { Loaded } from '../components/loaded.tsx';
import { Notice } from '../components/notice.tsx';
import { PageList } from '../components/page-list.tsx';
import type { Pages } from '../components/pages.ts';
import { Panel } from '../components/panel.tsx';
import { useResource } from '../components/resource.ts';
import { Shell } from '../components/shell.tsx';
import { SignInFirst } from '../components/sign-in-first.tsx';
import type { Column } from '../components/table.tsx';
import { announce, announceError } from '../components/toast.tsx';
import { AddressBook } from '../custody/address-book.tsx';
import { useWithdrawals } from '../custody/live-payments.ts';
import { networkName, useNetworks } from '../custody/networks.ts';
import { paymentCard } from '../custody/payment-card.tsx';
import { COMPARED, Short, Transaction, WithdrawalStatus } from '../custody/status.tsx';
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
      <Panel
        title={t('New withdrawal')}
        lead={
          <T
            text="To an address in your <a>address book</a>. Receiving instead? <b>Deposit</b>."
            a={(children) => <a href="#address-book">{children}</a>}
            b={(children) => <a href="/deposit">{children}</a>}
          />
        }
      >
        <Loaded resource={networks}>
          {(all) => (
            <Loaded resource={entries}>
              {(book) => (
                <WithdrawForm
                  networks={all}
                  entries={book}
                  withdrawals={withdrawals.rows.value}
                  onRequested={withdrawals.refresh}
                />
              )}
            </Loaded>
          )}
        </Loaded>
      </Panel>
      <Withdrawals withdrawals={withdrawals} entries={entries.data.value ?? []} />
      <Loaded resource={networks}>
        {(all) => (
          <div id="address-book">
            <AddressBook networks={all} entries={entries} />
          </div>
        )}
      </Loaded>
    </>
  );
}

interface WithdrawalsProps {
  readonly withdrawals: Pages<Withdrawal<string>>;
  readonly entries: readonly WithdrawalAddress[];
}

function Withdrawals({ withdrawals, entries }: WithdrawalsProps) {
  const canceling = useSignal<Withdrawal<string> | undefined>(undefined);
  const { rows, cursor, failure, load, refresh } = withdrawals;
  return (
    <Panel title={t('Withdrawals')} flush>
      <PageList
        caption={t('Withdrawals')}
        columns={buildColumns(entries, (each) => (canceling.value = each))}
        rowKey={({ id }) => id}
        card={paymentCard}
        rows={rows.value}
        empty={t('No withdrawals yet.')}
        cursor={cursor.value}
        load={load}
        failure={failure.value}
      />
      <Confirm
        title={t('Cancel withdrawal')}
        verb={t('Cancel withdrawal')}
        dismiss={t('Keep withdrawal')}
        open={canceling.value !== undefined}
        onClose={() => (canceling.value = undefined)}
        onConfirm={async () => {
          await api.cancelWithdrawal({ id: canceling.value!.id });
          await refresh();
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

function buildColumns(
  entries: readonly WithdrawalAddress[],
  onCancel: (withdrawal: Withdrawal<string>) => void,
): readonly Column<Withdrawal<string>>[] {
  return [
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
    {
      key: 'amount',
      title: msg('Amount'),
      numeric: true,
      cell: ({ amount, fee }) => (
        <span class="account-cell">
          <span>{grouped(amount)}</span>
          <small class="muted">{t('Fee {fee}', { fee: grouped(fee) })}</small>
        </span>
      ),
    },
    {
      key: 'recipient',
      title: msg('Address'),
      cell: (each) => <Recipient withdrawal={each} entries={entries} />,
    },
    {
      key: 'status',
      title: msg('Status'),
      cell: (withdrawal) => <WithdrawalStatus withdrawal={withdrawal} />,
    },
    {
      key: 'transaction',
      title: msg('Transaction'),
      cell: ({ transaction, network }) => <Transaction id={transaction} network={network} />,
    },
    cancelColumn(onCancel),
  ];
}

interface RecipientProps {
  readonly withdrawal: Withdrawal<string>;
  readonly entries: readonly WithdrawalAddress[];
}

/** The address of a withdrawal, under its name if the address book has one. */
function Recipient({ withdrawal, entries }: RecipientProps) {
  const { asset, network, address, memo } = withdrawal;
  const entry = entries.find(
    (each) =>
      each.address === address &&
      each.memo === memo &&
      each.network === network &&
      each.asset === asset,
  );
  const short = <Short text={address} ends={COMPARED} />;
  if (entry === undefined || entry.label === null) return short;
  return (
    <span class="account-cell">
      <span>{entry.label}</span>
      <small class="muted">{short}</small>
    </span>
  );
}

/** A withdrawal can be canceled until it is approved. */
function cancelColumn(
  onCancel: (withdrawal: Withdrawal<string>) => void,
): Column<Withdrawal<string>> {
  return {
    key: 'cancel',
    title: t('Cancel||withdrawal'),
    hiddenTitle: true,
    numeric: true,
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

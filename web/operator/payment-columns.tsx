import type { Deposit, Withdrawal } from '../../src/client/index.ts';
import type { Column } from '../components/table.tsx';
import { networkName } from '../custody/networks.ts';
import { DepositStatus, Short, WithdrawalStatus } from '../custody/status.tsx';
import { TransactionLink } from '../custody/transaction-link.tsx';
import { dateTime, grouped } from '../format.ts';
import { msg, t } from '../i18n/index.ts';
import { ShortAccountLink } from './account-link.tsx';
import { paymentPath } from './account-path.ts';
import type { Values } from './values.ts';

type Payment = Deposit<string> | Withdrawal<string>;

/** Columns of deposits and withdrawals. @param values Undefined until the prices are loaded */
function commonColumns(values: Values | undefined, list: 'deposits' | 'withdrawals') {
  return {
    time: {
      key: 'time',
      title: msg('Time'),
      cell: ({ id, createdAt }: Payment) => (
        <span class="account-cell">
          <time dateTime={createdAt}>{dateTime(createdAt)}</time>
          <small>
            <a href={paymentPath(list, id)}>
              {list === 'deposits'
                ? t('Deposit {number}', { number: id })
                : t('Withdrawal {number}', { number: id })}
            </a>
          </small>
        </span>
      ),
    },
    account: {
      key: 'account',
      title: msg('Account'),
      cell: ({ account }: Payment) => <PaymentsLink account={account} />,
    },
    amount: {
      ...{ key: 'amount', title: msg('Amount'), numeric: true },
      cell: ({ amount, asset }: Payment) => (
        <span class="account-cell">
          <span>{`${grouped(amount)} ${asset}`}</span>
          {asset === values?.quote ? null : (
            <small class="muted">{values?.text(amount, asset) ?? '–'}</small>
          )}
        </span>
      ),
    },
    address: {
      key: 'address',
      title: msg('Address'),
      cell: ({ address, memo, network }: Payment) => (
        <span class="account-cell">
          <Short text={address} />
          <small class="muted">
            {networkName(network)}
            {memo === null ? null : ` · ${t('memo {memo}', { memo })}`}
          </small>
        </span>
      ),
    },
    transaction: {
      key: 'transaction',
      title: msg('Transaction'),
      cell: ({ transaction, network }: Payment) =>
        transaction === null ? (
          '–'
        ) : (
          <TransactionLink id={transaction} network={network}>
            <Short text={transaction} />
          </TransactionLink>
        ),
    },
  };
}

/** Columns of a list of deposits. */
export function depositColumns(values: Values | undefined): readonly Column<Deposit<string>>[] {
  const { time, account, amount, address, transaction } = commonColumns(values, 'deposits');
  const status: Column<Deposit<string>> = {
    key: 'status',
    title: msg('Status'),
    cell: (deposit) => <DepositStatus deposit={deposit} />,
  };
  return [time, account, amount, status, address, transaction];
}

/** Columns of a list of withdrawals. */
export function withdrawalColumns(
  values: Values | undefined,
): readonly Column<Withdrawal<string>>[] {
  const { time, account, amount, address, transaction } = commonColumns(values, 'withdrawals');
  const status: Column<Withdrawal<string>> = {
    key: 'status',
    title: msg('Status'),
    cell: (withdrawal) => <WithdrawalStatus withdrawal={withdrawal} />,
  };
  const approvals: Column<Withdrawal<string>> = {
    key: 'approvals',
    title: msg('Approved by'),
    cell: ({ approvals: accounts }) => accounts.join(', ') || '–',
  };
  return [time, account, amount, status, address, transaction, approvals];
}

/** The account of a payment as a link to its deposits and withdrawals. */
export function PaymentsLink({ account }: { account: string | null }) {
  if (account === null) return <>{t('None')}</>;
  return <ShortAccountLink accountId={account} tab="payments" />;
}

import type { ComponentChildren } from 'preact';
import type { Deposit, Withdrawal } from '../../src/client/index.ts';
import { api } from '../api.ts';
import { Loaded } from '../components/loaded.tsx';
import { Facts, Panel } from '../components/panel.tsx';
import { useResource } from '../components/resource.ts';
import { networkName } from '../custody/networks.ts';
import { DepositStatus, WithdrawalStatus } from '../custody/status.tsx';
import { TransactionLink } from '../custody/transaction-link.tsx';
import { dateTime, grouped } from '../format.ts';
import { msg, T, t } from '../i18n/index.ts';
import { PaymentsLink } from './payment-columns.tsx';

/** The withdrawal that a link names. */
export function WithdrawalRecord({ id }: { id: string }) {
  const found = useResource(() => findWithdrawal(id));
  return (
    <RecordPanel title={t('Withdrawal {number}', { number: id })} list="withdrawals">
      <Loaded resource={found}>
        {(withdrawal) =>
          withdrawal === null ? (
            <NotFound text={t('No withdrawal with this number was found.')} />
          ) : (
            <Facts
              facts={[
                [msg('Status'), <WithdrawalStatus withdrawal={withdrawal} />],
                ...commonFacts(withdrawal),
                [msg('Fee'), `${grouped(withdrawal.fee)} ${withdrawal.asset}`],
                [msg('Approved by'), withdrawal.approvals.join(', ') || t('No one')],
                [msg('Last change'), dateTime(withdrawal.updatedAt)],
              ]}
            />
          )
        }
      </Loaded>
    </RecordPanel>
  );
}

/** The deposit that a link names. */
export function DepositRecord({ id }: { id: string }) {
  const found = useResource(() => findDeposit(id));
  return (
    <RecordPanel title={t('Deposit {number}', { number: id })} list="deposits">
      <Loaded resource={found}>
        {(deposit) =>
          deposit === null ? (
            <NotFound text={t('No deposit with this number was found.')} />
          ) : (
            <Facts
              facts={[
                [msg('Status'), <DepositStatus deposit={deposit} />],
                ...commonFacts(deposit),
              ]}
            />
          )
        }
      </Loaded>
    </RecordPanel>
  );
}

/** Not found is not the same as no such payment: the search leaves ended ones of old accounts out. */
function NotFound({ text }: { text: string }) {
  return (
    <>
      <p>{text}</p>
      <p class="muted">
        <T
          text="Ended ones of old accounts are not searched. Open the <a>account</a> and look at its deposits and withdrawals."
          a={(content) => <a href="#accounts">{content}</a>}
        />
      </p>
    </>
  );
}

interface RecordPanelProps {
  readonly title: string;
  readonly list: 'deposits' | 'withdrawals';
  readonly children: ComponentChildren;
}

function RecordPanel({ title, list, children }: RecordPanelProps) {
  return (
    <Panel
      title={title}
      aside={
        <a class="button" href={`#custody/${list}`}>
          {t('Close')}
        </a>
      }
    >
      {children}
    </Panel>
  );
}

function commonFacts(each: Deposit<string> | Withdrawal<string>) {
  const facts: readonly (readonly [string, ComponentChildren])[] = [
    [msg('Account'), <PaymentsLink account={each.account} />],
    [msg('Amount'), `${grouped(each.amount)} ${each.asset}`],
    [msg('Network'), networkName(each.network)],
    [msg('Address'), <span class="mono wrapped">{each.address}</span>],
    [msg('Memo'), each.memo ?? t('None')],
    [
      msg('Transaction'),
      each.transaction === null ? (
        t('None yet')
      ) : (
        <TransactionLink id={each.transaction} network={each.network}>
          <span class="mono wrapped">{each.transaction}</span>
        </TransactionLink>
      ),
    ],
    [msg('Time'), dateTime(each.createdAt)],
  ];
  return facts;
}

/** Finds a payment by its number, which only the search of all records takes. */
async function findPlace(kind: 'deposit' | 'withdrawal', id: string) {
  const { results } = await api.searchAll({ search: id });
  const found = results.find((each) => each.kind === kind && each.id === id);
  if (found === undefined) return undefined;
  const period = { since: found.timestamp, until: found.timestamp };
  return { ...period, ...(found.account === null ? {} : { account: found.account }) };
}

/** Returns null for none: undefined would be a record that is loading. */
async function findWithdrawal(id: string): Promise<Withdrawal<string> | null> {
  const place = await findPlace('withdrawal', id);
  if (place === undefined) return null;
  return (await api.listAllWithdrawals(place)).withdrawals.find((each) => each.id === id) ?? null;
}

async function findDeposit(id: string): Promise<Deposit<string> | null> {
  const place = await findPlace('deposit', id);
  if (place === undefined) return null;
  return (await api.listAllDeposits(place)).deposits.find((each) => each.id === id) ?? null;
}

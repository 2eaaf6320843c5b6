import { itemAt, tabItemAt } from '../components/section.ts';
import { Tabs } from '../components/tabs.tsx';
import { msg, t } from '../i18n/index.ts';
import { NetworksAndCustodian } from './custodian.tsx';
import { DepositReviews } from './deposit-reviews.tsx';
import { DepositHistory, WithdrawalHistory } from './payment-history.tsx';
import { DepositRecord, WithdrawalRecord } from './payment-record.tsx';
import { countPayments, queues } from './queues.ts';
import { WithdrawalApprovals } from './withdrawal-approvals.tsx';

const TABS = [
  { id: 'waiting', label: msg('Waiting') },
  { id: 'deposits', label: msg('Deposits') },
  { id: 'withdrawals', label: msg('Withdrawals') },
  { id: 'networks', label: msg('Networks & custodian'), short: msg('Networks') },
] as const;
type TabId = (typeof TABS)[number]['id'];

/** Deposits and withdrawals: those that wait for operators, the histories, the networks and the custodian. */
export function CustodySection() {
  const tab = TABS.find(({ id }) => id === itemAt())?.id ?? 'waiting';
  const waiting = queues.value === undefined ? 0 : countPayments(queues.value);
  return (
    <Tabs
      label={t('Deposits & withdrawals')}
      tabs={TABS.map((each) =>
        each.id === 'waiting' && waiting > 0 ? { ...each, count: waiting } : each,
      )}
      selected={tab}
      onSelect={(id) => {
        location.hash = `#custody/${id}`;
      }}
      class="account-tabs"
    >
      <div class="stack wide">
        <TabContent tab={tab} record={tabItemAt()} />
      </div>
    </Tabs>
  );
}

function TabContent({ tab, record }: { tab: TabId; record: string | undefined }) {
  switch (tab) {
    case 'deposits':
      return (
        <>
          {record === undefined ? null : <DepositRecord key={record} id={record} />}
          <DepositHistory />
        </>
      );
    case 'withdrawals':
      return (
        <>
          {record === undefined ? null : <WithdrawalRecord key={record} id={record} />}
          <WithdrawalHistory />
        </>
      );
    case 'networks':
      return <NetworksAndCustodian />;
    case 'waiting':
      return (
        <>
          <WithdrawalApprovals />
          <DepositReviews />
        </>
      );
  }
}

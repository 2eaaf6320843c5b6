import type { InternalTransfer } from '../../src/client/index.ts';
import { Loaded } from '../components/loaded.tsx';
import { Panel } from '../components/panel.tsx';
import type { Resource } from '../components/resource.ts';
import { type Column, Table } from '../components/table.tsx';
import { dateTime, grouped } from '../format.ts';
import { isSubAccount } from '../selected-account.ts';
import { AccountName } from './account-name.tsx';

type Row = InternalTransfer<string>;

const COLUMNS: readonly Column<Row>[] = [
  { key: 'time', title: 'Time', cell: ({ timestamp }) => dateTime(timestamp) },
  { key: 'from', title: 'From', cell: ({ from }) => <AccountName accountId={from} /> },
  { key: 'to', title: 'To', cell: ({ to }) => <AccountName accountId={to} /> },
  { key: 'asset', title: 'Asset', cell: ({ asset }) => <b>{asset}</b> },
  { key: 'amount', title: 'Amount', numeric: true, cell: ({ amount }) => grouped(amount) },
];

/** The transfers of the last 25 hours. */
export function Transfers({ transfers }: { transfers: Resource<readonly Row[]> }) {
  const lead = (
    <>
      {isSubAccount.value ? 'From and to this account' : 'From and to all your accounts'}, last 25
      hours. For earlier ones, create a <a href="/portfolio">ledger report</a>.
    </>
  );
  return (
    <Panel title="Transfers" lead={lead} flush>
      <Loaded resource={transfers}>
        {(rows) => (
          <Table
            caption="Transfers"
            columns={COLUMNS}
            rows={rows}
            rowKey={({ id }) => id}
            empty="No transfers in the last 25 hours"
          />
        )}
      </Loaded>
    </Panel>
  );
}

import type { AssetTotals, LogArchive } from '../../src/client/index.ts';
import { api } from '../api.ts';
import { CopyButton } from '../components/copy-button.tsx';
import { Loaded } from '../components/loaded.tsx';
import { Notice } from '../components/notice.tsx';
import { Facts, Panel } from '../components/panel.tsx';
import { useResource } from '../components/resource.ts';
import { type Column, Table } from '../components/table.tsx';
import { grouped } from '../format.ts';
import { ProofsPanel } from './proofs.tsx';
import { isBalanced, netTotal } from './totals.ts';

/** Refresh interval. Each response costs the exchange a hash and a sum over its whole state. */
const REFRESH_MS = 5000;
/** Lag above which the exchange rejects new orders. */
const LAG_LIMIT_MS = 2000;

const COLUMNS: readonly Column<AssetTotals<string>>[] = [
  { key: 'asset', title: 'Asset', cell: ({ asset }) => <b>{asset}</b> },
  { key: 'available', title: 'Available', numeric: true, cell: (row) => grouped(row.available) },
  { key: 'held', title: 'Held', numeric: true, cell: (row) => grouped(row.held) },
  { key: 'fees', title: 'Fees', numeric: true, cell: (row) => grouped(row.fees) },
  { key: 'external', title: 'External', numeric: true, cell: (row) => grouped(row.external) },
  { key: 'sum', title: 'Sum', numeric: true, cell: (row) => <b>{grouped(netTotal(row))}</b> },
  {
    key: 'status',
    title: 'Status',
    cell: (row) =>
      isBalanced(row) ? (
        <span class="badge on">✓ Balanced</span>
      ) : (
        <span class="badge off">✗ Not balanced</span>
      ),
  },
];

/** Live check of the books, log position and lag. */
export function OverviewSection() {
  const state = useResource(() => api.getState(), REFRESH_MS);
  return (
    <>
      <Panel title="Books" lead="For each asset, available + held + fees + external must be zero.">
        <Loaded resource={state}>{({ assets }) => <Books assets={assets} />}</Loaded>
      </Panel>
      <Panel title="System" lead={`Live; refreshes every ${REFRESH_MS / 1000} s`}>
        <Loaded resource={state}>
          {({ logPosition, archivistLagMs, openOrders, stateHash, archive }) => (
            <Facts
              facts={[
                ['Log position', grouped(`${logPosition}`)],
                ['Open orders', grouped(`${openOrders}`)],
                ['History lag', <Lag key="lag" lagMs={archivistLagMs} />],
                ['Log archive', <Archive key="archive" archive={archive} />],
                [
                  'State hash',
                  <span key="hash" class="with-button">
                    <code>{stateHash}</code>
                    <CopyButton text={stateHash} what="state hash" />
                  </span>,
                ],
              ]}
            />
          )}
        </Loaded>
      </Panel>
      <ProofsPanel />
    </>
  );
}

function Books({ assets }: { assets: readonly AssetTotals<string>[] }) {
  const unbalanced = assets.filter((asset) => !isBalanced(asset)).map(({ asset }) => asset);
  return (
    <div class="stack">
      {unbalanced.length === 0 ? (
        <Notice kind="success">
          <b>The books balance.</b> Every unit of {assets.length} assets is accounted for.
        </Notice>
      ) : (
        <Notice kind="error">
          <b>The books do not balance</b> in {unbalanced.join(', ')}. Halt the markets, keep the
          log, and run <code>buttonwood verify</code>.
        </Notice>
      )}
      <Table
        caption="Totals of each asset"
        columns={COLUMNS}
        rows={assets}
        rowKey={({ asset }) => asset}
        empty="No assets yet"
      />
    </div>
  );
}

/** The archive to which old parts of the log move, or that there is none. */
function Archive({ archive }: { archive: LogArchive | null }) {
  if (archive === null) return <span class="muted">Off: the log stays on the local disk</span>;
  const { url, position, storedBytes, waitingBytes, error } = archive;
  const reached = position === 0 ? 'nothing yet' : `batches 1 to ${grouped(`${position}`)}`;
  return (
    <>
      <code>{url}</code>: {reached}, {megabytes(storedBytes)}
      <span class={`badge after ${error === null ? 'on' : 'off'}`}>
        {error === null ? 'Healthy' : `Unavailable, ${megabytes(waitingBytes)} waiting`}
      </span>
      {error === null ? null : <Notice kind="error">{error}</Notice>}
    </>
  );
}

function megabytes(bytes: number): string {
  return `${grouped((bytes / 1e6).toFixed(1))} MB`;
}

function Lag({ lagMs }: { lagMs: number }) {
  const isLate = lagMs > LAG_LIMIT_MS;
  return (
    <>
      {grouped(`${lagMs}`)} ms
      <span class={`badge after ${isLate ? 'off' : 'on'}`}>
        {isLate ? 'New orders are rejected' : 'Healthy'}
      </span>
    </>
  );
}

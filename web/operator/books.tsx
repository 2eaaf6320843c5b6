import type { ComponentChildren, ComponentProps } from 'preact';
import type { AssetTotals, LogArchive } from '../../src/client/index.ts';
import { api } from '../api.ts';
import { CopyButton } from '../components/copy-button.tsx';
import { Loaded } from '../components/loaded.tsx';
import { Notice } from '../components/notice.tsx';
import { Facts, Panel } from '../components/panel.tsx';
import { useResource } from '../components/resource.ts';
import { type Column, Table } from '../components/table.tsx';
import { grouped, timeOfDay } from '../format.ts';
import { msg, T, t } from '../i18n/index.ts';
import { ExactAmount } from './amount.tsx';
import { withMinus } from './amount-text.ts';
import { Coverage } from './coverage.tsx';
import { ProofsPanel } from './proofs.tsx';
import { isBalanced, netTotal } from './totals.ts';

/** Refresh interval. Each response costs the exchange a hash and a sum over its whole state. */
const REFRESH_MS = 5000;
/** Lag above which the exchange rejects new orders. */
const LAG_LIMIT_MS = 2000;

type Row = AssetTotals<string> &
  Pick<ComponentProps<typeof ExactAmount>, 'decimals' | 'maxDecimals'>;

const COLUMNS: readonly Column<Row>[] = [
  { key: 'asset', title: msg('Asset'), cell: ({ asset }) => <b>{asset}</b> },
  amount('available', msg('Available')),
  amount('held', msg('Held')),
  amount('fees', msg('Fees')),
  amount('external', msg('External')),
  {
    key: 'sum',
    title: msg('Sum'),
    numeric: true,
    cell: (row) => <b>{withMinus(grouped(netTotal(row)))}</b>,
  },
  {
    key: 'status',
    title: msg('Status'),
    cell: (row) =>
      isBalanced(row) ? (
        <span class="badge on">{t('✓ Balanced')}</span>
      ) : (
        <span class="badge off">{t('✗ Not balanced')}</span>
      ),
  },
];

function amount(key: 'available' | 'held' | 'fees' | 'external', title: string): Column<Row> {
  return {
    ...{ key, title, numeric: true },
    cell: ({ [key]: text, decimals, maxDecimals }) => (
      <ExactAmount text={text} decimals={decimals} maxDecimals={maxDecimals} />
    ),
  };
}

async function readState() {
  const [state, { assets }] = await Promise.all([api.getState(), api.getAssets()]);
  const decimals = new Map(assets.map(({ asset, decimals }) => [asset, decimals]));
  const maxDecimals = Math.max(0, ...decimals.values());
  const rows = state.assets.map((totals) => ({
    ...totals,
    ...{ decimals: decimals.get(totals.asset) ?? 0, maxDecimals },
  }));
  return { ...state, rows };
}

/** Live checks of the books and of the custodian's holdings, log position and lag. */
export function BooksSection() {
  const state = useResource(readState, REFRESH_MS);
  return (
    <>
      <Panel
        class="books"
        title={t('Books')}
        lead={t(
          'Checks that the ledger adds up: for each asset, available + held + fees + external must be zero.',
        )}
      >
        <Loaded resource={state}>
          {({ rows, timestamp }) => <Books assets={rows} checkedAt={timestamp} />}
        </Loaded>
      </Panel>
      <Panel
        class="books"
        title={t('Coins at the custodian')}
        lead={t(
          'Checks that the coins exist: with withdrawals on their way, the custodian must hold at least what is owed to customers, the available and held balances of all accounts.',
        )}
      >
        <Loaded resource={state}>{({ rows }) => <Coverage assets={rows} />}</Loaded>
      </Panel>
      <Panel
        title={t('System')}
        lead={t('Live; refreshes every {seconds} s.', { seconds: REFRESH_MS / 1000 })}
      >
        <Loaded resource={state}>
          {({ logPosition, archivistLagMs, openOrders, stateHash, archive }) => (
            <Facts
              facts={[
                [msg('Log position'), grouped(`${logPosition}`)],
                [msg('Open orders'), grouped(`${openOrders}`)],
                [msg('History lag'), <Lag key="lag" lagMs={archivistLagMs} />],
                [msg('Log archive'), <Archive key="archive" archive={archive} />],
                [
                  msg('State hash'),
                  <span key="hash" class="with-button">
                    <code>{stateHash}</code>
                    <CopyButton text={stateHash} what={t('state hash')} />
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

interface BooksProps {
  readonly assets: readonly Row[];
  /** When the exchange added them up. */
  readonly checkedAt: string;
}

function Books({ assets, checkedAt }: BooksProps) {
  const unbalanced = assets.filter((asset) => !isBalanced(asset)).map(({ asset }) => asset);
  return (
    <div class="stack">
      {unbalanced.length === 0 ? (
        <Notice kind="success">
          <T
            text="<b>The books balance.</b> Every unit of {count} assets is accounted for. Checked at {time}."
            count={`${assets.length}`}
            time={timeOfDay(checkedAt)}
            b={bold}
          />
        </Notice>
      ) : (
        <Notice kind="error">
          <T
            text="<b>The books do not balance</b> in {assets}. Halt the markets, keep the log, and run <code>buttonwood verify</code>."
            assets={unbalanced.join(', ')}
            b={bold}
            code={(content) => <code>{content}</code>}
          />
        </Notice>
      )}
      <Table
        caption={t('Totals of each asset')}
        columns={COLUMNS}
        rows={assets}
        rowKey={({ asset }) => asset}
        empty={t('No assets yet.')}
      />
    </div>
  );
}

/** The archive to which old parts of the log move, or that there is none. */
function Archive({ archive }: { archive: LogArchive | null }) {
  if (archive === null) {
    return (
      <>
        {t('The log stays on the local disk')}
        <span class="badge after wait">{t('Off')}</span>
      </>
    );
  }
  const { url, position, storedBytes, waitingBytes, error } = archive;
  const reached =
    position === 0
      ? t('nothing yet')
      : t('batches 1 to {position}', { position: grouped(`${position}`) });
  return (
    <>
      <code>{url}</code>: {reached}, {megabytes(storedBytes)}
      <span class={`badge after ${error === null ? 'on' : 'off'}`}>
        {error === null
          ? t('Healthy')
          : t('Unavailable, {size} waiting', { size: megabytes(waitingBytes) })}
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
        {isLate ? t('New orders are rejected') : t('Healthy')}
      </span>
    </>
  );
}

function bold(content: ComponentChildren) {
  return <b>{content}</b>;
}

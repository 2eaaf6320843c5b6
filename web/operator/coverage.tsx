import Big from 'big.js';
import type { ComponentChildren, ComponentProps } from 'preact';
import type { AssetTotals } from '../../src/client/index.ts';
import { Notice } from '../components/notice.tsx';
import { type Column, Table } from '../components/table.tsx';
import { networkName } from '../custody/networks.ts';
import { recentTime } from '../format.ts';
import { msg, T, t } from '../i18n/index.ts';
import { ExactAmount } from './amount.tsx';
import { coveredPercent } from './totals.ts';

type Row = AssetTotals<string> &
  Pick<ComponentProps<typeof ExactAmount>, 'decimals' | 'maxDecimals'>;

const COLUMNS: readonly Column<Row>[] = [
  { key: 'asset', title: msg('Asset'), cell: ({ asset }) => <b>{asset}</b> },
  amount('liabilities', msg('Owed to customers')),
  amount('holdings', msg('At the custodian')),
  amount('inFlight', msg('Withdrawals on their way')),
  { key: 'reported', title: msg('Reported'), cell: (row) => <Reported {...row} /> },
  { key: 'status', title: msg('Coverage'), cell: (row) => <CoverageBadge {...row} /> },
];

function amount(key: 'liabilities' | 'holdings' | 'inFlight', title: string): Column<Row> {
  return {
    ...{ key, title, numeric: true },
    cell: ({ [key]: text, decimals, maxDecimals }) =>
      text === null ? '–' : <ExactAmount text={text} {...{ decimals, maxDecimals }} />,
  };
}

/** The debts of the exchange and the coins that the custodian has reported, by asset. */
export function Coverage({ assets }: { readonly assets: readonly Row[] }) {
  return (
    <div class="stack">
      <CoverageNotice assets={assets} />
      <Table
        caption={t('Coverage of each asset')}
        columns={COLUMNS}
        rows={assets}
        rowKey={({ asset }) => asset}
        empty={t('No assets yet.')}
      />
    </div>
  );
}

function CoverageNotice({ assets }: { readonly assets: readonly Row[] }) {
  const listAssets = (rows: readonly Row[]) => rows.map(({ asset }) => asset).join(', ');
  const missing = assets.filter(({ covered }) => covered === false);
  if (missing.length > 0) {
    return (
      <Notice kind="error">
        <T
          text="<b>Coins are missing</b> in {assets}: the custodian holds less than the exchange owes. Compare its reports with its wallets and with the latest adjustments."
          assets={listAssets(missing)}
          b={bold}
        />
      </Notice>
    );
  }
  const owed = assets.filter(({ liabilities }) => !new Big(liabilities).eq(0));
  const unreported = owed.filter(({ covered }) => covered === null);
  if (assets.every(({ covered }) => covered === null)) {
    return (
      <Notice kind="info">
        {t('The custodian has not reported its holdings, so nothing can be compared.')}
      </Notice>
    );
  }
  if (unreported.length > 0) {
    return (
      <Notice kind="warning">
        <T
          text="<b>{covered} of {count, plural, one {# asset is} other {# assets are}} covered.</b> The custodian has not reported {assets}."
          covered={`${owed.length - unreported.length}`}
          count={owed.length}
          assets={listAssets(unreported)}
          b={bold}
        />
      </Notice>
    );
  }
  return (
    <Notice kind="success">
      <T
        text="<b>The custodian holds what is owed</b> of {count, plural, one {# asset} other {all # assets}}."
        count={owed.length}
        b={bold}
      />
    </Notice>
  );
}

/** The time of the oldest report, and the networks that are missing in it. */
function Reported({ holdingsReportedAt, unreportedNetworks }: Row) {
  if (holdingsReportedAt === null) return <>–</>;
  return (
    <span>
      <time dateTime={holdingsReportedAt}>{recentTime(holdingsReportedAt)}</time>
      {unreportedNetworks.length === 0 ? null : (
        <span class="muted">
          {' '}
          {t('without {networks}', { networks: unreportedNetworks.map(networkName).join(', ') })}
        </span>
      )}
    </span>
  );
}

function CoverageBadge(row: Row) {
  if (row.covered === null) return <span class="badge">{t('Not reported')}</span>;
  return (
    <span class={`badge ${row.covered ? 'on' : 'off'}`}>
      {row.covered ? '✓' : '✗'} {coveredPercent(row)}
    </span>
  );
}

function bold(content: ComponentChildren) {
  return <b>{content}</b>;
}

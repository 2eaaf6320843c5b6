import type { Asset, OperatorMarket } from '../../src/client/index.ts';
import { AssetIcon } from '../components/asset-icon.tsx';
import { type Column, Table } from '../components/table.tsx';
import { msg, t } from '../i18n/index.ts';
import { recordCard } from './record-card.tsx';

type Row = Asset & { readonly markets: readonly string[] };

const COLUMNS: readonly Column<Row>[] = [
  {
    key: 'asset',
    title: msg('Asset'),
    cell: ({ asset }) => (
      <span class="with-icon">
        <AssetIcon asset={asset} /> <b>{asset}</b>
      </span>
    ),
  },
  { key: 'name', title: msg('Name'), cell: ({ name }) => name },
  {
    key: 'markets',
    title: msg('Markets'),
    cell: ({ markets }) => (markets.length === 0 ? '–' : markets.join(', ')),
  },
  {
    key: 'decimals',
    title: msg('Ledger decimals'),
    numeric: true,
    cell: ({ decimals }) => decimals,
  },
];

interface AssetListProps {
  readonly assets: readonly Asset[];
  readonly markets: readonly OperatorMarket<string>[];
}

/** All assets, with the markets that trade them. */
export function AssetList({ assets, markets }: AssetListProps) {
  const rows = assets.map((each) => ({
    ...each,
    markets: markets
      .filter(({ base, quote }) => base === each.asset || quote === each.asset)
      .map(({ symbol }) => symbol),
  }));
  return (
    <Table
      caption={t('Assets')}
      columns={COLUMNS}
      rows={rows}
      rowKey={({ asset }) => asset}
      card={recordCard('asset', 'name')}
      empty={t('No assets yet.')}
    />
  );
}

import { useSignal } from '@preact/signals';
import type { Market } from '../../src/client/index.ts';
import { api } from '../api.ts';
import { Dialog } from '../components/dialog.tsx';
import { Loaded } from '../components/loaded.tsx';
import { Panel } from '../components/panel.tsx';
import { useResource } from '../components/resource.ts';
import { type Column, Table } from '../components/table.tsx';
import { compact, grouped, rate, sentenceCase } from '../format.ts';
import { MarketRules } from './market-rules.tsx';
import { MarketStatus, STATUS_BADGES } from './market-status.tsx';
import { NewAsset } from './new-asset.tsx';
import { NewMarket } from './new-market.tsx';

type OpenDialog =
  | { readonly kind: 'status' | 'rules'; readonly market: Market<string> }
  | { readonly kind: 'market' | 'asset' };

const TITLES = { market: 'List market', asset: 'Add asset' };

export function MarketsSection() {
  const markets = useResource(() => api.listAdminMarkets());
  const opened = useSignal<OpenDialog | undefined>(undefined);
  const close = () => {
    opened.value = undefined;
  };
  const done = async () => {
    close();
    await markets.load();
  };
  const openButton = (kind: OpenDialog['kind']) => (
    <button
      type="button"
      class="button"
      onClick={() => {
        opened.value = { kind } as OpenDialog;
      }}
    >
      {kind === 'market' ? 'List market' : 'Add asset'}
    </button>
  );
  const now = opened.value;
  return (
    <Panel
      title="Markets"
      lead="Changes apply from the next order and are recorded in the audit trail."
      aside={
        <div class="buttons">
          {openButton('asset')}
          {openButton('market')}
        </div>
      }
      flush
    >
      <Loaded resource={markets}>
        {(data) => (
          <Table
            caption="Markets"
            columns={buildColumns((kind, market) => {
              opened.value = { kind, market };
            })}
            rows={data.markets}
            rowKey={({ symbol }) => symbol}
            empty="No markets yet. Add two assets, then list a market."
          />
        )}
      </Loaded>
      <Dialog
        title={now === undefined ? '' : dialogTitle(now)}
        open={now !== undefined}
        onClose={close}
      >
        {now?.kind === 'status' ? <MarketStatus market={now.market} onDone={done} /> : null}
        {now?.kind === 'rules' ? <MarketRules market={now.market} onDone={done} /> : null}
        {now?.kind === 'market' ? <NewMarket onDone={done} /> : null}
        {now?.kind === 'asset' ? <NewAsset onDone={done} /> : null}
      </Dialog>
    </Panel>
  );
}

function dialogTitle(opened: OpenDialog): string {
  if ('market' in opened) {
    const { symbol } = opened.market;
    return opened.kind === 'status' ? `${symbol} status` : `${symbol} rules`;
  }
  return TITLES[opened.kind];
}

function buildColumns(
  onOpen: (kind: 'status' | 'rules', market: Market<string>) => void,
): readonly Column<Market<string>>[] {
  return [
    { key: 'symbol', title: 'Market', cell: ({ symbol }) => <b>{symbol}</b> },
    {
      key: 'status',
      title: 'Status',
      cell: ({ status }) => (
        <span class={`badge ${STATUS_BADGES[status]}`}>{sentenceCase(status)}</span>
      ),
    },
    { key: 'last', title: 'Last price', numeric: true, cell: ({ last }) => grouped(last) },
    {
      key: 'volume',
      title: '24h volume',
      numeric: true,
      cell: ({ quoteVolume, quote }) => `${compact(quoteVolume)} ${quote}`,
    },
    {
      key: 'fees',
      title: 'Maker / taker',
      numeric: true,
      cell: ({ makerFee, takerFee }) => `${rate(makerFee)} / ${rate(takerFee)}`,
    },
    { key: 'tick', title: 'Tick size', numeric: true, cell: ({ tickSize }) => tickSize },
    { key: 'step', title: 'Lot size', numeric: true, cell: ({ stepSize }) => stepSize },
    {
      key: 'change',
      title: 'Change',
      hiddenTitle: true,
      numeric: true,
      cell: (market) => (
        <span class="row-buttons">
          <button type="button" class="button small" onClick={() => onOpen('rules', market)}>
            Rules<span class="visually-hidden"> of {market.symbol}</span>
          </button>
          <button type="button" class="button small" onClick={() => onOpen('status', market)}>
            Status<span class="visually-hidden"> of {market.symbol}</span>
          </button>
        </span>
      ),
    },
  ];
}

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

type Asked =
  | { readonly kind: 'status' | 'rules'; readonly market: Market<string> }
  | { readonly kind: 'market' | 'asset' };

const TITLES = { market: 'List a market', asset: 'Make an asset known' };

export function MarketsSection() {
  const markets = useResource(() => api.listAdminMarkets());
  const asked = useSignal<Asked | undefined>(undefined);
  const close = () => {
    asked.value = undefined;
  };
  const done = async () => {
    close();
    await markets.load();
  };
  const ask = (kind: Asked['kind']) => (
    <button
      type="button"
      class="button"
      onClick={() => {
        asked.value = { kind } as Asked;
      }}
    >
      {kind === 'market' ? 'List a market' : 'Add an asset'}
    </button>
  );
  const now = asked.value;
  return (
    <Panel
      title="Markets"
      lead="A change holds from the next order on, and stands in the audit trail."
      aside={
        <div class="buttons">
          {ask('asset')}
          {ask('market')}
        </div>
      }
      flush
    >
      <Loaded resource={markets}>
        {(data) => (
          <Table
            caption="Markets"
            columns={buildColumns((kind, market) => {
              asked.value = { kind, market };
            })}
            rows={data.markets}
            rowKey={({ symbol }) => symbol}
            empty="No market yet. List one of two known assets."
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

function dialogTitle(asked: Asked): string {
  if ('market' in asked) {
    const { symbol } = asked.market;
    return asked.kind === 'status' ? `Status of ${symbol}` : `Rules of ${symbol}`;
  }
  return TITLES[asked.kind];
}

function buildColumns(
  onAsk: (kind: 'status' | 'rules', market: Market<string>) => void,
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
    { key: 'last', title: 'Last', numeric: true, cell: ({ last }) => grouped(last) },
    {
      key: 'volume',
      title: '24 h volume',
      numeric: true,
      cell: ({ quoteVolume, quote }) => `${compact(quoteVolume)} ${quote}`,
    },
    {
      key: 'fees',
      title: 'Maker / taker',
      numeric: true,
      cell: ({ makerFee, takerFee }) => `${rate(makerFee)} / ${rate(takerFee)}`,
    },
    { key: 'tick', title: 'Tick', numeric: true, cell: ({ tickSize }) => tickSize },
    { key: 'step', title: 'Step', numeric: true, cell: ({ stepSize }) => stepSize },
    {
      key: 'change',
      title: 'Change',
      hiddenTitle: true,
      numeric: true,
      cell: (market) => (
        <span class="row-buttons">
          <button type="button" class="button small" onClick={() => onAsk('rules', market)}>
            Rules<span class="visually-hidden"> of {market.symbol}</span>
          </button>
          <button type="button" class="button small" onClick={() => onAsk('status', market)}>
            Status<span class="visually-hidden"> of {market.symbol}</span>
          </button>
        </span>
      ),
    },
  ];
}

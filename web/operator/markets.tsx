import { useSignal } from '@preact/signals';
import type { OperatorMarket } from '../../src/client/index.ts';
import { api } from '../api.ts';
import { Dialog } from '../components/dialog.tsx';
import { Loaded } from '../components/loaded.tsx';
import { Panel } from '../components/panel.tsx';
import { useResource } from '../components/resource.ts';
import { grouped, rate } from '../format.ts';
import { msg, t } from '../i18n/index.ts';
import { AssetList } from './asset-list.tsx';
import { Change, InQuote, MarketLink } from './market-quality.tsx';
import { MarketRules } from './market-rules.tsx';
import { MarketStatus, StatusButton } from './market-status.tsx';
import { NewAsset } from './new-asset.tsx';
import { NewMarket } from './new-market.tsx';
import { recordCard } from './record-card.tsx';
import { type SortedColumn, SortedTable } from './sorted-table.tsx';

type OpenDialog =
  | { readonly kind: 'status' | 'rules'; readonly market: OperatorMarket<string> }
  | { readonly kind: 'market' | 'asset' };

const TITLES = { market: msg('List market'), asset: msg('Add asset') };

export function MarketsSection() {
  const markets = useResource(() => api.listAdminMarkets());
  const assets = useResource(() => api.listKnownAssets());
  const opened = useSignal<OpenDialog | undefined>(undefined);
  const close = () => {
    opened.value = undefined;
  };
  const done = async () => {
    close();
    await Promise.all([markets.load(), assets.load()]);
  };
  const openButton = (kind: OpenDialog['kind']) => (
    <button
      type="button"
      class={kind === 'market' ? 'button primary' : 'button'}
      onClick={() => {
        opened.value = { kind } as OpenDialog;
      }}
    >
      {kind === 'market' ? t('List market') : t('Add asset')}
    </button>
  );
  const now = opened.value;
  return (
    <>
      <Panel
        class="listed-markets"
        title={t('Markets')}
        lead={t('Changes apply from the next order and are recorded in the audit trail.')}
        aside={openButton('market')}
        flush
      >
        <Loaded resource={markets}>
          {(data) => (
            <SortedTable
              caption={t('Markets')}
              class="pinned"
              columns={buildColumns((kind, market) => {
                opened.value = { kind, market };
              })}
              rows={data.markets}
              rowKey={({ symbol }) => symbol}
              card={recordCard('symbol', 'status')}
              empty={t('No markets yet. Add two assets, then list a market.')}
            />
          )}
        </Loaded>
      </Panel>
      <Panel
        class="listed-assets"
        title={t('Assets')}
        lead={t('Assets that markets trade and accounts hold. An asset cannot be removed.')}
        aside={openButton('asset')}
        flush
      >
        <Loaded resource={assets}>
          {(data) => <AssetList assets={data.assets} markets={markets.data.value?.markets ?? []} />}
        </Loaded>
      </Panel>
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
    </>
  );
}

function dialogTitle(opened: OpenDialog): string {
  if ('market' in opened) {
    const { symbol } = opened.market;
    return opened.kind === 'status'
      ? t('{symbol} status', { symbol })
      : t('{symbol} rules', { symbol });
  }
  return t(TITLES[opened.kind]);
}

function buildColumns(
  onOpen: (kind: 'status' | 'rules', market: OperatorMarket<string>) => void,
): readonly SortedColumn<OperatorMarket<string>>[] {
  return [
    {
      key: 'symbol',
      title: msg('Market'),
      cell: ({ symbol }) => <MarketLink symbol={symbol} />,
      sortBy: ({ symbol }) => symbol,
    },
    {
      key: 'status',
      title: msg('Status'),
      cell: (market) => <StatusButton market={market} onOpen={() => onOpen('status', market)} />,
      sortBy: ({ status }) => status,
    },
    {
      key: 'last',
      title: msg('Last price'),
      numeric: true,
      cell: ({ last }) => grouped(last),
      sortBy: ({ last }) => Number(last),
    },
    {
      key: 'percentage',
      title: msg('24h change'),
      numeric: true,
      cell: ({ percentage }) => <Change percentage={percentage} />,
      sortBy: ({ percentage }) => Number(percentage),
    },
    {
      key: 'volume',
      title: msg('24h volume'),
      numeric: true,
      cell: ({ quoteVolume, quote }) => <InQuote value={quoteVolume} quote={quote} />,
      sortBy: ({ quoteVolume }) => Number(quoteVolume),
    },
    {
      key: 'fees',
      title: msg('Maker\u00a0/ taker'),
      numeric: true,
      cell: ({ makerFee, takerFee }) => <Pair first={rate(makerFee)} second={rate(takerFee)} />,
      sortBy: ({ makerFee }) => Number(makerFee),
    },
    {
      key: 'sizes',
      title: msg('Tick\u00a0/ lot\u00a0size'),
      numeric: true,
      cell: ({ tickSize, stepSize, base, quote }) => (
        <Pair first={tickSize} second={stepSize} units={[quote, base]} />
      ),
      sortBy: ({ tickSize }) => Number(tickSize),
    },
    {
      key: 'change',
      title: msg('Change'),
      hiddenTitle: true,
      numeric: true,
      cell: (market) => (
        <button type="button" class="button small" onClick={() => onOpen('rules', market)}>
          {t('Edit rules')}
          <span class="visually-hidden"> {t('of {symbol}', { symbol: market.symbol })}</span>
        </button>
      ),
    },
  ];
}

interface PairProps {
  readonly first: string;
  readonly second: string;
  /** The units of both, if they have any. */
  readonly units?: readonly [first: string, second: string];
}

/** Two values with a slash; below each other, without it, where it is narrow. */
function Pair({ first, second, units }: PairProps) {
  return (
    <span class="pair" title={units && `${first} ${units[0]} / ${second} ${units[1]}`}>
      <span>
        {first}
        {units ? <span class="pair-unit"> {units[0]}</span> : null}
      </span>
      <span class="pair-slash"> / </span>
      <span>
        {second}
        {units ? <span class="pair-unit"> {units[1]}</span> : null}
      </span>
    </span>
  );
}

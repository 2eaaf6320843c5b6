import { api } from '../api.ts';
import { AssetIcon } from '../components/asset-icon.tsx';
import { Loaded } from '../components/loaded.tsx';
import { Panel } from '../components/panel.tsx';
import { useResource } from '../components/resource.ts';
import { msg, t } from '../i18n/index.ts';
import type { Health } from './health.ts';

const REFRESH_MS = 15_000;

type Status = Awaited<ReturnType<typeof api.getMarkets>>['markets'][number]['status'];

const STATUSES: Readonly<Record<Status, readonly [text: string, health: Health]>> = {
  online: [msg('Open||market'), 'good'],
  auction: [msg('Auction'), 'warn'],
  post_only: [msg('Post-only'), 'warn'],
  limit_only: [msg('Limit-only'), 'warn'],
  cancel_only: [msg('Cancel-only'), 'warn'],
  halted: [msg('Halted'), 'bad'],
  delisted: [msg('Delisted'), 'bad'],
};

/** The status of every market that trades. */
export function MarketStatuses() {
  const listed = useResource(() => api.getMarkets(), REFRESH_MS);
  return (
    <Panel title={t('Markets')}>
      <Loaded resource={listed}>
        {({ markets }) => (
          <ul class="status-markets">
            {markets
              .filter(({ status }) => status !== 'delisted')
              .map(({ symbol, base, status }) => {
                const [text, health] = STATUSES[status];
                return (
                  <li key={symbol} class={health}>
                    <a href={`/trade/${symbol.replace('/', '-')}`}>
                      <AssetIcon asset={base} />
                      <b>{symbol}</b>
                    </a>
                    <span>
                      <span class="status-dot" aria-hidden="true" />
                      {t(text)}
                    </span>
                  </li>
                );
              })}
          </ul>
        )}
      </Loaded>
    </Panel>
  );
}

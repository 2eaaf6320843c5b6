import { api } from '../api.ts';
import { Loaded } from '../components/loaded.tsx';
import { Notice } from '../components/notice.tsx';
import { Facts, Panel } from '../components/panel.tsx';
import { type Resource, useResource } from '../components/resource.ts';
import { duration } from '../custody/networks.ts';
import { msg, T, t } from '../i18n/index.ts';
import { NetworksPanel } from './networks.tsx';

const REFRESH_MS = 5000;

/** The networks, and the custodian without which nothing moves on them. */
export function NetworksAndCustodian() {
  const custodian = useResource(() => api.getCustodian(), REFRESH_MS);
  return (
    <>
      {custodian.data.value?.host === null ? <NotConnected /> : null}
      <NetworksPanel />
      <CustodianPanel custodian={custodian} />
    </>
  );
}

interface CustodianPanelProps {
  readonly custodian: Resource<Awaited<ReturnType<typeof api.getCustodian>>>;
}

/** The custodian's address and keys, and the instructions that wait for it. */
function CustodianPanel({ custodian }: CustodianPanelProps) {
  return (
    <Panel
      class="short-facts"
      title={t('Custodian')}
      lead={t('It keeps the coins, reports deposits and sends withdrawals.')}
    >
      <Loaded resource={custodian}>
        {({ host, exchangeKey, nextExchangeKey, custodianKey, waiting, oldestMs, error }) => (
          <>
            <Facts
              facts={[
                [
                  msg('Status'),
                  <span class={`badge ${host === null ? 'wait' : error === null ? 'on' : 'wait'}`}>
                    {host === null
                      ? t('Not connected')
                      : error === null
                        ? t('Connected')
                        : t('Last request failed')}
                  </span>,
                ],
                [msg('Instructions waiting'), describeWaiting(waiting, oldestMs)],
                ...(host === null
                  ? []
                  : [
                      [msg('Host'), host] as const,
                      [msg('Last error'), error ?? t('None')] as const,
                    ]),
              ]}
            />
            <details class="custodian-keys">
              <summary>{t('Keys')}</summary>
              <Facts
                facts={[
                  [
                    msg('Key of the custodian'),
                    custodianKey === null ? (
                      <span class="badge wait">{t('Not set')}</span>
                    ) : (
                      <span class="mono">{custodianKey}</span>
                    ),
                  ],
                  [msg('Key of this exchange'), <span class="mono">{exchangeKey}</span>],
                  [msg('Next key of this exchange'), <span class="mono">{nextExchangeKey}</span>],
                ]}
              />
            </details>
          </>
        )}
      </Loaded>
    </Panel>
  );
}

/** Nothing is deposited or withdrawn without a custodian. */
function NotConnected() {
  return (
    <Notice kind="warning">
      <T
        text="No custodian is connected: no deposit is reported, and approved withdrawals wait. Start the exchange with <code>--custodian</code> to connect one."
        code={(content) => <code>{content}</code>}
      />
    </Notice>
  );
}

const SECOND_MS = 1000;

function describeWaiting(waiting: number, oldestMs: number): string {
  if (waiting === 0) return t('None');
  const age = duration(Math.ceil(oldestMs / SECOND_MS) * SECOND_MS);
  return t('{waiting}, the oldest for {age}', { waiting, age });
}

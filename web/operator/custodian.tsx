import { api } from '../api.ts';
import { Loaded } from '../components/loaded.tsx';
import { Notice } from '../components/notice.tsx';
import { Facts, Panel } from '../components/panel.tsx';
import { useResource } from '../components/resource.ts';
import { duration } from '../custody/networks.ts';
import { msg, T, t } from '../i18n/index.ts';

const REFRESH_MS = 5000;

/** The custodian's address and keys, and the instructions that wait for it. */
export function CustodianPanel() {
  const custodian = useResource(() => api.getCustodian(), REFRESH_MS);
  return (
    <Panel
      class="short-facts"
      title={t('Custodian')}
      lead={t('It keeps the coins, reports deposits and sends withdrawals.')}
    >
      <Loaded resource={custodian}>
        {({ host, exchangeKey, nextExchangeKey, custodianKey, waiting, oldestMs, error }) => (
          <>
            {host === null ? <NotConnected /> : null}
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
                [msg('Host'), host ?? '–'],
                [msg('Instructions waiting'), describeWaiting(waiting, oldestMs)],
                [msg('Last error'), error ?? t('None')],
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

import { api } from '../api.ts';
import { Loaded } from '../components/loaded.tsx';
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
      title={t('Custodian')}
      lead={t('It keeps the coins, reports deposits and sends withdrawals.')}
    >
      <Loaded resource={custodian}>
        {({ host, exchangeKey, nextExchangeKey, custodianKey, waiting, oldestMs, error }) => (
          <Facts
            facts={[
              [msg('Host'), host ?? <NotConnected />],
              [msg('Instructions waiting'), describeWaiting(waiting, oldestMs)],
              [msg('Last error'), error ?? t('None')],
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
        )}
      </Loaded>
    </Panel>
  );
}

/** Nothing is deposited or withdrawn without a custodian. */
function NotConnected() {
  return (
    <>
      <span class="badge wait">{t('Not connected')}</span>{' '}
      <T
        text="Set <code>--custodian</code> to connect one."
        code={(content) => <code>{content}</code>}
      />
    </>
  );
}

const SECOND_MS = 1000;

function describeWaiting(waiting: number, oldestMs: number): string {
  if (waiting === 0) return t('None');
  const age = duration(Math.ceil(oldestMs / SECOND_MS) * SECOND_MS);
  return t('{waiting}, the oldest for {age}', { waiting, age });
}

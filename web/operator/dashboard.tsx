import { useSignal } from '@preact/signals';
import { api } from '../api.ts';
import { Dialog } from '../components/dialog.tsx';
import { Loaded } from '../components/loaded.tsx';
import { Panel } from '../components/panel.tsx';
import { useResource } from '../components/resource.ts';
import { shortTime } from '../format.ts';
import { t } from '../i18n/index.ts';
import { DashboardTiles } from './dashboard-tiles.tsx';
import { HaltForm } from './kill-switch.tsx';
import { MarketQuality } from './market-quality.tsx';
import { readDashboard } from './queues.ts';
import { Restriction } from './restriction.tsx';

export type Dashboard = Awaited<ReturnType<typeof api.getDashboard>>;

const REFRESH_MS = 2000;
/** The exchange counts no more alerts. */
const MAX_COUNT = 100;

/** The first page of operators: items that wait, figures of the exchange, and the quality of each market. */
export function DashboardSection() {
  const found = useResource(readDashboard, REFRESH_MS);
  const status = useResource(() => api.getStatus(), 2 * REFRESH_MS);
  const isHalting = useSignal(false);
  const reload = async () => {
    await Promise.all([status.load(), found.load()]);
  };
  const close = () => {
    isHalting.value = false;
  };
  return (
    <>
      <Loaded resource={found}>
        {(data) => (
          <>
            <Waiting queues={data.queues} />
            <DashboardTiles data={data} />
            <Panel
              title={t('Markets')}
              lead={t('Two-sided uptime since {time}.', { time: shortTime(data.startedAt) })}
              aside={
                status.data.value?.trading.status === 'trading' ? (
                  <button
                    type="button"
                    class="button danger"
                    onClick={() => {
                      isHalting.value = true;
                    }}
                  >
                    {t('Halt all markets…')}
                  </button>
                ) : null
              }
              flush
            >
              {status.data.value === undefined ||
              status.data.value.trading.status === 'trading' ? null : (
                <div class="panel-bar stack">
                  <Restriction
                    status={status.data.value}
                    onDone={reload}
                    resume={<a href="#protection">{t('Resume trading')}</a>}
                  />
                </div>
              )}
              <MarketQuality markets={data.markets} onChanged={() => found.load()} />
            </Panel>
          </>
        )}
      </Loaded>
      <Dialog title={t('Halt all markets')} open={isHalting.value} onClose={close}>
        <HaltForm
          onDone={async () => {
            close();
            await reload();
          }}
        />
      </Dialog>
    </>
  );
}

/** Links to everything that waits for an operator. */
function Waiting({ queues }: Pick<Dashboard, 'queues'>) {
  const items = [
    ['#approvals', t('Approvals'), queues.approvals],
    ['#custody', t('Deposits to review'), queues.depositsToReview],
    ['#custody', t('Withdrawals to approve'), queues.withdrawalsToApprove],
    ['#custody/networks', t('Sent to custodian'), queues.instructions],
    ['#surveillance', t('Open alerts'), queues.alerts],
  ] as const;
  return (
    <nav class="waiting" aria-label={t('Waiting for an operator')}>
      {items.map(([href, label, count]) => (
        <a key={label} href={href} class={count === 0 ? '' : 'has-items'}>
          <span>{label}</span>
          <b>{count >= MAX_COUNT ? `${MAX_COUNT}+` : count}</b>
        </a>
      ))}
    </nav>
  );
}

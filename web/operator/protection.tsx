import { api } from '../api.ts';
import { Loaded } from '../components/loaded.tsx';
import { useResource } from '../components/resource.ts';
import { itemAt } from '../components/section.ts';
import { Tabs } from '../components/tabs.tsx';
import { msg, t } from '../i18n/index.ts';
import { Announcements } from './announcements.tsx';
import { KillSwitch } from './kill-switch.tsx';
import { Maintenance } from './maintenance.tsx';
import { TradeBusts } from './trade-busts.tsx';
import { DefaultTradingLimits } from './trading-limits.tsx';

export type ExchangeStatus = Awaited<ReturnType<typeof api.getStatus>>;

const REFRESH_MS = 5000;

const TABS = [
  { id: 'halt', label: msg('Halt & maintenance'), short: msg('Halt') },
  { id: 'announcements', label: msg('Announcements') },
  { id: 'limits', label: msg('Limits') },
  { id: 'busts', label: msg('Trade busts'), short: msg('Busts') },
] as const;
type TabId = (typeof TABS)[number]['id'];

/** Restrictions of all markets at once, announcements, limits of accounts, and busts of trades. */
export function ProtectionSection() {
  const tab = TABS.find(({ id }) => id === itemAt())?.id ?? 'halt';
  return (
    <Tabs
      label={t('Protection')}
      tabs={TABS}
      selected={tab}
      onSelect={(id) => {
        location.hash = `#protection/${id}`;
      }}
      class="account-tabs"
    >
      <div class="stack wide">
        <TabContent tab={tab} />
      </div>
    </Tabs>
  );
}

function TabContent({ tab }: { tab: TabId }) {
  if (tab === 'limits') return <DefaultTradingLimits />;
  if (tab === 'busts') return <TradeBusts />;
  return <StatusPanels key={tab} tab={tab} />;
}

function StatusPanels({ tab }: { tab: 'halt' | 'announcements' }) {
  const status = useResource(() => api.getStatus(), REFRESH_MS);
  const load = () => status.load();
  return (
    <Loaded resource={status}>
      {(data) =>
        tab === 'announcements' ? (
          <Announcements announcements={data.announcements} onDone={load} />
        ) : (
          <>
            <KillSwitch status={data} onDone={load} />
            <Maintenance periods={data.maintenance} onDone={load} />
          </>
        )
      }
    </Loaded>
  );
}

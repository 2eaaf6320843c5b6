import { api } from '../api.ts';
import { Loaded } from '../components/loaded.tsx';
import { useResource } from '../components/resource.ts';
import { Announcements } from './announcements.tsx';
import { KillSwitch } from './kill-switch.tsx';
import { Maintenance } from './maintenance.tsx';
import { TradeBusts } from './trade-busts.tsx';
import { DefaultTradingLimits } from './trading-limits.tsx';

export type ExchangeStatus = Awaited<ReturnType<typeof api.getStatus>>;

const REFRESH_MS = 5000;

/** Restrictions of all markets at once, announcements, limits of accounts, and busts of trades. */
export function ProtectionSection() {
  const status = useResource(() => api.getStatus(), REFRESH_MS);
  return (
    <>
      <Loaded resource={status}>
        {({ trading, maintenance, announcements }) => (
          <>
            <KillSwitch trading={trading} onDone={() => status.load()} />
            <Maintenance periods={maintenance} onDone={() => status.load()} />
            <Announcements announcements={announcements} onDone={() => status.load()} />
          </>
        )}
      </Loaded>
      <DefaultTradingLimits />
      <TradeBusts />
    </>
  );
}

import { useEffect } from 'preact/hooks';
import { api } from '../api.ts';
import { Loaded } from '../components/loaded.tsx';
import { usePages } from '../components/pages.ts';
import { useResource } from '../components/resource.ts';
import { markets } from '../portfolio/holdings.ts';
import { loadGroup } from '../session.ts';
import { GroupBalances } from './balances.tsx';
import { GroupTable } from './group.tsx';
import { TransferPanel } from './transfer-form.tsx';
import { fetchTransfers, Transfers } from './transfers.tsx';

const REFRESH_MS = 5000;

/** The user's accounts with their balances, and transfers. */
export function AccountsSections() {
  const found = useResource(async () => {
    const [listed] = await Promise.all([api.getMarkets(), loadGroup()]);
    markets.value = listed.markets;
    return true;
  }, REFRESH_MS);
  const transfers = usePages(fetchTransfers, ({ id }) => id);
  useEffect(() => {
    const timer = setInterval(() => void transfers.refresh(), REFRESH_MS);
    return () => clearInterval(timer);
  }, []);
  const reload = async () => {
    await Promise.all([found.load(), transfers.refresh()]);
  };
  return (
    <Loaded resource={found}>
      {() => (
        <>
          <GroupTable onChanged={reload} />
          <TransferPanel onTransferred={reload} />
          <Transfers transfers={transfers} />
          <GroupBalances />
        </>
      )}
    </Loaded>
  );
}

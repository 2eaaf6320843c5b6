import { api } from '../api.ts';
import { Loaded } from '../components/loaded.tsx';
import { useResource } from '../components/resource.ts';
import { markets } from '../portfolio/holdings.ts';
import { loadGroup } from '../session.ts';
import { GroupBalances } from './balances.tsx';
import { GroupTable } from './group.tsx';
import { TransferPanel } from './transfer-form.tsx';
import { Transfers } from './transfers.tsx';

const REFRESH_MS = 5000;
const SHOWN_MS = 24 * 60 * 60 * 1000;

/** Loads the transfers of the last 24 hours: the exchange lists those of an hour more. */
async function loadTransfers() {
  const [{ transfers }, { timestamp }] = await Promise.all([
    api.listInternalTransfers(),
    api.getTime(),
  ]);
  const begin = Date.parse(timestamp) - SHOWN_MS;
  return transfers.filter((each) => Date.parse(each.timestamp) >= begin);
}

/** The user's accounts with their balances, and transfers. */
export function AccountsSections() {
  const found = useResource(async () => {
    const [listed] = await Promise.all([api.getMarkets(), loadGroup()]);
    markets.value = listed.markets;
    return true;
  }, REFRESH_MS);
  const transfers = useResource(loadTransfers, REFRESH_MS);
  const reload = async () => {
    await Promise.all([found.load(), transfers.load()]);
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

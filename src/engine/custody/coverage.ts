import { type Exact, sum } from '../numbers/exact.ts';
import type { Custody } from './custody.ts';
import type { CustodyStore } from './custody-store.ts';
import { WithdrawalStatus } from './statuses.ts';

/** The debt of the exchange in an asset, and the coins that the custodian holds for it. Amounts are in minor units. */
export interface Coverage {
  /** Available and held balances of all accounts. Fees are the exchange's own. */
  readonly liabilities: Exact;
  /** Sum over the networks of the asset; null if none was ever reported. */
  readonly holdings: Exact | null;
  /** Amounts of withdrawals that the custodian has received and not confirmed: it may have paid them, and they are still owed. */
  readonly inFlight: Exact;
  /** Time of the oldest of the newest reports, milliseconds since 1970; 0 without one. */
  readonly reportedAt: number;
  /** Names of the networks that were never reported. They count as empty. */
  readonly unreportedNetworks: readonly string[];
  /** Whether holdings and withdrawals in flight are at least the liabilities; null without a report. */
  readonly isCovered: boolean | null;
}

/** Returns the coverage of each asset. @param liabilities Of each asset, in the order of their indexes */
export function readCoverage(
  { store, holdings }: Pick<Custody, 'store' | 'holdings'>,
  liabilities: readonly Exact[],
): Coverage[] {
  const inFlightByAsset = sumInFlight(store);
  return liabilities.map((owed, asset) => {
    const networks = [...store.networks.values()].filter((each) => each.asset === asset);
    const reports = networks.flatMap(({ id }) => holdings.get(id) ?? []);
    const inFlight = inFlightByAsset.get(asset) ?? 0;
    const held = reports.reduce<Exact>((total, { amount }) => sum(total, amount), 0);
    const isReported = reports.length > 0;
    return {
      liabilities: owed,
      holdings: isReported ? held : null,
      inFlight,
      reportedAt: isReported ? Math.min(...reports.map(({ reportedAt }) => reportedAt)) : 0,
      unreportedNetworks: networks
        .filter(({ id }) => holdings.get(id) === undefined)
        .map(({ name }) => name),
      isCovered: isReported ? sum(held, inFlight) >= owed : null,
    };
  });
}

function sumInFlight({ withdrawals, networks }: CustodyStore): Map<number, Exact> {
  const sums = new Map<number, Exact>();
  for (const { status, network, amount } of withdrawals.values()) {
    if (status !== WithdrawalStatus.sending && status !== WithdrawalStatus.broadcast) continue;
    const { asset } = networks.get(network)!;
    sums.set(asset, sum(sums.get(asset) ?? 0, amount));
  }
  return sums;
}

import { SECOND_MS } from '../../config/durations.ts';
import { type Coverage, readCoverage } from '../../engine/custody/coverage.ts';
import { difference, type Exact, sum } from '../../engine/numbers/exact.ts';
import type { State } from '../../engine/state.ts';
import { type Labels, labeledGauge, labels, type Metric } from '../../monitoring/metrics.ts';

interface CoverageServices {
  readonly replica: { readonly position: number; readonly exchange: { readonly state: State } };
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

type ReportedCoverage = readonly [labels: Labels, coverage: Coverage];

/** Returns metrics that compare the custodian's holdings with liabilities, by asset. Assets without a report have none. */
export function coverageMetrics({ replica, now }: CoverageServices): Metric[] {
  let position: number | undefined;
  let reported: readonly ReportedCoverage[] = [];
  /** Both gauges share one walk over all withdrawals, which is repeated only after another batch. */
  const read = () => {
    if (position !== replica.position) {
      reported = readReported(replica.exchange.state);
      position = replica.position;
    }
    return reported;
  };
  return [
    labeledGauge(
      'buttonwood_custody_coverage_ratio',
      'Coins at the custodian and withdrawals in flight, divided by what the exchange owes, by asset.',
      () => read().map(([own, coverage]) => [own, coverageRatio(coverage)]),
    ),
    labeledGauge(
      'buttonwood_custody_holdings_age_seconds',
      'Age of the oldest report of holdings that counts, by asset.',
      () =>
        read().map(([own, { reportedAt }]) => [own, Math.max(0, (now() - reportedAt) / SECOND_MS)]),
    ),
  ];
}

function readReported({ assets, ledger, parts }: State): ReportedCoverage[] {
  // All accounts together have what came from outside less the fees, which needs no walk over all balances.
  const liabilities = assets.map(({ index }) =>
    difference(0, sum(ledger.external[index]!, ledger.fees[index]!)),
  );
  return readCoverage(parts.custody, liabilities).flatMap((coverage, index) =>
    coverage.holdings === null
      ? []
      : [[labels({ asset: assets[index]!.asset }), coverage] as const],
  );
}

/** A ratio that is rounded to 1 although something is missing would hide it. */
function coverageRatio({ holdings, inFlight, liabilities, isCovered }: Coverage): number {
  if (liabilities === 0) return 1;
  const ratio = Number(sum(holdings as Exact, inFlight)) / Number(liabilities);
  return isCovered ? Math.max(1, ratio) : Math.min(1 - Number.EPSILON, ratio);
}

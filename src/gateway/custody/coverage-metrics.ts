import { SECOND_MS } from '../../config/durations.ts';
import { type Coverage, readCoverage } from '../../engine/custody/coverage.ts';
import { difference, type Exact, sum } from '../../engine/numbers/exact.ts';
import type { State } from '../../engine/state.ts';
import { type Labels, labeledGauge, labels, type Metric } from '../../monitoring/metrics.ts';

interface CoverageServices {
  readonly replica: { readonly exchange: { readonly state: State } };
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

/** Returns the metrics of what the custodian holds, compared with what the exchange owes, by asset. Assets without a report have none. */
export function coverageMetrics({ replica, now }: CoverageServices): Metric[] {
  return [
    labeledGauge(
      'buttonwood_custody_coverage_ratio',
      'Coins at the custodian and withdrawals in flight, divided by what the exchange owes, by asset.',
      () => eachReported(replica.exchange.state, coverageRatio),
    ),
    labeledGauge(
      'buttonwood_custody_holdings_age_seconds',
      'Age of the oldest report of holdings that counts, by asset.',
      () =>
        eachReported(replica.exchange.state, ({ reportedAt }) =>
          Math.max(0, (now() - reportedAt) / SECOND_MS),
        ),
    ),
  ];
}

function eachReported(
  { assets, ledger, parts }: State,
  measure: (coverage: Coverage) => number,
): (readonly [Labels, number])[] {
  // All accounts together have what came from outside less the fees, which needs no walk over all balances.
  const liabilities = assets.map(({ index }) =>
    difference(0, sum(ledger.external[index]!, ledger.fees[index]!)),
  );
  return readCoverage(parts.custody, liabilities).flatMap((coverage, index) =>
    coverage.holdings === null
      ? []
      : [[labels({ asset: assets[index]!.asset }), measure(coverage)] as const],
  );
}

/** A ratio that is rounded to 1 although something is missing would hide it. */
function coverageRatio({ holdings, inFlight, liabilities, isCovered }: Coverage): number {
  if (liabilities === 0) return 1;
  const ratio = Number(sum(holdings as Exact, inFlight)) / Number(liabilities);
  return isCovered ? Math.max(1, ratio) : Math.min(1 - Number.EPSILON, ratio);
}

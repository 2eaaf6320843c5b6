import { expect, spyOn, test } from 'bun:test';
import { CommandKind, SYSTEM_ACTOR } from '../../engine/command.ts';
import { Venue } from '../../testing/custody-venue.ts';
import { coverageMetrics } from './coverage-metrics.ts';

/** Returns the values of both metrics, one a line. */
function values(venue: Venue): string[] {
  const { exchange } = venue;
  const metrics = coverageMetrics({
    replica: { exchange, position: 1 },
    now: () => venue.time,
  });
  return metrics.flatMap((metric) => metric.lines());
}

function report(venue: Venue, amount: number, number: number) {
  const holding = { keyNumber: 0, network: 0, amount, report: number };
  venue.do({ kind: CommandKind.reportHoldings, ...SYSTEM_ACTOR, ...holding });
}

test('coverage has no value before the first report, and falls below 1 for the smallest missing coin', () => {
  const venue = new Venue();
  venue.prepare();
  expect(values(venue)).toEqual([]);
  report(venue, 3_000_000, 1);
  venue.time += 90_000;
  expect(values(venue)).toEqual([
    'buttonwood_custody_coverage_ratio{asset="BTC"} 1.5',
    'buttonwood_custody_holdings_age_seconds{asset="BTC"} 90',
  ]);
  report(venue, 1_500_000, 2);
  expect(values(venue)[0]).toBe('buttonwood_custody_coverage_ratio{asset="BTC"} 0.75');
  const { ledger } = venue.exchange.state;
  const huge = 10n ** 30n;
  ledger.external[0] = -huge;
  venue.exchange.state.parts.custody.holdings.report({
    ...{ kind: CommandKind.reportHoldings, ...SYSTEM_ACTOR, keyNumber: 0, network: 0 },
    ...{ amount: huge - 100n, report: 3 },
  });
  const ratio = Number(values(venue)[0]!.split(' ')[1]);
  expect(ratio).toBeLessThan(1);
  expect(ratio).toBeGreaterThan(0.999);
});

test('fees are not owed', () => {
  const venue = new Venue();
  const { id } = venue.withdraw(venue.prepare());
  venue.reach(id, 5, 1);
  report(venue, 1_979_900, 1);
  expect(values(venue)[0]).toBe('buttonwood_custody_coverage_ratio{asset="BTC"} 1');
});

test('a scrape walks over all withdrawals once, and again only after another batch', () => {
  const venue = new Venue();
  venue.prepare();
  report(venue, 3_000_000, 1);
  const replica = { exchange: venue.exchange, position: 1 };
  const metrics = coverageMetrics({ replica, now: () => venue.time });
  const scrape = () => metrics.flatMap((metric) => metric.lines());
  const walk = spyOn(venue.store.withdrawals, 'values');
  scrape();
  venue.time += 90_000;
  expect(scrape()).toEqual([
    'buttonwood_custody_coverage_ratio{asset="BTC"} 1.5',
    'buttonwood_custody_holdings_age_seconds{asset="BTC"} 90',
  ]);
  expect(walk).toHaveBeenCalledTimes(1);
  report(venue, 1_500_000, 2);
  replica.position++;
  // The audit of the venue walks over them, too.
  walk.mockClear();
  expect(scrape()).toEqual([
    'buttonwood_custody_coverage_ratio{asset="BTC"} 0.75',
    'buttonwood_custody_holdings_age_seconds{asset="BTC"} 0',
  ]);
  expect(walk).toHaveBeenCalledTimes(1);
});

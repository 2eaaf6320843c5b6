import { describe, expect, test } from 'bun:test';
import { code, network, Venue } from '../../testing/custody-venue.ts';
import { CommandKind, SYSTEM_ACTOR } from '../command.ts';
import { MAX_ASSET_TOTAL } from '../limits.ts';
import type { Exact } from '../numbers/exact.ts';
import { RejectionCode } from '../rejection.ts';
import { readSnapshot, writeSnapshot } from '../snapshot/snapshot.ts';
import { type Coverage, readCoverage } from './coverage.ts';
import { WithdrawalStatus } from './statuses.ts';

const { broadcast, confirmed } = WithdrawalStatus;

function report(venue: Venue, amount: Exact, number: number, terms: object = {}) {
  const kind = CommandKind.reportHoldings;
  const holding = { keyNumber: 0, network: 0, amount, report: number, ...terms };
  return venue.do({ kind, ...SYSTEM_ACTOR, ...holding });
}

function coverage({ exchange }: Venue): Coverage {
  const { ledger, accounts, parts } = exchange.state;
  const { available, held } = ledger.totals(accounts, 0);
  return readCoverage(parts.custody, [Number(available) + Number(held)])[0]!;
}

describe('the holdings of a network', () => {
  test('are those of the newest report, in whatever order reports arrive', () => {
    const venue = new Venue();
    expect(report(venue, 500, 2)).toMatchObject({ changed: true, holding: { amount: 500 } });
    venue.time += 10;
    for (const late of [1, 2]) {
      expect(report(venue, 900, late)).toMatchObject({ changed: false, holding: { amount: 500 } });
    }
    const { holdings } = venue.exchange.state.parts.custody;
    expect(holdings.all).toEqual([
      { id: 0, amount: 500, keyNumber: 0, report: 2, reportedAt: 1_000 },
    ]);
    expect(report(venue, 0, 3)).toMatchObject({ changed: true });
    expect(holdings.all).toEqual([
      { id: 0, amount: 0, keyNumber: 0, report: 3, reportedAt: 1_010 },
    ]);
  });

  test('are those of the newest key, whatever the numbers of its reports', () => {
    const venue = new Venue();
    const replaceKey = () => {
      const publicKey = new Uint8Array(32);
      venue.do({ kind: CommandKind.setCustodianKey, ...SYSTEM_ACTOR, publicKey });
    };
    replaceKey();
    const tooHigh = Number.MAX_SAFE_INTEGER;
    expect(report(venue, 500, tooHigh, { keyNumber: 1 })).toMatchObject({ changed: true });
    expect(report(venue, 600, 7, { keyNumber: 1 })).toMatchObject({ changed: false });
    replaceKey();
    const corrected = { amount: 700, keyNumber: 2, report: 7 };
    expect(report(venue, 700, 7, { keyNumber: 2 })).toMatchObject({ holding: corrected });
    // Neither the former key nor the process, whose key number is 0, replaces it.
    expect(code(report(venue, 800, tooHigh, { keyNumber: 1 }))).toBe(RejectionCode.unauthorized);
    expect(report(venue, 800, tooHigh)).toMatchObject({ changed: false, holding: corrected });
    const read = readSnapshot(writeSnapshot(venue.exchange));
    expect(read.state.parts.custody.holdings.all).toMatchObject([corrected]);
  });

  test('are rejected if network, amount or key cannot be right', () => {
    const venue = new Venue();
    const before = venue.exchange.state.digest;
    const { unknownNetwork, amountOutOfBounds, unauthorized } = RejectionCode;
    expect(code(report(venue, 500, 1, { network: 1 }))).toBe(unknownNetwork);
    // The network has two decimals less than the asset.
    for (const amount of [-100, 150, MAX_ASSET_TOTAL]) {
      expect(code(report(venue, amount, 1))).toBe(amountOutOfBounds);
    }
    expect(code(report(venue, 500, 1, { keyNumber: 7 }))).toBe(unauthorized);
    expect(venue.exchange.state.digest).toBe(before);
  });

  test('are in the digest and in snapshots, which have nothing of them before the first report', () => {
    const venue = new Venue();
    const bytes = () => writeSnapshot(venue.exchange);
    const { digest } = venue.exchange.state;
    const empty = bytes();
    report(venue, 500, 1);
    expect(venue.exchange.state.digest).not.toBe(digest);
    expect(bytes().length).toBeGreaterThan(empty.length);
    const read = readSnapshot(bytes());
    expect(read.state.digest).toBe(venue.exchange.state.digest);
    expect(read.state.parts.custody.holdings.all).toEqual([
      { id: 0, amount: 500, keyNumber: 0, report: 1, reportedAt: 1_000 },
    ]);
    expect(readSnapshot(empty).state.parts.custody.holdings.all).toEqual([]);
  });
});

describe('the coverage of an asset', () => {
  test('is unknown without a report', () => {
    const venue = new Venue();
    venue.prepare();
    expect(coverage(venue)).toEqual({
      liabilities: 2_000_000,
      holdings: null,
      inFlight: 0,
      reportedAt: 0,
      unreportedNetworks: ['bitcoin'],
      isCovered: null,
    });
  });

  test('adds its networks, by the age of the oldest report', () => {
    const venue = new Venue();
    venue.prepare();
    venue.do({ ...network, name: 'lightning' });
    report(venue, 1_999_900, 1);
    const reported = { holdings: 1_999_900, unreportedNetworks: ['lightning'], isCovered: false };
    expect(coverage(venue)).toMatchObject(reported);
    venue.time += 10;
    report(venue, 100, 1, { network: 1 });
    const both = { holdings: 2_000_000, unreportedNetworks: [], isCovered: true };
    expect(coverage(venue)).toMatchObject({ ...both, reportedAt: 1_000 });
  });

  test('counts withdrawals that the custodian has until it confirms them', () => {
    const venue = new Venue();
    const { id, instruction } = venue.withdraw(venue.prepare());
    report(venue, 1_980_000, 1);
    // Its instruction still waits, so the custodian cannot have paid it.
    expect(coverage(venue)).toMatchObject({ inFlight: 0, isCovered: false });
    venue.do({ kind: CommandKind.acknowledgeInstruction, ...SYSTEM_ACTOR, instruction });
    expect(coverage(venue)).toMatchObject({ inFlight: 20_000, isCovered: true });
    venue.reach(id, broadcast, 1);
    expect(coverage(venue)).toMatchObject({ liabilities: 2_000_000, inFlight: 20_000 });
    venue.reach(id, confirmed, 2);
    // The fee of 100 is the exchange's own now.
    expect(coverage(venue)).toMatchObject({ liabilities: 1_979_900, inFlight: 0 });
    expect(venue.balance).toEqual({ available: 1_979_900, held: 0 });
  });
});

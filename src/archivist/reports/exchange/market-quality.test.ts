import { expect, setDefaultTimeout, test } from 'bun:test';
import { CHECK_TIMEOUT_MS } from '../../../../test/check.ts';
import type { Timed } from '../../../../test/reference/scenario.ts';
import { Side } from '../../../engine/terms.ts';
import {
  add,
  type Book,
  checkLives,
  DAY_MS,
  dateText,
  decimalText,
  make,
  observe,
  openJobs,
} from '../../../testing/exchange-report-lives.ts';
import { GENESIS_COMMANDS, limitOrder } from '../../../testing/test-exchange.ts';
import { csvRow } from '../columns.ts';
import { marketQualityReport } from './market-quality.ts';

setDefaultTimeout(CHECK_TIMEOUT_MS);

/** Returns what a book adds to the sums of market quality in one millisecond. */
function measure({ orders }: Book) {
  const prices = (side: Side) =>
    orders.filter((order) => order.side === side).map(({ price }) => price);
  const [bid, ask] = [Math.max(...prices(Side.buy)), Math.min(...prices(Side.sell))];
  if (!Number.isFinite(bid) || !Number.isFinite(ask)) return undefined;
  const depth = [10n, 50n, 100n].flatMap((distance) =>
    [Side.buy, Side.sell].map((side) =>
      add(
        orders
          .filter((order) => {
            const twice = 20_000n * BigInt(order.price);
            const middle = BigInt(bid) + BigInt(ask);
            if (order.side !== side) return false;
            return side === Side.buy
              ? twice >= middle * (10_000n - distance)
              : twice <= middle * (10_000n + distance);
          })
          .map(({ shown }) => shown),
      ),
    ),
  );
  return { spread: BigInt(ask) - BigInt(bid), middles: BigInt(bid) + BigInt(ask), depth };
}

test('market quality weighs every state of a book with its time', async () => {
  let measured = 0;
  let makers = 0;
  await checkLives(async ({ exchange, moments, from, to, rows }) => {
    const { markets, accounts } = exchange.state;
    const begin = Math.max(from, moments[0]!.time);
    const end = Math.min(to, moments.at(-1)!.time + 1);
    const expected: Record<string, string | null>[] = [];
    for (let day = begin; day < end; day = day - (day % DAY_MS) + DAY_MS) {
      const until = Math.min(end, day - (day % DAY_MS) + DAY_MS);
      const times = [day, ...moments.map(({ time }) => time), until]
        .filter((time) => time >= day && time <= until)
        .sort((a, b) => a - b);
      for (const { index, symbol, rules } of markets) {
        const sums = { observed: 0n, both: 0n, spread: 0n, middles: 0n, depth: Array(6).fill(0n) };
        const quoting = new Map<number, bigint>();
        for (let n = 1; n < times.length; n++) {
          const lasted = BigInt(times[n]! - times[n - 1]!);
          const book = moments.findLast(({ time }) => time <= times[n - 1]!)?.books[index];
          if (lasted === 0n || book?.isOpen !== true) continue;
          sums.observed += lasted;
          for (const account of accounts) {
            const own = book.orders.filter((order) => order.account === account.index);
            if (new Set(own.map(({ side }) => side)).size < 2) continue;
            quoting.set(account.index, (quoting.get(account.index) ?? 0n) + lasted);
          }
          const value = measure(book);
          if (value === undefined) continue;
          sums.both += lasted;
          sums.spread += value.spread * lasted;
          sums.middles += value.middles * lasted;
          for (const [at, amount] of value.depth.entries()) sums.depth[at] += amount * lasted;
        }
        if (sums.observed === 0n) continue;
        const text = (total: bigint, by: bigint, decimals: number, own = 0) =>
          by === 0n ? null : decimalText((total * 10n ** BigInt(decimals)) / by, decimals + own);
        const common = {
          date: dateText(day),
          symbol,
          observedSeconds: decimalText(sums.observed, 3),
        };
        const { both } = sums;
        const amount = (at: number) => text(sums.depth[at], both, 0, rules.amountDecimals);
        expected.push({
          ...common,
          account: null,
          twoSidedPercent: text(both * 100n, sums.observed, 4),
          averageSpread: text(sums.spread, both, 4, rules.priceDecimals),
          spreadBasisPoints: text(sums.spread * 20_000n, both === 0n ? 0n : sums.middles, 4),
          bidDepth10BasisPoints: amount(0),
          askDepth10BasisPoints: amount(1),
          bidDepth50BasisPoints: amount(2),
          askDepth50BasisPoints: amount(3),
          bidDepth100BasisPoints: amount(4),
          askDepth100BasisPoints: amount(5),
        });
        if (both > 0n) measured++;
        for (const [account, lasted] of [...quoting].sort(([a], [b]) => a - b)) {
          makers++;
          expected.push({
            ...common,
            account: accounts[account]!.id,
            twoSidedPercent: text(lasted * 100n, sums.observed, 4),
          });
        }
      }
    }
    const shown = await rows('market_quality');
    expect(shown.length).toBe(expected.length);
    for (const [n, row] of expected.entries()) expect(shown[n]).toMatchObject(row);
  });
  expect(measured).toBeGreaterThan(5);
  expect(makers).toBeGreaterThan(0);
});

test('names that a spreadsheet would run are guarded in every text column', async () => {
  const name = '=cmd';
  const commands: Timed[] = [
    ...GENESIS_COMMANDS.map((command) => ({ command, time: 1000 })),
    ...[Side.sell, Side.buy].map((side) => ({
      command: limitOrder(1, side, side === Side.sell ? 11_000 : 10_000, 1000),
      time: 2000,
    })),
    { command: limitOrder(2, Side.buy, 9000, 1000), time: 90_000 },
  ];
  const { exchange } = observe(commands);
  const jobs = await openJobs(commands, exchange.state);
  const columns = (await make(jobs, 'market_quality', 0, 1e9, 'csv')).split('\r\n');
  expect(columns[0]).toStartWith('date,symbol,account,observedSeconds,twoSidedPercent,');
  // Ids of accounts cannot begin like a formula, so the guard is shown on the column itself.
  const { state } = exchange;
  const renamed = { ...state, accounts: [{ id: name }], markets: state.markets };
  const [, , account] = marketQualityReport.columns(renamed as never);
  expect(csvRow([account!] as never, { account: 0 } as never)).toBe(`"'=cmd"\r\n`);
});

import { expect, setDefaultTimeout, test } from 'bun:test';
import { CHECK_TIMEOUT_MS } from '../../../../test/check.ts';
import type { Timed } from '../../../../test/reference/scenario.ts';
import { type Command, CommandKind, SYSTEM_ACTOR } from '../../../engine/command.ts';
import type { TradeEvent } from '../../../engine/event.ts';
import { parseUnits } from '../../../engine/numbers/units.ts';
import { oppositeSide, Side } from '../../../engine/terms.ts';
import {
  add,
  checkLives,
  DAY_MS,
  dateText,
  decimalText,
  make,
  observe,
  openJobs,
  parseRows,
} from '../../../testing/exchange-report-lives.ts';
import { GENESIS_COMMANDS, limitOrder } from '../../../testing/test-exchange.ts';

setDefaultTimeout(CHECK_TIMEOUT_MS);

type Row = Record<string, string | number | null>;

test('volume has the trades of every day and market', async () => {
  let traded = 0;
  await checkLives(async ({ exchange, moments, from, to, rows }) => {
    const { markets } = exchange.state;
    const inPeriod = moments.filter(({ time }) => time >= from && time < to);
    const expected = new Map<string, TradeEvent[]>();
    for (const { trades, time } of inPeriod) {
      for (const trade of trades) {
        const key = `${dateText(time)} ${markets[trade.market]!.symbol}`;
        expected.set(key, [...(expected.get(key) ?? []), trade]);
      }
    }
    const shown = await rows('volume');
    expect(new Set(shown.map(({ date, symbol }) => `${date} ${symbol}`))).toEqual(
      new Set(expected.keys()),
    );
    for (const row of shown) {
      const own = expected.get(`${row.date} ${row.symbol}`)!;
      const { base, quote, rules } = markets[own[0]!.market]!;
      const units = (name: string, decimals: number) =>
        BigInt(parseUnits(row[name]!, decimals) as number);
      expect(row.trades).toBe(`${own.length}`);
      expect(units('amount', rules.amountDecimals)).toBe(add(own.map(({ amount }) => amount)));
      expect(units('cost', quote.decimals)).toBe(add(own.map(({ cost }) => cost)));
      const sideFees = own.flatMap(({ takerSide, takerFee, makerFee }) => [
        { side: takerSide, fee: BigInt(takerFee) },
        { side: oppositeSide(takerSide), fee: BigInt(makerFee) },
      ]);
      const charged = (side: Side) =>
        add(sideFees.filter((each) => each.side === side && each.fee > 0n).map(({ fee }) => fee));
      const paid = (side: Side) =>
        -add(sideFees.filter((each) => each.side === side && each.fee < 0n).map(({ fee }) => fee));
      expect([units('baseFees', base.decimals), units('baseRebates', base.decimals)]).toEqual([
        charged(Side.buy),
        paid(Side.sell),
      ]);
      expect([units('quoteFees', quote.decimals), units('quoteRebates', quote.decimals)]).toEqual([
        charged(Side.sell),
        paid(Side.buy),
      ]);
      const traders = new Set(own.flatMap((trade) => [trade.makerAccount, trade.takerAccount]));
      expect(row.traders).toBe(`${traders.size}`);
      traded += own.length;
    }
  });
  expect(traded).toBeGreaterThan(20);
});

test('revenue leads from the fee account before a period to that after it', async () => {
  let charged = 0;
  await checkLives(async ({ exchange, moments, from, to, rows }) => {
    const { assets, markets } = exchange.state;
    const shown = await rows('revenue');
    const before = moments.findLast(({ time }) => time < from);
    const after = moments.findLast(({ time }) => time < to)!;
    for (const { asset, decimals, index } of assets) {
      const own = shown.filter((row) => row.asset === asset);
      const units = (text: string | null | undefined) =>
        text === undefined || text === null ? 0n : BigInt(parseUnits(text, decimals) as number);
      const opening = own.find(({ source }) => source === 'opening_balance');
      const closing = own.find(({ source }) => source === 'closing_balance');
      expect(units(opening?.amount)).toBe(before?.fees[index] ?? 0n);
      expect(units(closing?.amount)).toBe(after.fees[index] ?? 0n);
      const changes = own.filter(({ source }) => !source!.endsWith('_balance'));
      for (const row of changes) {
        expect(units(row.amount)).toBe(units(row.fees) - units(row.rebates) - units(row.referrals));
      }
      expect(units(opening?.amount) + add(changes.map(({ amount }) => units(amount)))).toBe(
        units(closing?.amount),
      );
      for (const market of markets) {
        const trades = moments
          .filter(({ time }) => time >= from && time < to)
          .flatMap((moment) => moment.trades.filter((trade) => trade.market === market.index));
        const fees = trades.flatMap(({ takerSide, takerFee, makerFee }) => {
          const isTakers = takerSide === (market.base.index === index ? Side.buy : Side.sell);
          const isOfMarket = [market.base.index, market.quote.index].includes(index);
          if (!isOfMarket) return [];
          return isTakers ? [takerFee] : [makerFee];
        });
        const ofMarket = changes.filter(({ symbol }) => symbol === market.symbol);
        expect(add(ofMarket.map((row) => units(row.fees)))).toBe(
          add(fees.filter((fee) => fee > 0)),
        );
        charged += ofMarket.length;
      }
    }
  });
  expect(charged).toBeGreaterThan(5);
});

test('users has the accounts of every day', async () => {
  let active = 0;
  await checkLives(async ({ moments, from, to, rows }) => {
    const begin = Math.max(from, moments[0]!.time);
    const shown = await rows('users');
    const expected: Row[] = [];
    const end = Math.min(to, moments.at(-1)!.time + 1);
    for (let day = begin; day < end; day = day - (day % DAY_MS) + DAY_MS) {
      const until = Math.min(end, day - (day % DAY_MS) + DAY_MS);
      const own = moments.filter(({ time }) => time >= day && time < until);
      const last = (limit: number) => moments.findLast(({ time }) => time < limit)?.accounts ?? 0;
      const trades = own.flatMap((moment) => moment.trades);
      const traders = new Set(trades.flatMap((each) => [each.makerAccount, each.takerAccount]));
      const placed = new Set([...own.flatMap((moment) => [...moment.placed]), ...traders]);
      expected.push({
        date: dateText(day),
        accounts: `${last(until)}`,
        newAccounts: `${last(until) - last(day)}`,
        activeAccounts: `${placed.size}`,
        traders: `${traders.size}`,
        makers: `${new Set(trades.map(({ makerAccount }) => makerAccount)).size}`,
      });
      active += placed.size;
    }
    expect(shown.map(({ frozenAccounts: _, ...row }) => row)).toEqual(expected as never);
  });
  expect(active).toBeGreaterThan(20);
});

test('a fee counts for the tier at which it was charged, also within one command', async () => {
  const quote = 0;
  const setTiers: Command = {
    kind: CommandKind.setFeeTiers,
    ...SYSTEM_ACTOR,
    asset: quote,
    tiers: [{ minVolume: 1, makerFee: 0, takerFee: 100 }],
  } as never;
  const commands: Timed[] = [
    ...GENESIS_COMMANDS.map((command) => ({ command, time: 1000 })),
    { command: setTiers, time: 1500 },
    ...[1, 2].map(() => ({ command: limitOrder(1, Side.sell, 10_000, 100_000), time: 2000 })),
    { command: limitOrder(2, Side.buy, 10_000, 200_000), time: 3000 },
  ];
  const { exchange, moments } = observe(commands);
  expect(exchange.state.feeTiers.tiers).toHaveLength(1);
  expect(moments.at(-1)!.trades).toHaveLength(2);
  const jobs = await openJobs(commands, exchange.state);
  const rows = parseRows(await make(jobs, 'revenue', 0, 10_000));
  const taker = rows.filter(({ source, asset }) => source === 'trading' && asset === 'BTC');
  expect(taker.map(({ tier }) => tier)).toEqual(['0', '1']);
  const [first, second] = moments.at(-1)!.trades;
  expect(taker.map(({ fees }) => fees)).toEqual(
    [first, second].map((trade) => decimalText(BigInt(trade!.takerFee), 8)),
  );
  expect(first!.takerFee).toBeGreaterThan(Number(second!.takerFee));
});

import { expect, test } from 'bun:test';
import { MINUTE_MS } from '../src/config/durations.ts';
import { auditState } from '../src/engine/audit/audit.ts';
import type { EntryEvent, TradeEvent } from '../src/engine/event.ts';
import { Exchange } from '../src/engine/exchange.ts';
import { EntryType } from '../src/engine/terms.ts';
import { MAKER_MARKETS } from '../src/sandbox/makers/maker-markets.ts';
import { HISTORY_MINUTES } from '../src/sandbox/makers/seeded-trading.ts';
import { historyCommands } from '../src/sandbox/seeded-history.ts';

const NOW = Date.UTC(2026, 10, 21, 12, 34, 56, 789);
const SEED = 1792;

/** Returns the first events of a history, as text. */
function opening(seed: number, moments = 2_000): string {
  return JSON.stringify(historyCommands(seed, NOW).take(moments).toArray(), (_, value) =>
    typeof value === 'bigint' ? `${value}` : value,
  );
}

test('the same seed gives the same history, another seed another one', () => {
  expect(opening(SEED)).toBe(opening(SEED));
  expect(opening(SEED + 1)).not.toBe(opening(SEED));
});

test('a month of history has complete candles and balanced books, and does not touch alice and bob', () => {
  const exchange = new Exchange();
  const { state } = exchange;
  const trades: TradeEvent[] = [];
  const traderEntries: EntryEvent[] = [];
  for (const { time, commands } of historyCommands(SEED, NOW)) {
    if (time < state.time) throw new Error('time goes back');
    for (const command of commands) {
      const outcome = exchange.apply(command, time);
      if (outcome.kind === 'rejected') throw new Error(`refused: ${outcome.code}`);
      for (const event of exchange.events) {
        if (event.kind === 'trade') trades.push(event);
        else if (event.kind === 'entry' && event.account < 3) traderEntries.push(event);
        else if (event.kind === 'order' && event.account < 3) throw new Error('a user traded');
      }
    }
  }
  auditState(state);
  expect(state.orders.size).toBe(0);

  const names = state.accounts.map(({ id }) => id);
  expect(names).toEqual(['operator', 'alice', 'bob', 'house-maker', 'house-taker']);
  expect(
    trades.every(({ makerAccount, takerAccount }) => makerAccount === 3 && takerAccount === 4),
  ).toBe(true);
  for (const account of [1, 2]) {
    const entries = traderEntries.filter((entry) => entry.account === account);
    expect(entries.map(({ type }) => type)).toEqual(Array(4).fill(EntryType.transfer));
    const whole = state.assets.map(
      ({ index, decimals }) =>
        BigInt(state.accounts[account]!.available(index)) / 10n ** BigInt(decimals),
    );
    expect(whole).toEqual([1_000_000n, 100n, 2_000n, 20_000n]);
  }

  const end = NOW - (NOW % MINUTE_MS);
  expect(state.time).toBeLessThan(end);
  for (const [market, { priceDecimals, reference }] of MAKER_MARKETS.entries()) {
    const own = trades.filter((trade) => trade.market === market);
    const minutes = new Set(own.map(({ time }) => Math.floor(time / MINUTE_MS)));
    expect(minutes.size / HISTORY_MINUTES).toBeGreaterThan(0.98);
    const prices = own.map(({ price }) => price / 10 ** priceDecimals / reference);
    expect(Math.min(...reduced(prices, Math.min))).toBeGreaterThan(0.89);
    expect(Math.max(...reduced(prices, Math.max))).toBeLessThan(1.12);
    expect(Math.abs(prices.at(-1)! - 1)).toBeLessThan(0.005);
  }
}, 60_000);

/** Returns the minimum or maximum of each thousand values, because a call has a maximum number of arguments. */
function reduced(numbers: readonly number[], pick: (...values: number[]) => number): number[] {
  const parts = Math.ceil(numbers.length / 1000);
  return Array.from({ length: parts }, (_, part) =>
    pick(...numbers.slice(part * 1000, (part + 1) * 1000)),
  );
}

import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { flows } from '../../test/history/flow.ts';
import { LIMITS, PROPERTY_TIMEOUT_MS, withTemporaryHistory } from '../../test/history/temporary.ts';
import type { EntryEvent, TradeEvent } from '../engine/event.ts';
import { InvariantError } from '../engine/rejection.ts';
import { Side } from '../engine/terms.ts';
import { readEntry } from './entries.ts';
import { expandFill, readFill, takeFills } from './fills.ts';

test(
  'stored fills expand, with the stored entries, to every ledger entry of the engine',
  async () => {
    let fillCount = 0;
    await fc.assert(
      fc.asyncProperty(flows(), async ({ applied, exchange }) => {
        await withTemporaryHistory(async ({ history, rows }) => {
          for (const { sequence, index, time, command, outcome, events } of applied) {
            history.record(sequence, index, time, command, outcome, events);
          }
          await history.commit(applied.at(-1)!.sequence, new Uint8Array(32).fill(1));
          const fills = (await rows('fills')).map(readFill);
          const entries = (await rows('entries')).map(readEntry);
          fillCount += fills.length;

          const { markets } = exchange.state;
          const expanded = fills.flatMap((fill) => expandFill(fill, markets[fill.market]!));
          const all = [...entries, ...expanded].sort((a, b) => a.id - b.id);
          const emitted = applied
            .flatMap(({ events }) => events)
            .filter((event) => event.kind === 'entry');
          expect(all).toEqual(emitted);
          expect(all.map(({ id }) => id)).toEqual(all.map((_, place) => place + 1));
        });
      }),
      { numRuns: 40, ...LIMITS },
    );
    expect(fillCount).toBeGreaterThan(0);
  },
  PROPERTY_TIMEOUT_MS,
);

test('a trade that is followed by entries of another shape is refused', () => {
  const trade: TradeEvent = {
    kind: 'trade',
    id: 7,
    market: 0,
    price: 100,
    amount: 2,
    cost: 200n,
    takerSide: Side.buy,
    makerOrderId: 1,
    makerAccount: 10,
    makerFee: 0n,
    takerOrderId: 2,
    takerAccount: 11,
    takerFee: 0n,
    time: 5,
  };
  const entry = (id: number, account: number, type: number): EntryEvent => ({
    kind: 'entry',
    id,
    account,
    asset: 0,
    type,
    amount: 1n,
    after: 1n,
    reference: 7,
    time: 5,
  });
  const sound = [
    entry(1, 10, 3),
    entry(2, 10, 0),
    entry(3, 10, 0),
    entry(4, 11, 0),
    entry(5, 11, 0),
  ];
  const take = (entries: EntryEvent[]) => takeFills([trade, ...entries], 0, () => {});
  expect(take(sound)).toBe(6);
  expect(() => take(sound.slice(1))).toThrow(InvariantError);
  expect(() => take(sound.slice(0, 4))).toThrow(InvariantError);
  expect(() => take(sound.with(1, entry(2, 11, 0)))).toThrow(InvariantError);
  expect(() => take(sound.with(2, entry(9, 10, 0)))).toThrow(InvariantError);
});

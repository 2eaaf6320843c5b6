import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { flows } from '../../../test/history/flow.ts';
import {
  LIMITS,
  onEachDatabase,
  PROPERTY_TIMEOUT_MS,
  runs,
  withTemporaryHistory,
} from '../../../test/history/temporary.ts';
import type { EntryEvent } from '../../engine/event.ts';
import { type Exact, sum } from '../../engine/numbers/exact.ts';
import { readEntry } from './entries.ts';
import { expandFill, readFill, toFills } from './fills.ts';

onEachDatabase(() => {
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
              .flatMap((event) => {
                if (event.kind !== 'trade') return event.kind === 'entry' ? event : [];
                return toFills(event).flatMap((fill) => expandFill(fill, markets[fill.market]!));
              });
            expect(all).toEqual(emitted);
            expect(all.map(({ id }) => id)).toEqual(all.map((_, place) => place + 1));
            expectExplained(all);
          });
        }),
        { numRuns: runs(40), ...LIMITS },
      );
      expect(fillCount).toBeGreaterThan(0);
    },
    PROPERTY_TIMEOUT_MS,
  );
});

/** Each entry continues from the balance after the previous entry of its account. */
function expectExplained(entries: readonly EntryEvent[]): void {
  const after = new Map<string, Exact>();
  for (const entry of entries) {
    const balance = `${entry.account} ${entry.asset}`;
    expect(sum(after.get(balance) ?? 0, entry.amount)).toBe(entry.after);
    after.set(balance, entry.after);
  }
}

import { expect, setDefaultTimeout, test } from 'bun:test';
import fc from 'fast-check';
import { CHECK_TIMEOUT_MS, checkAsync } from '../../../test/check.ts';
import { custodyMove, listCommands, scenario } from '../../../test/reference/scenario.ts';
import { withLittleMemory } from '../../../test/reference/with-little-memory.ts';
import { Exchange } from '../../engine/exchange.ts';
import { type CustodyChange, History } from '../history.ts';

setDefaultTimeout(CHECK_TIMEOUT_MS);
withLittleMemory();

/** Commands per batch. */
const BATCH = 4;
const life = fc.record({
  life: scenario(120, custodyMove),
  /** Which batches are followed by a commit. */
  commits: fc.array(fc.boolean(), { minLength: 1, maxLength: 8 }),
  limit: fc.integer({ min: 1, max: 5 }),
});

test('pages of changes have every change of an account once, in the order of the log', async () => {
  const seen = { deposit: 0, withdrawal: 0, sharedBatches: 0 };
  const property = fc.asyncProperty(life, async ({ life: played, commits, limit }) => {
    const commands = listCommands(played);
    const history = await History.open('sqlite://:memory:');
    const expected = new Map<number, string[]>();
    try {
      const exchange = new Exchange();
      let last = 0;
      for (const [place, { command, time }] of commands.entries()) {
        last = 1 + Math.floor(place / BATCH);
        if (place % BATCH === 0) history.begin({ sequence: last, hash: new Uint8Array(32), time });
        const outcome = exchange.apply(command, time);
        const { events, state } = exchange;
        history.record(last, place % BATCH, state.time, command, outcome, events);
        for (const event of events) {
          if (event.kind !== 'deposit' && event.kind !== 'withdrawal') continue;
          const own = expected.get(event.account) ?? [];
          expected.set(event.account, own);
          own.push(text(event, last));
          seen[event.kind]++;
        }
        const isEnd = place % BATCH === BATCH - 1;
        if (isEnd && commits[last % commits.length]) {
          await history.commit(last, new Uint8Array(32).fill(last));
        }
      }
      // Deposits to an address of no account have no owner.
      expected.delete(-1);
      for (const [account, own] of expected) {
        for (const kind of [undefined, 'deposit', 'withdrawal'] as const) {
          const found: CustodyChange[] = [];
          for (let after = { changedIn: 0, changeIndex: 0 }; ; after = found.at(-1)!) {
            const filter = { account, kind, after, upTo: last, limit };
            const page = await history.custodyChanges(filter);
            found.push(...page);
            if (page.length < limit) break;
          }
          const wanted = own.filter((each) => kind === undefined || each.startsWith(kind));
          expect(found.map((each) => text(each, each.changedIn))).toEqual(wanted);
          seen.sharedBatches += found.filter(
            (each, at) => each.changedIn === found[at - 1]?.changedIn,
          ).length;
        }
        const half = { account, after: { changedIn: 0, changeIndex: 0 }, upTo: last >> 1 };
        const early = await history.custodyChanges({ ...half, limit: 1000 });
        expect(early.every(({ changedIn }) => changedIn <= last >> 1)).toBe(true);
      }
    } finally {
      await history.close();
    }
  });
  await checkAsync(property, 60);
  // The scenarios reach what the property is about.
  for (const count of Object.values(seen)) expect(count).toBeGreaterThan(0);
});

function text(record: object, batch: number): string {
  const { kind, id, status, amount, report, updatedAt } = record as CustodyChange;
  return `${kind} ${id} ${status} ${amount} ${report} ${updatedAt} in ${batch}`;
}

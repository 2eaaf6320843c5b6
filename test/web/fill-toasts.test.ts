import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { FillToasts } from '../../web/trade/fill-toasts.ts';
import type { ExactFill } from '../../web/trade/records.ts';

const moment = (ms: number) => new Date(ms).toISOString();

test('every fill is shown once: in the outcome of its order, or in a toast of its own', async () => {
  const scenario = fc.record({
    /** Fills of the order when it is placed, its later fills, and fills of another order. */
    immediate: fc.nat(3),
    later: fc.nat(3),
    others: fc.nat(3),
    isAnswered: fc.boolean(),
    /** Number of fills that arrive before the request, and before its response. */
    before: fc.nat(9),
    until: fc.nat(9),
    chunk: fc.integer({ min: 1, max: 4 }),
  });
  const property = fc.asyncProperty(scenario, async (given) => {
    const { immediate, later, others, isAnswered, chunk } = given;
    const fill = (orderId: string, ms: number) =>
      ({ orderId, timestamp: moment(ms), id: `${orderId} ${ms}` }) as ExactFill;
    const own = [
      ...Array.from({ length: immediate }, () => fill('own', 5)),
      ...Array.from({ length: later }, (_, index) => fill('own', 6 + index)),
    ].map((each, index) => ({ ...each, id: `own ${index}` }));
    const foreign = Array.from({ length: others }, (_, index) => fill('other', 1 + index));
    const all = [...foreign, ...own];
    // The order fills only after the request; the response may come long after the fills.
    const before = Math.min(given.before, foreign.length);
    const until = Math.max(before, Math.min(given.until, all.length));
    const shown: string[] = [];
    const toasts = new FillToasts((fills) => {
      expect(new Set(fills.map(({ orderId }) => orderId)).size).toBe(1);
      shown.push(...fills.map(({ id }) => id));
    });
    const add = (fills: readonly ExactFill[]) => {
      for (let at = 0; at < fills.length; at += chunk) toasts.add(fills.slice(at, at + chunk));
    };
    add(all.slice(0, before));
    expect(shown).toHaveLength(before);
    const { promise, resolve, reject } =
      Promise.withResolvers<readonly { orderId: string; lastFillAt: string | null }[]>();
    const answer = toasts.reportedBy(() => promise);
    add(all.slice(before, until));
    expect(shown).toHaveLength(before);
    if (isAnswered) resolve([{ orderId: 'own', lastFillAt: immediate > 0 ? moment(5) : null }]);
    else reject(new Error('no response'));
    await answer.catch(() => {});
    add(all.slice(until));
    const isReported = ({ orderId, timestamp }: ExactFill) =>
      isAnswered && orderId === 'own' && timestamp === moment(5);
    expect(shown.sort()).toEqual(
      all
        .filter((each) => !isReported(each))
        .map(({ id }) => id)
        .sort(),
    );
  });
  await fc.assert(property, { numRuns: 300 });
});

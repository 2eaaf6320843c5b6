import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { OrderBook } from './order-book.ts';

const price = fc
  .tuple(fc.bigInt({ min: 1n, max: 10n ** 30n }), fc.integer({ min: 0, max: 12 }))
  .map(([units, decimals]) => {
    const text = `${units}`.padStart(decimals + 1, '0');
    const whole = text.slice(0, text.length - decimals);
    return [whole, text.slice(text.length - decimals).replace(/0+$/, '')].filter(Boolean).join('.');
  });
const near = fc.integer({ min: 95, max: 105 }).map((units) => `${units / 10}`);
const level = fc.tuple(fc.oneof(near, price), fc.constantFrom('0', '0.5', '123456789012.12345678'));

/** Compares decimals of any length. */
function compare(a: string, b: string): number {
  const units = (text: string) => {
    const [whole, fraction = ''] = text.split('.');
    return BigInt(`${whole}${fraction.padEnd(40, '0')}`);
  };
  return units(a) < units(b) ? -1 : 1;
}

test('keeps the latest levels, best first, with exact digits', () => {
  fc.assert(
    fc.property(fc.array(level), fc.array(fc.array(level)), (first, updates) => {
      const book = new OrderBook<string>();
      const naive = new Map<string, string>();
      const updatedAt = '2026-01-05T12:00:00.000Z';
      const data = (levels: [string, string][]) => {
        return { symbol: 'A/B', bids: levels, asks: levels, updatedAt };
      };
      book.apply({ op: 'snapshot', sequence: 0, data: data(first) });
      let sequence = 0;
      for (const update of updates) {
        const prevSequence = sequence++;
        book.apply({ op: 'update', prevSequence, sequence, data: data(update) });
      }
      for (const [at, amount] of [...first, ...updates.flat()]) naive.set(at, amount);
      const asks = [...naive].filter(([, amount]) => amount !== '0');
      asks.sort(([a], [b]) => compare(a, b));
      expect(book.asks as unknown).toEqual(asks);
      expect(book.bids as unknown).toEqual(asks.toReversed());
      expect(book.sequence).toBe(sequence);
    }),
  );
});

test('works with doubles', () => {
  const book = new OrderBook<number>();
  const data = {
    symbol: 'A/B',
    bids: [],
    asks: [
      [10.5, 1],
      [9, 2],
    ] as [number, number][],
    updatedAt: '2026-01-05T12:00:00.000Z',
  };
  book.apply({ op: 'snapshot', sequence: 3, data });
  expect(book.asks).toEqual([
    [9, 2],
    [10.5, 1],
  ]);
  expect(book.updatedAt).toBe(data.updatedAt);
});

test('is complete from the message that reports it until a snapshot that does not', () => {
  const book = new OrderBook<number>();
  const data = { symbol: 'A/B', bids: [], asks: [], updatedAt: null };
  expect(book.isComplete).toBe(false);
  const messages = [
    { op: 'snapshot', sequence: 3, data: { ...data, complete: false } },
    { op: 'update', prevSequence: 3, sequence: 3, data: { ...data, complete: false } },
    { op: 'update', prevSequence: 3, sequence: 4, data: { ...data, complete: true } },
    { op: 'update', prevSequence: 4, sequence: 5, data },
    { op: 'snapshot', sequence: 9, data: { ...data, complete: false } },
    { op: 'snapshot', sequence: 9, data: { ...data, complete: true } },
  ] as const;
  const isComplete = messages.map((message) => {
    book.apply(message);
    return book.isComplete;
  });
  expect(isComplete).toEqual([false, false, true, true, false, true]);
});

test('rejects an update after a gap; a snapshot resets the book', () => {
  const book = new OrderBook<number>();
  const asks = [[9, 2]] as [number, number][];
  const data = { symbol: 'A/B', bids: [], asks, updatedAt: null };
  book.apply({ op: 'snapshot', sequence: 3, data });
  const gap = { op: 'update', prevSequence: 4, sequence: 5, data } as const;
  expect(() => book.apply(gap)).toThrow('follows 4');
  book.apply({ op: 'snapshot', sequence: 9, data: { ...data, asks: [] } });
  expect([book.asks, book.sequence]).toEqual([[], 9]);
});

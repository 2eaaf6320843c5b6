import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { OutOfSyncError } from '../errors.ts';
import { crc32 } from './crc32.ts';
import { Level3Book } from './level3-book.ts';

// test/stream/order-reader.test.ts compares the book with the engine's after every message.

type Entry<N> = readonly [id: string, price: N, amount: N];

const checksum = (...top: Entry<unknown>[]) => crc32(top.map((entry) => entry.join(':')).join('|'));
const bid = <N>(id: string, price: N, amount: N): Entry<N> => [id, price, amount];
const data = <N>(bids: Entry<N>[], sum: number) => {
  return { symbol: 'A/B', bids, asks: [], updatedAt: null, complete: true, checksum: sum };
};

test('the checksum is that of zlib', () => {
  const ascii = fc.string({ unit: 'grapheme-ascii', maxLength: 200 });
  fc.assert(fc.property(ascii, (text) => expect(crc32(text)).toBe(Bun.hash.crc32(text))));
});

test('returns the place of an order in the queue, with the exact amount ahead of it', () => {
  const book = new Level3Book<string>();
  const bids = [bid('a', '9', '0.00000001'), bid('b', '9', '9007199254740993'), bid('c', '9', '1')];
  book.apply({ op: 'snapshot', sequence: 1, data: data(bids, checksum(...bids)) });
  const common = { side: 'buy', price: '9' } as const;
  expect(book.position('a')).toEqual({
    ...common,
    amount: '0.00000001',
    ordersAhead: 0,
    amountAhead: '0',
  });
  const amountAhead = '9007199254740993.00000001';
  expect(book.position('c')).toEqual({ ...common, amount: '1', ordersAhead: 2, amountAhead });
  expect(book.position('d')).toBeUndefined();
});

test('rejects an update after a gap, and a book that differs from its checksum', () => {
  const book = new Level3Book<string>();
  const only = bid('a', '9', '2');
  book.apply({ op: 'snapshot', sequence: 3, data: data([only], checksum(only)) });
  const next = data([bid('a', '9', '1')], checksum(bid('a', '9', '1')));
  const apply = (prevSequence: number, changed: typeof next) => () =>
    book.apply({ op: 'update', prevSequence, sequence: 5, data: changed });
  expect(apply(4, next)).toThrow(OutOfSyncError);
  expect(apply(3, { ...next, checksum: next.checksum ^ 1 })).toThrow(OutOfSyncError);
  book.apply({ op: 'snapshot', sequence: 3, data: data([only], checksum(only)) });
  expect(apply(3, next)).not.toThrow();
});

test('does not compare checksums with doubles, which lack the digits', () => {
  const book = new Level3Book<number>();
  book.apply({ op: 'snapshot', sequence: 3, data: data([bid('a', 9, 2), bid('b', 9, 0.5)], 1) });
  expect(book.position('b')).toEqual({
    side: 'buy',
    price: 9,
    amount: 0.5,
    ordersAhead: 1,
    amountAhead: 2,
  });
});

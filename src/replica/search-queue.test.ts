import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { check } from '../../test/check.ts';
import { SearchQueue } from './search-queue.ts';

const fill = (queue: SearchQueue<string, string>, account: string, count: number) =>
  Array.from({ length: count }, (_, n) => queue.add(account, `${account}-${n}`));

test('an account may have 128 items waiting, whatever others have', () => {
  const queue = new SearchQueue<string, string>();
  expect(fill(queue, 'a', 200).filter((isAdded) => isAdded)).toHaveLength(128);
  expect(queue.add('b', 'b-0')).toBe(true);
  queue.take(1);
  expect([queue.add('a', 'later'), queue.add('a', 'too many')]).toEqual([true, false]);
});

test('the next items are taken from the accounts in turn', () => {
  const queue = new SearchQueue<string, string>();
  fill(queue, 'a', 128);
  fill(queue, 'b', 1);
  fill(queue, 'c', 2);
  expect(queue.take(6)).toEqual(['a-0', 'b-0', 'c-0', 'a-1', 'c-1', 'a-2']);
  // Continues with the account whose turn it is.
  fill(queue, 'b', 2);
  expect(queue.take(3)).toEqual(['a-3', 'b-0', 'a-4']);
});

test('when very many wait, an account may still have one', () => {
  const queue = new SearchQueue<string, string>();
  for (let n = 0; n < 128; n++) fill(queue, `full-${n}`, 128);
  expect(fill(queue, 'b', 2)).toEqual([true, false]);
  expect(queue.take(129)).toContain('b-0');
});

test('every item that was added is taken once, those of an account in order', () => {
  const step = fc.oneof(
    fc.record({ account: fc.constantFrom('a', 'b', 'c', 'd') }),
    fc.record({ count: fc.nat(5) }),
  );
  const property = fc.property(fc.array(step, { maxLength: 60, size: 'max' }), (steps) => {
    const queue = new SearchQueue<string, [string, number]>();
    const added: [string, number][] = [];
    const taken: [string, number][] = [];
    steps.forEach((each, n) => {
      if ('count' in each) taken.push(...queue.take(each.count));
      else {
        added.push([each.account, n]);
        queue.add(each.account, [each.account, n]);
      }
      expect(queue.isEmpty).toBe(taken.length === added.length);
    });
    taken.push(...queue.take(Infinity));
    const byAccount = (items: [string, number][]) =>
      items.toSorted(([a], [b]) => a.localeCompare(b));
    expect(byAccount(taken)).toEqual(byAccount(added));
  });
  check(property, 200);
});

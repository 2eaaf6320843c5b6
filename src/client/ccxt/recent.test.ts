import { expect, test } from 'bun:test';
import { Recent } from './recent.ts';

interface Row {
  readonly id: number;
  readonly note?: string;
}

function makeList(limit: number, ...ids: number[]): Recent<Row> {
  const recent = new Recent<Row>(limit);
  for (const id of ids) recent.append(`${id}`, { id }, id % 2 === 0 ? 'even' : 'odd');
  return recent;
}
const ids = (rows: readonly Row[]) => rows.map(({ id }) => id);

test('reports new rows per scope, the same to all concurrent calls', () => {
  const recent = makeList(10, 1, 2, 3);
  expect(ids(recent.takeNew())).toEqual([1, 2, 3]);
  expect(ids(recent.takeNew())).toEqual([1, 2, 3]);
  recent.append('4', { id: 4 }, 'even');
  expect(ids(recent.takeNew())).toEqual([4]);
  expect(ids(recent.takeNew('even'))).toEqual([2, 4]);
  expect(ids(recent.takeNew('odd'))).toEqual([1, 3]);
  expect(ids(recent.takeNew('none'))).toEqual([]);
});

test('a changed row appears once, updated, at the end', () => {
  const recent = makeList(10, 1, 2, 3);
  recent.append('1', { id: 1, note: 'changed' }, 'odd');
  expect(ids(recent)).toEqual([2, 3, 1]);
  expect(recent.at(-1)!.note).toBe('changed');
  expect(ids(recent.takeNew())).toEqual([2, 3, 1]);
});

test('keeps only the last rows', () => {
  const recent = makeList(3, 1, 2, 3, 4, 5, 6, 7, 8);
  expect(ids(recent)).toEqual([6, 7, 8]);
  expect(ids(recent.takeNew())).toEqual([6, 7, 8]);
  recent.append('1', { id: 1 }, 'odd');
  expect(ids(recent)).toEqual([7, 8, 1]);
});

test('filter and map return plain arrays', () => {
  expect(makeList(10, 1, 2).filter(({ id }) => id > 1)).toEqual([{ id: 2 }]);
  expect(makeList(10, 1).map(({ id }) => id).constructor).toBe(Array);
});

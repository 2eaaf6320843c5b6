import { expect, test } from 'bun:test';
import { RowsByAccount } from './rows-by-account.ts';

interface Row {
  readonly account: number;
  readonly id: number;
}

/** Counts lookups of an account's rows. */
class Counted extends RowsByAccount<Row> {
  static lookups = 0;

  override get(account: number): readonly Row[] {
    Counted.lookups++;
    return super.get(account);
  }
}

test('rows of several parts are sorted by account, and within one in order of recording', () => {
  const parts = [new RowsByAccount<Row>(), new RowsByAccount<Row>()];
  const rows = [3, 1, 3, 2, 1].map((account, id) => ({ account, id }));
  for (const row of rows) parts[row.id < 3 ? 0 : 1]!.add(row);
  const ids = [...RowsByAccount.all(parts)].map(({ id }) => id);
  expect(ids).toEqual([1, 4, 3, 0, 2]);
});

test('many parts of few accounts cost their rows, not accounts times parts', () => {
  const parts = Array.from({ length: 300 }, (_, account) => {
    const part = new Counted();
    part.add({ account, id: account });
    return part;
  });
  Counted.lookups = 0;
  expect([...RowsByAccount.all(parts)]).toHaveLength(parts.length);
  expect(Counted.lookups).toBeLessThanOrEqual(parts.length);
});

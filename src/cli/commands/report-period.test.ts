import { expect, test } from 'bun:test';
import { Arguments } from '../arguments.ts';
import { readPeriod } from './report-period.ts';

const NOW = new Date('2027-03-31T23:30:00Z');

function read(options: Record<string, string>, now = NOW) {
  const values = Object.entries(options).map(([name, value]) => [name, [value]] as const);
  return readPeriod(new Arguments(new Map(), new Map(values)), now);
}

function month(from: string, to: string) {
  return { from: `${from}T00:00:00.000Z`, to: `${to}T00:00:00.000Z` };
}

test('a period is given by its times or by a month', () => {
  expect(read({ from: '2027-01-05T00:00:00Z' })).toEqual({ from: '2027-01-05T00:00:00Z' });
  expect(read({ from: '1', to: '2' })).toEqual({ from: '1', to: '2' });
  expect(read({ month: '2027-01' })).toEqual(month('2027-01-01', '2027-02-01'));
  expect(read({ month: '2027-12' })).toEqual(month('2027-12-01', '2028-01-01'));
});

test('the last month is the one before that of the time in UTC', () => {
  const last = (now: string) => read({ month: 'last' }, new Date(now));
  // A month ago is no day of February.
  expect(last('2027-03-31T23:30:00Z')).toEqual(month('2027-02-01', '2027-03-01'));
  expect(last('2028-01-01T00:00:00Z')).toEqual(month('2027-12-01', '2028-01-01'));
  // The first of April in Tokyo is still March in UTC.
  expect(last('2027-04-01T02:00:00+09:00')).toEqual(month('2027-02-01', '2027-03-01'));
});

test('no period, and two of them, are wrong usage', () => {
  for (const options of [{}, { to: '2' }]) {
    expect(() => read(options)).toThrow('Give the period with --from or --month.');
  }
  for (const options of [{ from: '1' }, { to: '2' }]) {
    expect(() => read({ ...options, month: 'last' })).toThrow('Give either --month');
  }
});

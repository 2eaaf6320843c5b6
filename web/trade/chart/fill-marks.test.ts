import { describe, expect, test } from 'bun:test';
import { type ChartFill, groupFills } from './fill-marks.ts';

const STEP_S = 900;
const findStart = (time: number) => time - (time % STEP_S);
const fill = (side: 'buy' | 'sell', time: number, price: string, amount: string): ChartFill => ({
  side,
  time,
  price,
  amount,
});

describe('marks of fills', () => {
  test('fills of one candle and side share a mark with their amount and average price', () => {
    const marks = groupFills(
      [
        fill('buy', 1000, '100', '1'),
        fill('sell', 1100, '104', '2'),
        fill('buy', 1799, '103', '0.5'),
        fill('buy', 100, '90', '1'),
      ],
      findStart,
    );
    expect(
      marks.map(({ side, time, count, amount, averagePrice }) => [
        side,
        time,
        count,
        amount.toFixed(),
        averagePrice.toFixed(),
      ]),
    ).toEqual([
      ['buy', 0, 1, '1', '90'],
      ['buy', 900, 2, '1.5', '101'],
      ['sell', 900, 1, '2', '104'],
    ]);
  });
});

import { beforeEach, describe, expect, test } from 'bun:test';
import {
  changeDrawings,
  continueChange,
  lastChanged,
  readShapes,
  removeDrawings,
  undo,
} from './drawing-history.ts';
import { drawings, type Shape } from './shapes.ts';

const BTC = 'BTC/USDT';
const ETH = 'ETH/USDT';
const lineAt = (price: number): Shape => ({ tool: 'horizontal', points: [{ time: 0, price }] });
const prices = (symbol: string) => readShapes(symbol).map(({ points }) => points[0]!.price);

beforeEach(() => {
  while (undo(BTC) || undo(ETH));
  drawings.value = {};
});

describe('changes of drawings', () => {
  test('are reverted in reverse order, each market on its own', () => {
    changeDrawings(BTC, [lineAt(1)]);
    changeDrawings(ETH, [lineAt(9)]);
    changeDrawings(BTC, [lineAt(1), lineAt(2)]);
    expect(lastChanged()).toBe(BTC);
    expect(undo(BTC)).toBe(true);
    expect(prices(BTC)).toEqual([1]);
    expect(undo(BTC)).toBe(true);
    expect(undo(BTC)).toBe(false);
    expect([prices(BTC), prices(ETH)]).toEqual([[], [9]]);
  });

  test('of one movement are one step', () => {
    changeDrawings(BTC, [lineAt(1)]);
    changeDrawings(BTC, [lineAt(2)]);
    for (const price of [3, 4, 5]) continueChange(BTC, [lineAt(price)]);
    undo(BTC);
    expect(prices(BTC)).toEqual([1]);
  });

  test('are forgotten after 50 later ones', () => {
    for (let price = 1; price <= 60; price++) changeDrawings(BTC, [lineAt(price)]);
    let count = 0;
    while (undo(BTC)) count++;
    expect([count, prices(BTC)]).toEqual([50, [10]]);
  });

  test('by removing all can be taken back at once', () => {
    changeDrawings(BTC, [lineAt(1)]);
    changeDrawings(ETH, [lineAt(2)]);
    const restore = removeDrawings([BTC, ETH, BTC])!;
    expect([prices(BTC), prices(ETH)]).toEqual([[], []]);
    restore();
    expect([prices(BTC), prices(ETH)]).toEqual([[1], [2]]);
    restore();
    expect(prices(BTC)).toEqual([1]);
    drawings.value = {};
    expect(removeDrawings([BTC, ETH])).toBeUndefined();
  });
});

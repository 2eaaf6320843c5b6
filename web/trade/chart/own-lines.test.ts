import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { type ChartItem, groupItems } from './own-items.ts';
import type { Ends } from './own-label.ts';
import { OwnLines } from './own-lines.ts';

const HEIGHT = 400;
const TOP_PRICE = 1000;
const COLORS = {
  ...{ buy: 'green', sell: 'red', alert: 'orange', panel: 'white' },
  ...{ buySoft: 'lime', sellSoft: 'pink', alertSoft: 'yellow' },
};

const order = fc.record({
  id: fc.uuid(),
  kind: fc.constantFrom('buy' as const, 'sell' as const, 'alert' as const),
  price: fc.integer({ min: 1, max: 2000 }).map(String),
  titles: fc.constant(['Buy limit 0.5', 'Limit 0.5', '0.5']),
  remaining: fc.integer({ min: 1, max: 1000 }).map((each) => `${each / 1000}`),
});

/** Returns lines on a pane that shows the prices from 600 to 1000, a pixel each. @param candles Ends of the candles at all heights @param reserved Heights of the label of the last price and the countdown @param legendEnd Right end of the legend */
function attach(
  orders: readonly ChartItem[],
  canRemove = false,
  candles: readonly Ends[] = [],
  reserved?: readonly [number, number],
  legendEnd = 0,
): OwnLines {
  const lines = new OwnLines(
    () => '11px sans-serif',
    () => reserved,
    () => [],
    () => candles,
    () => legendEnd,
  );
  const series = {
    priceToCoordinate: (price: number) => TOP_PRICE - price,
    getPane: () => ({ getHeight: () => HEIGHT }),
  };
  // biome-ignore lint/suspicious/noExplicitAny: a part of the chart is enough
  lines.attached({ series, requestUpdate: () => {} } as any);
  lines.use(orders, COLORS, 2, canRemove);
  return lines;
}

interface Drawn {
  readonly texts: { readonly text: string; readonly left: number }[];
  readonly points: { readonly x: number; readonly y: number }[];
}

/** Draws the lines on a pane of a width, in a font whose characters are 6 px wide. Returns the texts and the corners of lines. */
function draw(lines: OwnLines, width: number): Drawn {
  const drawn: Drawn = { texts: [], points: [] };
  const recorded: Readonly<Record<string, unknown>> = {
    measureText: (text: string) => ({ width: text.length * 6 }),
    fillText: (text: string, left: number) => drawn.texts.push({ text, left }),
    moveTo: (x: number, y: number) => drawn.points.push({ x, y }),
    lineTo: (x: number, y: number) => drawn.points.push({ x, y }),
  };
  const context = new Proxy(recorded, {
    get: (methods, name: string) => methods[name] ?? (() => {}),
    set: () => true,
  });
  const [view] = lines.paneViews();
  // biome-ignore lint/suspicious/noExplicitAny: a part of the canvas is enough
  const target: any = {
    useMediaCoordinateSpace: (paint: (scope: object) => void) =>
      paint({ context, mediaSize: { width, height: HEIGHT } }),
  };
  // biome-ignore lint/suspicious/noExplicitAny: the library's second argument is not used
  (view!.renderer() as any).draw(target);
  return drawn;
}

/** Returns the lowest and highest y at which the pane has an ×. */
function crossHeights(lines: OwnLines, width: number): readonly [number, number] {
  const heights = Array.from({ length: HEIGHT }, (_, y) => y).filter((y) =>
    Array.from({ length: width }, (_, x) => x).some((x) => lines.findCross({ x, y })),
  );
  return [heights[0]!, heights.at(-1)!];
}

describe('lines of orders and alerts', () => {
  test('orders at one price and side share a line with their sum', () => {
    const [buy, sell] = groupItems([
      { id: 'a', kind: 'buy', price: '10.0', titles: ['Buy limit 0.5'], remaining: '0.5' },
      { id: 'b', kind: 'sell', price: '10', titles: ['Sell limit 1'], remaining: '1' },
      { id: 'c', kind: 'buy', price: '10', titles: ['Buy limit 0.2'], remaining: '0.2' },
    ]);
    expect(buy).toMatchObject({ price: 10, titles: ['2 buy orders, 0.7', '↑ 0.7'] });
    expect(sell).toMatchObject({ price: 10, titles: ['Sell limit 1'] });
  });

  test('alerts share a line with each other, and none with orders', () => {
    const alert = { kind: 'alert', price: '10', titles: ['Breakout'] } as const;
    const lines = groupItems([
      { id: 'a', kind: 'buy', price: '10', titles: ['Buy limit 0.5'], remaining: '0.5' },
      { ...alert, id: 'b' },
    ]);
    expect(lines.map(({ kind, titles }) => [kind, titles[0]])).toEqual([
      ['buy', 'Buy limit 0.5'],
      ['alert', 'Breakout'],
    ]);
    const [shared] = groupItems([
      { ...alert, id: 'b' },
      { ...alert, id: 'c', price: '10.0' },
    ]);
    expect(shared).toMatchObject({ kind: 'alert', price: 10, titles: ['2 price alerts', '2'] });
  });

  test('each visible price has one label on the axis, and prices off screen have none', () => {
    fc.assert(
      fc.property(fc.array(order, { maxLength: 20 }), (orders) => {
        const labels = attach(orders).axisLabels();
        const visible = orders.filter(({ price }) => Number(price) >= 600 && Number(price) <= 1000);
        const keys = new Set(visible.map(({ kind, price }) => `${kind} ${price}`));
        expect(labels.length).toBe(keys.size);
        const prices = new Set(visible.map(({ price }) => Number(price)));
        for (const { text } of labels) expect(prices.has(Number(text.replace(',', '')))).toBe(true);
      }),
    );
  });

  test('a dragged line shows the new price until it is dropped', () => {
    const lines = attach([
      { id: 'a', kind: 'buy', price: '800', titles: ['Buy limit 0.5'], remaining: '0.5' },
    ]);
    const line = lines.find({ x: 300, y: 203 })!;
    expect(lines.find({ x: 300, y: 206 })).toBeUndefined();
    lines.drag(line, 750);
    expect(lines.axisLabels()[0]!.text).toBe('750.00');
    lines.drag(line, undefined);
    expect(lines.axisLabels()[0]!.text).toBe('800.00');
  });

  test('a dragged line stays at the pointer when an event replaces its order', () => {
    const own = { kind: 'buy', price: '800', titles: ['Buy limit 0.5'], remaining: '0.5' } as const;
    const lines = attach([{ ...own, id: 'a' }]);
    lines.drag(lines.find({ x: 300, y: 200 })!, 750);
    lines.use(
      [
        { ...own, id: 'b', price: '700' },
        { ...own, id: 'a' },
      ],
      COLORS,
      2,
    );
    expect(lines.axisLabels().map(({ text }) => text)).toEqual(['700.00', '750.00']);
  });

  test('labels of lines close to each other have an × each', () => {
    const own = { kind: 'buy', titles: ['Buy limit 0.5'], remaining: '0.5' } as const;
    const items = [
      { ...own, id: 'a', price: '800' },
      { ...own, id: 'b', price: '795' },
    ];
    const lines = attach(items, true);
    draw(lines, 500);
    const found = Array.from({ length: 500 }, (_, x) => lines.findCross({ x, y: 202 }))
      .filter((line) => line !== undefined)
      .map(({ items: [first] }) => first!.id);
    expect([...new Set(found)]).toEqual(['a', 'b']);
    expect(found.filter((id) => id === 'a').length).toBe(19);
  });

  test.each([
    ['1000', 800, [25, 43]],
    ['1000', 400, [44, 62]],
    ['600', 800, [381, 399]],
    ['800', 800, [191, 209]],
  ])(
    'the label at %s in a pane of %i px is below the legend and inside of the pane',
    (price, width, heights) => {
      const own = { kind: 'sell', titles: ['Sell limit 0.5'], remaining: '0.5' } as const;
      const lines = attach([{ ...own, id: 'a', price }], true);
      lines.expand(lines.find({ x: 300, y: TOP_PRICE - Number(price) }));
      draw(lines, width);
      expect(crossHeights(lines, width)).toEqual(heights as [number, number]);
    },
  );

  test.each([
    [600, ['Sell trailing stop 0.25', 'Sell trailing stop 0.25']],
    [400, ['Sell trailing stop 0.25', 'Sell trailing stop 0.25']],
    [210, ['Sell trailing stop 0.25']],
    [180, ['Trailing stop 0.25']],
    [80, ['0.25']],
    [40, []],
  ])('labels in a pane of %i px are shortened, never cut', (width, texts) => {
    const titles = ['Sell trailing stop 0.25', 'Trailing stop 0.25', '0.25'];
    const own = { kind: 'sell', titles, remaining: '0.25' } as const;
    const lines = attach(
      [
        { ...own, id: 'a', price: '800' },
        { ...own, id: 'b', price: '795' },
      ],
      true,
    );
    lines.expand(lines.find({ x: 30, y: 200 }));
    const drawn = draw(lines, width).texts;
    expect(drawn.map(({ text }) => text)).toEqual(texts);
    for (const { text, left } of drawn) {
      expect(left).toBeGreaterThanOrEqual(0);
      expect(left + text.length * 6).toBeLessThanOrEqual(width);
    }
  });

  test('a label below the legend is connected with its line', () => {
    const own = { kind: 'sell', titles: ['Sell limit 0.5'], remaining: '0.5' } as const;
    const { points } = draw(attach([{ ...own, id: 'a', price: '990' }]), 800);
    expect(points).toEqual([
      { x: 788.5, y: 34 },
      { x: 788.5, y: 10.5 },
      { x: 0, y: 10.5 },
      { x: 800, y: 10.5 },
    ]);
  });

  test('lines cross the whole pane, those at the height of the legend from its right end', () => {
    const heights = fc.record({
      // Further up and down, lines bend to their labels of the axis.
      price: fc.integer({ min: 620, max: 980 }),
      width: fc.integer({ min: 300, max: 1200 }),
      share: fc.double({ min: 0, max: 1, noNaN: true }),
    });
    fc.assert(
      fc.property(heights, ({ price, width, share }) => {
        const own = { kind: 'sell', titles: ['0.5'], remaining: '0.5' } as const;
        const end = Math.round(share * width);
        const items = [{ ...own, id: 'a', price: `${price}` }];
        const { points } = draw(attach(items, false, [], undefined, end), width);
        const [left, right] = points.slice(-2);
        const y = TOP_PRICE - price;
        const connector = points[0]!.x - 0.5;
        const isAtLegend = y < (width < 440 ? 44 : 25);
        expect(left).toEqual({ x: isAtLegend ? Math.min(end, connector) : 0, y: y + 0.5 });
        expect(right).toEqual({ x: width, y: y + 0.5 });
      }),
    );
  });

  test('all orders have short texts once one of them needs its own', () => {
    const name = (side: string, type: string) => [
      `${side} ${type} stop 0.25`,
      `↓ ${type} 0.25`,
      '↓ 0.25',
    ];
    const own = { kind: 'sell', remaining: '0.25' } as const;
    const items: readonly ChartItem[] = [
      { ...own, id: 'a', price: '900', titles: name('Sell', 'Trailing') },
      { ...own, id: 'b', price: '700', titles: name('Sell', 'Stop') },
      { id: 'c', kind: 'alert', price: '650', titles: ['Breakout', ''] },
    ];
    const textsWith = (candles: readonly Ends[]) =>
      draw(attach(items, false, candles), 400).texts.map(({ text }) => text);
    expect(textsWith([])).toEqual(['Sell Trailing stop 0.25', 'Sell Stop stop 0.25', 'Breakout']);
    // Wide enough for one of the long texts.
    expect(textsWith([[135, 400]])).toEqual(['↓ Trailing 0.25', '↓ Stop 0.25', 'Breakout']);
  });

  test('a line bends to its label of the axis, which the last price has moved', () => {
    const own = { kind: 'sell', titles: ['0.5'], remaining: '0.5' } as const;
    const lines = attach([{ ...own, id: 'a', price: '790' }], false, [], [200, 217]);
    const { points } = draw(lines, 800);
    const { y } = lines.axisLabels()[0]!;
    expect(y).toBe(234);
    expect(points).toEqual([
      { x: 788, y: 210.5 },
      { x: 800, y },
      { x: 0, y: 210.5 },
      { x: 788, y: 210.5 },
    ]);
  });

  test('a narrow pane shows each × that fits between the candles', () => {
    const own = { kind: 'sell', titles: ['Sell limit 0.25', '↓ 0.25'], remaining: '0.25' } as const;
    const items = [{ ...own, id: 'a', price: '800' }];
    const free = attach(items, true, [[122, 400]]);
    expect(draw(free, 400).texts.map(({ text }) => text)).toEqual(['Sell limit 0.25']);
    expect(crossHeights(free, 400)).toEqual([191, 209]);
    // A text that names the order is more important than the ×.
    const full = attach(items, true, [[121, 400]]);
    expect(draw(full, 400).texts.map(({ text }) => text)).toEqual(['Sell limit 0.25']);
    expect(full.findCross({ x: 110, y: 200 })).toBeUndefined();
  });

  test('a narrow pane shows the × of the line that was tapped', () => {
    const titles = ['Sell limit 0.25', '↓ Limit 0.25', '↓ 0.25'];
    const own = { kind: 'sell', titles, remaining: '0.25' } as const;
    const items = [
      { ...own, id: 'a', price: '800' },
      { ...own, id: 'b', price: '700' },
    ];
    const lines = attach(items, true, [[0, 400]]);
    draw(lines, 400);
    expect(lines.findCross({ x: 30, y: 200 })).toBeUndefined();
    lines.expand(lines.find({ x: 10, y: 207 }));
    // Events replace the lines.
    lines.use(items, COLORS, 2, true);
    const { texts } = draw(lines, 400);
    const right = texts[0]!.left + texts[0]!.text.length * 6 + 15;
    expect(lines.findCross({ x: right, y: 200 })?.items.map(({ id }) => id)).toEqual(['a']);
    lines.expand(undefined);
    draw(lines, 400);
    expect(lines.findCross({ x: right, y: 200 })).toBeUndefined();
  });

  test('a label gives way to that of a near line, off the center of its own', () => {
    const titles = ['Sell trailing stop 0.25', '↓ 0.25'];
    const own = { kind: 'sell', titles, remaining: '0.25' } as const;
    const items = [
      { ...own, id: 'a', price: '800' },
      { ...own, id: 'b', price: '785' },
    ];
    // Candles leave room for one label only.
    const { texts } = draw(attach(items, false, [[160, 500]]), 500);
    expect(texts).toEqual([
      { text: titles[0]!, left: 14 },
      { text: titles[0]!, left: 14 },
    ]);
  });

  test('a label is no further from its line than another label needs', () => {
    const own = { kind: 'sell', titles: ['Sell trailing stop 0.25'], remaining: '0.25' } as const;
    const items = [
      { ...own, id: 'a', price: '800' },
      { ...own, id: 'b', price: '783' },
    ];
    const lines = attach(items, true, [[180, 500]]);
    draw(lines, 500);
    // The labels are at 200 and 221, four pixels below the line at 217.
    expect(crossHeights(lines, 500)).toEqual([191, 230]);
  });

  const WHOLE = 'Buy limit 0.5';
  const gaps: readonly (readonly [string, readonly Ends[], number, string])[] = [
    ['right of the first candles', [[0, 30]], 34, WHOLE],
    [
      'in the first gap that is wide enough',
      [
        [0, 10],
        [60, 70],
        [300, 310],
      ],
      74,
      WHOLE,
    ],
    ['at the left if no gap is wide enough', [[0, 500]], 8, WHOLE],
    [
      'shorter where only that fits',
      [
        [50, 490],
        [495, 500],
      ],
      8,
      '0.5',
    ],
    ['at the left of candles further right', [[200, 210]], 8, WHOLE],
  ];
  test.each(gaps)('a label is %s', (_name, candles, left, text) => {
    const own = { kind: 'buy', titles: [WHOLE, '0.5'], remaining: '0.5' } as const;
    const lines = attach([{ ...own, id: 'a', price: '800' }], false, candles);
    expect(draw(lines, 500).texts).toEqual([{ text, left: left + 6 }]);
  });

  test('a narrow pane full of candles has the shortest labels', () => {
    const own = { kind: 'buy', titles: [WHOLE, '↑ 0.5'], remaining: '0.5' } as const;
    const lines = attach([{ ...own, id: 'a', price: '800' }], true, [[0, 400]]);
    expect(draw(lines, 400).texts).toEqual([{ text: '↑ 0.5', left: 8 }]);
  });
});

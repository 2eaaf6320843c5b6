import { expect, test } from 'bun:test';
import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { Side } from '../../engine/terms.ts';
import { RecordedFiles, zipped } from '../../testing/recorded-files.ts';
import { toUnits } from './decimal.ts';
import { RecordingError } from './errors.ts';
import type { RecordedEvent } from './events.ts';
import { eventsIn, openRecording } from './recording.ts';

const START = 1_767_225_600_000;

async function read(files: RecordedFiles, ...paths: string[]): Promise<RecordedEvent[]> {
  return [...eventsIn(await openRecording(paths, files.spool))];
}

/** Returns the message of the error for a file with this content. */
async function problem(content: string | Uint8Array, name = 'BTCUSDT.csv'): Promise<string> {
  using files = new RecordedFiles();
  const path = files.write(name, content);
  try {
    await openRecording([path], files.spool);
  } catch (error) {
    expect(error).toBeInstanceOf(RecordingError);
    expect((error as RecordingError).exitCode).toBe(2);
    return (error as Error).message.replaceAll(path, name);
  }
  return 'no error';
}

const trade = fc.record({
  wait: fc.nat(100_000),
  price: fc.integer({ min: 1, max: 10_000_000 }),
  amount: fc.integer({ min: 1, max: 1_000_000_000 }),
  isBuy: fc.boolean(),
});

/** Returns units as a decimal with all its decimals, without arithmetic. */
function decimalText(units: number, decimals: number): string {
  const digits = `${units}`.padStart(decimals + 1, '0');
  return `${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`;
}

test('trades of several files and markets are read exactly and in order of time', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.array(trade, { minLength: 1, maxLength: 30 }), { minLength: 1, maxLength: 3 }),
      fc.constantFrom('plain', 'gzip', 'zip'),
      async (markets, packing) => {
        using files = new RecordedFiles();
        const symbols = ['BTCUSDT', 'ETHUSDT', 'SOLUSDT'];
        const expected: RecordedEvent[] = [];
        const paths = markets.map((trades, market) => {
          let time = START;
          const rows = trades.map(({ wait, price, amount, isBuy }) => {
            time += wait;
            const side = isBuy ? Side.buy : Side.sell;
            expected.push({ kind: 'trade', time, side, price, amount, market });
            return `${time},${decimalText(price, 2)},${decimalText(amount, 8)},${isBuy ? 'buy' : 'sell'}\n`;
          });
          const text = `time,price,amount,side\n${rows.join('')}`;
          const name = `${symbols[market]}-trades.csv`;
          if (packing === 'plain') return files.write(name, text);
          return files.write(name, packing === 'zip' ? zipped(name, text) : gzipSync(text));
        });
        // Stable: markets keep their order at the same time.
        expected.sort((a, b) => a.time - b.time);
        expect(await read(files, ...paths)).toEqual(expected);
      },
    ),
    { numRuns: 60 },
  );
});

const AGG_TRADES = `26129,0.01633102,4.70443515,27781,27781,1735689600010866,True,True
26130,0.01633200,1.00000000,27782,27783,1735689600010999,False,True
26131,0.01630000,0.50000000,27784,27784,1735689601000000,True,True
`;
const KLINES = `1735689600000,4.15,4.19,4.14,4.16,8,1735689659999,33.1,5,4,16.6,0
1735689660000,4.16,4.16,4.10,4.12,2.5,1735689719999,10.3,3,1,4.1,0
1735689720000,4.12,4.12,4.12,4.12,0,1735689779999,0,0,0,0,0
`;
const L2 = `time,type,side,price,amount
1735689600,snapshot,buy,100,2
1735689600,snapshot,sell,101,1
1735689601,trade,buy,101,0.5
1735689601,update,sell,101,0.5
1735689602,update,sell,101,0
1735689603,snapshot,buy,99,1
`;
const L3 = `time,type,id,side,price,amount
1735689600000,order,a1,buy,100.5,2
1735689600001,order,a2,sell,101,1
1735689600002,cancel,a1,,,
`;
const BITSTAMP = `1430438404518 order_created {"price": "236.47", "amount": "2.00000000", "datetime": "1430438404", "id": 65595247, "order_type": 0}
1430438404635 order_changed {"price": "236.47", "amount": "1.78855669", "datetime": "1430438404", "id": 65595247, "order_type": 0}
1430438404637 order_deleted {"price": "236.47", "amount": "0.00000000", "datetime": "1430438340", "id": 65595187, "order_type": 1}
1430438404645 trade {"price": 236.47, "amount": 0.21144331, "id": 8111041}
1430438405885 order_book {"bids": [["236.47", "1.78855669"]], "asks": []}
`;

test('reads every format', async () => {
  using files = new RecordedFiles();
  const events = (text: string) => read(files, `AAA/BBB=${files.write('sample', text)}`);
  const at = { kind: 'trade', market: 0 };
  expect(await events(AGG_TRADES)).toEqual([
    { ...at, time: 1735689600010, side: Side.sell, price: 1633102, amount: 470443515 },
    { ...at, time: 1735689600010, side: Side.buy, price: 1633200, amount: 100000000 },
    { ...at, time: 1735689601000, side: Side.sell, price: 1630000, amount: 50000000 },
  ] as RecordedEvent[]);
  expect((await events(L2)).map(({ kind }) => kind)).toEqual([
    ...['clear', 'level', 'level', 'trade', 'level', 'level', 'clear', 'level'],
  ] as RecordedEvent['kind'][]);
  expect(await events(L3)).toEqual([
    ...[
      { kind: 'order', id: 'a1', side: Side.buy, price: 1005, amount: 2 },
      { kind: 'order', id: 'a2', side: Side.sell, price: 1010, amount: 1 },
      { kind: 'cancel', id: 'a1' },
    ].map((event, index) => ({ ...event, market: 0, time: 1735689600000 + index })),
  ] as RecordedEvent[]);
  expect(await events(BITSTAMP)).toEqual([
    {
      kind: 'order',
      time: 1430438404518,
      id: '65595247',
      side: Side.buy,
      price: 23647,
      amount: 2,
      market: 0,
    },
    { kind: 'cancel', time: 1430438404637, id: '65595187', market: 0 },
  ]);
  const withHeader = `agg_trade_id,price,quantity,first_trade_id,last_trade_id,transact_time,is_buyer_maker\n${AGG_TRADES.replaceAll(',True\n', '\n')}`;
  expect(await events(withHeader)).toEqual(await events(AGG_TRADES));
  expect(await events(AGG_TRADES.replaceAll('\n', '\r\n'))).toEqual(await events(AGG_TRADES));
});

test('the trades of a kline have its prices and its volume', async () => {
  const cents = fc.integer({ min: 1, max: 1000 });
  await fc.assert(
    fc.asyncProperty(
      fc.array(
        fc.record({ prices: fc.tuple(cents, cents, cents, cents), volume: fc.nat(10_000) }),
        { minLength: 1, maxLength: 20 },
      ),
      async (candles) => {
        using files = new RecordedFiles();
        const klines = candles.map(({ prices: [a, b, c, d], volume }, index) => {
          const [high, low] = [Math.max(a, b, c, d), Math.min(a, b, c, d)];
          // A kline of fewer steps than prices cannot exist.
          const steps = volume === 0 ? 0 : volume + 3;
          return { open: a, high, low, close: b, steps, time: START + index * 60_000 };
        });
        const rows = klines.map(({ open, high, low, close, steps, time }) => {
          const [o, h, l, c] = [open, high, low, close].map((price) => decimalText(price, 2));
          return `${time},${o},${h},${l},${c},${decimalText(steps, 4)},${time + 59_999},0,9,0,0,0\n`;
        });
        const path = files.write('BTCUSDT-1m.csv', rows.join(''));
        const events = await read(files, path);
        for (const { open, high, low, close, steps, time } of klines) {
          const trades = events.flatMap((event) =>
            event.kind === 'trade' && event.time >= time && event.time < time + 60_000
              ? [event]
              : [],
          );
          const prices = trades.map(({ price }) => price);
          expect(trades.reduce((sum, { amount }) => sum + amount, 0)).toBe(steps * 10_000);
          if (steps === 0) continue;
          expect([prices[0], Math.max(...prices), Math.min(...prices), prices.at(-1)]).toEqual([
            ...[open, high, low, close],
          ]);
        }
      },
    ),
    { numRuns: 60 },
  );
});

test.each([
  ['aggTrades', AGG_TRADES],
  ['klines', KLINES],
  ['l2', L2],
  ['l3', L3],
  ['bitstamp', BITSTAMP],
] as const)('a file of %s cut at any byte is rejected, except between lines', async (_, text) => {
  for (let length = 0; length < text.length; length++) {
    const cut = text.slice(0, length);
    const message = await problem(cut);
    const isWhole = cut.endsWith('\n') && !/^time[^\n]*\n$/.test(cut);
    if (isWhole) expect(message).toBe('no error');
    else expect(message).toMatch(/cut here|no rows|no known format/);
  }
});

test('packed files cut at any byte are rejected, and so are damaged ones', async () => {
  for (const packed of [gzipSync(AGG_TRADES), zipped('BTCUSDT.csv', AGG_TRADES)]) {
    for (let length = 1; length < packed.length; length++) {
      expect(await problem(packed.subarray(0, length))).toMatch(
        /damaged or was cut|no known format|cut here/,
      );
    }
    expect(await problem(packed)).toBe('no error');
  }
  const zip = zipped('BTCUSDT.csv', AGG_TRADES);
  // Its checksum, in the directory.
  zip[zip.length - 22 - 'BTCUSDT.csv'.length - 30]! ^= 1;
  expect(await problem(zip)).toContain('wrong checksum');
  expect(await problem(Buffer.from('fd377a585a000004', 'hex'))).toContain('xz -dk BTCUSDT.csv');
});

test.each([
  ['1735689600000,0,1,buy', 'price is zero'],
  ['1735689600000,1,0.000,buy', 'amount is zero'],
  ['1735689600000,-1,1,buy', 'price "-1" is negative'],
  ['1735689600000,1e3,1,buy', 'price "1e3" is not a decimal number'],
  ['1735689600000,1,99999999999999999,buy', 'amount 99999999999999999 is too large'],
  ['1735689600000,1,1', '3 columns instead of 4'],
  ['1735689600000,1,1,hold', 'side "hold" is not buy or sell'],
  ['1735689550000,1,1,buy', 'is before that of an earlier row, 2025-01-01T00:00:00.000Z'],
  ['2025-01-01,1,1,buy', 'time "2025-01-01" is not in seconds'],
  ['1735689600000000,1,1,buy', 'has 16 digits, the rows before have 13'],
  ['', '1 columns instead of 4'],
])('reports the row %p', async (row, expected) => {
  const valid = '1735689600000,1,1,buy\n';
  const before = '1735689500000,1,1,buy\n';
  const message = await problem(`time,price,amount,side\n${before}${valid}${row}\n${valid}`);
  expect(message).toStartWith(
    'BTCUSDT.csv cannot be played, because 1 line is invalid:\n  line 4: ',
  );
  expect(message).toContain(expected);
});

test('counts all invalid rows and names the first ten', async () => {
  const message = await problem(`time,price,amount\n${'x\n'.repeat(1234)}`);
  expect(message).toContain('1,234 lines are invalid');
  expect(message.split('\n')).toHaveLength(12);
  expect(message).toEndWith('and 1,224 more');
});

test.each([
  [KLINES.replace('4.19', '4.13'), 'line 1: high is not the highest price'],
  [KLINES.replace('4.10', '4.15'), 'line 2: low is not the lowest price'],
  [KLINES.replace('1735689660000', '1735689659000'), 'before the end of the one above'],
  [KLINES.replace('1735689659999', '1735689600000'), 'close time is not after the open time'],
])('reports impossible klines', async (text, expected) => {
  expect(await problem(text)).toContain(expected);
});

test('warns of gaps and of rounding, with the first lines', async () => {
  using files = new RecordedFiles();
  const gap = KLINES.replace(/17356897[27][09]/g, (time) => `${Number(time) + 60}`);
  const klines = files.write('BTCUSDT-1m.csv', gap);
  expect((await openRecording([klines], files.spool)).warnings).toEqual([
    `${klines} has 1 gap:\n  line 3: nothing from 2025-01-01T00:02:00.000Z to 2025-01-01T00:03:00.000Z (1 min)`,
  ]);
  const late = AGG_TRADES.replace('1735689601000000', '1735693201000000');
  const trades = files.write('ETHUSDT-aggTrades.csv', late);
  const { warnings } = await openRecording([trades], files.spool);
  expect(warnings).toEqual([
    `${trades} has 1 gap:\n  line 3: nothing from 2025-01-01T00:00:00.010Z to 2025-01-01T01:00:01.000Z (60 min)`,
    `${trades}: 3 prices are rounded to the market's tick of 0.01, the first in line 1`,
  ]);
});

test('rejects files that do not fit together, and numbers above the maximum of a market', async () => {
  using files = new RecordedFiles();
  const open = (...paths: string[]) => openRecording(paths, files.spool);
  const one = files.write('BTCUSDT-1.csv', AGG_TRADES);
  const klines = files.write('BTCUSDT-1m.csv', KLINES);
  const large = files.write('BTCUSDT-2.csv', AGG_TRADES.replace('4.70443515', '90000000'));
  expect(open(one, one)).rejects.toThrow('Give the files of a market in order of time.');
  expect(open(one, klines)).rejects.toThrow('must have the same format');
  expect(open(large)).rejects.toThrow(
    "line 1: 90000000 is above the market's maximum of 10000000.",
  );
  expect(open('/none/BTCUSDT.csv')).rejects.toThrow('/none/BTCUSDT.csv cannot be read');
  expect(open('trades.csv')).rejects.toThrow('Give its market: BASE/QUOTE=trades.csv');
  expect(open(`btc/usd=${one}`)).rejects.toThrow('"btc/usd" is not the symbol of a market');
});

test('numbers are rounded to the nearest unit, half up, and never to nothing', () => {
  fc.assert(
    fc.property(
      fc.nat(10 ** 9),
      fc.integer({ min: 0, max: 9 }),
      fc.integer({ min: 0, max: 9 }),
      (units, decimals, wanted) => {
        const [numerator, divisor] = [
          BigInt(units) * 10n ** BigInt(wanted),
          10n ** BigInt(decimals),
        ];
        const nearest = (2n * numerator + divisor) / (2n * divisor);
        const expected = units > 0 && nearest === 0n ? 1n : nearest;
        expect(BigInt(toUnits({ units, decimals }, wanted))).toBe(expected);
      },
    ),
  );
});

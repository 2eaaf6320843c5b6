import { afterAll, afterEach, expect, test } from 'bun:test';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Client } from '../../src/client/index.ts';
import { ExchangeProcess, temporaryDirectory } from './exchange-process.ts';
import { MainProcess } from './main-process.ts';

const SAMPLE = join(import.meta.dir, '../../examples/recorded/BTCUSDT-1m-2026-01-05.csv');
const START = Date.UTC(2026, 0, 5);
const HOUR = 3_600_000;
const SYMBOL = 'BTC/USDT';

const parent = temporaryDirectory();
let directories = 0;
const running: ExchangeProcess[] = [];

afterEach(async () => {
  for (const exchange of running.splice(0)) await exchange.kill();
});
afterAll(() => parent.remove());

async function start(market = SAMPLE, directory = join(parent.path, `${directories++}`)) {
  const exchange = await ExchangeProcess.start(directory, {
    BUTTONWOOD_MARKET: market,
    BUTTONWOOD_CLOCK: 'frozen',
    BUTTONWOOD_SEED: '42',
    BUTTONWOOD_MAKERS: 'on',
  });
  running.push(exchange);
  const { baseUrl } = exchange;
  const alice = new Client({ baseUrl, ...exchange.credential('alice') });
  const operator = new Client({ baseUrl, ...exchange.credential('operator') });
  return { exchange, directory, alice, operator };
}

const PARTS = ['open', 'high', 'low', 'close', 'volume'] as const;

/** The candles of the sample: start, and then `PARTS`. */
function sampleCandles() {
  return readFileSync(SAMPLE, 'utf8')
    .trim()
    .split('\n')
    .map((line) => {
      const [time, ...parts] = line
        .split(',')
        .slice(0, 1 + PARTS.length)
        .map(Number);
      return [time! / 1000, ...parts];
    });
}

test('a recording is the market of the sandbox, also after a restart, and then it ends', async () => {
  const first = await start();
  const time = await first.alice.getTime();
  expect(time.timestamp).toBe(new Date(START).toISOString());
  await first.operator.setSandboxClock({ advanceMs: HOUR });
  const book = await first.alice.getOrderbook({ symbol: SYMBOL });
  expect(book.bids.length).toBeGreaterThan(5);
  expect(book.asks.length).toBeGreaterThan(5);
  const order = { symbol: SYMBOL, side: 'buy', type: 'market', amount: 0.01 } as const;
  expect((await first.alice.placeOrder(order)).filled).toBe(0.01);
  await first.exchange.stop();
  const { alice, operator, exchange } = await start(SAMPLE, first.directory);
  await operator.setSandboxClock({ advanceMs: 4 * HOUR });
  const { candles } = await alice.getCandles({
    symbol: SYMBOL,
    interval: '1m',
    since: new Date(START).toISOString(),
    limit: 300,
  });
  const played = candles
    .map(({ timestamp, ...candle }) => [
      Date.parse(timestamp),
      ...PARTS.map((part) => candle[part]),
    ])
    .filter(([at]) => at! < START + 4 * HOUR);
  const recorded = sampleCandles();
  // Alice traded at the end of the first hour, so that this candle has more.
  expect(played.filter(([at]) => at !== START + HOUR)).toEqual(
    recorded.filter(([at]) => at !== START + HOUR),
  );
  const { recordings } = await operator.getRecordings();
  expect(recordings).toMatchObject([{ symbol: SYMBOL, rows: 240, rejected: 0, ended: true }]);
  expect((await alice.getOrderbook({ symbol: SYMBOL })).bids).toEqual([]);
  const { output } = await exchange.stop();
  expect(output).toContain(
    'The recording of BTC/USDT ended at 2026-01-05T03:59:59.999Z. Its makers have stopped.',
  );
}, 120_000);

test('the same recording, seed and calls give the same state', async () => {
  const hashes: string[] = [];
  for (let run = 0; run < 2; run++) {
    const { alice, operator } = await start();
    await operator.setSandboxClock({ advanceMs: HOUR });
    const order = { symbol: SYMBOL, side: 'sell', type: 'limit', amount: 0.5 } as const;
    await alice.placeOrder({ ...order, price: 94_000, clientOrderId: 'one' });
    await operator.setSandboxClock({ advanceMs: 2 * HOUR });
    hashes.push((await operator.getState()).stateHash);
  }
  expect(hashes[1]).toBe(hashes[0]!);
}, 120_000);

test.each([
  ['cut', (text: string) => text.slice(0, -10), /line 240: 11 columns instead of 12, and the line/],
  [
    'invalid',
    (text: string) => text.replace('93846.32000000', '-1'),
    /line 1: close "-1" is negative/,
  ],
  ['empty', () => '', /has no rows/],
] as const)(
  'a file that is %s ends the start with code 2',
  async (name, change, message) => {
    const path = join(parent.path, `BTCUSDT-1m-${name}.csv`);
    writeFileSync(path, change(readFileSync(SAMPLE, 'utf8')));
    const directory = join(parent.path, `${directories++}`);
    const process = MainProcess.start(['start', '--market', path, '--data', directory], {});
    expect(await process.ended()).toBe(2);
    expect(process.output).toMatch(message);
    expect(process.output).not.toContain('sandbox at');
  },
  60_000,
);

test('a sandbox of another market, a real clock and a real exchange reject a recording', async () => {
  const { exchange, directory } = await start();
  await exchange.stop();
  const other = `ETH/USDT=${SAMPLE}`;
  const cases = [
    [
      ['start', '--data', directory, '--market', `AAA/BBB=${SAMPLE}`],
      'was not created for this recording',
    ],
    [
      ['start', '--data', directory, '--market', other, '--clock', 'real'],
      'needs a clock that is not real',
    ],
    [['serve', '--data', directory, '--market', other], 'only for the sandbox'],
  ] as const;
  for (const [args, message] of cases) {
    const process = MainProcess.start(args, {});
    expect(await process.ended()).toBe(2);
    expect(process.output).toContain(message);
  }
}, 120_000);

import { expect, spyOn, test } from 'bun:test';
import type { TradeEvent } from '../../../engine/event.ts';
import type { Market } from '../../../engine/markets/markets.ts';
import type { Candle } from '../../../history/history.ts';
import type { Services } from '../../services.ts';
import { KlineStream, MAX_WAITING_TRADES } from './kline-stream.ts';

const market = {
  index: 0,
  symbol: 'BTC/USDT',
  rules: { priceDecimals: 2, amountDecimals: 4 },
  base: { asset: 'BTC', decimals: 8 },
  quote: { asset: 'USDT', decimals: 8 },
} as unknown as Market;

const trade = (id: number) =>
  ({
    kind: 'trade',
    id,
    price: 100,
    amount: 1,
    cost: 1,
    time: 60_000,
    takerSide: 0,
  }) as never as TradeEvent;

/** Opens a stream whose queries are answered by `answer`. */
function open(answer: () => Promise<Candle[]>) {
  let queries = 0;
  let hasEnded = false;
  const archivist = {
    query: () => {
      queries++;
      return answer();
    },
  };
  const services = {
    ...{ archivist, now: () => 61_000 },
    replica: { position: 1, exchange: { state: { time: 61_000 } } },
  } as unknown as Services;
  const turn = {
    run: <Result>(query: () => Promise<Result>) => query(),
    end: () => {
      hasEnded = true;
    },
  };
  const stream = new KlineStream('btcusdt@kline_1m', market, '1m', 0, services, turn);
  const collected = () => (stream as unknown as { waiting?: unknown[] }).waiting?.length ?? 0;
  return { stream, collected, queries: () => queries, hasEnded: () => hasEnded };
}

test('a stream whose query failed collects no trades and is tried again', async () => {
  const log = spyOn(console, 'error').mockImplementation(() => {});
  let fails = true;
  const { stream, collected, queries } = open(() =>
    fails ? Promise.reject(new Error('a fault')) : Promise.resolve([]),
  );
  await Bun.sleep(1);
  for (let id = 1; id <= 100; id++) stream.note(trade(id));
  expect([collected(), stream.take().length]).toEqual([0, 0]);
  fails = false;
  while (queries() < 2) await Bun.sleep(10);
  await Bun.sleep(1);
  stream.note(trade(101));
  expect(JSON.parse(stream.take().at(-1)!).k).toMatchObject({ f: 101, L: 101, n: 1 });
  expect(log).toHaveBeenCalledTimes(1);
  log.mockRestore();
});

test('trades beyond a maximum during a query are dropped, and the query is repeated', async () => {
  let answer: (candles: Candle[]) => void = () => {};
  const { stream, collected, queries, hasEnded } = open(
    () =>
      new Promise((resolve) => {
        answer = resolve;
      }),
  );
  for (let id = 1; id <= MAX_WAITING_TRADES; id++) stream.note(trade(id));
  expect(collected()).toBe(MAX_WAITING_TRADES);
  for (let id = 0; id < 3; id++) stream.note(trade(MAX_WAITING_TRADES + id));
  expect(collected()).toBe(0);
  answer([]);
  while (queries() < 2) await Bun.sleep(10);
  stream.note(trade(20_000));
  answer([]);
  await Bun.sleep(1);
  expect(JSON.parse(stream.take().at(-1)!).k).toMatchObject({ f: 20_000, n: 1 });
  stream.close();
  expect(hasEnded()).toBe(true);
});

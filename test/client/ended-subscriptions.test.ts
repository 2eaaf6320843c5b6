import { afterEach, beforeEach, expect, test } from 'bun:test';
import { Streams } from '../../src/client/index.ts';
import type { Topic } from '../../src/client/stream/topics.ts';
import { ScriptedStream } from '../ccxt/scripted-stream.ts';

/** Tests of errors that name the subscription they ended. */

const TRADES = { channel: 'trades', symbol: 'A/B' } as const;
const CANDLES = { channel: 'candles', symbol: 'A/B', interval: '1m' } as const;
const PRICES = { channel: 'prices', symbol: 'A/B' } as const;

let script: ScriptedStream;
let streams: Streams;
let errors: Error[];
/** Messages delivered to subscribers, as `op channel`. */
let seen: string[];
let wake: () => void;

beforeEach(() => {
  script = new ScriptedStream('');
  errors = [];
  seen = [];
  wake = () => {};
  const onError = (error: Error) => {
    errors.push(error);
    wake();
  };
  streams = new Streams({ baseUrl: script.url, onError });
});
afterEach(async () => {
  streams.close();
  await script.stop();
});

function ask(topic: Topic): Promise<() => void> {
  return streams.subscribe(topic, ({ op }) => {
    seen.push(`${op} ${topic.channel}`);
    wake();
  });
}

/** Subscribes and confirms. */
async function begin(topic: Topic): Promise<() => void> {
  const subscription = ask(topic);
  await script.next();
  say(topic, 'snapshot');
  return subscription;
}

/** Subscribes to trades and candles and confirms both. */
async function beginBoth(): Promise<() => void> {
  await begin(TRADES);
  const leave = await begin(CANDLES);
  seen.length = 0;
  return leave;
}

function say(topic: Topic, op: 'snapshot' | 'update'): void {
  const numbers = topic.channel === 'trades' ? { prevSequence: 5, sequence: 5 } : {};
  script.say({ op, ...topic, ...numbers, data: null });
}

function end(topic: Topic, code: string): void {
  script.say({ op: 'error', ...topic, error: { code, message: code, details: {} } });
}

async function until(condition: () => boolean): Promise<void> {
  while (!condition()) {
    await new Promise<void>((resolve) => {
      wake = resolve;
    });
  }
}

test('a subscription that ends with a transient error is renewed on the same connection', async () => {
  await beginBoth();
  for (const code of ['OVERLOADED', 'INTERNAL_ERROR']) {
    end(CANDLES, code);
    say(TRADES, 'update');
    expect(await script.next()).toEqual({ op: 'subscribe', ...CANDLES });
    say(CANDLES, 'snapshot');
    say(CANDLES, 'update');
    await until(() => seen.includes('update candles'));
    expect(seen.splice(0)).toEqual(['update trades', 'snapshot candles', 'update candles']);
  }
  expect(errors).toEqual([]);
  expect(script.connections).toBe(1);
});

test('a subscription that fails at first does not delay others', async () => {
  await begin(TRADES);
  const candles = ask(CANDLES);
  const prices = ask(PRICES);
  expect(await script.next()).toEqual({ op: 'subscribe', ...CANDLES });
  end(CANDLES, 'OVERLOADED');
  expect(await script.next()).toEqual({ op: 'subscribe', ...PRICES });
  say(PRICES, 'snapshot');
  await prices;
  expect(await script.next()).toEqual({ op: 'subscribe', ...CANDLES });
  say(CANDLES, 'snapshot');
  await candles;
  expect(script.connections).toBe(1);
});

test('an error that names a subscription does not affect another one', async () => {
  await beginBoth();
  const prices = ask(PRICES);
  await script.next();
  end(CANDLES, 'INVALID_SYMBOL');
  await until(() => errors.length === 1);
  expect(errors[0]).toMatchObject({ code: 'INVALID_SYMBOL' });
  say(PRICES, 'snapshot');
  await prices;
  const again = ask(CANDLES);
  expect(await script.next()).toEqual({ op: 'subscribe', ...CANDLES });
  say(CANDLES, 'snapshot');
  await again;
});

test('a subscription ended before its renewal stays ended', async () => {
  const leave = await beginBoth();
  end(CANDLES, 'OVERLOADED');
  say(TRADES, 'update');
  await until(() => seen.length === 1);
  leave();
  await Bun.sleep(300);
  expect(script.asked).toBe(0);
  expect(errors).toEqual([]);
});

test('a late error of an earlier subscription does not end the one that replaced it', async () => {
  const leave = await beginBoth();
  leave();
  const second = ask(CANDLES);
  expect((await script.next()).op).toBe('unsubscribe');
  expect((await script.next()).op).toBe('subscribe');
  end(CANDLES, 'OVERLOADED');
  say(CANDLES, 'snapshot');
  say(CANDLES, 'update');
  await second;
  await until(() => seen.length === 2);
  await Bun.sleep(300);
  expect(script.asked).toBe(0);
});

test('a sequence that cannot be resumed is dropped, and the subscription renewed without it', async () => {
  await begin(TRADES);
  script.drop();
  expect(await script.next()).toEqual({ op: 'subscribe', ...TRADES, sequence: 5 });
  const details = { field: 'sequence', rule: 'reached' };
  script.say({
    op: 'error',
    ...TRADES,
    error: { code: 'INVALID_REQUEST', message: 'No.', details },
  });
  expect(await script.next()).toEqual({ op: 'subscribe', ...TRADES });
  expect(errors).toEqual([]);
});

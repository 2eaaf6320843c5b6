import { afterAll, afterEach, beforeEach, expect, test } from 'bun:test';
import { entries } from '../../../test/stream/book-entries.ts';
import { ApiRequestError, StreamClosedError } from '../errors.ts';
import { crc32 } from './crc32.ts';
import { Level3Book } from './level3-book.ts';
import { Streams } from './streams.ts';
import type { StreamMessage, Topic } from './topics.ts';

/** Tests of the streams against a scripted exchange. */
type Fields = Record<string, unknown>;
interface Received extends Fields {
  readonly socket: Bun.ServerWebSocket;
}
let received: Received[] = [];
let wake = () => {};
let answersPings = true;
let streams: Streams[] = [];

const server = Bun.serve({
  port: 0,
  fetch: (request, self) => (self.upgrade(request) ? undefined : new Response('', { status: 400 })),
  websocket: {
    message(socket, text) {
      const message = JSON.parse(`${text}`);
      if (message.op === 'ping') {
        if (answersPings) socket.send('{"op":"pong"}');
        return;
      }
      received.push({ ...message, socket });
      wake();
    },
  },
});

afterAll(() => server.stop(true));

beforeEach(() => {
  received = [];
  streams = [];
  answersPings = true;
});
afterEach(() => {
  for (const one of streams) one.close();
});

const KEY = { apiKey: 'key', apiSecret: 'secret' };

function open(options: Partial<ConstructorParameters<typeof Streams>[0]> = {}) {
  const errors: Error[] = [];
  const onError = (error: Error) => {
    errors.push(error);
    wake();
  };
  const one = new Streams({ baseUrl: server.url.origin, onError, ...options } as {
    baseUrl: string;
  });
  streams.push(one);
  return { one, errors };
}

async function until(condition: () => boolean): Promise<void> {
  while (!condition()) {
    await new Promise<void>((resolve) => {
      wake = resolve;
    });
  }
}

/** Returns the next message of the client, and its socket. */
async function next(): Promise<[Fields, Bun.ServerWebSocket]> {
  await until(() => received.length > 0);
  const { socket, ...message } = received.shift()!;
  return [message, socket];
}

function send(socket: Bun.ServerWebSocket, message: Fields): void {
  socket.send(JSON.stringify(message));
}
function sendError(socket: Bun.ServerWebSocket, code: string, details: Fields = {}): void {
  send(socket, { op: 'error', error: { code, message: code, details } });
}

const TRADES = { channel: 'trades', symbol: 'A/B' } as const;
const FILLS = { channel: 'fills' } as const;
const message = (topic: Fields, op: string, prevSequence: number, sequence: number) => ({
  op,
  ...topic,
  ...(op === 'update' ? { prevSequence } : {}),
  sequence,
  data: {},
});

/** Subscribes, confirms with a snapshot at 5 and records messages as `op sequence`. */
async function subscribed(topic: Topic, options = {}) {
  const { one, errors } = open(options);
  const seen: string[] = [];
  const note = ({ op, sequence }: StreamMessage<unknown>) => {
    seen.push(`${op} ${sequence}`);
    wake();
  };
  const subscription = one.subscribe(topic, note);
  const [request, socket] = await next();
  if (request.op === 'auth') send(socket, { op: 'authenticated' });
  const [subscribeRequest] = request.op === 'auth' ? await next() : [request];
  send(socket, message(topic, 'snapshot', 0, 5));
  const leave = await subscription;
  return { one, errors, seen, socket, leave, subscribeRequest };
}

test('resumes after the last sequence when the connection closes', async () => {
  const { seen, socket, subscribeRequest } = await subscribed(TRADES);
  expect(subscribeRequest).toEqual({ op: 'subscribe', ...TRADES });
  send(socket, message(TRADES, 'update', 5, 8));
  await until(() => seen.length === 2);
  socket.close(1001);
  const [request, second] = await next();
  expect(request).toEqual({ op: 'subscribe', ...TRADES, sequence: 8 });
  send(second, message(TRADES, 'update', 8, 9));
  await until(() => seen.length === 3);
  expect(seen).toEqual(['snapshot 5', 'update 8', 'update 9']);
});

test('an order book resumes with a snapshot', async () => {
  const topic = { channel: 'orderbook', symbol: 'A/B' } as const;
  const { seen, socket } = await subscribed(topic);
  socket.terminate();
  const [request, second] = await next();
  expect(request).toEqual({ op: 'subscribe', ...topic });
  send(second, message(topic, 'snapshot', 0, 3));
  await until(() => seen.length === 2);
});

test('a merged subscription is another than one without an interval', async () => {
  const merged = { ...TRADES, everyMs: 100 } as const;
  const { one, seen, socket, leave } = await subscribed(merged);
  void one.subscribe(TRADES, ({ sequence }) => seen.push(`at once ${sequence}`));
  expect((await next())[0]).toEqual({ op: 'subscribe', ...TRADES });
  send(socket, message(TRADES, 'snapshot', 0, 6));
  send(socket, message(merged, 'update', 5, 7));
  await until(() => seen.length === 3);
  leave();
  expect((await next())[0]).toEqual({ op: 'unsubscribe', ...merged });
});

test('a message after a gap is not delivered; the missing messages are requested', async () => {
  const { seen, socket } = await subscribed(TRADES);
  send(socket, message(TRADES, 'update', 7, 8));
  send(socket, message(TRADES, 'update', 8, 9));
  expect((await next())[0]).toEqual({ op: 'unsubscribe', ...TRADES });
  const [request] = await next();
  expect(request).toEqual({ op: 'subscribe', ...TRADES, sequence: 5 });
  send(socket, message(TRADES, 'update', 5, 9));
  await until(() => seen.length === 2);
  expect(seen).toEqual(['snapshot 5', 'update 9']);
});

test('streams are live unless a subscription waits', async () => {
  const { one, seen, socket } = await subscribed(TRADES);
  expect(one.isLive).toBe(true);
  send(socket, message(TRADES, 'update', 7, 8));
  expect((await next())[0]).toEqual({ op: 'unsubscribe', ...TRADES });
  expect(one.isLive).toBe(false);
  await next();
  expect(one.isLive).toBe(false);
  send(socket, message(TRADES, 'update', 5, 9));
  await until(() => seen.length === 2);
  expect(one.isLive).toBe(true);
  socket.terminate();
  await next();
  expect(one.isLive).toBe(false);
});

test('waits before reconnections are at most those of the options', async () => {
  const { socket } = await subscribed(TRADES, { maxBackoffMs: 1 });
  socket.terminate();
  // Without the option the waits add up to half a minute or more.
  for (let attempt = 0; attempt < 8; attempt++) (await next())[1].terminate();
});

test('a book that differs from its checksum is requested again, less often if it never agrees', async () => {
  const { one, errors } = open({ exactNumbers: true });
  const book = new Level3Book<string>();
  const topic = { channel: 'level3', symbol: 'A/B' } as const;
  const subscription = one.subscribe(topic, (received) => {
    book.apply(received as never);
    wake();
  });
  const snapshot = (sequence: number, checksum: number) => ({
    ...message(topic, 'snapshot', 0, sequence),
    data: { symbol: 'A/B', bids: [['x', 1.5, 2]], asks: [], complete: true, checksum },
  });
  const right = crc32('x:1.5:2');
  const [, socket] = await next();
  const waitsMs: number[] = [];
  for (const sequence of [1, 2, 3]) {
    send(socket, snapshot(sequence, right + 1));
    const start = Bun.nanoseconds();
    expect((await next())[0]).toEqual({ op: 'unsubscribe', ...topic });
    // Late messages of the subscription that has ended.
    send(socket, { ...snapshot(sequence + 1, right), op: 'update', prevSequence: sequence });
    send(socket, snapshot(sequence + 1, right));
    expect((await next())[0]).toEqual({ op: 'subscribe', ...topic });
    waitsMs.push((Bun.nanoseconds() - start) / 1e6);
    expect(book.sequence).toBe(sequence);
  }
  expect(waitsMs[2]).toBeGreaterThan(490);
  send(socket, snapshot(9, right));
  await until(() => book.sequence === 9);
  await subscription;
  expect(entries(book.bids)).toEqual([['x', '1.5', '2']]);
  expect(errors).toEqual([]);
});

test('subscribes from a snapshot if the exchange does not know the sequence', async () => {
  const { seen, socket } = await subscribed(FILLS, KEY);
  socket.close(1001);
  send((await next())[1], { op: 'authenticated' });
  const [request, second] = await next();
  expect(request).toEqual({ op: 'subscribe', ...FILLS, sequence: 5 });
  sendError(second, 'INVALID_REQUEST', { field: 'sequence' });
  expect((await next())[0]).toEqual({ op: 'subscribe', ...FILLS });
  send(second, message(FILLS, 'snapshot', 0, 1));
  await until(() => seen.length === 2);
});

test('resumes from a given sequence and rejects an unknown one', async () => {
  const { one } = open();
  const subscription = one.subscribe({ ...TRADES, sequence: 40 }, () => {});
  const [request, socket] = await next();
  expect(request.sequence).toBe(40);
  sendError(socket, 'INVALID_REQUEST', { field: 'sequence' });
  await expect(subscription).rejects.toBeInstanceOf(ApiRequestError);
});

test('subscriptions are requested one at a time', async () => {
  const { one, errors } = open();
  const first = one.subscribe({ channel: 'prices', symbol: 'NO/NE' }, () => {});
  const second = one.subscribe({ channel: 'prices', symbol: 'A/B' }, () => {});
  const [, socket] = await next();
  expect(received).toEqual([]);
  sendError(socket, 'INVALID_SYMBOL');
  await expect(first).rejects.toMatchObject({ code: 'INVALID_SYMBOL' });
  expect((await next())[0]).toMatchObject({ symbol: 'A/B' });
  send(socket, { op: 'snapshot', channel: 'prices', symbol: 'A/B', data: {} });
  await second;
  expect(errors).toEqual([]);
});

test('reports a topic that is rejected on reconnection', async () => {
  const { errors, socket } = await subscribed(TRADES);
  socket.close(1001);
  sendError((await next())[1], 'INVALID_SYMBOL');
  await until(() => errors.length === 1);
  expect(errors[0]).toMatchObject({ code: 'INVALID_SYMBOL' });
});

test('subscribes again after an internal error', async () => {
  const { seen, errors, socket } = await subscribed(TRADES);
  socket.close(1001);
  sendError((await next())[1], 'INTERNAL_ERROR');
  const [request, third] = await next();
  expect(request).toEqual({ op: 'subscribe', ...TRADES, sequence: 5 });
  send(third, message(TRADES, 'update', 5, 6));
  await until(() => seen.length === 2);
  expect(errors).toEqual([]);
});

test('wrong credentials end the streams', async () => {
  const { one, errors } = open(KEY);
  const subscription = one.subscribe(FILLS, () => {});
  const [request, socket] = await next();
  expect(request).toEqual({ op: 'auth', ...KEY });
  sendError(socket, 'UNAUTHORIZED');
  await expect(subscription).rejects.toMatchObject({ code: 'UNAUTHORIZED' });
  await expect(one.subscribe(TRADES, () => {})).rejects.toMatchObject({ code: 'UNAUTHORIZED' });
  expect(errors).toEqual([]);
});

test('a revoked key ends the streams', async () => {
  const { errors, socket } = await subscribed(FILLS, KEY);
  socket.close(4001, 'key revoked');
  await until(() => errors.length === 1);
  expect(errors[0]).toEqual(new StreamClosedError('key revoked'));
});

test('authenticates again after its session has ended, and resumes if the new session is valid', async () => {
  const { one, seen, errors, socket } = await subscribed(FILLS, { session: true });
  socket.close(4001, 'session ended');
  const [auth, second] = await next();
  expect(auth).toEqual({ op: 'auth' });
  send(second, { op: 'authenticated' });
  expect((await next())[0]).toEqual({ op: 'subscribe', ...FILLS, sequence: 5 });
  send(second, message(FILLS, 'update', 5, 6));
  await until(() => seen.length === 2);
  expect(errors).toEqual([]);
  second.close(4001, 'session ended');
  sendError((await next())[1], 'UNAUTHORIZED');
  await until(() => errors.length === 1);
  expect(errors[0]).toMatchObject({ code: 'UNAUTHORIZED' });
  await expect(one.subscribe(TRADES, () => {})).rejects.toBe(errors[0]!);
});

test('signs with the receive window of its options', async () => {
  const pair = await crypto.subtle.generateKey('Ed25519', false, ['sign', 'verify']);
  const { privateKey } = pair as CryptoKeyPair;
  const { one } = open({ apiKey: KEY.apiKey, privateKey, recvWindowMs: 1234 });
  const subscription = one.subscribe(FILLS, () => {});
  expect((await next())[0]).toMatchObject({ op: 'auth', recvWindow: 1234 });
  one.close();
  await expect(subscription).rejects.toThrow(StreamClosedError);
});

test('waits for the delay of retryAfter', async () => {
  const { one } = open(KEY);
  const subscription = one.subscribe(FILLS, () => {});
  const start = performance.now();
  sendError((await next())[1], 'RATE_LIMIT_EXCEEDED', { retryAfter: 1 });
  const [, socket] = await next();
  expect(performance.now() - start).toBeGreaterThanOrEqual(990);
  send(socket, { op: 'authenticated' });
  await next();
  send(socket, message(FILLS, 'snapshot', 0, 0));
  await subscription;
});

test('a connection without heartbeats is reported as silent, then reopened', async () => {
  const events: string[] = [];
  const note = (event: string) => events.at(-1) !== event && events.push(event);
  const { seen } = await subscribed(TRADES, { pingMs: 50, onConnection: note });
  await until(() => events.includes('message'));
  expect(received).toEqual([]);
  answersPings = false;
  const [request, second] = await next();
  answersPings = true;
  // On a busy machine an earlier pong may be late.
  expect(events.slice(0, 2)).toEqual(['open', 'message']);
  expect(events.slice(-3)).toEqual(['silent', 'closed', 'open']);
  expect(request).toEqual({ op: 'subscribe', ...TRADES, sequence: 5 });
  send(second, message(TRADES, 'update', 5, 5));
  await until(() => seen.length === 2);
});

test('paces many subscriptions', async () => {
  const { one } = open();
  const start = performance.now();
  const all = Array.from({ length: 9 }, (_, index) =>
    one.subscribe({ channel: 'prices', symbol: `${index}` }, () => {}),
  );
  for (let count = 0; count < 9; count++) {
    const [{ symbol }, socket] = await next();
    send(socket, { op: 'snapshot', channel: 'prices', symbol, data: {} });
  }
  await Promise.all(all);
  expect(performance.now() - start).toBeGreaterThanOrEqual(8 * 20);
});

test('delivers nothing after unsubscribing, and can subscribe again', async () => {
  const { one, leave, seen, socket } = await subscribed(TRADES);
  await expect(one.subscribe(TRADES, () => {})).rejects.toThrow('already');
  leave();
  expect((await next())[0]).toEqual({ op: 'unsubscribe', ...TRADES });
  send(socket, message(TRADES, 'update', 5, 6));
  const again = one.subscribe(TRADES, () => seen.push('again'));
  expect((await next())[0]).toEqual({ op: 'subscribe', ...TRADES });
  send(socket, message(TRADES, 'snapshot', 0, 6));
  await again;
  expect(seen).toEqual(['snapshot 5', 'again']);
});

test('a late message of an ended subscription does not confirm the next one', async () => {
  const topic = { channel: 'prices', symbol: 'A/B' } as const;
  const { one, leave, seen, socket } = await subscribed(topic);
  leave();
  await next();
  const again = one.subscribe(topic, ({ op }) => seen.push(op));
  await next();
  send(socket, { op: 'update', ...topic, data: {} });
  send(socket, { op: 'snapshot', ...topic, data: {} });
  await again;
  expect(seen).toEqual(['snapshot 5', 'snapshot']);
});

test('a subscription ended while it resumes stays ended', async () => {
  const { leave, seen, socket } = await subscribed(TRADES);
  socket.close(1001);
  const [, second] = await next();
  leave();
  send(second, message(TRADES, 'update', 5, 6));
  expect((await next())[0]).toEqual({ op: 'unsubscribe', ...TRADES });
  expect(seen).toEqual(['snapshot 5']);
});

test('stays closed', async () => {
  const { one } = await subscribed(TRADES);
  const pending = one.subscribe(FILLS, () => {});
  one.close();
  await expect(pending).rejects.toBeInstanceOf(StreamClosedError);
  await expect(one.subscribe(TRADES, () => {})).rejects.toBeInstanceOf(StreamClosedError);
});

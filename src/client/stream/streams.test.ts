import { afterAll, afterEach, beforeEach, expect, test } from 'bun:test';
import { ApiRequestError, StreamClosedError } from '../errors.ts';
import { Streams } from './streams.ts';
import type { StreamMessage, Topic } from './topics.ts';

/** The streams against an exchange that says what it is told to say. */

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

/** The next message of the client, without its socket. */
async function next(): Promise<[Fields, Bun.ServerWebSocket]> {
  await until(() => received.length > 0);
  const { socket, ...message } = received.shift()!;
  return [message, socket];
}

function say(socket: Bun.ServerWebSocket, message: Fields): void {
  socket.send(JSON.stringify(message));
}
function refuse(socket: Bun.ServerWebSocket, code: string, details: Fields = {}): void {
  say(socket, { op: 'error', error: { code, message: code, details } });
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

/** Subscribes and answers with a snapshot at 5; what comes is noted as `op sequence`. */
async function begin(topic: Topic, options = {}) {
  const { one, errors } = open(options);
  const seen: string[] = [];
  const note = ({ op, sequence }: StreamMessage<unknown>) => {
    seen.push(`${op} ${sequence}`);
    wake();
  };
  const begun = one.subscribe(topic, note);
  const [request, socket] = await next();
  if (request.op === 'auth') say(socket, { op: 'authenticated' });
  const [asked] = request.op === 'auth' ? await next() : [request];
  say(socket, message(topic, 'snapshot', 0, 5));
  const leave = await begun;
  return { one, errors, seen, socket, leave, asked };
}

test('after an end it comes back with the last sequence and loses nothing', async () => {
  const { seen, socket, asked } = await begin(TRADES);
  expect(asked).toEqual({ op: 'subscribe', ...TRADES });
  say(socket, message(TRADES, 'update', 5, 8));
  await until(() => seen.length === 2);
  socket.close(1001);
  const [request, second] = await next();
  expect(request).toEqual({ op: 'subscribe', ...TRADES, sequence: 8 });
  say(second, message(TRADES, 'update', 8, 9));
  await until(() => seen.length === 3);
  expect(seen).toEqual(['snapshot 5', 'update 8', 'update 9']);
});

test('a book comes back as a snapshot', async () => {
  const topic = { channel: 'orderbook', symbol: 'A/B' } as const;
  const { seen, socket } = await begin(topic);
  socket.terminate();
  const [request, second] = await next();
  expect(request).toEqual({ op: 'subscribe', ...topic });
  say(second, message(topic, 'snapshot', 0, 3));
  await until(() => seen.length === 2);
});

test('a message that does not follow is not passed on; what is missing is asked for', async () => {
  const { seen, socket } = await begin(TRADES);
  say(socket, message(TRADES, 'update', 7, 8));
  say(socket, message(TRADES, 'update', 8, 9));
  expect((await next())[0]).toEqual({ op: 'unsubscribe', ...TRADES });
  const [request] = await next();
  expect(request).toEqual({ op: 'subscribe', ...TRADES, sequence: 5 });
  say(socket, message(TRADES, 'update', 5, 9));
  await until(() => seen.length === 2);
  expect(seen).toEqual(['snapshot 5', 'update 9']);
});

test('a sequence that the exchange does not know begins anew', async () => {
  const { seen, socket } = await begin(FILLS, KEY);
  socket.close(1001);
  say((await next())[1], { op: 'authenticated' });
  const [request, second] = await next();
  expect(request).toEqual({ op: 'subscribe', ...FILLS, sequence: 5 });
  refuse(second, 'INVALID_REQUEST', { field: 'sequence' });
  expect((await next())[0]).toEqual({ op: 'subscribe', ...FILLS });
  say(second, message(FILLS, 'snapshot', 0, 1));
  await until(() => seen.length === 2);
});

test('goes on from a sequence of an earlier run; one that is not known is refused', async () => {
  const { one } = open();
  const begun = one.subscribe({ ...TRADES, sequence: 40 }, () => {});
  const [request, socket] = await next();
  expect(request.sequence).toBe(40);
  refuse(socket, 'INVALID_REQUEST', { field: 'sequence' });
  await expect(begun).rejects.toBeInstanceOf(ApiRequestError);
});

test('each subscription has its own answer', async () => {
  const { one, errors } = open();
  const first = one.subscribe({ channel: 'prices', symbol: 'NO/NE' }, () => {});
  const second = one.subscribe({ channel: 'prices', symbol: 'A/B' }, () => {});
  const [, socket] = await next();
  expect(received).toEqual([]);
  refuse(socket, 'INVALID_SYMBOL');
  await expect(first).rejects.toMatchObject({ code: 'INVALID_SYMBOL' });
  expect((await next())[0]).toMatchObject({ symbol: 'A/B' });
  say(socket, { op: 'snapshot', channel: 'prices', symbol: 'A/B', data: {} });
  await second;
  expect(errors).toEqual([]);
});

test('a topic that is refused later is reported', async () => {
  const { errors, socket } = await begin(TRADES);
  socket.close(1001);
  refuse((await next())[1], 'INVALID_SYMBOL');
  await until(() => errors.length === 1);
  expect(errors[0]).toMatchObject({ code: 'INVALID_SYMBOL' });
});

test('a topic that fails once is asked for again', async () => {
  const { seen, errors, socket } = await begin(TRADES);
  socket.close(1001);
  refuse((await next())[1], 'INTERNAL_ERROR');
  const [request, third] = await next();
  expect(request).toEqual({ op: 'subscribe', ...TRADES, sequence: 5 });
  say(third, message(TRADES, 'update', 5, 6));
  await until(() => seen.length === 2);
  expect(errors).toEqual([]);
});

test('wrong credentials end it', async () => {
  const { one, errors } = open(KEY);
  const begun = one.subscribe(FILLS, () => {});
  const [request, socket] = await next();
  expect(request).toEqual({ op: 'auth', ...KEY });
  refuse(socket, 'UNAUTHORIZED');
  await expect(begun).rejects.toMatchObject({ code: 'UNAUTHORIZED' });
  await expect(one.subscribe(TRADES, () => {})).rejects.toMatchObject({ code: 'UNAUTHORIZED' });
  expect(errors).toEqual([]);
});

test('a key that is revoked ends it', async () => {
  const { errors, socket } = await begin(FILLS, KEY);
  socket.close(4001, 'key revoked');
  await until(() => errors.length === 1);
  expect(errors[0]).toEqual(new StreamClosedError('key revoked'));
});

test('a session that is ended is shown once more, and goes on where the exchange still knows it', async () => {
  const { one, seen, errors, socket } = await begin(FILLS, { session: true });
  socket.close(4001, 'session ended');
  const [auth, second] = await next();
  expect(auth).toEqual({ op: 'auth' });
  say(second, { op: 'authenticated' });
  expect((await next())[0]).toEqual({ op: 'subscribe', ...FILLS, sequence: 5 });
  say(second, message(FILLS, 'update', 5, 6));
  await until(() => seen.length === 2);
  expect(errors).toEqual([]);
  second.close(4001, 'session ended');
  refuse((await next())[1], 'UNAUTHORIZED');
  await until(() => errors.length === 1);
  expect(errors[0]).toMatchObject({ code: 'UNAUTHORIZED' });
  await expect(one.subscribe(TRADES, () => {})).rejects.toBe(errors[0]!);
});

test('waits as long as it is told when there were too many', async () => {
  const { one } = open(KEY);
  const begun = one.subscribe(FILLS, () => {});
  const start = performance.now();
  refuse((await next())[1], 'RATE_LIMIT_EXCEEDED', { retryAfter: 1 });
  const [, socket] = await next();
  expect(performance.now() - start).toBeGreaterThanOrEqual(990);
  say(socket, { op: 'authenticated' });
  await next();
  say(socket, message(FILLS, 'snapshot', 0, 0));
  await begun;
});

test('a connection that gives no sign of life is told to be silent, then made again', async () => {
  const events: string[] = [];
  const note = (event: string) => events.at(-1) !== event && events.push(event);
  const { seen } = await begin(TRADES, { pingMs: 50, onConnection: note });
  await until(() => events.includes('heard'));
  expect(received).toEqual([]);
  answersPings = false;
  const [request, second] = await next();
  answersPings = true;
  // On a busy machine an answer may come later than it should before that.
  expect(events.slice(0, 2)).toEqual(['open', 'heard']);
  expect(events.slice(-3)).toEqual(['silent', 'closed', 'open']);
  expect(request).toEqual({ op: 'subscribe', ...TRADES, sequence: 5 });
  say(second, message(TRADES, 'update', 5, 5));
  await until(() => seen.length === 2);
});

test('many subscriptions are no flood', async () => {
  const { one } = open();
  const start = performance.now();
  const all = Array.from({ length: 9 }, (_, index) =>
    one.subscribe({ channel: 'prices', symbol: `${index}` }, () => {}),
  );
  for (let count = 0; count < 9; count++) {
    const [{ symbol }, socket] = await next();
    say(socket, { op: 'snapshot', channel: 'prices', symbol, data: {} });
  }
  await Promise.all(all);
  expect(performance.now() - start).toBeGreaterThanOrEqual(8 * 20);
});

test('one that is left hears no more and may come back', async () => {
  const { one, leave, seen, socket } = await begin(TRADES);
  await expect(one.subscribe(TRADES, () => {})).rejects.toThrow('already');
  leave();
  expect((await next())[0]).toEqual({ op: 'unsubscribe', ...TRADES });
  say(socket, message(TRADES, 'update', 5, 6));
  const again = one.subscribe(TRADES, () => seen.push('again'));
  expect((await next())[0]).toEqual({ op: 'subscribe', ...TRADES });
  say(socket, message(TRADES, 'snapshot', 0, 6));
  await again;
  expect(seen).toEqual(['snapshot 5', 'again']);
});

test('what one that was left is still sent is no answer to the next', async () => {
  const topic = { channel: 'prices', symbol: 'A/B' } as const;
  const { one, leave, seen, socket } = await begin(topic);
  leave();
  await next();
  const again = one.subscribe(topic, ({ op }) => seen.push(op));
  await next();
  say(socket, { op: 'update', ...topic, data: {} });
  say(socket, { op: 'snapshot', ...topic, data: {} });
  await again;
  expect(seen).toEqual(['snapshot 5', 'snapshot']);
});

test('one that is left while it comes back is left for good', async () => {
  const { leave, seen, socket } = await begin(TRADES);
  socket.close(1001);
  const [, second] = await next();
  leave();
  say(second, message(TRADES, 'update', 5, 6));
  expect((await next())[0]).toEqual({ op: 'unsubscribe', ...TRADES });
  expect(seen).toEqual(['snapshot 5']);
});

test('closed, it stays closed', async () => {
  const { one } = await begin(TRADES);
  const pending = one.subscribe(FILLS, () => {});
  one.close();
  await expect(pending).rejects.toBeInstanceOf(StreamClosedError);
  await expect(one.subscribe(TRADES, () => {})).rejects.toBeInstanceOf(StreamClosedError);
});

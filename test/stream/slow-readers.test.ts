import { afterEach, beforeEach, expect, test } from 'bun:test';
import { CommandKind, SYSTEM_ACTOR } from '../../src/engine/command.ts';
import { LocalBook } from './client.ts';
import { ACCOUNT_ORDERS, Flow } from './flow.ts';
import { RawReader } from './raw-reader.ts';
import { StreamedExchange } from './streamed-exchange.ts';

const BOOK = { op: 'subscribe', channel: 'orderbook', symbol: 'BTC/USDT' };
const FILLER = JSON.stringify({ op: 'filler', text: 'x'.repeat(64 * 1024) });
const FIRST_ACCOUNT = 3;
const seed = Number(process.env.SEED ?? 11);

let exchange: StreamedExchange;
let flow: Flow;
let readers: RawReader[];

beforeEach(() => {
  exchange = new StreamedExchange();
  flow = new Flow(seed);
  readers = [];
});

afterEach(async () => {
  for (const reader of readers) reader.destroy();
  await exchange.close();
});

async function open(): Promise<RawReader> {
  const reader = await RawReader.open(exchange.port);
  readers.push(reader);
  return reader;
}

/** Opens a connection and fills the system's buffers for it, so that nothing more is sent. */
async function openFilled(channels: readonly object[]): Promise<RawReader> {
  const reader = await open();
  for (const channel of channels) reader.send({ ...BOOK, ...channel });
  await reader.until(() => reader.messages.length === channels.length);
  reader.pause();
  const socket = exchange.sockets.at(-1)!;
  while (socket.getBufferedAmount() === 0) socket.send(FILLER);
  return reader;
}

function isLagging(): boolean {
  return exchange.sockets[0]!.data.readState.isLagging;
}

/** Applies one batch that changes about 2,000 levels, and a few orders that trade. */
function change(): void {
  exchange.apply([flow.clear(FIRST_ACCOUNT), ...flow.levels(FIRST_ACCOUNT, 0)]);
  for (let count = 0; count < 3; count++) {
    exchange.apply([flow.near(1 + flow.below(2))]);
  }
}

/** Applies the messages of a book. Throws if the sequence has a gap. */
function play(messages: readonly { channel?: string }[], from = new LocalBook()): LocalBook {
  for (const message of messages) if (message.channel === 'orderbook') from.take(message);
  return from;
}

test('a reader that is behind gets one merged update, other readers get every update', async () => {
  exchange.apply(flow.openAccount(FIRST_ACCOUNT));
  const slow = await openFilled([BOOK, { channel: 'prices' }, { channel: 'trades' }]);
  const fast = await open();
  fast.send(BOOK);
  await fast.until(() => fast.messages.length > 0);
  const fastBook = new LocalBook();
  let rounds = 0;
  for (let after = 0; after < 10; rounds++) {
    change();
    if (isLagging()) after++;
    const { sequence } = exchange.book(1);
    await fast.until(() => fast.messages.at(-1)?.sequence === sequence);
    play(fast.messages.splice(0), fastBook);
    const difference = fastBook.difference(exchange.book());
    expect({ seed, rounds, difference }).toEqual({ seed, rounds, difference: undefined });
    expect(exchange.sockets[0]!.getBufferedAmount()).toBeLessThan(1024 * 1024);
    await Bun.sleep(5);
  }
  slow.resume();
  const { sequence } = exchange.book(1);
  await slow.until(() => slow.messages.some((message) => message.sequence === sequence));
  await slow.until(() => slow.messages.at(-1).channel !== undefined && !isLagging());
  const updates = slow.messages.filter(({ channel }) => channel === 'orderbook');
  expect({ seed, ...play(updates).levels() }).toEqual({ seed, ...exchange.book() });
  expect(updates.at(-1).sequence - updates.at(-1).prevSequence).toBeGreaterThan(10);
  expect(updates.length).toBeLessThan(rounds);
  const { price } = slow.messages.findLast(({ channel }) => channel === 'prices').data;
  const last = exchange.exchange.state.markets[0]!;
  expect(price).toBe(last.lastPrice / 100);

  // It gets live updates again, without a gap; missed trades are left out, and their sequences show it.
  const lastTrade = slow.messages.findLast(({ channel }) => channel === 'trades').sequence;
  slow.messages.length = 0;
  exchange.apply(flow.trade(1, 2));
  await slow.until(() => slow.messages.some(({ channel }) => channel === 'trades'));
  const trade = slow.messages.find(({ channel }) => channel === 'trades');
  expect(trade.prevSequence).toBeGreaterThan(lastTrade);
  await slow.until(
    () =>
      slow.messages.findLast((m) => m.channel === 'orderbook')?.sequence ===
      exchange.book(1).sequence,
  );
  expect({ seed, ...play([...updates, ...slow.messages]).levels() }).toEqual({
    seed,
    ...exchange.book(),
  });
});

test('a client that does not read for ten seconds is disconnected with a reason', async () => {
  exchange.apply(flow.openAccount(FIRST_ACCOUNT));
  const slow = await openFilled([BOOK]);
  while (!isLagging()) {
    change();
    await Bun.sleep(5);
  }
  const unread = exchange.sockets[0]!.getBufferedAmount();
  for (let round = 0; round < 10; round++) change();
  exchange.now += 9_999;
  await Bun.sleep(250);
  expect(exchange.sockets[0]!.readyState).toBe(WebSocket.OPEN);
  expect(exchange.sockets[0]!.getBufferedAmount()).toBe(unread);
  exchange.now += 1;
  await closed();
  slow.resume();
  await slow.until(() => slow.closed !== undefined);
  const shownBytes = Number(
    /^too slow: more than (\d+) bytes unread$/.exec(slow.closed!.reason)?.[1],
  );
  expect(slow.closed!.code).toBe(4002);
  expect([shownBytes < unread, shownBytes > unread - 2000]).toEqual([true, true]);
});

test('a client with 4 MiB unread is disconnected at once', async () => {
  const slow = await openFilled([BOOK]);
  for (let count = 0; count < 70; count++) exchange.sockets[0]!.send(FILLER);
  await closed();
  slow.resume();
  await slow.until(() => slow.closed !== undefined);
  expect(slow.closed!.code).toBe(4002);
});

async function closed(): Promise<void> {
  const [socket] = exchange.sockets;
  while (socket!.readyState === WebSocket.OPEN) await Bun.sleep(10);
}

test('a change of too many levels for an update is sent as a new snapshot', async () => {
  const reader = await open();
  for (let number = 0; number < 3; number++) {
    exchange.apply(flow.openAccount(FIRST_ACCOUNT + number));
    exchange.apply(flow.levels(FIRST_ACCOUNT + number, number * ACCOUNT_ORDERS));
    await Promise.resolve();
  }
  reader.send(BOOK);
  await reader.until(() => reader.messages.at(-1)?.data.complete === true);
  exchange.apply([{ kind: CommandKind.delistMarket, ...SYSTEM_ACTOR, market: 0 }]);
  await reader.until(() => reader.messages.at(-1).op === 'snapshot');
  expect(reader.messages.at(-1).data.bids).toEqual([]);
  expect(play(reader.messages).levels()).toEqual(exchange.book());
});

test('a book of 200,000 levels is sent in parts while it trades, and the reader stays connected', async () => {
  const LEVELS = 200_000;
  for (let count = 0; count < LEVELS / ACCOUNT_ORDERS; count++) {
    const account = FIRST_ACCOUNT + count;
    exchange.apply([
      ...flow.openAccount(account),
      ...flow.levels(account, (count * ACCOUNT_ORDERS) / 2),
    ]);
  }
  const reader = await open();
  reader.send(BOOK);
  const book = new LocalBook();
  let messages = 0;
  while (!book.isComplete) {
    exchange.apply([flow.near(1 + flow.below(2))]);
    await reader.until(() => reader.messages.length > 0);
    messages += reader.messages.length;
    play(reader.messages.splice(0), book);
    expect(exchange.sockets[0]!.readyState).toBe(WebSocket.OPEN);
  }
  const { sequence } = exchange.book(1);
  await reader.until(
    () => reader.messages.at(-1)?.sequence === sequence || book.sequence === sequence,
  );
  play(reader.messages, book);
  expect(messages).toBeGreaterThanOrEqual(LEVELS / 2000);
  expect(reader.maxFrameBytes).toBeLessThan(100_000);
  expect({ seed, difference: book.difference(exchange.book()) }).toEqual({
    seed,
    difference: undefined,
  });
}, 30_000);

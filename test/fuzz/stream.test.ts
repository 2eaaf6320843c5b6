import { afterEach, beforeEach, expect, spyOn, test } from 'bun:test';
import { readdirSync } from 'node:fs';
import { listen } from '../../src/gateway/http/server.ts';
import { Streams } from '../../src/gateway/stream/streams.ts';
import { below, type Random, seededRandom } from '../../src/storage/seeded-random.ts';
import { CHECK_TIMEOUT_MS, runs } from '../check.ts';
import { TestExchange } from '../http/exchange.ts';
import { newKeyPair, signature } from '../http/signing.ts';
import { StreamClient } from '../stream/client.ts';
import { frame, OPCODE, RawStream } from './frames.ts';
import { FORBIDDEN, judgeMessage, messageFrames } from './stream.ts';
import { type Tree, toTree } from './tree.ts';

/**
 * Tests streams with valid and invalid messages, and with frames that no WebSocket may send. Each gets a documented
 * answer or ends the connection, without effects on other clients.
 */

const MESSAGES = 3000;
const SOCKETS = 6;
const PEAK_MIB = 300;
const seed = Number(process.env.SEED ?? 1);

let exchange: TestExchange;
let server: ReturnType<typeof listen>;
let observer: StreamClient;
const open: RawStream[] = [];
const log = spyOn(console, 'error');

beforeEach(async () => {
  exchange = await TestExchange.open();
  const streams = new Streams(exchange.services, exchange.authorization);
  exchange.onEvents = (events) => streams.note(events);
  const config = { port: 0, host: '127.0.0.1', rateLimits: 'off', trustedProxies: [] } as const;
  server = listen(exchange.gateway, config, streams);
  observer = await StreamClient.open(server.port);
  for (const channel of ['trades', 'prices']) {
    observer.send({ op: 'subscribe', channel, symbol: 'BTC/USDT' });
    await observer.next();
  }
});

afterEach(async () => {
  for (const one of open.splice(0)) one.destroy();
  observer.close();
  await server.stop();
  expect(log.mock.calls).toEqual([]);
  expect(exchange.failures).toEqual([]);
  await exchange.close();
});

async function opened(): Promise<RawStream> {
  const stream = await RawStream.open(server.port);
  open.push(stream);
  return stream;
}

const order = (side: string) => ({
  symbol: 'BTC/USDT',
  side,
  type: 'limit',
  amount: 0.001,
  price: 118_000,
});
let trades = 0;

/** Makes a trade, and checks that a subscriber gets every trade in order. */
async function checkTradeReceived(): Promise<void> {
  await exchange.place('alice', order('sell'));
  await exchange.place('bob', order('buy'));
  const received = async () => {
    for (;;) {
      const message = await observer.next();
      if (message.channel === 'trades') return message;
    }
  };
  const { prevSequence, sequence } = await received();
  expect(prevSequence).toBe(trades);
  trades = sequence;
}

async function readKeys(): Promise<{ trees: Tree[]; secrets: string[] }> {
  const secrets: string[] = [];
  const { privateKey, publicBase64 } = newKeyPair();
  const body = JSON.stringify({ permissions: ['read'], publicKey: publicBase64 });
  const made = await exchange.send('operator', 'POST', '/api/admin/accounts/alice/keys', body);
  const signing = { apiKey: made.data.key.apiKey as string, timestamp: exchange.now };
  const signed = { ...signing, privateKey, method: 'AUTH', target: '/ws' };
  const signedAuth = toTree({ op: 'auth', ...signing, signature: signature(signed) });
  const trees = ['alice', 'bob', 'reader'].map((name) => {
    const headers = exchange.headers(name);
    const apiSecret = headers['X-API-Secret']!;
    secrets.push(apiSecret);
    return toTree({ op: 'auth', apiKey: headers.Authorization!.slice(7), apiSecret });
  });
  const wrong = toTree({ op: 'auth', apiKey: 'bwk_0', apiSecret: 'bws_0' });
  return { trees: [...trees, signedAuth, wrong, toTree({ op: 'auth' })], secrets };
}

test(
  'valid and invalid messages',
  async () => {
    trades = 0;
    const random: Random = seededRandom(seed);
    const { trees, secrets } = await readKeys();
    const seen = new Map<string, number>();
    const streams: RawStream[] = [];
    for (let slot = 0; slot < SOCKETS; slot++) streams.push(await opened());
    const before = process.memoryUsage.rss();
    for (let count = 0; count < runs(MESSAGES); count++) {
      // Stay below the limit of messages per second.
      if (count % 20 === 0) exchange.now += 1000;
      if (count % 100 === 0) await checkTradeReceived();
      const slot = below(SOCKETS, random);
      const stream = streams[slot]!;
      const { bytes, isFatal, what } = messageFrames(trees, random);
      try {
        stream.send(...bytes);
        stream.sendText('{"op":"ping"}');
        const isPong = () =>
          stream.received.some(({ payload }) => payload.toString() === '{"op":"pong"}');
        await stream.until(isPong);
        for (const message of stream.received.splice(0)) {
          const kind = judgeMessage(message, secrets);
          seen.set(kind, (seen.get(kind) ?? 0) + 1);
        }
        expect(stream.isOver).toBe(isFatal);
      } catch (error) {
        throw new Error(`message ${count} of seed ${seed}: ${what}`, { cause: error });
      }
      // Replace it, also to get new subscriptions and another key.
      if (isFatal || below(40, random) === 0) {
        stream.destroy();
        streams[slot] = await opened();
      }
    }
    await checkTradeReceived();
    const kinds = ['snapshot', 'update', 'unsubscribed', 'authenticated', 'pong'];
    const codes = ['INVALID_REQUEST', 'INVALID_SYMBOL', 'UNAUTHORIZED'];
    const unseen = [...kinds, ...codes].filter((kind) => !seen.has(kind));
    expect({ seed, unseen }).toEqual({ seed, unseen: [] });
    expect((process.memoryUsage.rss() - before) / 2 ** 20).toBeLessThan(PEAK_MIB);
  },
  CHECK_TIMEOUT_MS,
);

test(
  'forbidden frames end only their own connection',
  async () => {
    trades = 0;
    const descriptors = readdirSync('/proc/self/fd').length;
    const before = process.memoryUsage.rss();
    const neighbour = await opened();
    for (const { bytes, what } of FORBIDDEN) {
      const stream = await opened();
      stream.send(...bytes);
      stream.sendText('{"op":"ping"}');
      const answers = () => stream.received.filter(({ opcode }) => opcode !== OPCODE.close);
      try {
        await stream.until(() => answers().length > 0);
      } catch (error) {
        throw new Error(what, { cause: error });
      }
      const outcome = { what, isOver: stream.isOver, answers: answers().length };
      expect(outcome).toEqual({ what, isOver: true, answers: 0 });
      stream.destroy();
    }
    neighbour.sendText('{"op":"ping"}');
    await neighbour.until(() => neighbour.received.length > 0);
    expect(neighbour.isOver).toBe(false);
    await checkTradeReceived();
    neighbour.destroy();
    expect((process.memoryUsage.rss() - before) / 2 ** 20).toBeLessThan(PEAK_MIB);
    while (readdirSync('/proc/self/fd').length > descriptors) await Bun.sleep(5);
  },
  CHECK_TIMEOUT_MS,
);

test('a ping comes back as it is, and a close with its code', async () => {
  trades = 0;
  const stream = await opened();
  const payload = Buffer.alloc(125, 'x');
  stream.send(frame(payload, { opcode: OPCODE.ping }));
  await stream.until(() => stream.received.length > 0);
  expect(stream.received.splice(0)).toEqual([{ opcode: OPCODE.pong, payload }]);
  stream.send(frame(Buffer.from([0x03, 0xe8]), { opcode: OPCODE.close }));
  await stream.until(() => false);
  expect(stream.received[0]).toMatchObject({ opcode: OPCODE.close });
  expect(stream.received[0]!.payload.readUInt16BE(0)).toBe(1000);
});

test('random bytes instead of frames', async () => {
  trades = 0;
  const random = seededRandom(seed);
  for (let count = 0; count < runs(100); count++) {
    const stream = await opened();
    stream.send(Uint8Array.from({ length: 1 + below(400, random) }, () => below(256, random)));
    stream.sendText('{"op":"ping"}');
    stream.send(Buffer.alloc(70_000));
    await stream.until(() => false);
    for (const message of stream.received) judgeMessage(message, []);
    stream.destroy();
  }
  await checkTradeReceived();
});

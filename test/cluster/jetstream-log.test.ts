import { afterAll, beforeAll, expect, test } from 'bun:test';
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { jetstreamManager } from '@nats-io/jetstream';
import type { NatsConnection } from '@nats-io/transport-node';
import type { FollowedBatch } from '../../src/cluster/log/clustered-log.ts';
import {
  decodeEnvelope,
  EnvelopeKind,
  encodeEnvelope,
  NOTHING_APPLIED,
} from '../../src/cluster/log/envelope.ts';
import { JetStream } from '../../src/cluster/log/jetstream.ts';
import { machineClock } from '../../src/cluster/log/message-stream.ts';
import { StreamLog } from '../../src/cluster/log/stream-log.ts';
import { StreamState } from '../../src/cluster/log/stream-state.ts';
import { connectToNats } from '../../src/cluster/stream/connection.ts';
import { ensureStream } from '../../src/cluster/stream/stream.ts';
import { makePayload } from '../../src/testing/test-batches.ts';
import { describeWithServers } from './describe-with-servers.ts';
import { EXCHANGE_USER, type Nats, startNats } from './nats.ts';

let streams = 0;

/** A log that is followed, with the batches that it delivered and its failure. */
interface Follower {
  readonly log: StreamLog;
  readonly state: StreamState;
  readonly seen: FollowedBatch[];
  readonly failure: Promise<Error>;
}

describeWithServers('the log in JetStream', () => {
  const parent = mkdtempSync(join(tmpdir(), 'buttonwood-jetstream-'));
  let nats: Nats;
  const connections: NatsConnection[] = [];

  beforeAll(async () => {
    nats = await startNats({ directory: join(parent, 'nats'), syncsAlways: false });
  });
  afterAll(async () => {
    await Promise.all(connections.map((connection) => connection.close()));
    await nats.stop();
    rmSync(parent, { recursive: true });
  });

  async function connection(): Promise<NatsConnection> {
    const servers = nats.urls.map((url) => url.replace('nats://', ''));
    const { user, pass: password } = EXCHANGE_USER;
    const opened = await connectToNats({ servers, isTls: false, user, password }, 'test');
    connections.push(opened);
    return opened;
  }

  async function newStream(): Promise<string> {
    const stream = `log-${++streams}`;
    await ensureStream(await connection(), stream, 1);
    return stream;
  }

  async function follower(
    stream: string,
    node: string,
    { now = Date.now, state = new StreamState() } = {},
  ): Promise<Follower> {
    const seen: FollowedBatch[] = [];
    let onFailure: (error: Error) => void = () => {};
    const failure = new Promise<Error>((resolve) => {
      onFailure = resolve;
    });
    const log = new StreamLog({
      stream: await JetStream.open(await connection(), stream),
      node,
      state,
      onFailure,
      token: crypto.getRandomValues(new Uint8Array(16)),
      clock: { ...machineClock, now },
    });
    await log.follow((batch) => seen.push(batch));
    return { log, state, seen, failure };
  }

  async function joined(stream: string, node: string, now = Date.now): Promise<Follower> {
    const one = await follower(stream, node, { now });
    await one.log.join();
    return one;
  }

  const append = ({ log }: Follower, number: number) =>
    log.append(Date.now(), 1, makePayload(number), NOTHING_APPLIED);

  /** Stores a message as a network would that delivers it again, or late. */
  async function put(stream: string, bytes: Uint8Array): Promise<void> {
    const { connection } = { connection: connections.at(-1)! };
    await connection.request(`${stream}.batches`, bytes);
  }

  /** The message that starts an incarnation. */
  const makeJoin = (node: string) =>
    encodeEnvelope({
      kind: EnvelopeKind.join,
      node,
      incarnation: 1,
      counter: 0,
      clock: Date.now(),
      deadline: Date.now() + 60_000,
      applied: NOTHING_APPLIED,
      count: 0,
      payload: new Uint8Array(16).fill(1),
    });

  /** Resolves once all of them have received the stream's last message. */
  async function settled(stream: string, ...followers: Follower[]): Promise<void> {
    const manager = await jetstreamManager(connections.at(-1)!);
    const { last_seq } = (await manager.streams.info(stream)).state;
    while (followers.some(({ state }) => state.sequence < last_seq)) await Bun.sleep(1);
  }

  test('several nodes append, and all of them receive the same batches in the same order', async () => {
    const stream = await newStream();
    const nodes = await Promise.all(['a', 'b', 'c'].map((node) => joined(stream, node)));
    await Promise.all(
      nodes.map(async (node, index) => {
        for (let n = 0; n < 50; n++) await append(node, index * 100 + n);
      }),
    );
    const late = await follower(stream, 'd');
    await settled(stream, ...nodes);
    const contents = ({ seen }: Follower) =>
      seen.map(({ sequence, time, count, payload, hash }) => ({
        sequence,
        time,
        count,
        payload,
        hash,
      }));
    for (const node of [...nodes, late]) expect(contents(node)).toEqual(contents(nodes[0]!));
    expect(late.seen.filter(({ count }) => count > 0)).toHaveLength(150);
    for (const { seen } of nodes) expect(seen.filter(({ isOwn }) => isOwn)).toHaveLength(50);
  });

  test('a batch that is stored twice is applied once', async () => {
    const stream = await newStream();
    const one = await joined(stream, 'a');
    for (let n = 1; n <= 5; n++) {
      await append(one, n);
      await put(stream, one.seen.at(-1)!.message.bytes);
      await put(stream, one.seen.find(({ count }) => count > 0)!.message.bytes);
    }
    await settled(stream, one);
    expect(one.seen.flatMap(({ count, payload }) => (count > 0 ? [payload] : []))).toEqual(
      [1, 2, 3, 4, 5].map((n) => makePayload(n)),
    );
    expect(one.seen).toHaveLength(16);
  });

  test('a batch stored past its deadline is not applied, and the next one is', async () => {
    const stream = await newStream();
    const one = await joined(stream, 'a');
    await put(stream, makeJoin('b'));
    // Delayed on its way: the storage time shows that it is late.
    const envelope = {
      kind: EnvelopeKind.batch,
      node: 'b',
      incarnation: 1,
      clock: Date.now(),
      count: 1,
      applied: NOTHING_APPLIED,
      payload: makePayload(1),
    };
    await put(stream, encodeEnvelope({ ...envelope, counter: 1, deadline: Date.now() - 1 }));
    await put(stream, encodeEnvelope({ ...envelope, counter: 2, deadline: Date.now() + 5000 }));
    await settled(stream, one);
    expect(one.seen.map(({ isLate, count }) => [isLate, count])).toEqual([
      [false, 0],
      [false, 0],
      [true, 0],
      [false, 1],
    ]);
  });

  test('a second process of one name stops the first, whose batches no longer count', async () => {
    const stream = await newStream();
    const first = await joined(stream, 'a');
    await append(first, 1);
    const second = await joined(stream, 'a');
    expect(await first.failure).toMatchObject({ name: 'FencedError' });
    await expect(append(first, 2)).rejects.toThrow('Another process has started as node a');
    const sent = decodeEnvelope(first.seen.find(({ isOwn }) => isOwn)!.message.bytes);
    const fields = { counter: 2, deadline: Date.now() + 5000, payload: makePayload(2) };
    await put(stream, encodeEnvelope({ ...sent, ...fields }));
    await append(second, 3);
    expect(second.seen.map(({ count }) => count)).toEqual([0, 1, 0, 0, 1]);
  });

  test('two processes that start with one name at once do not both continue', async () => {
    const stream = await newStream();
    const both = await Promise.all([follower(stream, 'a'), follower(stream, 'a')]);
    const ended = both.map(({ failure }) => failure.then((error) => error.name));
    await Promise.allSettled(both.map(({ log }) => log.join()));
    expect(await Promise.race(ended)).toBe('FencedError');
    const left = await Promise.allSettled(both.map((one) => append(one, 1)));
    expect(left.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  });

  test('a clock that is an hour off moves time neither forward nor back', async () => {
    const stream = await newStream();
    const hour = 3_600_000;
    const fast = await joined(stream, 'fast', () => Date.now() + hour);
    const slow = await joined(stream, 'slow', () => Date.now() - hour);
    const good = await joined(stream, 'good');
    const times: number[] = [];
    for (const one of [good, fast, slow, good, slow, fast]) times.push((await append(one, 1)).time);
    expect(times).toEqual(times.toSorted((a, b) => a - b));
    expect(Math.abs(times.at(-1)! - Date.now())).toBeLessThan(60_000);
    expect(Math.round(fast.log.clockLeadMs / 60_000)).toBe(60);
    expect(Math.round(slow.log.clockLeadMs / 60_000)).toBe(-60);
  });

  test('a node whose next message was purged is rejected', async () => {
    const stream = await newStream();
    const one = await joined(stream, 'a');
    for (let n = 1; n <= 5; n++) await append(one, n);
    await (await jetstreamManager(connections.at(-1)!)).streams.purge(stream, { seq: 4 });
    await expect(follower(stream, 'b')).rejects.toThrow('message 4 came after 0');
  });

  test('reading fails if the connection is closed before the last message', async () => {
    const stream = await newStream();
    const one = await joined(stream, 'a');
    for (let n = 1; n <= 3; n++) await append(one, n);
    const reading = await connection();
    const read = async () => {
      const state = new StreamState();
      for await (const { sequence } of (await JetStream.open(reading, stream)).read(state, 9)) {
        if (sequence === 4) await reading.close();
      }
    };
    await expect(read()).rejects.toThrow('4 of 9 messages were read');
  });

  test('a slow reader gets all messages in order', async () => {
    const name = await newStream();
    const stream = await JetStream.open(await connection(), name);
    // More than are buffered at a time.
    const count = 22_000;
    for (let sent = 0; sent < count; sent += 1000) {
      await Promise.all(
        Array.from({ length: 1000 }, () => stream.publish(new Uint8Array(10), 2000)),
      );
    }
    const read: number[] = [];
    for await (const { sequence } of stream.messages(0, count)) {
      // Everything in flight arrives before the next one is read.
      if (read.length % 9_000 === 0) await Bun.sleep(300);
      read.push(sequence);
    }
    expect(read).toEqual(Array.from({ length: count }, (_, index) => index + 1));
  });

  test('a message of a newer release or of another program is rejected with its sequence', async () => {
    const stream = await newStream();
    const one = await joined(stream, 'a');
    const newer = encodeEnvelope({
      kind: EnvelopeKind.batch,
      node: 'b',
      incarnation: 1,
      counter: 1,
      deadline: 0,
      clock: 0,
      applied: NOTHING_APPLIED,
      count: 0,
      payload: makePayload(1),
    });
    new DataView(newer.buffer).setUint32(4, 2, true);
    await put(stream, newer);
    expect((await one.failure).message).toContain(
      'message 2 cannot be read: it has format 2, and this release reads format 1. Start the release that wrote it',
    );
  });

  test('a batch above the maximum size is rejected, and nothing is lost', async () => {
    const stream = await newStream();
    const one = await joined(stream, 'a');
    const tooLarge = new Uint8Array(one.log.maxPayloadBytes + 1);
    expect(() => one.log.append(1, 1, tooLarge, NOTHING_APPLIED)).toThrow(RangeError);
    const largest = tooLarge.subarray(1);
    const batch = await one.log.append(Date.now(), 1, largest, NOTHING_APPLIED);
    expect(batch.payload.length).toBe(largest.length);
  });

  test('a server that is killed and restarted costs only time', async () => {
    const stream = await newStream();
    const one = await joined(stream, 'a');
    const other = await joined(stream, 'b');
    await append(one, 1);
    await nats.servers[0]!.kill();
    const during = [append(one, 2), append(other, 3)];
    await Bun.sleep(300);
    expect(one.log.silentMs).toBeGreaterThan(250);
    await nats.servers[0]!.start();
    await nats.ready();
    await Promise.all(during);
    await append(one, 4);
    await settled(stream, one, other);
    const payloads = (of: Follower) =>
      of.seen.flatMap(({ count, payload }) => (count > 0 ? [payload[0]!] : []));
    expect(payloads(one).toSorted()).toEqual(
      [1, 2, 3, 4].map((n) => makePayload(n)[0]!).toSorted(),
    );
    expect(payloads(other)).toEqual(payloads(one));
  }, 30_000);

  test('servers that have lost acknowledged messages are detected', async () => {
    const stream = await newStream();
    const one = await joined(stream, 'a');
    const other = await joined(stream, 'b');
    await append(one, 1);
    const directory = join(parent, 'nats');
    await nats.servers[0]!.stop();
    cpSync(directory, `${directory}-old`, { recursive: true });
    await nats.servers[0]!.start();
    await nats.ready();
    for (let n = 2; n <= 5; n++) await append(one, n);
    // A node that has read none of them cannot know that they are lost.
    await settled(stream, one, other);
    await nats.servers[0]!.stop();
    rmSync(directory, { recursive: true });
    cpSync(`${directory}-old`, directory, { recursive: true });
    await nats.servers[0]!.start();
    await nats.ready();
    append(one, 6).catch(() => {});
    append(other, 7).catch(() => {});
    for (const { failure } of [one, other]) {
      expect((await failure).message).toContain('have lost messages that they acknowledged');
    }
  }, 30_000);

  test.each([
    ['', 0, 'but message 4 was received before'],
    [
      ' and been trimmed at the position of a node',
      5,
      'message 4, the last one that this node read, was',
    ],
  ])(
    'servers that have lost acknowledged messages and stored others since%s are detected',
    async (_, first, says) => {
      const stream = await newStream();
      const one = await joined(stream, 'a');
      const directory = join(parent, 'nats');
      const [server] = nats.servers;
      await server!.stop();
      rmSync(`${directory}-old`, { recursive: true, force: true });
      cpSync(directory, `${directory}-old`, { recursive: true });
      await server!.start();
      await nats.ready();
      for (let n = 1; n <= 3; n++) await append(one, n);
      await server!.stop();
      // Other nodes append to what is left before this node reconnects.
      const meanwhile = await startNats({ directory: `${directory}-old`, syncsAlways: false });
      const servers = meanwhile.urls.map((url) => url.replace('nats://', ''));
      const { user, pass: password } = EXCHANGE_USER;
      const other = await connectToNats({ servers, isTls: false, user, password }, 'test');
      for (let n = 1; n <= 9; n++) await other.request(`${stream}.batches`, makeJoin(`other-${n}`));
      if (first > 0) await (await jetstreamManager(other)).streams.purge(stream, { seq: first });
      await other.close();
      await meanwhile.stop();
      rmSync(directory, { recursive: true });
      cpSync(`${directory}-old`, directory, { recursive: true });
      await server!.start();
      await nats.ready();
      expect((await one.failure).message).toContain(says);
    },
    60_000,
  );
});

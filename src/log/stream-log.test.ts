import { expect, test } from 'bun:test';
import { decodeEnvelope, type Envelope, EnvelopeKind, encodeEnvelope } from './envelope.ts';
import { GENESIS_HASH } from './hash.ts';
import type { MessageStream, StoredMessage } from './message-stream.ts';
import type { FollowedBatch } from './shared-log.ts';
import { StreamLog } from './stream-log.ts';
import { StreamState, TOKEN_BYTES } from './stream-state.ts';
import { payloadOf } from './test-batches.ts';

const NOTHING_APPLIED = { sequence: 0, hash: GENESIS_HASH, digest: 0 };
const HOUR_MS = 3_600_000;
const ELSE = new Uint8Array(TOKEN_BYTES).fill(9);

/** A stream that stores what it is told to, when it is told to. */
class ScriptedStream implements MessageStream {
  readonly maxMessageBytes = 10_000;
  readonly isClosed = false;
  lastSequenceNow = 0;
  readonly published: Envelope[] = [];
  private bytes: Uint8Array[] = [];
  private acknowledge: (sequence: number) => void = () => {};
  private refuse: (error: Error) => void = () => {};
  private take: (message: StoredMessage) => void = () => {};

  publish(bytes: Uint8Array): Promise<number> {
    this.published.push(decodeEnvelope(bytes));
    this.bytes.push(bytes.slice());
    return new Promise((resolve, reject) => {
      this.acknowledge = resolve;
      this.refuse = reject;
    });
  }

  async follow(_: number, take: (message: StoredMessage) => void) {
    this.take = take;
    return { close: async () => {} };
  }

  async lastSequence(): Promise<number> {
    return this.lastSequenceNow;
  }

  /** Passes on the newest that was published, or another message. */
  async store(storedAt: number, bytes = this.bytes.at(-1)!): Promise<void> {
    this.take({ sequence: ++this.lastSequenceNow, storedAt, bytes });
    await settle();
  }

  async answer(sequence: number): Promise<void> {
    this.acknowledge(sequence);
    await settle();
  }

  async reject(): Promise<void> {
    this.refuse(new Error('no answer'));
    await settle();
  }
}

const settle = async () => {
  for (let n = 0; n < 20; n++) await Promise.resolve();
};

async function begin(clockLeadMs = 0) {
  const stream = new ScriptedStream();
  const clock = { elapsedMs: 0 };
  const failures: Error[] = [];
  const seen: FollowedBatch[] = [];
  const log = new StreamLog({
    ...{ stream, node: 'a', token: new Uint8Array(TOKEN_BYTES).fill(1), state: new StreamState() },
    clock: {
      now: () => 1_000_000 + clock.elapsedMs + clockLeadMs,
      elapsedMs: () => clock.elapsedMs,
      after: () => ({ over: Promise.resolve(), stop() {} }),
    },
    onFailure: (error) => failures.push(error),
  });
  await log.follow((batch) => seen.push(batch));
  const append = (n = 1) => log.append(1_000_000, 1, payloadOf(n), NOTHING_APPLIED);
  return { stream, log, clock, failures, seen, append };
}

async function joined(clockLeadMs = 0) {
  const one = await begin(clockLeadMs);
  const joining = one.log.join();
  await one.stream.store(1_000_000);
  await one.stream.answer(1);
  await joining;
  return one;
}

const batchOf = (fields: Partial<Envelope>) =>
  encodeEnvelope({
    ...{ kind: EnvelopeKind.batch, node: 'a', incarnation: 1, counter: 1, clock: 1_000_000 },
    ...{
      deadline: 2_000_000,
      applied: NOTHING_APPLIED,
      count: 1,
      payload: payloadOf(7),
      ...fields,
    },
  });

test.each([0, HOUR_MS, -HOUR_MS])(
  "a deadline is five seconds from now by the servers' time, with a clock %d ms ahead",
  async (clockLeadMs) => {
    const { stream, clock, append } = await joined(clockLeadMs);
    clock.elapsedMs = 300;
    void append();
    expect(stream.published.at(-1)).toMatchObject({ deadline: 1_005_300, counter: 1 });
  },
);

test('what is sent again is the same, to the last bit', async () => {
  const { stream, append } = await joined();
  void append();
  await stream.reject();
  await stream.reject();
  expect(stream.published.slice(1)).toHaveLength(3);
  expect(new Set(stream.published.slice(1).map((each) => JSON.stringify(each))).size).toBe(1);
});

test('an acknowledgement under a number that was seen is a loss, at the first attempt and later', async () => {
  for (const attempts of [1, 2]) {
    const { stream, append, failures } = await joined();
    append().catch(() => {});
    if (attempts === 2) {
      await stream.store(1_000_001, batchOf({ node: 'b' }));
      await stream.reject();
    }
    await stream.answer(attempts);
    expect(failures).toMatchObject([{ name: 'SharedLogError' }]);
    expect(failures[0]!.message).toContain(
      `stands at message ${attempts}, but message ${attempts}`,
    );
  }
});

test('a batch of an older incarnation is not taken for the one under way', async () => {
  const one = await begin();
  const { stream, log, seen } = one;
  await stream.store(
    1_000_000,
    batchOf({ kind: EnvelopeKind.join, counter: 0, count: 0, payload: ELSE }),
  );
  const joining = log.join();
  await stream.store(1_000_000);
  await joining;
  const appended: unknown[] = [];
  void one.append(3).then(({ payload }) => appended.push(payload));
  await stream.store(1_000_000, batchOf({ incarnation: 1 }));
  expect(appended).toEqual([]);
  expect(seen.at(-1)).toMatchObject({ isOwn: false, count: 0 });
  await stream.store(1_000_000);
  expect(appended).toEqual([payloadOf(3)]);
});

test('of two that join under one number the second takes the next one', async () => {
  const { stream, log } = await begin();
  const joining = log.join();
  const { incarnation } = stream.published[0]!;
  await stream.store(
    1_000_000,
    batchOf({ kind: EnvelopeKind.join, incarnation, counter: 0, count: 0, payload: ELSE }),
  );
  const [own] = stream.published;
  await stream.store(1_000_000, batchOf({ ...own }));
  expect(stream.published.at(-1)).toMatchObject({ kind: EnvelopeKind.join, incarnation: 2 });
  await stream.store(1_000_000);
  await joining;
});

test('a node that another of its name has followed ends', async () => {
  const { stream, failures } = await joined();
  expect(failures).toEqual([]);
  const other = { kind: EnvelopeKind.join, incarnation: 2, counter: 0, count: 0, payload: ELSE };
  await stream.store(1_000_000, batchOf({ ...other, node: 'b' }));
  expect(failures).toEqual([]);
  await stream.store(1_000_000, batchOf(other));
  expect(failures).toMatchObject([{ name: 'FencedError' }]);
});

test('a sign of life has no commands; what has some has bytes that the stream takes', async () => {
  const { stream, log, failures } = await joined();
  void log.append(0, 0, new Uint8Array(0), NOTHING_APPLIED);
  expect(stream.published.at(-1)).toMatchObject({ count: 0, counter: 1 });
  await stream.store(1_000_000);
  const most = new Uint8Array(log.maxPayloadBytes);
  expect(() => log.append(0, 1, new Uint8Array(most.length + 1), NOTHING_APPLIED)).toThrow(
    `at most ${most.length} bytes`,
  );
  expect(() => log.append(0, 0, new Uint8Array(most.length + 1), NOTHING_APPLIED)).toThrow(
    `at most ${most.length} bytes`,
  );
  expect(() => log.append(-1, 1, most, NOTHING_APPLIED)).toThrow(RangeError);
  void log.append(0, 1, most, NOTHING_APPLIED);
  expect(encodeEnvelope({ ...stream.published.at(-1)!, node: 'n'.repeat(64) }).length).toBe(
    stream.maxMessageBytes,
  );
  expect(failures).toEqual([]);
});

test('it knows how long the stream has been silent', async () => {
  const { stream, log, clock } = await joined();
  clock.elapsedMs = 300;
  expect(log.silentMs).toBe(300);
  await stream.store(1_000_300, batchOf({ node: 'b' }));
  expect(log.silentMs).toBe(0);
  clock.elapsedMs = 700;
  expect(log.silentMs).toBe(400);
});

import { expect, test } from 'bun:test';
import { makePayload } from '../../testing/test-batches.ts';
import { begin, joined, logOn, makeEnvelope, OTHER_TOKEN } from '../../testing/test-stream.ts';
import { EnvelopeKind, encodeEnvelope, NOTHING_APPLIED } from './envelope.ts';

const HOUR_MS = 3_600_000;

test.each([0, HOUR_MS, -HOUR_MS])(
  "a deadline is five seconds from now by the servers' time, with a clock %d ms ahead",
  async (clockLeadMs) => {
    const { stream, clock, append } = await joined(clockLeadMs);
    clock.elapsedMs = 300.9;
    void append();
    expect(stream.published.at(-1)).toMatchObject({ deadline: 1_005_300, counter: 1 });
  },
);

test('a repeat has the same bytes', async () => {
  const { stream, append } = await joined();
  void append();
  await stream.reject();
  await stream.reject();
  expect(stream.published.slice(1)).toHaveLength(3);
  expect(new Set(stream.published.slice(1).map((each) => JSON.stringify(each))).size).toBe(1);
});

test('an acknowledgement with a sequence that was already received is a loss, at the first attempt and later', async () => {
  for (const attempts of [1, 2]) {
    const { stream, append, failures } = await joined();
    append().catch(() => {});
    if (attempts === 2) {
      await stream.store(1_000_001, makeEnvelope({ node: 'b' }));
      await stream.reject();
    }
    await stream.answer(attempts);
    expect(failures).toMatchObject([{ name: 'ClusteredLogError' }]);
    expect(failures[0]!.message).toContain(`is at message ${attempts}, but message ${attempts}`);
  }
});

test('a batch of an older incarnation is not taken for the one in flight', async () => {
  const one = await begin();
  const { stream, log, seen } = one;
  await stream.store(
    1_000_000,
    makeEnvelope({ kind: EnvelopeKind.join, counter: 0, count: 0, payload: OTHER_TOKEN }),
  );
  const joining = log.join();
  await stream.store(1_000_000);
  await joining;
  const appended: unknown[] = [];
  void one.append(3).then(({ payload }) => appended.push(payload));
  await stream.store(1_000_000, makeEnvelope({ incarnation: 1 }));
  expect(appended).toEqual([]);
  expect(seen.at(-1)).toMatchObject({ isOwn: false, count: 0 });
  await stream.store(1_000_000);
  expect(appended).toEqual([makePayload(3)]);
});

test('a repeat of an earlier batch is not taken for the one in flight', async () => {
  const { stream, seen, append } = await joined();
  void append(1);
  await stream.store(1_000_000);
  const appended: unknown[] = [];
  void append(2).then(({ payload }) => appended.push(payload));
  const [join, first] = stream.published.map((each) => encodeEnvelope(each));
  for (const copy of [join!, first!]) {
    await stream.store(1_000_000, copy);
    expect([appended, seen.at(-1)!.isOwn, seen.at(-1)!.count]).toEqual([[], false, 0]);
  }
  await stream.store(1_000_000);
  expect([appended, seen.map(({ isOwn }) => isOwn)]).toEqual([
    [makePayload(2)],
    [false, true, false, false, true],
  ]);
});

test('if two processes join with one incarnation number, the second takes the next one', async () => {
  const { stream, log } = await begin();
  const joining = log.join();
  const { incarnation } = stream.published[0]!;
  await stream.store(
    1_000_000,
    makeEnvelope({
      kind: EnvelopeKind.join,
      incarnation,
      counter: 0,
      count: 0,
      payload: OTHER_TOKEN,
    }),
  );
  expect(stream.published.length).toBe(1);
  const [own] = stream.published;
  await stream.store(1_000_000, makeEnvelope({ ...own }));
  expect(stream.published.at(-1)).toMatchObject({ kind: EnvelopeKind.join, incarnation: 2 });
  await stream.store(1_000_000);
  await joining;
});

test('a node stops once another process of its name has joined', async () => {
  const { stream, failures } = await joined();
  expect(failures).toEqual([]);
  const other = {
    kind: EnvelopeKind.join,
    incarnation: 2,
    counter: 0,
    count: 0,
    payload: OTHER_TOKEN,
  };
  await stream.store(1_000_000, makeEnvelope({ ...other, node: 'b' }));
  expect(failures).toEqual([]);
  await stream.store(1_000_000, makeEnvelope(other));
  expect(failures).toMatchObject([{ name: 'FencedError' }]);
});

test('a process that shares its incarnation number stops at the first batch of that process', async () => {
  const { stream, failures, seen, append } = await joined();
  // The batch has no effect: its counter is not the next one.
  await stream.store(1_000_000, makeEnvelope({ counter: 2 }));
  expect(failures).toEqual([]);
  const count = seen.length;
  const ended: string[] = [];
  append().catch(({ name }) => ended.push(name));
  await stream.store(1_000_000, makeEnvelope({ counter: 1 }));
  expect([ended, seen.length]).toEqual([['FencedError'], count]);
  expect(failures).toMatchObject([{ name: 'FencedError' }]);
});

test('a repeat reports nothing about the state of its node', async () => {
  const { stream, seen } = await begin();
  const applied = { sequence: 1, hash: new Uint8Array(32).fill(3), digest: 4 };
  const join = { kind: EnvelopeKind.join, counter: 0, count: 0, payload: OTHER_TOKEN };
  await stream.store(1_000_000, makeEnvelope({ node: 'b', ...join }));
  for (let n = 0; n < 2; n++) await stream.store(1_000_000, makeEnvelope({ node: 'b', applied }));
  expect(seen.slice(1).map((batch) => batch.applied)).toEqual([applied, NOTHING_APPLIED]);
});

test('a process that is fenced while it joins is rejected', async () => {
  const { stream, log } = await begin();
  const joining = log.join().catch((error) => error.name);
  const other = {
    kind: EnvelopeKind.join,
    incarnation: 2,
    counter: 0,
    count: 0,
    payload: OTHER_TOKEN,
  };
  await stream.store(1_000_000, makeEnvelope(other));
  expect(await joining).toBe('FencedError');
});

test('a heartbeat has no commands, and a batch with commands must fit the stream', async () => {
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

test('it measures how long the stream has been silent', async () => {
  const { stream, log, clock } = await joined();
  expect(logOn(stream).log.silentMs).toBe(0);
  clock.elapsedMs = 300;
  expect(log.silentMs).toBe(300);
  await stream.store(1_000_300, makeEnvelope({ node: 'b' }));
  expect(log.silentMs).toBe(0);
  clock.elapsedMs = 700;
  expect(log.silentMs).toBe(400);
});

test('a batch above the limit of the servers stops the node instead of being sent forever', async () => {
  const { stream, log, failures } = await joined();
  const { maxPayloadBytes } = log;
  const appended = log.append(0, 1, new Uint8Array(maxPayloadBytes), NOTHING_APPLIED);
  appended.catch(() => {});
  // The connection moves to a server with a lower limit before this one answers.
  stream.maxMessageBytes = 5000;
  expect(log.maxPayloadBytes).toBe(maxPayloadBytes - 5000);
  await stream.reject();
  await expect(appended).rejects.toThrow('Set max_payload');
  expect(failures.map(({ name }) => name)).toEqual(['ClusteredLogError']);
});

test('while it catches up it knows the age of the newest message on the clock of the servers', async () => {
  const { stream, log, clock, append } = await joined();
  expect(log.ageMs).toBe(0);
  clock.elapsedMs = 60_000;
  await stream.store(1_010_000, makeEnvelope({ node: 'b' }));
  expect([log.silentMs, log.ageMs]).toEqual([0, 50_000]);
  void append();
  await stream.store(1_060_000);
  expect(log.ageMs).toBe(0);
  clock.elapsedMs = 60_400;
  expect([log.silentMs, log.ageMs]).toEqual([400, 400]);
});

test('a new leader with an earlier clock makes no message older', async () => {
  const { stream, log, clock } = await joined();
  clock.elapsedMs = 100;
  await stream.store(990_000, makeEnvelope({ node: 'b' }));
  expect(log.ageMs).toBe(100);
});

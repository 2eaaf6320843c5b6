import { expect, test } from 'bun:test';
import {
  begin,
  joined,
  logOn,
  makeEnvelope,
  ScriptedStream,
  settle,
} from '../../testing/test-stream.ts';
import { EnvelopeKind, NOTHING_APPLIED } from './envelope.ts';
import { ClusteredLogError } from './errors.ts';
import { StreamState } from './stream-state.ts';

// Servers that do not answer or report a lower end than before, and a log that is closed.

function stateAt(sequence: number): StreamState {
  const state = new StreamState();
  state.sequence = sequence;
  return state;
}

/** The result, as text: `toEqual` ignores undefined in a list. */
const notedBy = (promise: Promise<unknown>) => {
  const noted: unknown[] = [];
  promise.then(
    (value) => noted.push(value ?? 'done'),
    (error) => noted.push(error),
  );
  return noted;
};

test('servers that report an end below the received messages are polled for twelve seconds', async () => {
  const stream = new ScriptedStream();
  stream.reportedEnds = [3, 3, 4, 3, 3, 3, 5];
  const { clock, pass, failures, follow } = logOn(stream, stateAt(5));
  clock.standsStill = true;
  const following = notedBy(follow());
  for (let polls = 1; polls <= 6; polls++) {
    await settle();
    expect([stream.polls, following]).toEqual([polls, []]);
    await pass();
  }
  expect(following).toEqual(['done']);
  expect([clock.waits, stream.polls, failures]).toEqual([Array(6).fill(2000), 7, []]);
});

test('servers that report a lower end for longer have lost messages', async () => {
  const stream = new ScriptedStream();
  stream.lastSequenceNow = 3;
  const { clock, follow } = logOn(stream, stateAt(5));
  await expect(follow()).rejects.toThrow('is at message 3, but message 5 was received before');
  expect([clock.waits.length, stream.isFollowed]).toEqual([6, false]);
});

test('a node that starts does not wait for messages that the servers have lost since they reported them', async () => {
  const stream = new ScriptedStream();
  // A node starts to read; then its servers lose messages 3 to 5.
  stream.reportedEnds = [5];
  const { clock, pass, failures, follow } = logOn(stream);
  clock.standsStill = true;
  const following = notedBy(follow());
  await settle();
  for (let n = 1; n <= 2; n++) await stream.store(1_000_000, makeEnvelope({ counter: n }));
  expect([stream.polls, following]).toEqual([1, []]);
  for (let polls = 1; polls <= 7; polls++) await pass();
  expect(following).toEqual([expect.any(ClusteredLogError)]);
  expect(String(following[0])).toContain('is at message 2, but message 5 was received before');
  expect([clock.waits, failures]).toEqual([Array(7).fill(2000), []]);
});

test('a node that reads a long log waits for its end', async () => {
  const stream = new ScriptedStream();
  stream.reportedEnds = [3, 3, 3];
  const { clock, pass, follow } = logOn(stream);
  clock.standsStill = true;
  const following = notedBy(follow());
  await settle();
  for (let n = 1; n <= 3; n++) {
    expect(following).toEqual([]);
    await stream.store(1_000_000, makeEnvelope({ counter: n }));
    if (n < 3) await pass();
  }
  expect(following).toEqual(['done']);
});

test('following is retried for a minute while the log has no leader', async () => {
  const stream = new ScriptedStream();
  stream.refusals.push(new Error('no leader'), new Error('no answer'));
  const { clock, seen, follow } = logOn(stream);
  await follow();
  expect([clock.waits, stream.isFollowed]).toEqual([[100, 100], true]);
  await stream.store(1_000_000, makeEnvelope({ node: 'b' }));
  expect(seen.length).toBe(1);

  const silent = new ScriptedStream();
  const other = logOn(silent);
  silent.lastSequence = async () => {
    other.clock.elapsedMs += 20_000;
    throw new Error('no leader');
  };
  await expect(other.follow()).rejects.toThrow('no leader');
  expect(other.clock.waits).toEqual([100, 100]);
});

test('an error of the log itself is not retried', async () => {
  const stream = new ScriptedStream();
  stream.refusals.push(new ClusteredLogError('it is gone'));
  const { clock, follow } = logOn(stream);
  await expect(follow()).rejects.toThrow('it is gone');
  expect(clock.waits).toEqual([]);
});

test('a warning names why the servers accept nothing for ten seconds, once', async () => {
  const { stream, clock, warnings, append } = await joined();
  void append();
  clock.elapsedMs += 9999;
  await stream.reject();
  expect(warnings).toEqual([]);
  clock.elapsedMs += 1;
  for (let n = 0; n < 3; n++) await stream.reject();
  expect(warnings).toEqual([expect.stringMatching(/has accepted nothing .* 10 s \(no answer\)/)]);
});

test('an acknowledged batch that does not arrive in a quarter of a second is sent again', async () => {
  const { stream, clock, pass, failures, append } = await joined();
  Object.assign(clock, { waits: [], stopped: 0, standsStill: true });
  const polls = stream.polls;
  const appended = notedBy(append());
  stream.reportedEnds = [1, 2];
  await stream.answer(2);
  expect([clock.waits, stream.polls]).toEqual([[250], polls]);
  await pass();
  expect([clock.waits, stream.polls, clock.stopped]).toEqual([[250, 2000], polls + 1, 1]);
  await pass();
  expect([stream.published.length, failures, appended]).toEqual([3, [], []]);
  expect(stream.published[2]).toEqual(stream.published[1]!);
  await stream.store(1_000_000);
  expect(appended).toMatchObject([{ sequence: 2 }]);
});

test('a batch received after its acknowledgement is not sent again', async () => {
  const { stream, clock, append } = await joined();
  clock.standsStill = true;
  const appended = notedBy(append());
  await stream.answer(2);
  await stream.store(1_000_000);
  expect([appended.length, stream.published.length]).toEqual([1, 2]);
});

test('an acknowledged batch that is missing for twelve seconds is lost', async () => {
  const { stream, failures, append } = await joined();
  const appended = notedBy(append());
  await stream.answer(2);
  expect(failures).toMatchObject([{ name: 'ClusteredLogError' }]);
  expect(failures[0]!.message).toContain('is at message 1, but message 2');
  expect(appended).toEqual(failures);
});

test('a server that reports an end below later messages is not believed', async () => {
  const { stream, failures, append } = await joined();
  const appended = notedBy(append());
  stream.reportedEnds = Array(7).fill(1);
  const answered = stream.answer(2);
  void stream.store(1_000_000, makeEnvelope({ node: 'b' }));
  void stream.store(1_000_000, makeEnvelope({ node: 'b' }));
  await answered;
  expect([failures, appended]).toEqual([[], []]);
  expect(stream.reportedEnds.length).toBeGreaterThan(0);
});

test('a failed publish is repeated after a tenth of a second', async () => {
  const { stream, clock, pass, append } = await joined();
  Object.assign(clock, { waits: [], standsStill: true });
  void append();
  await stream.reject();
  expect([clock.waits, stream.published.length]).toEqual([[100], 2]);
  await pass();
  expect(stream.published.length).toBe(3);
});

test('the first message of a stream has no deadline, because its time is unknown', async () => {
  const { stream, log } = await begin();
  void log.join();
  expect(stream.published[0]).toMatchObject({
    deadline: Number.MAX_SAFE_INTEGER,
    incarnation: 1,
    counter: 0,
    count: 0,
  });
  expect(stream.published[0]!.applied).toEqual(NOTHING_APPLIED);
});

test('following resolves once all existing messages are delivered', async () => {
  const stream = new ScriptedStream();
  stream.lastSequenceNow = 2;
  const { clock, seen, follow } = logOn(stream);
  clock.standsStill = true;
  const following = notedBy(follow());
  await settle();
  expect(following).toEqual([]);
  stream.lastSequenceNow = 0;
  await stream.store(1_000_000, makeEnvelope({ node: 'b' }));
  expect(following).toEqual([]);
  await stream.store(1_000_000, makeEnvelope({ node: 'b' }));
  expect([following.length, seen.length]).toEqual([1, 2]);
});

test('a gap in the stream is reported', async () => {
  const stream = new ScriptedStream();
  stream.lastSequenceNow = 3;
  stream.onFollow = (take) => take({ sequence: 2, storedAt: 1, bytes: makeEnvelope({}) });
  const { follow, failures } = logOn(stream);
  await expect(follow()).rejects.toThrow('message 2 came after 0');
  expect(failures).toMatchObject([{ name: 'ClusteredLogError' }]);
});

test('after a failure no message is delivered, and the append in flight is rejected', async () => {
  const { stream, failures, seen, append } = await joined();
  const appended = notedBy(append());
  const count = seen.length;
  stream.lastSequenceNow = 5;
  await stream.store(1_000_000);
  expect(failures).toMatchObject([{ name: 'ClusteredLogError' }]);
  expect(stream.isFollowed).toBe(false);
  await stream.answer(2);
  expect(appended).toEqual(failures);
  stream.lastSequenceNow = 1;
  await stream.store(1_000_000);
  stream.end(new ClusteredLogError('nothing more comes'));
  expect([seen.length, failures.length]).toEqual([count, 1]);
  await expect(append()).rejects.toThrow(failures[0]!);
});

test('closing does not wait for an append that fails', async () => {
  const { stream, clock, append } = await joined();
  clock.standsStill = true;
  const appended = notedBy(append());
  await stream.answer(2);
  const reason = new ClusteredLogError('nothing more comes');
  stream.end(reason);
  await settle();
  expect(appended).toEqual([reason]);
});

test('nothing is sent again once the connection is closed on this side', async () => {
  const { stream, failures, append } = await joined();
  const appended = notedBy(append());
  stream.isClosed = true;
  await stream.reject();
  expect([failures, stream.published.length]).toMatchObject([[{ message: 'no answer' }], 2]);
  expect(appended).toEqual(failures);
});

test('it fails if the servers deliver no more messages', async () => {
  const { stream, failures } = await joined();
  const reason = new ClusteredLogError('nothing more comes');
  stream.end(reason);
  expect(failures).toEqual([reason]);
});

test('only one append is in flight at a time, and none after closing', async () => {
  const { stream, log, clock, failures, seen, append } = await joined();
  const first = notedBy(append());
  await expect(append()).rejects.toThrow('in flight');
  Object.assign(clock, { waits: [], stopped: 0, standsStill: true });
  const closed = notedBy(log.close());
  await settle();
  // Closing waits for the append in flight, for at most one and a half seconds.
  expect([closed, clock.waits, stream.isFollowed]).toEqual([[], [1500], true]);
  await stream.store(1_000_000);
  expect([first.length, closed.length, stream.isFollowed]).toEqual([1, 1, false]);
  expect(clock.stopped).toBe(1);
  await expect(append()).rejects.toThrow('The log is closed');
  const count = seen.length;
  await stream.store(1_000_000, makeEnvelope({ counter: 2 }));
  stream.end(new ClusteredLogError('it was closed'));
  expect([seen.length, failures]).toEqual([count, []]);
});

test('closing does not wait longer than that', async () => {
  const { log, clock, pass, stream, append } = await joined();
  const appended = notedBy(append());
  clock.standsStill = true;
  const closed = notedBy(log.close());
  await settle();
  await pass();
  expect([closed.length, appended, stream.isFollowed]).toEqual([1, [], false]);
});

test('closing does not wait for a failed log', async () => {
  const { log, clock, stream, append } = await joined();
  append().catch(() => {});
  stream.end(new ClusteredLogError('nothing more comes'));
  Object.assign(clock, { waits: [], standsStill: true });
  await log.close();
  expect(clock.waits).toEqual([]);
});

test('closing does not wait for a silent log', async () => {
  const { stream, log, clock, append } = await joined();
  void append();
  Object.assign(clock, { waits: [], standsStill: true, elapsedMs: 1500 });
  const end = Promise.withResolvers<void>();
  stream.closing = end.promise;
  const closed = notedBy(log.close());
  await settle();
  expect([clock.waits, closed, stream.closings]).toEqual([[], [], 1]);
  end.resolve();
  await settle();
  expect(closed).toEqual(['done']);
  await log.close();
  expect(stream.closings).toBe(1);
});

test('a log can be closed before it is followed', async () => {
  const { log, failures } = logOn(new ScriptedStream());
  await log.close();
  expect(failures).toEqual([]);
});

test('it measures how far the local clock is ahead', async () => {
  const { stream, log, append } = await joined(5000);
  expect(log.clockLeadMs).toBe(5000);
  void append();
  await stream.store(1_002_000);
  expect(log.clockLeadMs).toBe(3000);
  await stream.store(1_009_000, makeEnvelope({ node: 'b', kind: EnvelopeKind.batch }));
  expect([log.clockLeadMs, log.lastSequence, log.lastTime]).toEqual([3000, 3, 1_002_000]);
});

test('a batch without an acknowledgement is sent again after a quarter of a second, then after twice as long each time', async () => {
  const { stream, clock, pass, append } = await joined();
  Object.assign(clock, { waits: [], standsStill: true });
  stream.waits.length = 0;
  const appended = notedBy(append());
  for (const waitMs of [250, 500, 1000, 2000, 2000]) {
    clock.elapsedMs += waitMs;
    await stream.reject();
    await pass();
  }
  expect(stream.waits).toEqual([250, 500, 1000, 2000, 2000, 2000]);
  // Each time at once, as the timeout was long enough.
  expect(clock.waits).toEqual([]);
  await stream.store(1_000_000);
  expect(appended).toMatchObject([{ sequence: 2 }]);
  expect(new Set(stream.published.slice(1).map(({ counter }) => counter))).toEqual(new Set([1]));
});

test('a subscription that stays silent after an acknowledgement is renewed', async () => {
  const { stream, clock, pass, append } = await joined();
  clock.standsStill = true;
  void append();
  stream.reportedEnds = [2];
  await stream.answer(2);
  clock.elapsedMs += 250;
  await pass();
  expect(stream.renewals).toBe(1);
});

test('a subscription that delivers other messages is not renewed: it only lags', async () => {
  const { stream, clock, pass, append } = await joined();
  clock.standsStill = true;
  void append();
  await stream.answer(3);
  clock.elapsedMs += 200;
  void stream.store(1_000_000, makeEnvelope({ node: 'b' }));
  clock.elapsedMs += 50;
  await pass();
  expect(stream.renewals).toBe(0);
});

test('a slow server is given four times its last duration, so that repeats do not slow it further', async () => {
  const { stream, clock, append } = await joined();
  clock.standsStill = true;
  for (const tookMs of [300, 2, 1000, 0]) {
    void append();
    clock.elapsedMs += tookMs;
    await stream.store(1_000_000);
  }
  expect(stream.waits.slice(1)).toEqual([250, 1200, 250, 2000]);
});

import { expect, test } from 'bun:test';
import type { ClusteredLog, FollowedBatch } from '../cluster/log/clustered-log.ts';
import type { Applied } from '../cluster/log/envelope.ts';
import { type Command, CommandKind } from '../engine/command.ts';
import { Exchange } from '../engine/exchange.ts';
import { Side } from '../engine/terms.ts';
import { GENESIS_HASH } from '../log/hash.ts';
import type { Batch } from '../log/log.ts';
import { encode, GENESIS_COMMANDS, limitOrder } from '../testing/test-exchange.ts';
import { CommandNotAppliedError, OutcomeUnknownError } from './errors.ts';
import { Replica } from './replica.ts';

// What a replica makes of a log that others append to as well; all of it happens when the test says so.

/** A log that passes on what it is told to. */
class ScriptedLog implements ClusteredLog {
  lastSequence = 0;
  readonly lastTime = 0;
  readonly lastHash = GENESIS_HASH;
  readonly maxPayloadBytes = 10_000;
  silentMs = 0;
  /** By how much the newest message is older than the silence since it came. */
  lateMs = 0;
  /** What was appended, the newest last. */
  readonly appended: { count: number; payload: Uint8Array; applied: Applied }[] = [];
  private handle: (batch: FollowedBatch) => void = () => {};
  private resolve: (batch: Batch) => void = () => {};
  onJoin: () => void = () => {};

  get ageMs(): number {
    return this.silentMs + this.lateMs;
  }

  async follow(handle: (batch: FollowedBatch) => void): Promise<void> {
    this.handle = handle;
  }

  async join(): Promise<void> {
    this.onJoin();
  }

  append(_time: number, count: number, payload: Uint8Array, applied: Applied): Promise<Batch> {
    this.appended.push({ count, payload: payload.slice(), applied });
    return new Promise((resolve) => {
      this.resolve = resolve;
    });
  }

  async close(): Promise<void> {}

  /** Passes on the newest that was appended. */
  bringBack(isLate = false): void {
    const { count, payload, applied } = this.appended.at(-1)!;
    const commands = isLate ? {} : { count, payload };
    const batch = this.pass({ isOwn: true, isLate, applied, ...commands });
    this.resolve(batch);
  }

  /** Passes on what another node has appended. */
  bring(commands: readonly Command[], applied?: Applied): void {
    const payload = encode(commands);
    this.pass({ node: 'b', count: commands.length, payload, ...(applied && { applied }) });
  }

  private pass(fields: Partial<FollowedBatch>): FollowedBatch {
    const sequence = ++this.lastSequence;
    const hash = new Uint8Array(32).fill(sequence);
    const applied = { sequence: 0, hash: GENESIS_HASH, digest: 0 };
    const message = { sequence, storedAt: 1000, bytes: new Uint8Array(0) };
    const rest = { node: 'a', isOwn: false, isLate: false, count: 0, payload: new Uint8Array(0) };
    const batch = { sequence, time: 1000, hash, applied, message, ...rest, ...fields };
    this.handle(batch);
    return batch;
  }
}

const NOTHING = {
  ...{ deliver() {}, checkpoint() {}, noteDispute() {} },
  ...{ lagMs: () => 0, async ask() {}, async close() {} },
};

/** A replica of node a that has begun, its log and what it does next. */
async function begin(onJoin?: (log: ScriptedLog) => void) {
  const log = new ScriptedLog();
  const soon: (() => void)[] = [];
  let everyTick: () => void = () => {};
  const clock = { now: 1000 };
  const failures: Error[] = [];
  const disputes: boolean[] = [];
  const outvoted: [nodes: readonly string[], sequence: number][] = [];
  const archivist = { ...NOTHING, noteDispute: (isNow: boolean) => disputes.push(isNow) };
  const replica = new Replica({
    ...{ exchange: new Exchange(), log, archivist, now: () => clock.now },
    timers: {
      soon: (work) => soon.push(work),
      after: () => {},
      every(_, work) {
        everyTick = work;
        return () => {};
      },
    },
    onEvents: () => {},
    onFailure: (error) => failures.push(error),
    onOutvoted: (nodes, sequence) => outvoted.push([nodes, sequence]),
  });
  const settle = async () => {
    await Promise.resolve();
    while (soon.length > 0) soon.shift()!();
    await Promise.resolve();
  };
  if (onJoin) log.onJoin = () => onJoin(log);
  await replica.begin();
  await settle();
  const tick = (times: number) => {
    for (let n = 0; n < times; n++) everyTick();
  };
  return { replica, log, clock, failures, disputes, outvoted, settle, tick };
}

const notedBy = (promise: Promise<unknown>) => {
  const noted: unknown[] = [];
  promise.then(
    () => noted.push('done'),
    (error) => noted.push(error),
  );
  return noted;
};

test('a read waits for a batch that was sent after it was asked for', async () => {
  const { replica, log, settle } = await begin();
  const write = notedBy(replica.execute(GENESIS_COMMANDS[0]!));
  await settle();
  const read = notedBy(replica.whenCurrent()!);
  log.bringBack();
  await settle();
  expect(write).toEqual(['done']);
  // Another node may have answered something after that batch, and before the read was asked for.
  expect(read).toEqual([]);
  expect(log.appended.length).toBe(2);
  log.bringBack();
  await settle();
  expect(read).toEqual(['done']);
});

test('a batch that came too late is undone, and so is a sign of time that passes', async () => {
  const { replica, log, clock, failures, settle, tick } = await begin();
  log.bring(GENESIS_COMMANDS);
  const account = { account: 1, key: -1 } as const;
  const dueSoon = { kind: CommandKind.cancelAfter, ...account, market: -1, timeoutMs: 5000 };
  const write = notedBy(replica.execute(dueSoon as Command));
  await settle();
  log.bringBack(true);
  await settle();
  expect(write).toEqual([new CommandNotAppliedError()]);
  log.bring([dueSoon as Command]);
  await settle();
  clock.now = 7000;
  tick(1);
  await settle();
  expect(log.appended.at(-1)).toMatchObject({ count: 1 });
  log.bringBack(true);
  await settle();
  expect(failures).toEqual([]);
});

test('a node that joins says nothing before, and takes no part in quarrels of the past', async () => {
  const { replica, log, settle } = await begin((joining) => {
    joining.bring(GENESIS_COMMANDS);
    joining.bring([], { sequence: 1, hash: new Uint8Array(32).fill(1), digest: 1 });
  });
  await settle();
  expect([log.appended.length, replica.position, replica.isOutOfReach]).toEqual([0, 2, false]);
  log.bring([], { sequence: 2, hash: new Uint8Array(32), digest: 1 });
  await settle();
  expect([log.appended.length, replica.isOutOfReach]).toEqual([1, true]);
});

test('who has read another log than most others before it joins does not begin', async () => {
  const other = { sequence: 1, hash: new Uint8Array(32), digest: 1 };
  const same = { sequence: 1, hash: new Uint8Array(32).fill(1), digest: 1 };
  const joining = (...applied: Applied[]) =>
    begin((log) => {
      log.bring(GENESIS_COMMANDS);
      for (const each of applied) log.bring([], each);
    });
  await joining(other, same);
  await expect(joining(other, same, other)).rejects.toThrow(
    'a log that the servers have lost since',
  );
});

test('who ends while the log is out of reach does not wait for it', async () => {
  const { replica, log, settle, tick } = await begin();
  const sent = notedBy(replica.execute(GENESIS_COMMANDS[0]!));
  await settle();
  const waiting = notedBy(replica.execute(GENESIS_COMMANDS[1]!));
  const closed = replica.close();
  log.silentMs = 5000;
  tick(1);
  await closed;
  expect([sent, waiting]).toEqual([[new OutcomeUnknownError()], [new CommandNotAppliedError()]]);
});

test.each([0, -3_600_000, 3_600_000])(
  'what does not come back in ten seconds is unknown, though the clock is put by %d ms',
  async (jumpMs) => {
    const { replica, clock, settle, tick } = await begin();
    const sent = notedBy(replica.execute(GENESIS_COMMANDS[0]!));
    await settle();
    const waiting = notedBy(replica.execute(GENESIS_COMMANDS[1]!));
    const read = notedBy(replica.whenCurrent()!);
    clock.now += jumpMs;
    tick(39);
    await settle();
    expect([sent, waiting, read]).toEqual([[], [], []]);
    tick(2);
    await settle();
    expect(sent).toEqual([new OutcomeUnknownError()]);
    expect([waiting, read]).toEqual([
      [new CommandNotAppliedError()],
      [new CommandNotAppliedError()],
    ]);
  },
);

test('while nodes differ nothing is answered, and whoever is outvoted ends', async () => {
  const { replica, log, failures, settle, tick } = await begin();
  log.bring(GENESIS_COMMANDS);
  await settle();
  const write = notedBy(replica.execute(limitOrder(1, Side.buy, 1000, 100)));
  const read = notedBy(replica.whenCurrent()!);
  await settle();
  log.bring([]);
  await settle();
  log.bring([], { sequence: 2, hash: new Uint8Array(32).fill(2), digest: 1 });
  await settle();
  log.bringBack();
  await settle();
  expect([write, read]).toEqual([[new OutcomeUnknownError()], [new CommandNotAppliedError()]]);
  expect(replica.isOutOfReach).toBe(true);
  await expect(replica.whenCurrent()!).rejects.toThrow(CommandNotAppliedError);
  // What came back was sent before: it goes on to say what it holds.
  for (let n = 0; n < 20; n++) {
    tick(1);
    await settle();
    expect(failures).toEqual([]);
    log.bringBack();
    await settle();
    log.bring([]);
    await settle();
  }
  tick(1);
  expect(failures).toMatchObject([{ name: 'DisagreementError' }]);
});

test('while nodes differ no read is let through, by a batch that came too late neither', async () => {
  const { replica, log, settle } = await begin();
  const read = notedBy(replica.whenCurrent()!);
  await settle();
  log.bring(GENESIS_COMMANDS);
  log.bring([], { sequence: 1, hash: new Uint8Array(32).fill(1), digest: 1 });
  log.bringBack(true);
  await settle();
  expect(read).toEqual([new CommandNotAppliedError()]);
});

test('its archivist is told while nodes differ, and when most agree with it, and who did not', async () => {
  const { replica, log, disputes, outvoted, failures, settle, tick } = await begin();
  log.bring(GENESIS_COMMANDS);
  await settle();
  const applied = { sequence: 1, hash: new Uint8Array(32).fill(1), digest: 1 };
  log.bring([], applied);
  log.bring([], applied);
  await settle();
  expect(disputes).toEqual([true]);
  const agrees = { ...applied, digest: replica.exchange.state.digest | 0 };
  for (let looks = 1; looks <= 20; looks++) {
    log.bring([], agrees);
    log.bringBack();
    await settle();
    tick(1);
    await settle();
  }
  expect([disputes, failures, replica.isOutOfReach]).toEqual([[true, false], [], false]);
  // Also if it has been started again since, and holds the same.
  expect(outvoted).toEqual([[['b'], replica.position]]);
});

test('data is stale once the newest message is more than two seconds old', async () => {
  const { replica, log } = await begin();
  log.silentMs = 2000;
  expect(replica.isStale).toBe(false);
  log.silentMs = 2001;
  expect(replica.isStale).toBe(true);
  log.silentMs = 0;
  log.lateMs = 2001;
  expect(replica.isStale).toBe(true);
});

test('a node whose newest message is old sends a batch, which shows when it has caught up', async () => {
  const { log, settle, tick } = await begin();
  tick(1);
  await settle();
  expect(log.appended.length).toBe(0);
  log.lateMs = 250;
  tick(1);
  await settle();
  expect(log.appended.length).toBe(1);
});

import { expect, test } from 'bun:test';
import type { ClusteredLog, FollowedBatch } from '../cluster/log/clustered-log.ts';
import type { Applied } from '../cluster/log/envelope.ts';
import { type Command, CommandKind } from '../engine/command.ts';
import { Exchange } from '../engine/exchange.ts';
import { Side } from '../engine/terms.ts';
import { GENESIS_HASH } from '../log/hash.ts';
import type { Batch } from '../log/log.ts';
import { IDLE_ARCHIVIST } from '../testing/idle-archivist.ts';
import { encode, GENESIS_COMMANDS, limitOrder } from '../testing/test-exchange.ts';
import { CommandNotAppliedError, OutcomeUnknownError } from './errors.ts';
import { Replica } from './replica.ts';

// A replica on a clustered log whose deliveries the tests control.

/** A log that delivers batches when a test calls it. */
class ScriptedLog implements ClusteredLog {
  readonly isShared = true;
  lastSequence = 0;
  readonly lastTime = 0;
  readonly lastHash = GENESIS_HASH;
  readonly maxPayloadBytes = 10_000;
  silentMs = 0;
  /** Age of the newest message minus the silence since it arrived. */
  lateMs = 0;
  /** Appended batches, the newest last. */
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

  /** Delivers the newest appended batch. */
  bringBack(isLate = false): void {
    const { count, payload, applied } = this.appended.at(-1)!;
    const commands = isLate ? {} : { count, payload };
    const batch = this.pass({ isOwn: true, isLate, applied, ...commands });
    this.resolve(batch);
  }

  /** Delivers a batch of another node. */
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

/** The replica of node a after `begin`, with its log. */
async function begin(onJoin?: (log: ScriptedLog) => void) {
  const log = new ScriptedLog();
  const soon: (() => void)[] = [];
  let everyTick: () => void = () => {};
  const clock = { now: 1000 };
  const failures: Error[] = [];
  const disputes: boolean[] = [];
  const outvoted: [nodes: readonly string[], sequence: number][] = [];
  const archivist = { ...IDLE_ARCHIVIST, noteDispute: (isNow: boolean) => disputes.push(isNow) };
  const replica = new Replica({
    exchange: new Exchange(),
    log,
    archivist,
    now: () => clock.now,
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

test('a read waits for a batch that was sent after the request', async () => {
  const { replica, log, settle } = await begin();
  const write = notedBy(replica.execute(GENESIS_COMMANDS[0]!));
  await settle();
  const read = notedBy(replica.whenCurrent()!);
  log.bringBack();
  await settle();
  expect(write).toEqual(['done']);
  // Another node may have replied after that batch and before the read was requested.
  expect(read).toEqual([]);
  expect(log.appended.length).toBe(2);
  log.bringBack();
  await settle();
  expect(read).toEqual(['done']);
});

test('a batch stored too late is not applied, and neither is a late tick', async () => {
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

test('a node sends nothing before it joins and takes no part in earlier disputes', async () => {
  const { replica, log, settle } = await begin((joining) => {
    joining.bring(GENESIS_COMMANDS);
    joining.bring([], { sequence: 1, hash: new Uint8Array(32).fill(1), digest: 1 });
  });
  await settle();
  expect([log.appended.length, replica.position, replica.isUnreachable]).toEqual([0, 2, false]);
  log.bring([], { sequence: 2, hash: new Uint8Array(32), digest: 1 });
  await settle();
  expect([log.appended.length, replica.isUnreachable]).toEqual([1, true]);
});

test('a node that has read another log than most others does not join', async () => {
  const other = { sequence: 1, hash: new Uint8Array(32), digest: 1 };
  const same = { sequence: 1, hash: new Uint8Array(32).fill(1), digest: 1 };
  const joining = (...applied: Applied[]) =>
    begin((log) => {
      log.bring(GENESIS_COMMANDS);
      for (const each of applied) log.bring([], each);
    });
  await joining(other, same);
  await expect(joining(other, same, other)).rejects.toThrow('the servers have lost the log');
});

test('closing does not wait for an unreachable log', async () => {
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
  'a command that is not received in ten seconds is unknown, even if the clock jumps by %d ms',
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

test('while nodes differ nothing is answered, and an outvoted node stops', async () => {
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
  expect(replica.isUnreachable).toBe(true);
  await expect(replica.whenCurrent()!).rejects.toThrow(CommandNotAppliedError);
  // The batch received was sent before the dispute, so this node sends its report next.
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

test('while nodes differ no read is answered, not even after a late batch', async () => {
  const { replica, log, settle } = await begin();
  const read = notedBy(replica.whenCurrent()!);
  await settle();
  log.bring(GENESIS_COMMANDS);
  log.bring([], { sequence: 1, hash: new Uint8Array(32).fill(1), digest: 1 });
  log.bringBack(true);
  await settle();
  expect(read).toEqual([new CommandNotAppliedError()]);
});

test('the archivist is notified while nodes differ, and the outvoted nodes are reported', async () => {
  const { replica, log, disputes, outvoted, failures, settle, tick } = await begin();
  log.bring(GENESIS_COMMANDS);
  await settle();
  const applied = { sequence: 1, hash: new Uint8Array(32).fill(1), digest: 1 };
  log.bring([], applied);
  log.bring([], applied);
  await settle();
  expect(disputes).toEqual([true]);
  const agrees = { ...applied, digest: replica.exchange.state.digest | 0 };
  for (let ticks = 1; ticks <= 20; ticks++) {
    log.bring([], agrees);
    log.bringBack();
    await settle();
    tick(1);
    await settle();
  }
  expect([disputes, failures, replica.isUnreachable]).toEqual([[true, false], [], false]);
  // Also if it was restarted since and holds the same state.
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

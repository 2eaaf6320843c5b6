import { expect, setDefaultTimeout, test } from 'bun:test';
import fc from 'fast-check';
import { CHECK_TIMEOUT_MS, checkAsync } from '../../../test/check.ts';
import { ALICE, BOB, CAROL, Fixture } from '../../../test/fixture.ts';
import { NaiveExchange } from '../../../test/reference/naive-exchange.ts';
import { NaiveTimelines, naiveAhead } from '../../../test/reference/naive-timeline.ts';
import { play, scenario } from '../../../test/reference/scenario.ts';
import { type Command, CommandKind } from '../../engine/command.ts';
import { MarketStatus, OrderStatus, Side } from '../../engine/terms.ts';
import { History } from '../../history/history.ts';
import { MemoryLog } from '../../testing/memory-log.ts';
import { SimulatedStorage } from '../../testing/simulated-storage.ts';
import { appendBatch, GENESIS_COMMANDS, limitOrder } from '../../testing/test-exchange.ts';
import type { Archive } from '../archive.ts';
import { openFileArchive } from '../file-archive.ts';
import { SnapshotStore } from '../snapshots/snapshots.ts';
import { findObstacle } from './obstacle.ts';
import { OrderObserver } from './order-observer.ts';
import type { Ahead } from './queue-ahead.ts';
import { obstacles, type Timeline, type TimelineEvent, timelineEvents } from './timeline.ts';

const TICK: Command = { kind: CommandKind.tick };

setDefaultTimeout(CHECK_TIMEOUT_MS);

async function openArchive(log: MemoryLog, history: History, maxCommands?: number) {
  const storage = new SimulatedStorage();
  await storage.makeDirectory('/snapshots');
  const snapshots = new SnapshotStore(storage, '/snapshots');
  const elapsedMs = () => 0;
  const read = (after: { sequence: number }, through: number) =>
    [...log.read(after.sequence)].slice(0, through - after.sequence);
  const past = { read, snapshots, elapsedMs, keepEvery: 10, maxCommands };
  return openFileArchive({ log, snapshots, history, past, elapsedMs });
}

async function readTimeline(archive: Archive, account: number, orderId: number) {
  const answer = (await archive.answer({ kind: 'timeline', account, orderId })) as Timeline;
  if (answer.kind !== 'timeline') throw new Error(`order ${orderId}: ${JSON.stringify(answer)}`);
  return answer;
}

function plainAhead(ahead: Ahead | undefined) {
  if (ahead === undefined) return undefined;
  return { levels: ahead.levels, queue: BigInt(ahead.queue), amount: BigInt(ahead.amount) };
}

function plainEvent({ kind, position, time, price, amount, filled, ahead }: TimelineEvent) {
  return { kind, position, time, price, amount, filled, ahead: plainAhead(ahead) };
}

test('the timeline of every order equals that of the reference model', async () => {
  const seen = new Map<string, number>();
  const property = fc.asyncProperty(scenario(120), async (life) => {
    const naive = new NaiveExchange();
    const timelines = new NaiveTimelines(naive);
    const log = new MemoryLog();
    for (const { command, time } of play(life, naive)) {
      await appendBatch(log, time, [command]);
      timelines.note(log.lastSequence);
    }
    const history = await History.open('sqlite://:memory:');
    const archive = await openArchive(log, history);
    try {
      // Not in order, so that replays also go back.
      const lives = [...timelines.lives].filter(([, { last }]) => last !== undefined);
      for (const [id, { last, events, points }] of lives.toSorted(
        ([a], [b]) => (a % 5) - (b % 5),
      )) {
        const found = await readTimeline(archive, last!.account, id);
        expect(found.events.map(plainEvent)).toEqual(events as never);
        expect(
          found.points.map(({ position, ahead }) => ({ position, ahead: plainAhead(ahead) })),
        ).toEqual(points as never);
        expect(found.isComplete).toBe(true);
        const isOpen = last!.status === OrderStatus.open;
        expect(found.obstacle !== undefined).toBe(isOpen);
        if (isOpen) {
          expect(plainAhead(found.obstacle!.ahead)).toEqual(naiveAhead(naive.state, id) as never);
        }
        for (const { kind } of events) seen.set(kind, (seen.get(kind) ?? 0) + 1);
        if (isOpen) seen.set(found.obstacle!.code, (seen.get(found.obstacle!.code) ?? 0) + 1);
      }
    } finally {
      await history.close();
    }
  });
  // Halted markets are rare here; another test has one.
  const rare = ['market_status', 'market_unavailable'];
  const expected = [...timelineEvents, ...obstacles].filter((name) => !rare.includes(name));
  const findMissing = () => expected.filter((name) => !seen.has(name));
  // Few runs have an auction: a set without one is followed by another.
  for (let sets = 0; sets === 0 || (sets < 5 && findMissing().length > 0); sets++)
    await checkAsync(property, 80);
  expect(findMissing()).toEqual([]);
});

async function writeLog(commands: readonly (readonly Command[])[]) {
  const log = new MemoryLog();
  for (const [index, batch] of commands.entries()) await appendBatch(log, 1000 + index, batch);
  return { log, history: await History.open('sqlite://:memory:') };
}

test('a timeline that needs more work than an answer may cause ends early, or is asked for again', async () => {
  const order = limitOrder(1, Side.buy, 1000, 100);
  const ticks = (count: number) => Array.from({ length: count }, () => [TICK]);
  const { log, history } = await writeLog([
    GENESIS_COMMANDS,
    ...ticks(40),
    [order],
    [limitOrder(2, Side.buy, 1001, 50)],
    ...ticks(40),
  ]);
  const archive = await openArchive(log, history, 20);
  const answers: Timeline[] = [];
  do {
    answers.push((await archive.answer({ kind: 'timeline', account: 1, orderId: 1 })) as Timeline);
  } while (answers.at(-1)!.kind === 'unfinished');
  expect(answers.length).toBeGreaterThan(2);
  expect(answers.at(-1)).toMatchObject({
    kind: 'timeline',
    isComplete: false,
    // As of the present, where the timeline does not get.
    obstacle: { code: 'orders_ahead', ahead: { levels: 1, amount: 50 } },
    position: 61,
    events: [{ kind: 'placed', position: 42 }, { kind: 'rested' }],
    points: [
      { ahead: { levels: 0 } },
      { position: 43, ahead: { levels: 1, queue: 0, amount: 50 } },
    ],
  });
  await history.close();
});

test('points are bounded', () => {
  const fixture = new Fixture();
  fixture.sell(BOB, 1, 200);
  const observer = new OrderObserver(fixture.exchange, 2, 1000, 16);
  let position = 1;
  fixture.sell(ALICE, 900, 200);
  observer.note(position);
  for (let n = 0; n < 500; n++) {
    fixture.sell(CAROL, 1 + (n % 3), 100 + (n % 90));
    observer.note(++position);
  }
  const { points } = observer;
  expect(points.length).toBeGreaterThan(7);
  expect(points.length).toBeLessThanOrEqual(16);
  // They span the whole life, at even distances.
  expect(points[0]!.position).toBe(1);
  expect(points.at(-1)!.position).toBeGreaterThan(400);
  expect(observer.isDone).toBe(false);
});

test('events are bounded', () => {
  const fixture = new Fixture();
  const observer = new OrderObserver(fixture.exchange, 1, 60);
  fixture.sell(ALICE, 100, 200);
  observer.note(1);
  for (let n = 0; n < 57; n++) {
    fixture.buy(BOB, 1, 200);
    observer.note(2 + n);
  }
  expect(observer.isDone).toBe(false);
  fixture.buy(BOB, 1, 200);
  observer.note(59);
  expect([observer.isDone, observer.hasEnded]).toEqual([true, false]);
});

test('a halted market is an event of its orders, and the reason that they do not fill', () => {
  const fixture = new Fixture();
  const observer = new OrderObserver(fixture.exchange, 1);
  fixture.sell(ALICE, 5, 200);
  observer.note(1);
  fixture.setStatus(MarketStatus.halted);
  observer.note(2);
  expect(observer.events.map(({ kind, marketStatus }) => [kind, marketStatus])).toEqual([
    ['placed', MarketStatus.online],
    ['rested', MarketStatus.online],
    ['market_status', MarketStatus.halted],
  ]);
  expect(findObstacle(fixture.exchange.state, 1)?.code).toBe('market_unavailable');
});

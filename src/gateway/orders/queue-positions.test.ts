import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { CHECK_TIMEOUT_MS, check, checkAsync } from '../../../test/check.ts';
import { play, scenario } from '../../../test/reference/scenario.ts';
import { type Command, CommandKind } from '../../engine/command.ts';
import { Exchange } from '../../engine/exchange.ts';
import { type Exact, exact } from '../../engine/numbers/exact.ts';
import { NONE, Side } from '../../engine/terms.ts';
import { GENESIS_COMMANDS, limitOrder } from '../../testing/test-exchange.ts';
import { LevelQueue } from './level-queue.ts';
import { QueuePositions } from './queue-positions.ts';

/** Returns the amount ahead of every order of every book, by order id. */
function naiveQueues({ state }: Exchange): Map<number, Exact> {
  const ahead = new Map<number, Exact>();
  for (const { book } of state.markets) {
    for (const side of [Side.buy, Side.sell]) {
      for (let level = book.bestLevel(side); level !== NONE; level = book.nextLevel(level)) {
        let total = 0n;
        for (let slot = book.firstOrder(level); slot !== NONE; slot = book.nextOrder(slot)) {
          ahead.set(state.details.id(slot), exact(total));
          total += BigInt(state.orders.remaining(slot));
        }
      }
    }
  }
  return ahead;
}

test(
  'the amount ahead equals a count of the queue, whatever changes between two questions',
  () => {
    let answers = 0;
    let maxLevels = 0;
    const property = fc.property(
      scenario(150),
      fc.integer({ min: -1, max: 1 }),
      fc.constantFrom(2, 4096),
      fc.array(fc.nat(9), { minLength: 30, maxLength: 30 }),
      (life, maxWalked, changesKept, asked) => {
        const exchange = new Exchange();
        const positions = new QueuePositions(() => exchange, maxWalked, changesKept);
        let at = 0;
        for (const { command, time } of play(life)) {
          exchange.apply(command, time);
          positions.note(exchange.events);
          if (asked[at++ % asked.length]! > 4) continue;
          for (const [id, ahead] of naiveQueues(exchange)) {
            if ((id + at) % 3 === 0) continue;
            expect([id, positions.ahead(id)]).toEqual([id, ahead]);
            answers++;
          }
          maxLevels = Math.max(maxLevels, positions.size);
        }
        for (const [id, ahead] of naiveQueues(exchange)) expect(positions.ahead(id)).toBe(ahead);
      },
    );
    check(property, 150);
    expect(answers).toBeGreaterThan(1000);
    expect(maxLevels).toBeGreaterThan(2);
  },
  CHECK_TIMEOUT_MS,
);

test(
  'the amount ahead is exact after a queue was built in portions while the book changed',
  async () => {
    let built = 0;
    const steps = fc.array(fc.nat(5), { minLength: 30, maxLength: 30 });
    const portions = fc.integer({ min: 1, max: 4 });
    const property = fc.asyncProperty(scenario(150), steps, portions, async (life, asked, size) => {
      const exchange = new Exchange();
      const positions = new QueuePositions(() => exchange, -1, 2, size);
      let at = 0;
      let ready: Promise<void> | undefined;
      const ask = async () => {
        await ready;
        ready = undefined;
        const queues = naiveQueues(exchange);
        for (const id of queues.keys()) {
          await positions.prepare([id]);
          expect([id, positions.ahead(id)]).toEqual([id, queues.get(id)]);
          built++;
        }
      };
      for (const { command, time } of play(life)) {
        exchange.apply(command, time);
        positions.note(exchange.events);
        const step = asked[at++ % asked.length]!;
        ready ??= positions.prepare(naiveQueues(exchange).keys());
        if (step < 3) await new Promise((resolve) => setImmediate(resolve));
        if (step === 5) await ask();
      }
      await ask();
    });
    await checkAsync(property, 120);
    expect(built).toBeGreaterThan(1000);
  },
  CHECK_TIMEOUT_MS,
);

test('no portion of a long queue adds more orders than its size', async () => {
  const exchange = new Exchange();
  for (const command of GENESIS_COMMANDS) exchange.apply(command, 1);
  for (let count = 0; count < 200; count++) {
    exchange.apply(limitOrder(1, Side.buy, 11_000_000, 10_000 + count), 1);
  }
  const { state } = exchange;
  let read = 0;
  const { id } = state.details;
  state.details.id = (slot) => {
    read++;
    return id.call(state.details, slot);
  };
  const positions = new QueuePositions(() => exchange, 64, 4096, 20);
  const orderId = state.nextOrderId - 100;
  let isReady = false;
  const ready = positions.prepare([orderId])!.then(() => {
    isReady = true;
  });
  let portions = 0;
  for (; !isReady; portions++) {
    expect(read).toBeLessThan(50);
    read = 0;
    await new Promise((resolve) => setImmediate(resolve));
  }
  await ready;
  expect(portions).toBeGreaterThan(5);
  expect(positions.ahead(orderId)).toBe(naiveQueues(exchange).get(orderId)!);
  for (const end of [state.nextOrderId - 1, state.nextOrderId - 200]) {
    expect(positions.prepare([end])).toBeUndefined();
  }
});

test('a queue that is built in portions has orders that moved to its end once, before later ones', async () => {
  const exchange = new Exchange();
  const positions = new QueuePositions(() => exchange, -1, 4096, 4);
  const apply = (command: Command) => {
    exchange.apply(command, 1);
    positions.note(exchange.events);
  };
  for (const command of GENESIS_COMMANDS) exchange.apply(command, 1);
  for (let count = 0; count < 20; count++) apply(limitOrder(1, Side.buy, 11_000_000, 10_000));
  const orderId = exchange.state.nextOrderId - 19;
  const ready = positions.prepare([orderId]);
  const amended = { price: 0, amount: 30_000, triggerPrice: 0 };
  apply({ kind: CommandKind.amendOrder, account: 1, key: NONE, orderId, ...amended });
  for (const amount of [50_000, 70_000]) apply(limitOrder(1, Side.buy, 11_000_000, amount));
  await ready;
  for (const [id, ahead] of naiveQueues(exchange)) {
    expect([id, positions.ahead(id)]).toEqual([id, ahead]);
  }
});

test('an order that is pending, ended or unknown has no queue', () => {
  const positions = new QueuePositions(() => new Exchange());
  expect(positions.ahead(1)).toBeUndefined();
});

test('a queue sums amounts exactly, however large they are', () => {
  const amount = fc.integer({ min: 1, max: Number.MAX_SAFE_INTEGER });
  const change = fc.tuple(fc.nat(300), fc.oneof(fc.constant(0), amount));
  const property = fc.property(
    fc.array(amount, { minLength: 1, maxLength: 300 }),
    fc.array(change, { maxLength: 100 }),
    (amounts, changes) => {
      const queue = new LevelQueue();
      const remaining = [...amounts];
      for (const [index, each] of amounts.entries()) queue.append(2 * index + 1, each);
      for (const [index, to] of changes) {
        const place = index % amounts.length;
        // An order that has ended does not come back at its place.
        if (remaining[place] === 0) continue;
        queue.set(2 * place + 1, to);
        queue.set(2 * place + 2, to);
        remaining[place] = to;
      }
      let total = 0n;
      for (const [index, each] of remaining.entries()) {
        expect(queue.ahead(2 * index + 1)).toBe(exact(total));
        expect(queue.has(2 * index + 1)).toBe(each > 0);
        total += BigInt(each);
      }
      expect(queue.orders).toBe(remaining.filter((each) => each > 0).length);
    },
  );
  check(property, 100);
});

test('an order that comes back under its old id is the last, and the only one of that id', () => {
  const queue = new LevelQueue();
  for (const id of [3, 5, 9]) queue.append(id, id);
  for (const id of [5, 9, 5]) {
    queue.set(id, 0);
    queue.append(id, id);
  }
  expect([3, 9, 5].map((id) => queue.ahead(id))).toEqual([0, 3, 12]);
  expect(queue.orders).toBe(3);
});

import { expect, test } from 'bun:test';
import { type Command, CommandKind, SYSTEM_ACTOR } from '../engine/command.ts';
import type { Outcome } from '../engine/event.ts';
import { Exchange } from '../engine/exchange.ts';
import { ByteReader } from '../engine/numbers/bytes.ts';
import { NONE, Side } from '../engine/terms.ts';
import { decodeCommand } from '../log/codec.ts';
import type { Batch } from '../log/log.ts';
import { IDLE_ARCHIVIST } from '../testing/idle-archivist.ts';
import { MemoryLog } from '../testing/memory-log.ts';
import { GENESIS_COMMANDS, limitOrder } from '../testing/test-exchange.ts';
import { AccountBacklogError, CommandTooLargeError } from './errors.ts';
import { Replica } from './replica.ts';
import { singleNodeLog } from './replica-log.ts';
import { realTimers } from './timers.ts';
import { MAX_BATCH_BYTES } from './waiting.ts';

// Batches are bounded in bytes, and one account's backlog does not delay the others.

const BULK_IDS = 1000;

async function open(accounts = 0, maxBatchBytes = () => MAX_BATCH_BYTES) {
  const log = new MemoryLog();
  const failures: Error[] = [];
  const replica = new Replica({
    exchange: new Exchange(),
    log: singleNodeLog(log),
    archivist: IDLE_ARCHIVIST,
    now: () => 1000,
    timers: realTimers,
    onEvents: () => {},
    get maxBatchBytes() {
      return maxBatchBytes();
    },
    onFailure: (error) => failures.push(error),
  });
  await replica.begin();
  const commands = [...GENESIS_COMMANDS];
  for (let n = 0; n < accounts; n++) {
    const accountId = `account-${n}`;
    commands.push({ kind: CommandKind.createAccount, ...SYSTEM_ACTOR, accountId, limitClass: 1 });
  }
  for (const command of commands) await replica.execute(command);
  const begun = log.lastSequence;
  return { log, replica, failures, batches: () => [...log.read(begun)] };
}

/** Cancels a thousand orders by id, none of which exists. */
function bulkCancel(account: number, firstId = 1_000_000): Command {
  const orderIds = Array.from({ length: BULK_IDS }, (_, n) => firstId + n);
  const selection = { market: NONE, orderIds, clientOrderId: null };
  return { kind: CommandKind.cancelOrders, account, key: NONE, ...selection };
}

function listCommands(batches: readonly Batch[]): Command[] {
  return batches.flatMap(({ count, payload }) => {
    const reader = new ByteReader(payload);
    return Array.from({ length: count }, () => decodeCommand(reader));
  });
}

const toBytes = (batches: readonly Batch[]) => batches.map(({ payload }) => payload.length);

test('3,000 waiting bulk cancels never make a batch above its limit', async () => {
  const { replica, failures, batches, log } = await open(100);
  const outcomes: Promise<Outcome>[] = [];
  for (let n = 0; n < 3000; n++) outcomes.push(replica.execute(bulkCancel(3 + (n % 100))));
  for (const outcome of await Promise.all(outcomes)) expect(outcome.kind).toBe('orders');
  expect(failures).toEqual([]);
  expect(Math.max(...toBytes(batches()))).toBeLessThanOrEqual(MAX_BATCH_BYTES);
  const cancels = listCommands(batches()).filter(({ kind }) => kind === CommandKind.cancelOrders);
  expect(cancels).toHaveLength(3000);
  await replica.close();
  await log.close();
});

test('a command of another account overtakes a backlog of bulk cancels', async () => {
  const { replica, batches } = await open(100);
  const backlog = Array.from({ length: 3000 }, (_, n) =>
    replica.execute(bulkCancel(3 + (n % 100))),
  );
  const order = replica.execute(limitOrder(1, Side.buy, 1000, 100));
  const cancel = { kind: CommandKind.cancelOrder, account: 2, key: NONE, orderId: 7 } as const;
  const canceled = replica.execute(cancel);
  await Promise.all([...backlog, order, canceled]);
  // Both are in the first batch, which holds a small part of the backlog.
  const first = listCommands(batches().slice(0, 1)).map(({ kind }) => kind);
  expect(first).toContain(CommandKind.placeOrder);
  expect(first).toContain(CommandKind.cancelOrder);
  expect(first.length).toBeLessThan(100);
  await replica.close();
});

test('while everything fits into one batch commands keep their order of arrival', async () => {
  const { replica, batches } = await open();
  const done: number[] = [];
  const all = Array.from({ length: 900 }, (_, n) => {
    const command = limitOrder(1 + (n % 2), Side.buy, 1000, 100);
    return replica.execute(command).then(() => done.push(n));
  });
  await Promise.all(all);
  expect(batches()).toHaveLength(1);
  expect(done).toEqual(Array.from({ length: 900 }, (_, n) => n));
  await replica.close();
});

test("an account's own commands keep their order, whatever overtakes them", async () => {
  const { replica, batches } = await open(20);
  const logged = new Map<number, number[]>();
  const all: Promise<unknown>[] = [];
  for (let n = 0; n < 600; n++) {
    const account = 3 + (n % 20);
    const order = { ...limitOrder(account, Side.buy, 1000, 100), clientOrderId: `${n}` };
    all.push(replica.execute(n % 3 === 0 ? order : bulkCancel(account, 1_000_000 + n)));
  }
  await Promise.all(all);
  for (const command of listCommands(batches())) {
    if (command.kind !== CommandKind.placeOrder && command.kind !== CommandKind.cancelOrders)
      continue;
    const n =
      command.kind === CommandKind.placeOrder
        ? Number(command.clientOrderId)
        : command.orderIds![0]! - 1_000_000;
    logged.set(command.account, [...(logged.get(command.account) ?? []), n]);
  }
  expect(logged.size).toBe(20);
  for (const places of logged.values()) {
    expect(places).toEqual([...places].sort((a, b) => a - b));
    expect(places).toHaveLength(30);
  }
  await replica.close();
});

test('the backlog of one account is bounded, and only that account is rejected', async () => {
  const { replica } = await open();
  const refused: unknown[] = [];
  const accepted: Promise<unknown>[] = [];
  for (let n = 0; n < 500; n++) {
    accepted.push(replica.execute(bulkCancel(1)).catch((error) => refused.push(error)));
  }
  await Promise.resolve();
  const small = { kind: CommandKind.cancelOrder, account: 1, key: NONE, orderId: 7 } as const;
  const own = replica.execute(small).catch((error) => error);
  const others = replica.execute({ ...small, account: 2 });
  expect((await others).kind).toBe('rejected');
  expect(await own).toBeInstanceOf(AccountBacklogError);
  await Promise.all(accepted);
  expect(refused.length).toBeGreaterThan(300);
  for (const error of refused) expect(error).toBeInstanceOf(AccountBacklogError);
  // Once they are done its commands are accepted again.
  expect((await replica.execute(bulkCancel(1))).kind).toBe('orders');
  await replica.close();
});

test('waiting cancels do not reject orders', async () => {
  const { replica } = await open(100);
  const backlog: Promise<unknown>[] = [];
  for (let n = 0; n < 3000; n++) backlog.push(replica.execute(bulkCancel(3 + (n % 100))));
  expect(replica.isOverloaded).toBe(false);
  const orders = Array.from({ length: 1200 }, (_, n) =>
    replica.execute(limitOrder(1 + (n % 2), Side.buy, 1000, 100)),
  );
  expect(replica.isOverloaded).toBe(true);
  await Promise.all(orders);
  expect(replica.isOverloaded).toBe(false);
  await Promise.all(backlog);
  expect(replica.waitingCount).toBe(0);
  await replica.close();
});

test('a command above the maximum size is rejected before it waits', async () => {
  const { replica, log, failures } = await open();
  const { lastSequence } = log;
  const orderIds = Array.from({ length: 5000 }, (_, n) => n + 1);
  const terms = { account: 1, key: NONE, market: NONE, clientOrderId: null };
  const large: Command = { kind: CommandKind.cancelOrders, ...terms, orderIds };
  await expect(replica.execute(large)).rejects.toBeInstanceOf(CommandTooLargeError);
  expect(log.lastSequence).toBe(lastSequence);
  // None of its bytes remain in the next batch.
  expect((await replica.execute(limitOrder(1, Side.buy, 1000, 100))).kind).toBe('order');
  expect(failures).toEqual([]);
  await replica.close();
});

test('a command that fits into no batch stops the node with advice', async () => {
  let maxBytes = MAX_BATCH_BYTES;
  const { replica, failures, batches } = await open(0, () => maxBytes);
  maxBytes = 20;
  void replica.execute(limitOrder(1, Side.buy, 1000, 100));
  while (failures.length === 0) await Bun.sleep(1);
  expect(failures[0]!.message).toContain('raise max_payload of the NATS servers');
  expect(batches()).toEqual([]);
});

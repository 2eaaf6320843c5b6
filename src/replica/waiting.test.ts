import { expect, spyOn, test } from 'bun:test';
import { type Command, CommandKind } from '../engine/command.ts';
import { ByteWriter } from '../engine/numbers/bytes.ts';
import { NONE, Side } from '../engine/terms.ts';
import { encodeBatch } from '../log/codec.ts';
import { limitOrder } from '../testing/test-exchange.ts';
import { AccountBacklogError } from './errors.ts';
import { MAX_BATCH_BYTES, WaitingCommands } from './waiting.ts';

const ACCOUNTS = 50;
const fail = (error: Error) => {
  throw error;
};

/** Cancels that many orders by id; `n` selects the account. */
function cancel(n: number, ids: number): Command {
  const orderIds = Array.from({ length: ids }, (_, index) => n * 1000 + index + 1);
  const selection = { market: NONE, orderIds, clientOrderId: null };
  return { kind: CommandKind.cancelOrders, account: n % ACCOUNTS, key: NONE, ...selection };
}

test('each payload encodes its commands, and those of an account keep their order', () => {
  const waiting = new WaitingCommands();
  const sent: Command[] = [];
  const taken: Command[] = [];
  // Bursts of several batches, smaller ones while they drain, and times with nothing waiting.
  for (let round = 0; round < 120; round++) {
    for (let n = 0; n < (round % 40 === 0 ? 300 : 5); n++) {
      const command = cancel(sent.length, (sent.length * 37) % 1000);
      sent.push(command);
      waiting.add(command, () => {}, fail);
    }
    for (let batch = 0; batch < 2; batch++) {
      const { commands, payload } = waiting.take(MAX_BATCH_BYTES);
      expect(payload.length).toBeLessThanOrEqual(MAX_BATCH_BYTES);
      expect(Bun.hash(payload)).toBe(Bun.hash(encodeBatch(new ByteWriter(), commands)));
      taken.push(...commands);
    }
  }
  expect(waiting.count).toBe(0);
  expect(taken.length).toBe(sent.length);
  const byAccount = (commands: readonly Command[]) =>
    Object.groupBy(commands, (command) => ('account' in command ? command.account : NONE));
  expect(byAccount(taken)).toEqual(byAccount(sent));
});

test('draining a backlog copies the bytes of each command once, however long it is', () => {
  const waiting = new WaitingCommands();
  for (let n = 0; n < 3000; n++) waiting.add(cancel(n, 1000), () => {}, fail);
  const copies = spyOn(ByteWriter.prototype, 'append');
  let bytes = 0;
  while (waiting.count > 0) bytes += waiting.take(MAX_BATCH_BYTES).payload.length;
  const copied = copies.mock.calls.reduce((sum, [part]) => sum + part.length, 0);
  copies.mockRestore();
  expect(bytes).toBeGreaterThan(40 * MAX_BATCH_BYTES);
  expect(copied).toBe(bytes);
});

test('an order on a connection counts for its account, as an order', () => {
  const waiting = new WaitingCommands();
  const place = (account: number) => {
    const command = limitOrder(account, Side.buy, 1000, 10);
    const placing = { kind: CommandKind.placeOnConnection, connection: 1, command } as const;
    try {
      waiting.add(placing, () => {}, fail);
    } catch (error) {
      return error;
    }
    return undefined;
  };
  let placed = 0;
  while (place(1) === undefined) placed++;
  expect(placed).toBe(2048);
  expect(place(1)).toBeInstanceOf(AccountBacklogError);
  expect(place(2)).toBeUndefined();
  expect([waiting.count, waiting.orderCount]).toEqual([placed + 1, placed + 1]);
});

test('closing connections is never rejected for its account', () => {
  const waiting = new WaitingCommands();
  for (let connection = 1; connection <= 5000; connection++) {
    waiting.add({ kind: CommandKind.closeConnection, connection }, () => {}, fail);
  }
  expect([waiting.count, waiting.orderCount]).toEqual([5000, 0]);
});

test('a cancellation with a deadline counts for its account, and not as an order', () => {
  const waiting = new WaitingCommands();
  const command = { kind: CommandKind.cancelOrder, account: 1, key: NONE, orderId: 1 } as const;
  const add = () =>
    waiting.add({ kind: CommandKind.executeBy, deadline: 5, command }, () => {}, fail);
  let added = 0;
  for (; added < 2048; added++) add();
  expect(add).toThrow(AccountBacklogError);
  expect([waiting.count, waiting.orderCount]).toEqual([added, 0]);
});

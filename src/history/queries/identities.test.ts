import { expect, spyOn, test } from 'bun:test';
import { onEachDatabase, withTemporaryHistory } from '../../../test/history/temporary.ts';
import { type Command, CommandKind } from '../../engine/command.ts';
import type { OrderRecord, TransferRecord } from '../../engine/event.ts';
import { NONE, OrderStatus } from '../../engine/terms.ts';
import { openDatabase } from '../database/open-database.ts';
import { upgrade } from '../database/schema.ts';
import type { History } from '../history.ts';
import { Pending } from '../writer/pending.ts';
import { IdentityQueries } from './identities.ts';

const tick: Command = { kind: CommandKind.tick };
const hash = new Uint8Array(32).fill(1);

function order(id: number, account: number, clientOrderId: string | null, createdAt: number) {
  return {
    kind: 'order',
    id,
    account,
    key: NONE,
    market: 0,
    side: 0,
    type: 0,
    timeInForce: 0,
    postOnly: false,
    selfTradePrevention: 0,
    price: 1,
    triggerPrice: 0,
    amount: 1,
    remaining: 1,
    cost: 0,
    filledCost: 0,
    fees: 0,
    status: OrderStatus.canceled,
    reason: 0,
    clientOrderId,
    createdAt,
    updatedAt: createdAt,
    lastFillAt: 0,
    expiresAt: 0,
    attached: null,
    parentId: 0,
  } as OrderRecord;
}

function transfer(id: number, reference: string): TransferRecord {
  return { id, account: 1, asset: 2, amount: -(10n ** 20n), reference, time: 5 };
}

/** Records orders and transfers of a batch; fingerprints are the negative ids, those of 7 are not known. */
function record(
  history: History,
  sequence: number,
  orders: readonly OrderRecord[],
  transfers: readonly TransferRecord[] = [],
): void {
  history.begin({ sequence, hash, time: 1 });
  const fingerprint = ({ id }: OrderRecord) => (id === 7 ? undefined : -id);
  history.record(sequence, 0, 1, tick, { kind: 'done' }, orders, {
    fingerprint,
    transfers,
    dropped: [],
  });
}

onEachDatabase(() => {
  test.each([false, true])('orders are found by their ids (committed: %p)', async (isStored) => {
    await withTemporaryHistory(async ({ history }) => {
      record(history, 1, [
        order(1, 0, 'a', 100),
        order(2, 0, 'a', 200),
        order(3, 1, 'a', 300),
        order(4, 0, null, 300),
        order(5, 0, 'b', 50),
        order(7, 0, 'd', 300),
      ]);
      if (isStored) await history.commit(1, hash);
      const ids = [
        { account: 0, clientOrderId: 'a' },
        { account: 0, clientOrderId: 'b' },
        { account: 0, clientOrderId: 'c' },
        { account: 1, clientOrderId: 'a' },
        { account: 0, clientOrderId: 'd' },
        { account: 0, clientOrderId: 'a' },
      ];
      expect(await history.placed({ ids, since: 50 })).toEqual([
        { orderId: 2, fingerprint: -2 },
        undefined,
        undefined,
        { orderId: 3, fingerprint: -3 },
        { orderId: 7, fingerprint: undefined },
        { orderId: 2, fingerprint: -2 },
      ]);
      record(history, 2, [order(9, 0, 'a', 400)]);
      const [newest] = await history.placed({ ids: ids.slice(0, 1), since: 50 });
      expect(newest).toEqual({ orderId: 9, fingerprint: -9 });
    });
  });

  test.each([false, true])('transfers by their references (committed: %p)', async (isStored) => {
    await withTemporaryHistory(async ({ history }) => {
      record(history, 1, [], [transfer(1, 'first'), transfer(2, 'second')]);
      if (isStored) await history.commit(1, hash);
      expect(await history.transfers(['second', 'third', 'first'])).toEqual([
        transfer(2, 'second'),
        undefined,
        transfer(1, 'first'),
      ]);
    });
  });
});

onEachDatabase(() => {
  test('the ids of an account come in pages, the newest first, with those that wait for a commit', async () => {
    await withTemporaryHistory(async ({ history }) => {
      record(history, 1, [
        order(1, 0, 'too old', 100),
        order(2, 0, 'a', 101),
        order(3, 1, 'other', 200),
        order(4, 0, null, 200),
        order(5, 0, 'b', 300),
        order(7, 0, 'c', 300),
      ]);
      await history.commit(1, hash);
      record(history, 2, [order(6, 0, 'pending', 300), order(8, 0, null, 300)]);
      const filter = { account: 0, since: 100, limit: 2 };
      const read = (before?: number) => history.placedIds({ ...filter, before });
      expect(await read()).toEqual({ clientOrderIds: ['pending', 'c', 'b'], next: 5 });
      await history.commit(2, hash);
      expect(await read(5)).toEqual({ clientOrderIds: ['a'], next: 2 });
      expect(await read(2)).toEqual({ clientOrderIds: [], next: undefined });
      const all = { clientOrderIds: ['c', 'pending', 'b', 'a'], next: undefined };
      expect(await history.placedIds({ ...filter, before: undefined, limit: 9 })).toEqual(all);
    });
  });
});

onEachDatabase(() => {
  test('orders of 500 accounts are found at a time, the newest of each id', async () => {
    await withTemporaryHistory(async ({ history }) => {
      const accounts = Array.from({ length: 500 }, (_, account) => account);
      record(
        history,
        1,
        accounts.flatMap((n) => [order(2 * n + 1, n, 'a', 100), order(2 * n + 2, n, 'a', 200)]),
      );
      await history.commit(1, hash);
      record(history, 2, [order(2_001, 7, 'a', 300), order(2_000, 7, 'a', 300)]);
      const ids = accounts.map((account) => ({ account, clientOrderId: 'a' }));
      const placed = await history.placed({ ids, since: 50 });
      const expected = accounts.map((n) => (n === 7 ? 2_001 : 2 * n + 2));
      expect(placed.map((each) => each!.orderId)).toEqual(expected);
    });
  });
});

test('look-ups of ids use their index, for one account and for several', async () => {
  const database = openDatabase('sqlite://:memory:');
  await upgrade(database);
  const pending = new Pending(() => []);
  const identities = new IdentityQueries(database, pending);
  const plan = async (ask: () => Promise<unknown>) => {
    const query = spyOn(database, 'query');
    await ask();
    const [text, ...values] = query.mock.calls[0]!;
    query.mockRestore();
    const steps = await database.query(`EXPLAIN QUERY PLAN ${text}`, ...values);
    return steps.map(({ detail }) => String(detail)).filter((detail) => /orders/.test(detail));
  };
  const index = 'orders_by_client_order_id (account=? AND client_order_id=?)';
  for (const accounts of [1, 3, 500]) {
    const ids = Array.from({ length: 500 }, (_, n) => ({
      account: n % accounts,
      clientOrderId: `id-${n}`,
    }));
    const steps = await plan(() => identities.placed({ ids, since: 1 }));
    expect(steps).toHaveLength(accounts);
    for (const step of steps) expect(step).toContain(index);
  }
  const page = { account: 1, before: 9, since: 1, limit: 2 };
  const steps = await plan(() => identities.placedIds(page));
  expect(steps).toEqual([expect.stringContaining('orders_by_account (account=? AND id<?)')]);
  await database.close();
});

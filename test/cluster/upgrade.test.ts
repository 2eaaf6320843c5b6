import { afterAll, beforeAll, expect, test } from 'bun:test';
import { auditState } from '../../src/engine/audit/audit.ts';
import { type Command, CommandKind, SYSTEM_ACTOR } from '../../src/engine/command.ts';
import { ENGINE_VERSION } from '../../src/engine/exchange.ts';
import { NONE, OrderType, Side } from '../../src/engine/terms.ts';
import { GENESIS_COMMANDS, limitOrder } from '../../src/testing/test-exchange.ts';
import { SMALL_PORTION, setPortion } from '../portions.ts';
import { describeWithServers } from './describe-with-servers.ts';
import { LogOnNats } from './log-on-nats.ts';
import type { StreamNode } from './stream-node.ts';

const [, ...rest] = GENESIS_COMMANDS;
/** The first commands of an older release. */
const OLDER: readonly Command[] = [{ kind: CommandKind.open, version: 1, sandbox: true }, ...rest];
const CANCEL_ALL: Command = {
  kind: CommandKind.cancelOrders,
  account: 1,
  key: NONE,
  market: NONE,
  orderIds: null,
  clientOrderId: null,
};
/** Buys once the price has risen by 5 % from its lowest. */
const TRAILING: Command = {
  ...limitOrder(1, Side.buy, 0, 2),
  ...{ kind: CommandKind.placeStopOrder, type: OrderType.trailingStop, triggerPrice: 0 },
  trailing: { amount: 0, basisPoints: 500, activationPrice: 0 },
};
const ICEBERG: Command = { ...limitOrder(2, Side.sell, 1_008, 10), displayAmount: 3 };
const orders = (count: number) =>
  Array.from({ length: count }, (_, n) => limitOrder(1, Side.buy, 900 + n, 77));

describeWithServers('an engine upgrade of a cluster', () => {
  let log: LogOnNats;
  let restore: () => void;
  beforeAll(async () => {
    log = await LogOnNats.start();
    restore = setPortion(SMALL_PORTION);
  });
  afterAll(async () => {
    restore();
    await log?.stop();
  });

  async function agree(nodes: readonly StreamNode[]): Promise<void> {
    const last = Math.max(...nodes.map(({ position }) => position));
    for (const node of nodes) await node.reaches(last);
    expect(new Set(nodes.map(({ stateHash }) => stateHash)).size).toBe(1);
    for (const { replica } of nodes) auditState(replica.exchange.state);
  }

  test('all nodes continue with the new version and agree', async () => {
    const stream = await log.newStream();
    const first = await log.startNode(stream, 'a');
    await first.send(OLDER);
    const second = await log.startNode(stream, 'b');
    await first.send(orders(12));
    const [whole] = await second.send([CANCEL_ALL]);
    expect(whole).toMatchObject({ kind: 'orders', orders: { length: 12 } });
    expect(first.replica.exchange.state.version).toBe(1);
    await second.send(orders(12));

    await second.send([{ kind: CommandKind.upgrade, ...SYSTEM_ACTOR, version: ENGINE_VERSION }]);
    await agree([first, second]);
    expect(first.replica.exchange.state.version).toBe(ENGINE_VERSION);
    // The new version cancels in portions, which the nodes continue; the caller gets one response.
    const canceled = await first.send([CANCEL_ALL]);
    expect(canceled).toMatchObject([{ kind: 'orders', orders: { length: 12 } }]);
    await agree([first, second]);

    // A node that reads the whole log, through both versions, computes the same state.
    const third = await log.startNode(stream, 'c');
    await third.send(orders(3));
    await agree([first, second, third]);
    expect(third.replica.exchange.state.version).toBe(ENGINE_VERSION);
    for (const node of [first, second, third]) await node.close();
  }, 30_000);

  test('nodes are replaced one by one, and then trade what only the new version knows', async () => {
    const stream = await log.newStream();
    let [first, second] = [await log.startNode(stream, 'a'), await log.startNode(stream, 'b')];
    await first.send(OLDER);
    await second.send(orders(3));
    // Each is stopped and started with the new release while the other one serves; the log stays at version 1.
    await first.close();
    await second.send(orders(2));
    first = await log.startNode(stream, 'a');
    await first.send([CANCEL_ALL]);
    await second.close();
    await first.send([limitOrder(2, Side.sell, 1_000, 50), limitOrder(1, Side.buy, 1_000, 1)]);
    second = await log.startNode(stream, 'b');
    await agree([first, second]);
    expect(second.replica.exchange.state.version).toBe(1);

    await first.send([{ kind: CommandKind.upgrade, ...SYSTEM_ACTOR, version: ENGINE_VERSION }]);
    const placed = await second.send([TRAILING, ICEBERG]);
    expect(placed).toMatchObject([
      { order: { type: OrderType.trailingStop, triggerPrice: 1_050 } },
      { order: { displayAmount: 3 } },
    ]);
    // The price falls, which moves the trigger, and rises to it through the iceberg.
    const prices = [limitOrder(2, Side.buy, 960, 1), limitOrder(1, Side.sell, 960, 1)];
    await first.send(prices);
    const moved = second.replica.exchange.state.markets[0]!.trailing.inOrder();
    await agree([first, second]);
    expect(moved.map((slot) => second.replica.exchange.state.details.triggerPrice(slot))).toEqual([
      1_008,
    ]);
    await second.send([limitOrder(1, Side.buy, 1_010, 60)]);
    const third = await log.startNode(stream, 'c');
    await third.send(orders(1));
    await agree([first, second, third]);
    expect(third.replica.exchange.state.markets[0]!.trailing.size).toBe(0);
    for (const node of [first, second, third]) await node.close();
  }, 30_000);

  test('a node that does not support the version stops with a message', async () => {
    const stream = await log.newStream();
    const node = await log.startNode(stream, 'a');
    await node.send(OLDER);
    void node.send([{ kind: CommandKind.upgrade, ...SYSTEM_ACTOR, version: ENGINE_VERSION + 1 }]);
    const failure = await node.failure;
    expect(failure.message).toContain('start a newer release');
  }, 30_000);
});

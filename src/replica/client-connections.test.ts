import { expect, test } from 'bun:test';
import { GENESIS, replay } from '../archivist/recovery.ts';
import { CommandKind } from '../engine/command.ts';
import type { Outcome } from '../engine/event.ts';
import { ENGINE_VERSION, Exchange } from '../engine/exchange.ts';
import { CONNECTION_LEASE_MS } from '../engine/limits.ts';
import { RejectionCode } from '../engine/rejection.ts';
import { NONE, OrderReason, Side } from '../engine/terms.ts';
import { IDLE_ARCHIVIST } from '../testing/idle-archivist.ts';
import { MemoryLog } from '../testing/memory-log.ts';
import { GENESIS_COMMANDS, limitOrder } from '../testing/test-exchange.ts';
import { ClientConnections } from './client-connections.ts';
import { CommandNotAppliedError, OutcomeUnknownError } from './errors.ts';
import { Replica } from './replica.ts';
import { singleNodeLog } from './replica-log.ts';
import { realTimers } from './timers.ts';

// Connections of clients on a real replica, whose process is killed by leaving it alone.

const ALICE = { account: 1, key: NONE };
const clock = { now: 1_700_000_000_000 };

/** Starts a node on a log, as after a kill if the log is not empty. */
async function start(
  log = new MemoryLog(),
  node = 'one',
  isAlone = true,
  version: number = ENGINE_VERSION,
) {
  const exchange = new Exchange();
  replay(log, { exchange, position: GENESIS });
  const failures: Error[] = [];
  const replica = new Replica({
    ...{ exchange, log: singleNodeLog(log), archivist: IDLE_ARCHIVIST, now: () => clock.now },
    ...{ timers: { ...realTimers, every: () => () => {} }, onEvents: () => {} },
    onFailure: (error) => failures.push(error),
  });
  await replica.begin();
  if (log.lastSequence === 0) {
    for (const command of GENESIS_COMMANDS) {
      await replica.execute(command.kind === CommandKind.open ? { ...command, version } : command);
    }
  }
  let check = () => {};
  const every = (_: number, work: () => void) => {
    check = work;
    return () => {
      check = () => {};
    };
  };
  const connections = new ClientConnections({ replica, node, isAlone, every });
  /** Runs the timer, and what it has submitted. */
  const runTimer = async () => {
    check();
    await replica.execute({ kind: CommandKind.tick });
  };
  const place = (connection: number, price: number): Promise<Outcome> =>
    replica.execute({
      ...{ kind: CommandKind.placeOnConnection, connection },
      command: limitOrder(1, Side.buy, price, 10),
    });
  const prices = () =>
    replica.exchange.state
      .accountOpenOrders(replica.exchange.state.accounts[1]!)
      .map(({ price }) => price);
  return { log, replica, connections, failures, runTimer, place, prices };
}

async function connect({ connections }: { connections: ClientConnections }, onEnded = () => {}) {
  const connection = await connections.connect(ALICE, onEnded);
  if (typeof connection === 'number') return connection;
  throw new Error(`rejected: ${connection.code}`);
}

test('disconnecting cancels the orders of the connection', async () => {
  const node = await start();
  await node.connections.begin();
  const [first, second] = [await connect(node), await connect(node)];
  await node.place(first, 1000);
  await node.place(second, 2000);
  node.connections.disconnect(first);
  node.connections.disconnect(first);
  expect(await node.place(first, 3000)).toMatchObject({ code: RejectionCode.connectionClosed });
  expect(node.prices()).toEqual([2000]);
  expect(node.connections.count).toBe(1);
});

test('orders of a killed node are canceled before the restarted one serves', async () => {
  const killed = await start();
  await killed.connections.begin();
  for (let opened = 0; opened < 3; opened++) {
    const connection = await connect(killed);
    for (let placed = 0; placed < 150; placed++) await killed.place(connection, 1000 + placed);
  }
  await killed.replica.execute(limitOrder(1, Side.buy, 900, 10));
  // Another name, as after a change of the host's name.
  const restarted = await start(killed.log, 'renamed');
  expect(restarted.prices()).toHaveLength(451);
  await restarted.connections.begin();
  expect(restarted.prices()).toEqual([900]);
  expect(restarted.replica.exchange.state.connections.size).toBe(0);
  const before = restarted.log.lastSequence;
  await restarted.connections.begin();
  expect(restarted.log.lastSequence).toBe(before);
  expect(restarted.failures).toEqual([]);
});

test('a node of a cluster ends only its own connections when it starts', async () => {
  const first = await start(undefined, 'one', false);
  await first.connections.begin();
  await first.place(await connect(first), 1000);
  const other = await start(first.log, 'two', false);
  await other.connections.begin();
  expect(other.prices()).toEqual([1000]);
  const again = await start(other.log, 'one', false);
  await again.connections.begin();
  expect(again.prices()).toEqual([]);
});

test('connections live on while their node renews them, and end when it no longer does', async () => {
  const node = await start();
  await node.connections.begin();
  let ended = 0;
  const connection = await connect(node, () => ended++);
  await node.place(connection, 1000);
  for (let renewed = 0; renewed < 5; renewed++) {
    clock.now += CONNECTION_LEASE_MS - 1;
    await node.runTimer();
  }
  expect(node.prices()).toEqual([1000]);
  // Out of touch: a node that is cut off cannot renew.
  clock.now += CONNECTION_LEASE_MS;
  await node.replica.execute({ kind: CommandKind.tick });
  expect(node.prices()).toEqual([]);
  expect(ended).toBe(0);
  await node.runTimer();
  expect([ended, node.connections.count]).toEqual([1, 0]);
  const quiet = node.log.lastSequence;
  await node.runTimer();
  // Only the tick of `runTimer`: nothing is renewed without connections.
  expect(node.log.lastSequence).toBe(quiet + 1);
});

test('a connection whose opening has an unknown outcome does not stay open', async () => {
  const node = await start();
  await node.connections.begin();
  const { replica } = node;
  const submit = replica.submit.bind(replica);
  // The command is applied, but its outcome is not reported.
  replica.submit = (command, _reply, onError) => {
    submit(command, () => onError?.(new OutcomeUnknownError()));
  };
  const opening = connect(node);
  await expect(opening).rejects.toThrow(OutcomeUnknownError);
  replica.submit = submit;
  expect(replica.exchange.state.connections.size).toBe(1);
  await node.runTimer();
  expect(replica.exchange.state.connections.size).toBe(0);
});

test('closing is retried until it takes effect', async () => {
  const node = await start();
  await node.connections.begin();
  const connection = await connect(node);
  await node.place(connection, 1000);
  const { replica } = node;
  const submit = replica.submit.bind(replica);
  replica.submit = (_command, _reply, onError) => onError?.(new CommandNotAppliedError());
  node.connections.disconnect(connection);
  replica.submit = submit;
  expect(node.prices()).toEqual([1000]);
  await node.runTimer();
  expect(node.prices()).toEqual([]);
});

test('a node that stops ends its connections', async () => {
  const node = await start();
  await node.connections.begin();
  const connection = await connect(node);
  await node.place(connection, 1000);
  await node.connections.close();
  expect(node.prices()).toEqual([]);
  const [order] = node.replica.exchange.events.filter((event) => event.kind === 'order');
  expect(order).toMatchObject({ price: 1000, reason: OrderReason.disconnected });
  await node.replica.close();
});

test('a rejection is returned, and a revoked key places nothing on its connection', async () => {
  const node = await start();
  await node.connections.begin();
  const rejection = await node.connections.connect({ account: 1, key: 99 }, () => {});
  expect(rejection).toMatchObject({ kind: 'rejected', code: RejectionCode.unauthorized });
  expect(node.connections.count).toBe(0);
  const connection = await connect(node);
  const command = { ...limitOrder(1, Side.buy, 1000, 10), key: 99 };
  const outcome = await node.replica.execute({
    ...{ kind: CommandKind.placeOnConnection, connection, command },
  });
  expect(outcome).toMatchObject({ code: RejectionCode.unauthorized });
});

test('a log of engine version 1 gets no commands that its releases do not know', async () => {
  const node = await start(undefined, 'one', false, 1);
  await node.connections.begin();
  const before = node.log.lastSequence;
  const rejection = await node.connections.connect(ALICE, () => {});
  expect(rejection).toMatchObject({ code: RejectionCode.limitReached });
  await node.connections.close();
  expect(node.log.lastSequence).toBe(before);
});

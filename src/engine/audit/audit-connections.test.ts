import { expect, test } from 'bun:test';
import { ALICE, BOB, Fixture, limitOrder, placed } from '../../../test/fixture.ts';
import { CommandKind } from '../command.ts';
import type { Connection } from '../orders/connections/connection-store.ts';
import type { State } from '../state.ts';
import { NONE, Side } from '../terms.ts';
import { auditState } from './audit.ts';

/** An exchange with two connections of Alice and one of Bob, each with an order. */
function connected() {
  const fixture = new Fixture();
  const { state } = fixture.exchange;
  const slots = [ALICE, ALICE, BOB].map((account, place) => {
    const node = place === 0 ? 'one' : 'two';
    const opened = fixture.apply({ kind: CommandKind.openConnection, account, key: NONE, node });
    if (opened.kind !== 'connection') throw new Error('not opened');
    const command = limitOrder(account, Side.buy, 5, 90 + place);
    const kind = CommandKind.placeOnConnection;
    const { id } = placed(fixture.apply({ kind, connection: opened.connection, command }));
    return state.index.find(id);
  });
  return { state, slots, first: state.connections.get(1)!, last: state.connections.get(3)! };
}
type Connected = ReturnType<typeof connected>;

/** Removes a connection from its lease alone. */
function unlist({ lease }: Connection, connection: Connection): void {
  lease.connections.delete(connection);
}

function replace(state: State, connection: Connection, change: Partial<Connection>): void {
  state.connections.remove(connection, []);
  state.connections.add({ ...connection, ...change });
}

test('an exchange with connections passes', () => {
  const { state } = connected();
  auditState(state);
  expect([state.connections.size, state.connections.orderCount]).toEqual([3, 3]);
});

test.each<[string, (connected: Connected) => void, string]>([
  ['missing from its lease', ({ last }) => unlist(last, last), 'is not under its lease'],
  [
    'under two leases',
    ({ first, last }) => first.lease.connections.add(last),
    'a lease has connections that are not open',
  ],
  [
    'of no account',
    ({ state, last }) => replace(state, last, { account: 99 }),
    'has no account or no valid id',
  ],
  [
    'of the future',
    ({ state, last }) => replace(state, last, { id: 99 }),
    'has no account or no valid id',
  ],
  [
    'with the order of another account',
    ({ state, slots }) => {
      state.connections.forget(slots[2]!);
      state.connections.register(slots[2]!, 1);
    },
    "belongs to connection 1, which is not its account's",
  ],
  [
    'with an order after it has ended',
    ({ state, last }) => void state.connections.remove(last, []),
    "belongs to connection 3, which is not its account's",
  ],
  [
    'left behind by a command',
    ({ state }) => {
      state.connections.current = 1;
    },
    'a command has left its connection behind',
  ],
  [
    'whose lease is missing in the digest',
    ({ first }) => {
      first.lease.dueAt++;
    },
    'the state differs from its running digest',
  ],
])('a connection %s', (_, damage, message) => {
  const all = connected();
  damage(all);
  expect(() => auditState(all.state)).toThrow(message);
});

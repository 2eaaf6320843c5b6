import fc from 'fast-check';
import { type Command, CommandKind } from '../../src/engine/command.ts';
import { exact } from '../../src/engine/numbers/exact.ts';
import type { NaiveState } from './naive-state.ts';
import { actor, toActor, weighted } from './scenario-parts.ts';

/** Moves of users who open and close sub-accounts, and move money between them and to others. */
export const group = fc.record({
  kind: fc.constant('group' as const),
  what: weighted<'create' | 'rename' | 'close' | 'transfer'>(
    [2, 'create'],
    [1, 'rename'],
    [2, 'close'],
    [5, 'transfer'],
  ),
  isClosed: weighted([3, true], [1, false]),
  actor,
  account: fc.constantFrom(0, 1, 1, 1, 2, 2, 3),
  isSubAccount: weighted([5, false], [1, true]),
  which: fc.nat(20),
  name: fc.constantFrom(
    'a',
    'b',
    'Grid bot',
    'a',
    'b',
    '',
    ' a',
    'a  b',
    'x'.repeat(51),
    'a\u0007',
  ),
  /** Transfers within the group, into it, out of it, or with others. */
  way: weighted<'out' | 'back' | 'same' | 'foreign' | 'stolen'>(
    [6, 'out'],
    [3, 'back'],
    [1, 'same'],
    [2, 'foreign'],
    [1, 'stolen'],
  ),
  asset: fc.nat(3),
  share: fc.constantFrom(0, 1, 2, 3, 3, 4),
  clientId: weighted<string | null>([4, null], [2, 'a'], [1, 'b'], [1, 'a b'], [1, '']),
});
type Group = typeof group extends fc.Arbitrary<infer T> ? T : never;

/** The parts of the balance that are moved: nothing, a unit, half, all, more than all. */
const SHARES: readonly ((available: bigint) => bigint)[] = [
  () => -1n,
  () => 0n,
  () => 1n,
  (available) => available / 2n,
  (available) => available + 1n,
];

export function toGroupCommand(move: Group, state: NaiveState): Command {
  const { which, name, asset } = move;
  const own = state.subAccounts.filter(({ main }) => main === move.account);
  const some = own[which % (own.length + 1)]?.account;
  const account = move.isSubAccount ? (some ?? move.account) : move.account;
  // The keys of the world have no permission to transfer: a session does, and rarely a key.
  const by = toActor(move.actor === 'wrong' ? 'wrong' : 'none', account);
  if (move.what === 'create') {
    const accountId = which === 0 ? 'account-2' : `sub-${state.accounts.length}`;
    return { kind: CommandKind.createSubAccount, ...by, accountId, name };
  }
  if (move.what === 'rename') {
    return { kind: CommandKind.renameSubAccount, ...by, owner: some ?? which, name };
  }
  if (move.what === 'close') return toClosing(move, state);
  const other = (move.account + 1 + which) % (state.accounts.length + 1);
  const places = {
    out: [account, some ?? other],
    back: [some ?? account, account],
    same: [account, account],
    foreign: [some ?? account, other],
    stolen: [other, account],
  } as const;
  const [from, to] = places[move.way];
  const amount = exact(SHARES[move.share]!(state.available(from, asset)));
  return {
    kind: CommandKind.internalTransfer,
    ...by,
    ...{ from, to, asset, amount, clientId: move.clientId },
  };
}

/** Returns the closing of any sub-account, rarely by itself or by another account. */
function toClosing(move: Group, { subAccounts }: NaiveState): Command {
  const { which, isClosed } = move;
  const any = subAccounts[which % (subAccounts.length + 1)];
  const account = move.isSubAccount ? any?.account : any?.main;
  const by = toActor(move.actor === 'wrong' ? 'wrong' : 'none', account ?? move.account);
  return { kind: CommandKind.closeSubAccount, ...by, owner: any?.account ?? which, isClosed };
}

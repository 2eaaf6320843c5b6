import { CommandKind, SYSTEM_ACTOR } from '../../src/engine/command.ts';
import { RejectionCode } from '../../src/engine/rejection.ts';
import { NONE } from '../../src/engine/terms.ts';
import type { Timed } from '../reference/scenario.ts';
import { CommandList, TRADER } from './command-list.ts';

/** Returns commands about sub-accounts and transfers between accounts. */
export function subAccounts(): readonly Timed[] {
  const list = new CommandList();
  list.begin();
  const actor = { account: TRADER.account, key: NONE };
  const create = { kind: CommandKind.createSubAccount, ...actor } as const;
  list.accept({ ...create, accountId: 'sub-1', name: 'Grid bot' });
  list.accept({ ...create, accountId: 'sub-2', name: 'Savings' });
  const [first, second] = [
    list.exchange.state.accountsById.get('sub-1')!.index,
    list.exchange.state.accountsById.get('sub-2')!.index,
  ];
  const rename = { kind: CommandKind.renameSubAccount, ...actor } as const;
  list.accept({ ...rename, owner: second, name: 'Reserve' });
  list.reject({ ...rename, owner: second, name: 'Grid bot' }, RejectionCode.alreadyExists);
  list.accept({
    kind: CommandKind.transfer,
    ...SYSTEM_ACTOR,
    ...{ owner: TRADER.account, asset: 0, amount: 10, reference: 'for-groups', reason: '' },
  });
  const move = { kind: CommandKind.internalTransfer, ...actor, asset: 0 } as const;
  const there = { ...move, from: TRADER.account, to: first, amount: 5, clientId: 'a' };
  list.accept(there);
  list.accept(there);
  list.accept({ ...move, from: first, to: second, amount: 2, clientId: null });
  list.reject({ ...there, amount: 4 }, RejectionCode.duplicateReference);
  const close = { kind: CommandKind.closeSubAccount, ...actor, owner: second } as const;
  list.reject({ ...close, isClosed: true }, RejectionCode.subAccountInUse);
  list.accept({ ...move, from: second, to: first, amount: 2, clientId: null });
  list.accept({ ...close, isClosed: true });
  list.reject({ ...there, to: second, clientId: null }, RejectionCode.destinationUnavailable);
  list.accept({ ...close, isClosed: false });
  list.accept({ ...close, isClosed: true });
  return list.timed;
}

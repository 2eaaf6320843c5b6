import { type Command, CommandKind } from '../src/engine/command.ts';
import type { Event, Outcome } from '../src/engine/event.ts';
import { MAX_SUB_ACCOUNTS } from '../src/engine/limits.ts';
import type { State } from '../src/engine/state.ts';
import type { AuditedLedger } from './audited-ledger.ts';
import type { AuditedOrders } from './audited-orders.ts';
import { check } from './failure.ts';

/** Sub-accounts: their main accounts, and which of them are closed. */
export class AuditedGroups {
  private readonly mains = new Map<number, number>();
  private readonly closed = new Set<number>();

  constructor(
    private readonly ledger: AuditedLedger,
    private readonly orders: AuditedOrders,
  ) {}

  findOwner(account: number): number {
    return this.mains.get(account) ?? account;
  }

  /** Records a new sub-account, before the events of its command. */
  noteCommand(command: Command, outcome: Outcome): void {
    if (command.kind === CommandKind.createSubAccount && outcome.kind === 'account') {
      const { index } = outcome.account;
      this.mains.set(index, command.account);
      this.checkNumber(command.account);
    }
  }

  /** Checks the effects of a command on closed accounts, and closes or reopens one. */
  noteEffects(state: State, command: Command, outcome: Outcome, events: readonly Event[]): void {
    for (const event of events) {
      if (event.kind !== 'order') continue;
      check(!this.closed.has(event.account), `the closed account ${event.account} has an order`);
    }
    if (outcome.kind === 'internalTransfer' && outcome.created) {
      const { to } = outcome.transfer;
      check(!this.closed.has(to), `the closed account ${to} has received a transfer`);
    }
    if (command.kind !== CommandKind.closeSubAccount || outcome.kind !== 'account') return;
    const { owner, isClosed } = command;
    if (!isClosed) this.closed.delete(owner);
    else if (!this.closed.has(owner)) this.close(state, owner);
    this.checkNumber(command.account);
  }

  private close(state: State, account: number): void {
    check(this.ledger.isEmpty(account), `account ${account} was closed with money`);
    check(!this.orders.hasOpen(account), `account ${account} was closed with an open order`);
    const isRevoked = state.keys.every(
      (key) => key?.account.index !== account || key.revokedAt !== 0,
    );
    check(isRevoked, `account ${account} was closed and has a key`);
    this.closed.add(account);
  }

  private checkNumber(main: number): void {
    const open = [...this.mains].filter(([sub, each]) => each === main && !this.closed.has(sub));
    check(
      open.length <= MAX_SUB_ACCOUNTS,
      `account ${main} has ${open.length} sub-accounts that are not closed`,
    );
  }
}

import type {
  Actor,
  CloseSubAccount,
  CreateSubAccount,
  InternalTransfer,
  RenameSubAccount,
} from '../command.ts';
import { CommandKind } from '../command-kind.ts';
import { isEnded } from '../custody/statuses.ts';
import type { Outcome } from '../event.ts';
import type { Account } from '../ledger/accounts.ts';
import type { KeyAdministration } from '../ledger/key-administration.ts';
import {
  MAX_CLOSED_SUB_ACCOUNTS,
  MAX_INTERNAL_TRANSFERS,
  MAX_SUB_ACCOUNT_NAME_LENGTH,
  MAX_SUB_ACCOUNTS,
} from '../limits.ts';
import type { Administration } from '../markets/administration.ts';
import { type Rejection, RejectionCode, rejected } from '../rejection.ts';
import type { State } from '../state.ts';
import type { InternalTransferRecord } from './sub-account-records.ts';

/** Printable characters with single spaces between words. */
const NAME = /^[^\s\p{C}]+( [^\s\p{C}]+)*$/u;
const CLIENT_ID = /^[A-Za-z0-9_.:-]{1,64}$/;

/** The commands of users about sub-accounts, and transfers between the accounts of users (engine version 2). */
export class SubAccountAdministration {
  constructor(
    private readonly state: State,
    private readonly parts: {
      readonly administration: Administration;
      readonly keyAdministration: KeyAdministration;
    },
  ) {}

  create(command: CreateSubAccount): Outcome {
    const { account: actor, key, accountId, name } = command;
    const main = this.findMain(command);
    if ('code' in main) return main;
    const known = this.findByName(main, name);
    if (known !== undefined) return { kind: 'account', account: known, created: false };
    const { accountsById, parts } = this.state;
    if (!isName(name)) return brokenName();
    if (isFull(main)) return rejected(RejectionCode.limitReached, 'subAccounts');
    if (accountsById.has(accountId)) {
      return rejected(RejectionCode.alreadyExists, 'the account exists already');
    }
    const { limitClass } = main;
    const outcome = this.parts.administration.createAccount({
      kind: CommandKind.createAccount,
      ...{ account: actor, key, accountId, limitClass },
    });
    if (outcome.kind !== 'account') return outcome;
    parts.subAccounts.set({ account: outcome.account.index, main: main.index, name });
    return outcome;
  }

  rename(command: RenameSubAccount): Outcome {
    const { owner, name } = command;
    const main = this.findMain(command);
    if ('code' in main) return main;
    const account = this.state.accounts[owner];
    if (account?.main !== main) return rejected(RejectionCode.unknownSubAccount);
    if (!isName(name)) return brokenName();
    const named = this.findByName(main, name);
    if (named !== undefined && named !== account) {
      return rejected(RejectionCode.alreadyExists, 'another sub-account has the name');
    }
    this.state.parts.subAccounts.set({ account: owner, main: main.index, name });
    return { kind: 'account', account, created: false };
  }

  /** Closes or reopens a sub-account; repeating it changes nothing. */
  setClosed(command: CloseSubAccount): Outcome {
    const { owner, isClosed } = command;
    const main = this.findMain(command);
    if ('code' in main) return main;
    const account = this.state.accounts[owner];
    if (account?.main !== main) return rejected(RejectionCode.unknownSubAccount);
    if (account.isClosed !== isClosed) {
      if (!isClosed && isFull(main)) return rejected(RejectionCode.limitReached, 'subAccounts');
      const rejection = isClosed ? this.prepareClosing(account, main) : undefined;
      if (rejection !== undefined) return rejection;
      this.state.parts.closedAccounts.set(owner, isClosed);
    }
    return { kind: 'account', account, created: false };
  }

  /** Revokes the keys of a sub-account if nothing else prevents closing it. */
  private prepareClosing(account: Account, main: Account): Rejection | undefined {
    if (account.isFrozen) return rejected(RejectionCode.accountFrozen);
    if (account.openOrders > 0) return rejected(RejectionCode.subAccountInUse, 'openOrders');
    const deposits = this.state.parts.custody.store.accountDepositRecords(account.index);
    if (!deposits.every(isEnded)) return rejected(RejectionCode.subAccountInUse, 'deposits');
    // A sub-account has no withdrawals, so that nothing is held without open orders and deposits.
    for (const balance of account.balances) {
      if (balance === undefined || balance.available === 0) continue;
      const { available, asset } = balance;
      return { ...rejected(RejectionCode.subAccountInUse, 'balance'), available, asset };
    }
    const closed = (main.subAccounts?.length ?? 0) - countOpen(main);
    if (closed >= MAX_CLOSED_SUB_ACCOUNTS) {
      return rejected(RejectionCode.limitReached, 'closedSubAccounts');
    }
    return this.parts.keyAdministration.revokeAccountKeys(account);
  }

  /** Moves available money. The rejection of a repeated client id comes before all that may have changed since. */
  transfer(command: InternalTransfer): Outcome {
    const { state } = this;
    const { accounts, assets, ledger, parts } = state;
    const { from, to, asset, amount, clientId } = command;
    const actor = accounts[command.account];
    const source = accounts[from];
    const target = accounts[to];
    if (state.version < 2) return rejected(RejectionCode.invalidRules, 'engine version 2');
    if (actor === undefined || target === undefined) {
      return rejected(RejectionCode.unknownAccount);
    }
    if (source === undefined || (source !== actor && source.main !== actor)) {
      return rejected(RejectionCode.unknownSubAccount);
    }
    if (assets[asset] === undefined) return rejected(RejectionCode.unknownAsset);
    const known = clientId === null ? undefined : parts.subAccounts.findTransfer(from, clientId);
    if (known !== undefined) return repeated(known, command);
    const rejection = this.checkTransfer(command, source, target);
    if (rejection !== undefined) return rejection;
    const id = parts.subAccounts.takeTransferId();
    const transfer = { id, from, to, asset, amount, clientId, time: state.time };
    ledger.move(source, target, asset, amount, id);
    parts.subAccounts.addTransfer(transfer);
    return { kind: 'internalTransfer', transfer, created: true };
  }

  private checkTransfer(
    { asset, amount, clientId }: InternalTransfer,
    source: Account,
    target: Account,
  ): Rejection | undefined {
    const { subAccounts, custody } = this.state.parts;
    if (source === target) return rejected(RejectionCode.sameAccount);
    if (source.isFrozen) return rejected(RejectionCode.accountFrozen);
    if (target.isFrozen || target.isClosed) return rejected(RejectionCode.destinationUnavailable);
    if (clientId !== null && !CLIENT_ID.test(clientId)) {
      return rejected(RejectionCode.invalidRules, 'a client id is 1 to 64 of A-Z a-z 0-9 _ . : -');
    }
    if (amount <= 0) return rejected(RejectionCode.amountOutOfBounds, 'positive');
    const { store } = custody;
    const isBlocked =
      source.owner === target.owner
        ? store.hasShortfall(source.index)
        : store.groupHasShortfall(source.index);
    if (isBlocked) {
      return rejected(RejectionCode.withdrawalsBlocked);
    }
    const available = source.available(asset);
    if (amount > available) {
      const code = RejectionCode.insufficientBalance;
      return { kind: 'rejected', code, required: amount, available, asset };
    }
    const { total, perGroup } = MAX_INTERNAL_TRANSFERS;
    const isFull =
      subAccounts.transferCount >= total ||
      subAccounts.countTransfers(source.owner.index) >= perGroup;
    return isFull ? rejected(RejectionCode.limitReached, 'internalTransfers') : undefined;
  }

  /** Returns the account of the actor, if it may have sub-accounts. */
  private findMain({ account: actor }: Actor): Account | Rejection {
    const { accounts, version } = this.state;
    const main = accounts[actor];
    if (version < 2) return rejected(RejectionCode.invalidRules, 'engine version 2');
    if (main === undefined) return rejected(RejectionCode.unknownAccount);
    if (main.main !== undefined) return rejected(RejectionCode.mainAccountOnly);
    return main.frozen ? rejected(RejectionCode.accountFrozen) : main;
  }

  private findByName(main: Account, name: string): Account | undefined {
    const { subAccounts } = this.state.parts;
    return main.subAccounts?.find(({ index }) => subAccounts.findName(index) === name);
  }
}

/** Returns the number of sub-accounts that are not closed. */
function countOpen({ subAccounts = [] }: Account): number {
  return subAccounts.filter(({ isClosed }) => !isClosed).length;
}

/** Returns whether an account can open no further sub-account. */
function isFull(main: Account): boolean {
  return countOpen(main) >= MAX_SUB_ACCOUNTS;
}

function isName(name: string): boolean {
  return name.length <= MAX_SUB_ACCOUNT_NAME_LENGTH && NAME.test(name);
}

function brokenName(): Rejection {
  return rejected(
    RejectionCode.invalidRules,
    `a name is 1 to ${MAX_SUB_ACCOUNT_NAME_LENGTH} characters, without spaces around it`,
  );
}

/** Returns the outcome of a request under a client id that was used before. */
function repeated(known: InternalTransferRecord, command: InternalTransfer): Outcome {
  const { to, asset, amount } = command;
  return known.to === to && known.asset === asset && known.amount === amount
    ? { kind: 'internalTransfer', transfer: known, created: false }
    : rejected(RejectionCode.duplicateReference, 'clientId');
}

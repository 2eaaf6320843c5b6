import {
  type CloseSubAccount,
  CommandKind,
  type InternalTransfer,
  type SubAccountCommand,
} from '../../src/engine/command.ts';
import { isEnded } from '../../src/engine/custody/statuses.ts';
import {
  INTERNAL_TRANSFER_MEMORY_MS,
  MAX_CLOSED_SUB_ACCOUNTS,
  MAX_INTERNAL_TRANSFERS,
  MAX_SUB_ACCOUNT_NAME_LENGTH,
  MAX_SUB_ACCOUNTS,
} from '../../src/engine/limits.ts';
import { RejectionCode } from '../../src/engine/rejection.ts';
import { EntryType } from '../../src/engine/terms.ts';
import * as administration from './naive-administration.ts';
import { type NaiveAdministrationOutcome, reject } from './naive-administration.ts';
import { revokeAccountKeys } from './naive-keys.ts';
import { findOwner, isClosed, isFrozen } from './naive-owners.ts';
import type { NaiveInternalTransfer, NaiveState, NaiveSubAccount } from './naive-state.ts';
import { isBlocked, isGroupBlocked } from './naive-withdrawals.ts';

/** Sub-accounts and internal transfers in their simplest form. */

export type NaiveSubAccountOutcome =
  | NaiveAdministrationOutcome
  | {
      readonly kind: 'internalTransfer';
      readonly transfer: NaiveInternalTransfer;
      readonly created: boolean;
    };

export function applySubAccounts(
  state: NaiveState,
  command: SubAccountCommand,
): NaiveSubAccountOutcome {
  if (state.version < 2) return reject(RejectionCode.invalidRules);
  if (state.accounts[command.account] === undefined) return reject(RejectionCode.unknownAccount);
  if (command.kind === CommandKind.internalTransfer) return transfer(state, command);
  const { account: main } = command;
  if (findOwner(state, main) !== main) return reject(RejectionCode.mainAccountOnly);
  if (isFrozen(state, main)) return reject(RejectionCode.accountFrozen);
  const own = state.subAccounts.filter((each) => each.main === main);
  if (command.kind === CommandKind.closeSubAccount) return close(state, command, own);
  const { name } = command;
  const named = own.find((each) => each.name === name);
  const isName =
    name.length <= MAX_SUB_ACCOUNT_NAME_LENGTH &&
    name !== '' &&
    name.split(' ').every((word) => /^[^\s\p{C}]+$/u.test(word));
  if (command.kind === CommandKind.renameSubAccount) {
    const { owner } = command;
    if (!own.some(({ account }) => account === owner)) {
      return reject(RejectionCode.unknownSubAccount);
    }
    if (!isName) return reject(RejectionCode.invalidRules);
    if (named !== undefined && named.account !== owner) return reject(RejectionCode.alreadyExists);
    state.subAccounts = state.subAccounts.map((each) =>
      each.account === owner ? { ...each, name } : each,
    );
    return found(state, owner);
  }
  if (named !== undefined) return found(state, named.account);
  if (!isName) return reject(RejectionCode.invalidRules);
  if (own.filter(isOpen).length >= MAX_SUB_ACCOUNTS) return reject(RejectionCode.limitReached);
  const { accountId } = command;
  if (state.accounts.some(({ id }) => id === accountId)) return reject(RejectionCode.alreadyExists);
  const { limitClass } = state.accounts[main]!;
  const outcome = administration.createAccount(state, {
    ...{ kind: CommandKind.createAccount, account: main, key: command.key, accountId, limitClass },
  });
  if (outcome.kind === 'rejected') return outcome;
  state.subAccounts.push({ account: state.accounts.length - 1, main, name, isClosed: false });
  return outcome;
}

function found(state: NaiveState, index: number): NaiveSubAccountOutcome {
  return { kind: 'account', account: { ...state.accounts[index]! }, created: false };
}

function isOpen(subAccount: NaiveSubAccount): boolean {
  return !subAccount.isClosed;
}

/** @param own The sub-accounts of the main account */
function close(
  state: NaiveState,
  { owner, isClosed: closes }: CloseSubAccount,
  own: readonly NaiveSubAccount[],
): NaiveSubAccountOutcome {
  const subAccount = own.find(({ account }) => account === owner);
  if (subAccount === undefined) return reject(RejectionCode.unknownSubAccount);
  if (subAccount.isClosed === closes) return found(state, owner);
  const open = own.filter(isOpen).length;
  if (!closes && open >= MAX_SUB_ACCOUNTS) return reject(RejectionCode.limitReached);
  if (closes) {
    if (isFrozen(state, owner)) return reject(RejectionCode.accountFrozen);
    const deposits = [...state.custody.openDeposits, ...state.custody.endedDeposits];
    const isBusy =
      state.open.some(({ account }) => account === owner) ||
      deposits.some((each) => each.account === owner && !isEnded(each));
    if (isBusy) return reject(RejectionCode.subAccountInUse);
    const [rest] = state.balances
      .filter((each) => each.account === owner && each.available > 0n)
      .sort((a, b) => a.asset - b.asset);
    if (rest !== undefined) {
      const { asset, available } = rest;
      return { ...reject(RejectionCode.subAccountInUse), available, asset } as never;
    }
    if (own.length - open >= MAX_CLOSED_SUB_ACCOUNTS) return reject(RejectionCode.limitReached);
    if (!revokeAccountKeys(state, owner)) return reject(RejectionCode.invalidRules);
  }
  state.subAccounts = state.subAccounts.map((each) =>
    each === subAccount ? { ...each, isClosed: closes } : each,
  );
  return found(state, owner);
}

function transfer(state: NaiveState, command: InternalTransfer): NaiveSubAccountOutcome {
  const { account: actor, from, to, asset, clientId } = command;
  const amount = BigInt(command.amount);
  if (state.accounts[to] === undefined) return reject(RejectionCode.unknownAccount);
  const isOwn = from === actor || findOwner(state, from) === actor;
  if (!isOwn || state.accounts[from] === undefined) return reject(RejectionCode.unknownSubAccount);
  if (state.assets[asset] === undefined) return reject(RejectionCode.unknownAsset);
  const known = state.internalTransfers.find(
    (each) => clientId !== null && each.from === from && each.clientId === clientId,
  );
  if (known !== undefined) {
    return known.to === to && known.asset === asset && known.amount === amount
      ? { kind: 'internalTransfer', transfer: known, created: false }
      : reject(RejectionCode.duplicateReference);
  }
  if (from === to) return reject(RejectionCode.sameAccount);
  if (isFrozen(state, from)) return reject(RejectionCode.accountFrozen);
  if (isFrozen(state, to) || isClosed(state, to))
    return reject(RejectionCode.destinationUnavailable);
  if (clientId !== null && (clientId === '' || clientId.length > 64 || /[^\w.:-]/.test(clientId))) {
    return reject(RejectionCode.invalidRules);
  }
  if (amount <= 0n) return reject(RejectionCode.amountOutOfBounds);
  const leaves = findOwner(state, from) !== findOwner(state, to);
  if (leaves ? isGroupBlocked(state, from) : isBlocked(state, from)) {
    return reject(RejectionCode.withdrawalsBlocked);
  }
  const available = state.available(from, asset);
  if (amount > available) {
    const code = RejectionCode.insufficientBalance;
    return { kind: 'rejected', code, required: amount, available, asset } as never;
  }
  const owner = findOwner(state, from);
  const sent = state.internalTransfers.filter((each) => findOwner(state, each.from) === owner);
  if (
    state.internalTransfers.length >= MAX_INTERNAL_TRANSFERS.total ||
    sent.length >= MAX_INTERNAL_TRANSFERS.perGroup
  ) {
    return reject(RejectionCode.limitReached);
  }
  const id = state.nextInternalTransferId++;
  const moved = { id, from, to, asset, amount, clientId, time: state.time };
  state.internalTransfers.push(moved);
  state.post(from, asset, EntryType.internalTransfer, -amount, id);
  state.post(to, asset, EntryType.internalTransfer, amount, id);
  return { kind: 'internalTransfer', transfer: moved, created: true };
}

/** Returns when the oldest transfer is forgotten. */
export function nextForgotten({ internalTransfers: [oldest] }: NaiveState): number {
  return oldest === undefined
    ? Number.POSITIVE_INFINITY
    : oldest.time + INTERNAL_TRANSFER_MEMORY_MS;
}

export function forgetOldest(state: NaiveState): void {
  state.internalTransfers.shift();
}

import type { ReportDeposit, ResolveDeposit } from '../../src/engine/command.ts';
import { DepositStatus, Resolution } from '../../src/engine/custody/statuses.ts';
import {
  MAX_ASSET_TOTAL,
  MAX_OPEN_DEPOSITS,
  MAX_REMEMBERED,
  MAX_UNCLAIMED_DEPOSITS,
} from '../../src/engine/limits.ts';
import { RejectionCode } from '../../src/engine/rejection.ts';
import { EntryType } from '../../src/engine/terms.ts';
import { reject } from './naive-administration.ts';
import type { NaiveCustodyOutcome, NaiveDeposit } from './naive-custody.ts';
import type { NaiveState } from './naive-state.ts';

const { pending, credited, reversed, belowMinimum, review, frozen, debited } = DepositStatus;
const OPEN: readonly number[] = [pending, review, frozen];

export function reportDeposit(state: NaiveState, command: ReportDeposit): NaiveCustodyOutcome {
  const { custody, time } = state;
  const network = custody.networks[command.network];
  if (network === undefined) return reject(RejectionCode.unknownNetwork);
  const { transaction, index, address, memo, confirmations, report, reorganized } = command;
  const amount = BigInt(command.amount);
  const known = [...custody.openDeposits, ...custody.endedDeposits].find(
    (each) =>
      each.network === network.id && each.transaction === transaction && each.index === index,
  );
  if (known !== undefined) {
    if (known.address !== address || known.memo !== memo || known.amount !== amount) {
      return reject(RejectionCode.depositConflict);
    }
    const isFollowed = [...OPEN, credited, reversed, debited].includes(known.status);
    if (report <= known.report || !isFollowed) {
      return { kind: 'deposit', deposit: { ...known }, changed: false };
    }
    if (known.status === credited && !reorganized) {
      known.report = report;
      return { kind: 'deposit', deposit: { ...known }, changed: false };
    }
    const isBack = [reversed, debited].some((each) => each === known.status) && !reorganized;
    if (isBack && isFull(state, known.account)) return reject(RejectionCode.limitReached);
  } else {
    if (custody.forgottenBelow > (command.searchedBelow ?? 0)) {
      return reject(RejectionCode.needsHistory);
    }
    if (![transaction, address].every((each) => /^[!-~]{1,128}$/.test(each))) {
      return reject(RejectionCode.invalidAddress);
    }
    if (amount <= 0n || amount % network.unit !== 0n || amount >= MAX_ASSET_TOTAL) {
      return reject(RejectionCode.amountOutOfBounds);
    }
  }
  const owner = custody.addresses.find(
    (each) => each.network === network.id && each.address === address && each.memo === memo,
  );
  if (known === undefined && isFull(state, owner?.account ?? -1)) {
    return reject(RejectionCode.limitReached);
  }
  const deposit: NaiveDeposit = known ?? {
    kind: 'deposit',
    id: custody.takeId(),
    account: owner?.account ?? -1,
    network: network.id,
    ...{ transaction, index, address, memo, amount, confirmations: 0 },
    ...{ status: pending, report, held: 0n, createdAt: time, updatedAt: time, creditedAt: 0 },
  };
  if (deposit.account === -1) deposit.account = owner?.account ?? -1;
  deposit.report = report;
  deposit.updatedAt = time;
  if (reorganized) reorganize(state, deposit);
  else confirm(state, deposit, confirmations);
  return save(state, deposit);
}

function isFull({ custody: { openDeposits } }: NaiveState, account: number): boolean {
  const unclaimed = openDeposits.filter((each) => each.account === -1);
  return (
    openDeposits.length >= MAX_OPEN_DEPOSITS ||
    (account === -1 && unclaimed.length >= MAX_UNCLAIMED_DEPOSITS)
  );
}

function confirm(state: NaiveState, deposit: NaiveDeposit, confirmations: number): void {
  deposit.confirmations = Math.max(deposit.confirmations, confirmations);
  if (deposit.status === reversed) deposit.status = pending;
  if (deposit.status === frozen || deposit.status === debited) {
    const { confirmations: needed } = state.custody.networks[deposit.network]!;
    if (deposit.confirmations < needed) return;
    if (deposit.status === frozen) thaw(state, deposit, credited);
    else deposit.status = review;
  } else settle(state, deposit);
}

function reorganize(state: NaiveState, deposit: NaiveDeposit): void {
  deposit.confirmations = 0;
  if (deposit.status === frozen) return;
  if (deposit.status !== credited) {
    deposit.status = deposit.creditedAt > 0 ? debited : reversed;
    return;
  }
  const asset = assetFor(state, deposit);
  const available = state.available(deposit.account, asset);
  deposit.held = available < deposit.amount ? available : deposit.amount;
  deposit.status = frozen;
  if (deposit.held === 0n) return;
  state.post(deposit.account, asset, EntryType.custodyHold, -deposit.held, deposit.id);
}

/** Releases what is held of a frozen deposit. */
function thaw(state: NaiveState, deposit: NaiveDeposit, status: DepositStatus): void {
  const { account, held, id } = deposit;
  const asset = assetFor(state, deposit);
  if (held > 0n) state.post(account, asset, EntryType.custodyRelease, held, id);
  deposit.held = 0n;
  deposit.status = status;
}

/** Returns whether a deposit has what it needs to be credited. */
export function isReady(state: NaiveState, deposit: NaiveDeposit): boolean {
  const network = state.custody.networks[deposit.network]!;
  return (
    deposit.status === pending && network.deposits && deposit.confirmations >= network.confirmations
  );
}

function settle(state: NaiveState, deposit: NaiveDeposit): void {
  if (!isReady(state, deposit)) return;
  const { minDeposit } = state.custody.networks[deposit.network]!;
  if (deposit.amount < minDeposit) deposit.status = belowMinimum;
  else if (deposit.account === -1 || !fits(state, deposit)) deposit.status = review;
  else credit(state, deposit);
}

function fits(state: NaiveState, deposit: NaiveDeposit): boolean {
  return deposit.amount - state.external[assetFor(state, deposit)]! < MAX_ASSET_TOTAL;
}

function credit(state: NaiveState, deposit: NaiveDeposit): void {
  const asset = assetFor(state, deposit);
  state.external[asset]! -= deposit.amount;
  state.post(deposit.account, asset, EntryType.deposit, deposit.amount, deposit.id);
  deposit.status = credited;
  deposit.creditedAt = state.time;
}

export function resolveDeposit(
  state: NaiveState,
  { deposit: id, resolution, owner }: ResolveDeposit,
): NaiveCustodyOutcome {
  const { custody, time } = state;
  const deposit = [...custody.openDeposits, ...custody.endedDeposits].find(
    (each) => each.id === id,
  );
  if (deposit === undefined) return reject(RejectionCode.unknownDeposit);
  const isForReview = resolution === Resolution.credit || resolution === Resolution.dismiss;
  if (deposit.status !== (isForReview ? review : frozen)) {
    return reject(RejectionCode.depositNotInReview);
  }
  if (resolution === Resolution.credit) {
    const account = deposit.account === -1 ? owner : deposit.account;
    if (state.accounts[account] === undefined || ![-1, account].includes(owner)) {
      return reject(RejectionCode.unknownAccount);
    }
    if (!fits(state, deposit)) return reject(RejectionCode.amountOutOfBounds);
    deposit.account = account;
    credit(state, deposit);
  } else if (resolution === Resolution.dismiss) deposit.status = DepositStatus.dismissed;
  else if (resolution === Resolution.release) thaw(state, deposit, DepositStatus.released);
  else {
    const asset = assetFor(state, deposit);
    const required = deposit.amount - deposit.held;
    const available = state.available(deposit.account, asset);
    if (available < required) {
      const code = RejectionCode.insufficientBalance;
      return { kind: 'rejected', code, required, available, asset } as never;
    }
    thaw(state, deposit, DepositStatus.debited);
    state.external[asset]! += deposit.amount;
    state.post(deposit.account, asset, EntryType.deposit, -deposit.amount, deposit.id);
  }
  deposit.updatedAt = time;
  return save(state, deposit);
}

/** Credits a deposit that waited for its network. */
export function settleDue(state: NaiveState, deposit: NaiveDeposit): void {
  deposit.updatedAt = state.time;
  const owner = state.custody.addresses.find(
    (each) =>
      each.network === deposit.network &&
      each.address === deposit.address &&
      each.memo === deposit.memo,
  );
  if (deposit.account === -1) deposit.account = owner?.account ?? -1;
  settle(state, deposit);
  save(state, deposit);
}

function save(state: NaiveState, deposit: NaiveDeposit): NaiveCustodyOutcome {
  const { custody } = state;
  const others = (list: NaiveDeposit[]) => list.filter((each) => each !== deposit);
  if (OPEN.includes(deposit.status)) {
    custody.endedDeposits = others(custody.endedDeposits);
    if (!custody.openDeposits.includes(deposit)) custody.openDeposits.push(deposit);
  } else {
    custody.openDeposits = others(custody.openDeposits);
    if (!custody.endedDeposits.includes(deposit)) custody.endedDeposits.push(deposit);
  }
  if (custody.endedDeposits.length > MAX_REMEMBERED.deposits) {
    const { id } = custody.endedDeposits.shift()!;
    custody.forgottenBelow = Math.max(custody.forgottenBelow, id + 1);
  }
  custody.payments.add(`${deposit.network} ${deposit.transaction}`);
  state.events.push({ ...deposit });
  return { kind: 'deposit', deposit: { ...deposit }, changed: true };
}

function assetFor({ custody }: NaiveState, { network }: NaiveDeposit): number {
  return custody.networks[network]!.asset;
}

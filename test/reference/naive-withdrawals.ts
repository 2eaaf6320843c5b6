import type {
  ApproveWithdrawal,
  CancelWithdrawal,
  RejectWithdrawal,
  ReportWithdrawal,
  RequestWithdrawal,
} from '../../src/engine/command.ts';
import type { WithdrawalAddress } from '../../src/engine/custody/custody-records.ts';
import { WithdrawalStatus } from '../../src/engine/custody/statuses.ts';
import {
  MAX_REMEMBERED,
  MAX_WITHDRAWALS,
  MAX_WITHDRAWALS_PER_ACCOUNT,
  WITHDRAWAL_MEMORY_MS,
} from '../../src/engine/limits.ts';
import { type Rejection, RejectionCode } from '../../src/engine/rejection.ts';
import { EntryType } from '../../src/engine/terms.ts';
import { reject } from './naive-administration.ts';
import type { NaiveCustodyOutcome, NaiveWithdrawal } from './naive-custody.ts';
import { findOwner, isFrozen } from './naive-owners.ts';
import type { NaiveState } from './naive-state.ts';

const { delayed, awaitingApproval, approved, sending, broadcast, confirmed, failed, canceled } =
  WithdrawalStatus;
const UNPAID: readonly number[] = [failed, canceled, WithdrawalStatus.rejected];
const HOUR_MS = 60 * 60 * 1000;

export function requestWithdrawal(
  state: NaiveState,
  command: RequestWithdrawal,
): NaiveCustodyOutcome {
  const { custody, time } = state;
  const { account, key, addressId, clientId } = command;
  const amount = BigInt(command.amount);
  const entry = custody.book.find(({ id }) => id === addressId);
  const known = custody.withdrawals.find(
    (each) => each.account === account && each.clientId !== null && each.clientId === clientId,
  );
  if (known !== undefined) {
    const isElsewhere =
      entry !== undefined &&
      (['network', 'address', 'memo'] as const).some((field) => entry[field] !== known[field]);
    return isElsewhere || known.amount !== amount
      ? reject(RejectionCode.duplicateWithdrawal)
      : unchanged(known);
  }
  if (findOwner(state, account) !== account) return reject(RejectionCode.mainAccountOnly);
  if (isFrozen(state, account)) return reject(RejectionCode.accountFrozen);
  if (entry?.account !== account) return reject(RejectionCode.unknownAddress);
  const { network, address, memo } = entry;
  const rules = custody.networks[network]!;
  if (!rules.withdrawals) return reject(RejectionCode.networkUnavailable);
  if (amount <= 0n || amount % rules.unit !== 0n || amount < rules.minWithdrawal) {
    return reject(RejectionCode.amountOutOfBounds);
  }
  if (time < entry.usableAt) return reject(RejectionCode.addressCooling);
  if (isGroupBlocked(state, account)) return reject(RejectionCode.withdrawalsBlocked);
  const fee = rules.withdrawalFee;
  const { asset } = rules;
  const available = state.available(account, asset);
  if (available < amount + fee) {
    const code = RejectionCode.insufficientBalance;
    return { kind: 'rejected', code, required: amount + fee, available, asset } as never;
  }
  const limit = checkLimits(state, account, network, amount);
  if (limit !== undefined) return limit;
  const id = custody.takeId();
  const waits = command.isNewDevice && rules.newDeviceDelayMs > 0;
  const withdrawal: NaiveWithdrawal = {
    kind: 'withdrawal',
    ...{ id, account, key, network, address, memo, amount, fee, clientId },
    status: delayed,
    waitsUntil: waits ? time + rules.newDeviceDelayMs : 0,
    ...{ approvals: [], instruction: 0, transaction: '', reason: '', report: 0 },
    ...{ createdAt: time, updatedAt: time },
  };
  state.post(account, asset, EntryType.custodyHold, -(amount + fee), id);
  custody.withdrawals.push(withdrawal);
  if (!waits) judge(state, withdrawal);
  return save(state, withdrawal);
}

function checkLimits(
  { custody, time }: NaiveState,
  account: number,
  network: number,
  amount: bigint,
): Rejection | undefined {
  const { hourlyCount, dailyLimit } = custody.networks[network]!;
  const own = custody.withdrawals.filter((each) => each.account === account);
  const payments = own.filter(({ status }) => !UNPAID.includes(status));
  const counted = payments.filter(
    (each) =>
      custody.networks[each.network]!.asset === custody.networks[network]!.asset &&
      Math.max(each.createdAt, each.waitsUntil) > time - 24 * HOUR_MS,
  );
  const thisHour = own.filter(
    (each) =>
      each.network === network &&
      each.createdAt > time - HOUR_MS &&
      (payments.includes(each) || each.status === canceled),
  ).length;
  if (hourlyCount > 0 && thisHour + 1 > hourlyCount) return reject(RejectionCode.withdrawalLimit);
  const total = counted.reduce((sum, each) => sum + each.amount, amount);
  if (dailyLimit > 0n && total > dailyLimit) return reject(RejectionCode.withdrawalLimit);
  const open = custody.withdrawals.filter(({ status }) => status < confirmed);
  const isFull = open.length >= MAX_WITHDRAWALS || payments.length >= MAX_WITHDRAWALS_PER_ACCOUNT;
  return isFull ? reject(RejectionCode.limitReached) : undefined;
}

/** Returns whether a frozen deposit took more than an account of the user had. */
export function isGroupBlocked(state: NaiveState, account: number): boolean {
  const owner = findOwner(state, account);
  return state.accounts.some(
    (_, each) => findOwner(state, each) === owner && isBlocked(state, each),
  );
}

/** Returns whether a frozen deposit took more than the account had. */
export function isBlocked({ custody }: NaiveState, account: number): boolean {
  // Only frozen deposits of an account hold something, or have ever been credited while they are open.
  return custody.openDeposits.some(
    (each) => each.account === account && each.status === 5 && each.held < each.amount,
  );
}

function findObstacle(state: NaiveState, each: NaiveWithdrawal): RejectionCode | undefined {
  if (isFrozen(state, each.account)) return RejectionCode.accountFrozen;
  if (isGroupBlocked(state, each.account)) return RejectionCode.withdrawalsBlocked;
  const { withdrawals } = state.custody.networks[each.network]!;
  return withdrawals ? undefined : RejectionCode.networkUnavailable;
}

/** Approves a withdrawal by rule, or leaves it to two operators. */
function judge(state: NaiveState, each: NaiveWithdrawal): void {
  const { custody, time } = state;
  const { approvalAbove, asset } = custody.networks[each.network]!;
  const others = custody.withdrawals.filter(
    (other) =>
      other !== each &&
      other.account === each.account &&
      custody.networks[other.network]!.asset === asset &&
      ([approved, sending, broadcast, confirmed] as number[]).includes(other.status) &&
      other.approvals.length === 0 &&
      Math.max(other.createdAt, other.waitsUntil) > time - 24 * HOUR_MS,
  );
  const total = others.reduce((sum, { amount }) => sum + amount, each.amount);
  if (total > approvalAbove || findObstacle(state, each) !== undefined) {
    each.status = awaitingApproval;
  } else send(state, each);
}

function send(state: NaiveState, each: NaiveWithdrawal): void {
  each.status = approved;
  each.instruction = state.custody.takeId();
}

export function cancelWithdrawal(
  state: NaiveState,
  { account, withdrawal: id }: CancelWithdrawal,
): NaiveCustodyOutcome {
  const each = state.custody.withdrawals.find((one) => one.id === id && one.account === account);
  if (each === undefined) return reject(RejectionCode.unknownWithdrawal);
  return endBeforeApproval(state, each, canceled, '');
}

/** Cancels the withdrawals to a removed address that were not approved yet. */
export function cancelTo(state: NaiveState, entry: WithdrawalAddress): void {
  for (const each of [...state.custody.withdrawals]) {
    const isTo = (['account', 'network', 'address', 'memo'] as const).every(
      (field) => each[field] === entry[field],
    );
    if (isTo && [delayed, awaitingApproval].includes(each.status as never)) {
      endBeforeApproval(state, each, canceled, '');
    }
  }
}

export function rejectWithdrawal(
  state: NaiveState,
  { withdrawal: id, reason }: RejectWithdrawal,
): NaiveCustodyOutcome {
  const each = state.custody.withdrawals.find((one) => one.id === id);
  if (each === undefined) return reject(RejectionCode.unknownWithdrawal);
  return endBeforeApproval(state, each, WithdrawalStatus.rejected, reason);
}

function endBeforeApproval(
  state: NaiveState,
  each: NaiveWithdrawal,
  status: WithdrawalStatus,
  reason: string,
): NaiveCustodyOutcome {
  if (each.status === status) return unchanged(each);
  if (each.status !== delayed && each.status !== awaitingApproval) {
    return reject(RejectionCode.withdrawalNotPending);
  }
  release(state, each);
  each.status = status;
  each.reason = reason;
  return save(state, each);
}

export function approveWithdrawal(
  state: NaiveState,
  { account: operator, withdrawal: id }: ApproveWithdrawal,
): NaiveCustodyOutcome {
  const each = state.custody.withdrawals.find((one) => one.id === id);
  if (each === undefined) return reject(RejectionCode.unknownWithdrawal);
  if (each.status !== awaitingApproval) return reject(RejectionCode.withdrawalNotPending);
  const owners = [each.account, ...each.approvals].map((one) => findOwner(state, one));
  if (operator === -1 || owners.includes(findOwner(state, operator))) {
    return reject(RejectionCode.approverNotAllowed);
  }
  const obstacle = findObstacle(state, each);
  if (obstacle !== undefined) return reject(obstacle);
  each.approvals = [...each.approvals, operator];
  if (each.approvals.length === 2) send(state, each);
  return save(state, each);
}

export function reportWithdrawal(
  state: NaiveState,
  { withdrawal: id, reached, transaction, reason, report }: ReportWithdrawal,
): NaiveCustodyOutcome {
  const { custody } = state;
  const each = custody.withdrawals.find((one) => one.id === id);
  if (each === undefined) {
    const existed = id < custody.nextId;
    return reject(existed ? RejectionCode.withdrawalEnded : RejectionCode.unknownWithdrawal);
  }
  const isSent = ([approved, sending, broadcast] as number[]).includes(each.status);
  if (!isSent && each.status < approved) return reject(RejectionCode.withdrawalNotPending);
  if (report <= each.report || (!isSent && each.status === reached)) return unchanged(each);
  if (!isSent) return reject(RejectionCode.withdrawalEnded);
  if (transaction === '' && reached !== failed) return reject(RejectionCode.invalidAddress);
  if (reached !== broadcast) release(state, each);
  if (reached === confirmed) pay(state, each);
  if (reached === failed) each.reason = reason;
  each.transaction = transaction || each.transaction;
  each.status = reached;
  each.report = report;
  return save(state, each);
}

export function acknowledge(state: NaiveState, instruction: number): void {
  const each = state.custody.withdrawals.find(
    (one) => one.instruction === instruction && one.status === approved,
  );
  if (each === undefined) return;
  each.status = sending;
  save(state, each);
}

function release(state: NaiveState, { account, network, amount, fee, id }: NaiveWithdrawal): void {
  const { asset } = state.custody.networks[network]!;
  state.post(account, asset, EntryType.custodyRelease, amount + fee, id);
}

function pay(state: NaiveState, { account, network, amount, fee, id }: NaiveWithdrawal): void {
  const { asset } = state.custody.networks[network]!;
  state.post(account, asset, EntryType.withdrawal, -amount, id);
  state.external[asset]! += amount;
  if (fee === 0n) return;
  state.post(account, asset, EntryType.withdrawalFee, -fee, id);
  state.fees[asset]! += fee;
}

/** Returns when something happens to a withdrawal by itself. */
export function withdrawalDueAt(each: NaiveWithdrawal): number {
  if (each.status === delayed) return each.waitsUntil;
  return each.status >= confirmed
    ? each.updatedAt + WITHDRAWAL_MEMORY_MS
    : Number.POSITIVE_INFINITY;
}

/** Ends the delay of a withdrawal, or forgets one that ended. */
export function runDueWithdrawal(state: NaiveState, each: NaiveWithdrawal): void {
  const { custody } = state;
  if (each.status === delayed) {
    judge(state, each);
    save(state, each);
  } else custody.withdrawals = custody.withdrawals.filter((one) => one !== each);
}

function save(state: NaiveState, withdrawal: NaiveWithdrawal): NaiveCustodyOutcome {
  withdrawal.updatedAt = state.time;
  state.events.push({ ...withdrawal });
  const { custody } = state;
  const unpaid = custody.withdrawals.filter(
    (each) => each.account === withdrawal.account && UNPAID.includes(each.status),
  );
  if (unpaid.length > MAX_REMEMBERED.unpaidWithdrawals) {
    custody.withdrawals = custody.withdrawals.filter((each) => each !== unpaid[0]);
  }
  return { kind: 'withdrawal', withdrawal: { ...withdrawal }, changed: true };
}

function unchanged(withdrawal: NaiveWithdrawal): NaiveCustodyOutcome {
  return { kind: 'withdrawal', withdrawal: { ...withdrawal }, changed: false };
}

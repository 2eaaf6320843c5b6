import { findOwner } from '../ledger/accounts.ts';
import { MAX_WITHDRAWALS, MAX_WITHDRAWALS_PER_ACCOUNT } from '../limits.ts';
import { difference, type Exact, sum } from '../numbers/exact.ts';
import { type Rejection, RejectionCode, rejected } from '../rejection.ts';
import { EntryType, NONE } from '../terms.ts';
import type {
  ApproveWithdrawal,
  CancelWithdrawal,
  RejectWithdrawal,
  ReportWithdrawal,
  RequestWithdrawal,
} from './custody-commands.ts';
import type { WithdrawalAddress, WithdrawalRecord } from './custody-records.ts';
import type { CustodyStore } from './custody-store.ts';
import { fitsNetwork, type Network } from './networks.ts';
import type { WithdrawalOutcome } from './outcomes.ts';
import { hasEnded, REQUIRED_APPROVALS, WithdrawalStatus, withdrawalStatuses } from './statuses.ts';
import { isOfDay, isPayment, withdrawnInDay } from './withdrawal-day.ts';

const HOUR_MS = 3_600_000;

/** Outgoing payments, from the request to their end. */
export class Withdrawals {
  constructor(private readonly store: CustodyStore) {}

  /**
   * Holds amount and fee, and sends the withdrawal unless it must wait. The account must exist. The rejections have a fixed
   * precedence: the repeated client id, the account, the address, the network, the amount, the risk rules, the balance and
   * the limits.
   */
  request(command: RequestWithdrawal): WithdrawalOutcome {
    const { store } = this;
    const { account: owner, key, addressId, amount, clientId } = command;
    const known = clientId === null ? undefined : store.findWithdrawal(owner, clientId);
    const entry = store.book.get(addressId);
    if (known !== undefined) return repeated(known, command, entry);
    const rejection = this.check(command, entry);
    if (rejection !== undefined) return rejection;
    const { account, network, address, memo } = entry!;
    const { withdrawalFee: fee, newDeviceDelayMs } = store.networks.get(network)!;
    const { time } = store.state;
    const isDelayed = command.isNewDevice && newDeviceDelayMs > 0;
    const withdrawal: WithdrawalRecord = {
      kind: 'withdrawal',
      id: store.takeId(),
      ...{ account, key, network, address, memo, amount, fee, clientId },
      status: WithdrawalStatus.delayed,
      waitsUntil: isDelayed ? time + newDeviceDelayMs : 0,
      approvals: [],
      instruction: 0,
      transaction: '',
      reason: '',
      report: 0,
      createdAt: time,
      updatedAt: time,
    };
    this.hold(withdrawal);
    return this.save(isDelayed ? withdrawal : this.judged(withdrawal));
  }

  /** Ends the delay of a withdrawal, or forgets one that ended long ago. */
  runDue(withdrawal: WithdrawalRecord): void {
    if (hasEnded(withdrawal)) this.store.forgetWithdrawal(withdrawal);
    else this.save(this.judged({ ...withdrawal, updatedAt: this.store.state.time }));
  }

  cancel({ account, withdrawal: id }: CancelWithdrawal): WithdrawalOutcome {
    const known = this.store.withdrawals.get(id);
    if (known?.account !== account) return rejected(RejectionCode.unknownWithdrawal);
    if (known.status === WithdrawalStatus.canceled) return unchanged(known);
    return isOpen(known)
      ? this.end(known, { status: WithdrawalStatus.canceled })
      : notPending(known);
  }

  /** Cancels the withdrawals to an address that were not approved yet. */
  cancelTo({ account, network, address, memo }: WithdrawalAddress): void {
    for (const each of [...this.store.accountWithdrawalRecords(account)]) {
      const isTo = each.network === network && each.address === address && each.memo === memo;
      if (isTo && isOpen(each)) this.end(each, { status: WithdrawalStatus.canceled });
    }
  }

  reject({ withdrawal: id, reason }: RejectWithdrawal): WithdrawalOutcome {
    const known = this.store.withdrawals.get(id);
    if (known === undefined) return rejected(RejectionCode.unknownWithdrawal);
    if (known.status === WithdrawalStatus.rejected) return unchanged(known);
    return isOpen(known)
      ? this.end(known, { status: WithdrawalStatus.rejected, reason })
      : notPending(known);
  }

  /** Records the approval of an operator. The second one sends the withdrawal. */
  approve({ account: operator, withdrawal: id }: ApproveWithdrawal): WithdrawalOutcome {
    const { store } = this;
    const known = store.withdrawals.get(id);
    if (known === undefined) return rejected(RejectionCode.unknownWithdrawal);
    if (known.status !== WithdrawalStatus.awaitingApproval) return notPending(known);
    if (operator === NONE) return rejected(RejectionCode.approverNotAllowed, 'process');
    const { accounts } = store.state;
    const owner = findOwner(accounts, operator);
    const isOwner = (account: number) => findOwner(accounts, account) === owner;
    if (isOwner(known.account)) return rejected(RejectionCode.approverNotAllowed, 'requester');
    if (known.approvals.some(isOwner)) {
      return rejected(RejectionCode.approverNotAllowed, 'repeated');
    }
    const obstacle = store.findObstacle(known);
    if (obstacle !== undefined) return rejected(obstacle);
    const approvals = [...known.approvals, operator];
    const approved = { ...known, approvals, updatedAt: store.state.time };
    return this.save(approvals.length < REQUIRED_APPROVALS ? approved : this.approved(approved));
  }

  /** Records the progress that the custodian reports. */
  report(command: ReportWithdrawal): WithdrawalOutcome {
    const { store } = this;
    const known = store.withdrawals.get(command.withdrawal);
    if (known === undefined) {
      return rejected(
        command.withdrawal < store.head.nextId
          ? RejectionCode.withdrawalEnded
          : RejectionCode.unknownWithdrawal,
      );
    }
    const { reached: status, transaction, report, reason } = command;
    if (isOpen(known)) return notPending(known);
    if (hasEnded(known)) {
      const isRepeated = report <= known.report || status === known.status;
      return isRepeated ? unchanged(known) : rejected(RejectionCode.withdrawalEnded);
    }
    if (report <= known.report) return unchanged(known);
    if (transaction === '' && status !== WithdrawalStatus.failed) {
      return rejected(RejectionCode.invalidAddress);
    }
    const changes = { status, report, transaction: transaction || known.transaction };
    if (status === WithdrawalStatus.broadcast) {
      return this.save({ ...known, ...changes, updatedAt: store.state.time });
    }
    if (status === WithdrawalStatus.failed) return this.end(known, { ...changes, reason });
    return this.end(known, changes);
  }

  /** Records that the custodian has received the instruction. */
  acknowledge(withdrawal: WithdrawalRecord): void {
    const { time } = this.store.state;
    this.save({ ...withdrawal, status: WithdrawalStatus.sending, updatedAt: time });
  }

  private check(command: RequestWithdrawal, entry?: WithdrawalAddress): Rejection | undefined {
    const { store } = this;
    const { time, accounts } = store.state;
    const account = accounts[command.account]!;
    if (account.main !== undefined) return rejected(RejectionCode.mainAccountOnly);
    if (account.isFrozen) return rejected(RejectionCode.accountFrozen);
    if (entry?.account !== account.index) return rejected(RejectionCode.unknownAddress);
    const network = store.networks.get(entry.network)!;
    if (!network.withdrawals) return rejected(RejectionCode.networkUnavailable);
    const { amount } = command;
    if (!fitsNetwork(network, amount)) {
      return rejected(RejectionCode.amountOutOfBounds, 'networkDecimals');
    }
    if (amount < network.minWithdrawal) {
      return rejected(RejectionCode.amountOutOfBounds, 'minWithdrawal');
    }
    if (time < entry.usableAt) return rejected(RejectionCode.addressCooling);
    if (store.groupHasShortfall(account.index)) return rejected(RejectionCode.withdrawalsBlocked);
    const required = sum(amount, network.withdrawalFee);
    const available = account.available(network.asset);
    if (available < required) {
      const { asset } = network;
      return { ...rejected(RejectionCode.insufficientBalance), required, available, asset };
    }
    return this.checkLimits(account.index, network, amount);
  }

  private checkLimits(account: number, network: Network, amount: Exact): Rejection | undefined {
    const { store } = this;
    const { time } = store.state;
    let count = 1;
    let kept = 0;
    for (const each of store.accountWithdrawalRecords(account)) {
      const isPaid = isPayment(each);
      if (isPaid) kept++;
      if (each.network !== network.id) continue;
      // The account itself decides how often it cancels.
      const counts = isPaid || each.status === WithdrawalStatus.canceled;
      if (counts && time - each.createdAt < HOUR_MS) count++;
    }
    const { hourlyCount, dailyLimit } = network;
    if (hourlyCount > 0 && count > hourlyCount) {
      return rejected(RejectionCode.withdrawalLimit, 'hourly');
    }
    const total = sum(withdrawnInDay(store, account, network.asset, time), amount);
    if (dailyLimit > 0 && total > dailyLimit) {
      return rejected(RejectionCode.withdrawalLimit, 'daily');
    }
    const isFull = store.openWithdrawals >= MAX_WITHDRAWALS || kept >= MAX_WITHDRAWALS_PER_ACCOUNT;
    return isFull ? rejected(RejectionCode.limitReached, 'withdrawals') : undefined;
  }

  /** Approves a withdrawal by rule, or leaves it to two operators. */
  private judged(withdrawal: WithdrawalRecord): WithdrawalRecord {
    const byRule = this.approvedByRule(withdrawal) <= this.network(withdrawal).approvalAbove;
    return byRule && this.store.findObstacle(withdrawal) === undefined
      ? this.approved(withdrawal)
      : { ...withdrawal, status: WithdrawalStatus.awaitingApproval };
  }

  /** Returns the amount of a withdrawal and of all of its asset in 24 hours that no operator approved: parts count as a whole. */
  private approvedByRule({ id, account, network, amount }: WithdrawalRecord): Exact {
    const { store } = this;
    const { asset } = store.networks.get(network)!;
    let total = amount;
    for (const each of store.accountWithdrawalRecords(account)) {
      const wasSent = each.instruction !== 0 && each.approvals.length === 0 && isPayment(each);
      if (each.id === id || !wasSent || this.network(each).asset !== asset) continue;
      if (isOfDay(each, store.state.time)) total = sum(total, each.amount);
    }
    return total;
  }

  private network({ network }: WithdrawalRecord): Network {
    return this.store.networks.get(network)!;
  }

  private approved(withdrawal: WithdrawalRecord): WithdrawalRecord {
    const instruction = this.store.takeId();
    return { ...withdrawal, status: WithdrawalStatus.approved, instruction };
  }

  private hold(withdrawal: WithdrawalRecord): void {
    const { state, networks } = this.store;
    const { asset } = networks.get(withdrawal.network)!;
    const held = heldForWithdrawal(withdrawal);
    const account = state.accounts[withdrawal.account]!;
    state.ledger.hold(account, asset, held, withdrawal.id, EntryType.custodyHold);
  }

  /** Ends a withdrawal: releases its hold, of which a confirmed one pays. */
  private end(withdrawal: WithdrawalRecord, changes: Partial<WithdrawalRecord>): WithdrawalOutcome {
    const { state, networks } = this.store;
    const { asset } = networks.get(withdrawal.network)!;
    const held = heldForWithdrawal(withdrawal);
    const account = state.accounts[withdrawal.account]!;
    state.ledger.release(account, asset, held, withdrawal.id, EntryType.custodyRelease);
    if (changes.status === WithdrawalStatus.confirmed) this.pay(withdrawal);
    return this.save({ ...withdrawal, ...changes, updatedAt: state.time });
  }

  /** Debits what was just released: the amount to outside, the fee to the fees. */
  private pay({ id, account: owner, network, amount, fee }: WithdrawalRecord): void {
    const { state, networks } = this.store;
    const { asset } = networks.get(network)!;
    const account = state.accounts[owner]!;
    const { ledger } = state;
    ledger.transfer(account, asset, difference(0, amount), id, EntryType.withdrawal);
    if (fee !== 0) ledger.chargeFee(account, asset, fee, id, EntryType.withdrawalFee);
  }

  private save(withdrawal: WithdrawalRecord): WithdrawalOutcome {
    const saved = this.store.saveWithdrawal(withdrawal);
    return { kind: 'withdrawal', withdrawal: saved, changed: true };
  }
}

/** Returns what is held for an open withdrawal, in minor units of the asset. */
export function heldForWithdrawal({ amount, fee }: WithdrawalRecord): Exact {
  return sum(amount, fee);
}

/** Returns whether a withdrawal was not approved yet. */
function isOpen({ status }: WithdrawalRecord): boolean {
  return status < WithdrawalStatus.approved;
}

function unchanged(withdrawal: WithdrawalRecord): WithdrawalOutcome {
  return { kind: 'withdrawal', withdrawal, changed: false };
}

function notPending({ status }: WithdrawalRecord): Rejection {
  return rejected(RejectionCode.withdrawalNotPending, withdrawalStatuses[status]);
}

/** Returns the outcome of a request under a client id that was used before. */
function repeated(
  known: WithdrawalRecord,
  { amount }: RequestWithdrawal,
  entry: WithdrawalAddress | undefined,
): WithdrawalOutcome {
  // An entry that was removed since does not turn a repetition into another request.
  const isSamePlace =
    entry === undefined ||
    (entry.network === known.network &&
      entry.address === known.address &&
      entry.memo === known.memo);
  return isSamePlace && amount === known.amount
    ? unchanged(known)
    : rejected(RejectionCode.duplicateWithdrawal);
}

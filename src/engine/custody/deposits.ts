import { MAX_ASSET_TOTAL, MAX_OPEN_DEPOSITS, MAX_UNCLAIMED_DEPOSITS } from '../limits.ts';
import { difference, type Exact, sum } from '../numbers/exact.ts';
import { type Rejection, RejectionCode, rejected } from '../rejection.ts';
import { EntryType, NONE } from '../terms.ts';
import type { ReportDeposit, ResolveDeposit } from './custody-commands.ts';
import type { DepositRecord } from './custody-records.ts';
import type { CustodyStore } from './custody-store.ts';
import { fitsNetwork, isAddress, type Network } from './networks.ts';
import type { DepositOutcome } from './outcomes.ts';
import { DepositStatus, Resolution } from './statuses.ts';

/** The states in which a newer report changes a deposit. */
const FOLLOWED: readonly number[] = [
  DepositStatus.pending,
  DepositStatus.credited,
  DepositStatus.reversed,
  DepositStatus.review,
  DepositStatus.frozen,
  DepositStatus.debited,
];

/** Incoming payments, from the custodian's first report to their end. */
export class Deposits {
  constructor(private readonly store: CustodyStore) {}

  /** Records what the custodian knows of a payment, and credits it once it has enough confirmations. */
  report(command: ReportDeposit): DepositOutcome {
    const { store } = this;
    const network = store.networks.get(command.network);
    if (network === undefined) return rejected(RejectionCode.unknownNetwork);
    const known = store.findDeposit(command.network, command.transaction, command.index);
    if (known === undefined) return this.add(command, network);
    const isSame =
      known.address === command.address &&
      known.memo === command.memo &&
      known.amount === command.amount;
    if (!isSame) return rejected(RejectionCode.depositConflict);
    if (command.report <= known.report || !FOLLOWED.includes(known.status)) {
      return { kind: 'deposit', deposit: known, changed: false };
    }
    const { report } = command;
    if (known.status === DepositStatus.credited && !command.reorganized) {
      // Nothing changes for its owner, but an earlier report that arrives late must not count.
      const deposit = { ...known, report };
      store.putDeposit(deposit);
      return { kind: 'deposit', deposit, changed: false };
    }
    const reopens =
      known.status === DepositStatus.reversed || known.status === DepositStatus.debited;
    if (reopens && !command.reorganized) {
      const rejection = this.checkCapacity(known.account);
      if (rejection !== undefined) return rejection;
    }
    const reported = this.claimed({ ...known, report, updatedAt: store.state.time });
    return command.reorganized
      ? this.reorganize(reported)
      : this.confirm(reported, command.confirmations, network);
  }

  /** Carries out an operator's decision. */
  resolve({ deposit: id, resolution, owner }: ResolveDeposit): DepositOutcome {
    const { store } = this;
    const known = store.getDeposit(id);
    if (known === undefined) return rejected(RejectionCode.unknownDeposit);
    const needed =
      resolution === Resolution.credit || resolution === Resolution.dismiss
        ? DepositStatus.review
        : DepositStatus.frozen;
    if (known.status !== needed) return rejected(RejectionCode.depositNotInReview);
    const deposit = { ...known, updatedAt: store.state.time };
    switch (resolution) {
      case Resolution.credit:
        return this.creditTo(deposit, owner);
      case Resolution.dismiss:
        return this.save({ ...deposit, status: DepositStatus.dismissed });
      case Resolution.debit:
        return this.debit(deposit);
      case Resolution.release:
        this.release(deposit);
        return this.save({ ...deposit, status: DepositStatus.released, held: 0 });
    }
  }

  /** Credits a deposit that has waited for its network, or puts it under review. */
  settle(deposit: DepositRecord): void {
    this.save(this.settled(this.claimed({ ...deposit, updatedAt: this.store.state.time })));
  }

  private add(command: ReportDeposit, network: Network): DepositOutcome {
    const { store } = this;
    const { transaction, index, address, memo, amount, confirmations, report } = command;
    if (store.head.forgottenBelow > (command.searchedBelow ?? 0)) {
      return rejected(RejectionCode.needsHistory);
    }
    if (!isAddress(transaction) || !isAddress(address)) {
      return rejected(RejectionCode.invalidAddress);
    }
    if (!fitsNetwork(network, amount) || amount >= MAX_ASSET_TOTAL) {
      return rejected(RejectionCode.amountOutOfBounds, 'networkDecimals');
    }
    const account = store.findAddress(network.id, address, memo)?.account ?? NONE;
    const rejection = this.checkCapacity(account);
    if (rejection !== undefined) return rejection;
    const { time } = store.state;
    const deposit: DepositRecord = {
      kind: 'deposit',
      id: store.takeId(),
      ...{ account, network: network.id },
      ...{ transaction, index, address, memo, amount, report },
      confirmations: 0,
      status: DepositStatus.pending,
      held: 0,
      createdAt: time,
      updatedAt: time,
      creditedAt: 0,
    };
    return command.reorganized
      ? this.save({ ...deposit, status: DepositStatus.reversed })
      : this.confirm(deposit, confirmations, network);
  }

  /** Gives a deposit to the account whose address was reported after it. */
  private claimed(deposit: DepositRecord): DepositRecord {
    if (deposit.account !== NONE) return deposit;
    const { network, address, memo } = deposit;
    const account = this.store.findAddress(network, address, memo)?.account ?? NONE;
    return { ...deposit, account };
  }

  /** Returns the rejection of a deposit that would be open, if there are too many. */
  private checkCapacity(account: number): Rejection | undefined {
    const { openDeposits, unclaimedDeposits } = this.store;
    const isFull =
      openDeposits.size >= MAX_OPEN_DEPOSITS ||
      (account === NONE && unclaimedDeposits >= MAX_UNCLAIMED_DEPOSITS);
    return isFull ? rejected(RejectionCode.limitReached, 'open deposits') : undefined;
  }

  /** Confirmations never decrease but by a reorganization. */
  private confirm(before: DepositRecord, reported: number, network: Network): DepositOutcome {
    const confirmations = Math.max(before.confirmations, reported);
    const deposit = { ...before, confirmations };
    if (before.status === DepositStatus.reversed) deposit.status = DepositStatus.pending;
    const isDebited = before.status === DepositStatus.debited;
    if (before.status !== DepositStatus.frozen && !isDebited) {
      return this.save(this.settled(deposit));
    }
    if (confirmations < network.confirmations) return this.save(deposit);
    // An operator took it back, so an operator decides whether it counts again.
    if (isDebited) return this.save({ ...deposit, status: DepositStatus.review });
    this.release(deposit);
    return this.save({ ...deposit, status: DepositStatus.credited, held: 0 });
  }

  /** Credits a deposit that is ready, unless it belongs to no account or is too small. */
  private settled(deposit: DepositRecord): DepositRecord {
    const { store } = this;
    if (!store.isReady(deposit)) return deposit;
    const { account, network, amount } = deposit;
    if (amount < store.networks.get(network)!.minDeposit) {
      return { ...deposit, status: DepositStatus.belowMinimum };
    }
    if (account === NONE || !this.fitsTotal(deposit)) {
      return { ...deposit, status: DepositStatus.review };
    }
    return this.credit(deposit);
  }

  private creditTo(deposit: DepositRecord, owner: number): DepositOutcome {
    const account = deposit.account === NONE ? owner : deposit.account;
    if (this.store.state.accounts[account] === undefined || (owner !== NONE && owner !== account)) {
      return rejected(RejectionCode.unknownAccount);
    }
    if (!this.fitsTotal(deposit)) return rejected(RejectionCode.amountOutOfBounds, 'maxTotal');
    return this.save(this.credit({ ...deposit, account }));
  }

  private credit(deposit: DepositRecord): DepositRecord {
    const { ledger, time } = this.store.state;
    const { asset, account } = this.owner(deposit);
    ledger.transfer(account, asset, deposit.amount, deposit.id, EntryType.deposit);
    return { ...deposit, status: DepositStatus.credited, creditedAt: time };
  }

  /** Reverses a deposit, or holds what the account still has of it. */
  private reorganize(deposit: DepositRecord): DepositOutcome {
    const unconfirmed = { ...deposit, confirmations: 0 };
    if (deposit.status === DepositStatus.frozen) return this.save(unconfirmed);
    if (deposit.status !== DepositStatus.credited) {
      const { reversed, debited } = DepositStatus;
      return this.save({ ...unconfirmed, status: deposit.creditedAt === 0 ? reversed : debited });
    }
    const { ledger } = this.store.state;
    const { asset, account } = this.owner(deposit);
    const available = account.available(asset);
    const held: Exact = available < deposit.amount ? available : deposit.amount;
    if (held > 0) ledger.hold(account, asset, held, deposit.id, EntryType.custodyHold);
    return this.save({ ...unconfirmed, status: DepositStatus.frozen, held });
  }

  /** Takes back a frozen deposit, and what is missing of it from the available balance. */
  private debit(deposit: DepositRecord): DepositOutcome {
    const { ledger } = this.store.state;
    const { asset, account } = this.owner(deposit);
    const available = account.available(asset);
    const required = difference(deposit.amount, deposit.held);
    if (available < required) {
      return { ...rejected(RejectionCode.insufficientBalance), required, available, asset };
    }
    this.release(deposit);
    const amount = difference(0, deposit.amount);
    ledger.transfer(account, asset, amount, deposit.id, EntryType.deposit);
    return this.save({ ...deposit, status: DepositStatus.debited, held: 0 });
  }

  /** Releases the hold of a frozen deposit. */
  private release(deposit: DepositRecord): void {
    if (deposit.held === 0) return;
    const { asset, account } = this.owner(deposit);
    const { ledger } = this.store.state;
    ledger.release(account, asset, deposit.held, deposit.id, EntryType.custodyRelease);
  }

  private fitsTotal(deposit: DepositRecord): boolean {
    const { ledger } = this.store.state;
    const { asset } = this.store.networks.get(deposit.network)!;
    // Amounts that came from outside are negative in `external`.
    return sum(deposit.amount, difference(0, ledger.external[asset]!)) < MAX_ASSET_TOTAL;
  }

  private owner({ network, account }: DepositRecord) {
    const { networks, state } = this.store;
    return { asset: networks.get(network)!.asset, account: state.accounts[account]! };
  }

  private save(deposit: DepositRecord): DepositOutcome {
    return { kind: 'deposit', deposit: this.store.saveDeposit(deposit), changed: true };
  }
}

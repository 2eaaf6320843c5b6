import { MAX_REMEMBERED, WITHDRAWAL_MEMORY_MS } from '../limits.ts';
import { RejectionCode } from '../rejection.ts';
import { NONE } from '../terms.ts';
import type {
  AddressRequest,
  DepositAddress,
  DepositRecord,
  Instruction,
  WithdrawalAddress,
  WithdrawalRecord,
} from './custody-records.ts';
import type { CustodyState } from './custody-state.ts';
import { DueQueue } from './due-queue.ts';
import {
  addressLayout,
  bookLayout,
  type CustodyHead,
  depositLayout,
  headLayout,
  networkLayout,
  requestLayout,
  withdrawalLayout,
} from './layouts.ts';
import type { Network } from './networks.ts';
import { Records } from './records.ts';
import { DepositStatus, hasEnded, isEnded, WithdrawalStatus } from './statuses.ts';

const NO_HEAD: CustodyHead = {
  id: 0,
  publicKey: new Uint8Array(0),
  keyNumber: 0,
  nextId: 1,
  forgottenBelow: 0,
};

/** All networks, addresses, deposits and withdrawals, with what is found by them. */
export class CustodyStore {
  readonly heads: Records<CustodyHead>;
  readonly networks: Records<Network>;
  readonly addresses: Records<DepositAddress>;
  readonly requests: Records<AddressRequest>;
  readonly book: Records<WithdrawalAddress>;
  readonly openDeposits: Records<DepositRecord>;
  /** Ended deposits that are remembered, in the order in which they ended. */
  readonly endedDeposits: Records<DepositRecord>;
  /** The withdrawals that have not ended, or ended within `WITHDRAWAL_MEMORY_MS`. */
  readonly withdrawals: Records<WithdrawalRecord>;
  readonly due = new DueQueue();

  // Derived from the records.
  private readonly networkIds = new Map<string, number>();
  private readonly addressIds = new Map<string, number>();
  private readonly ownAddresses = new Map<string, number>();
  private readonly ownRequests = new Map<string, number>();
  private readonly books = new Map<number, Set<number>>();
  private readonly accountDeposits = new Map<number, Set<number>>();
  private readonly depositIds = new Map<string, number>();
  private readonly frozen = new Map<number, Set<number>>();
  private readonly accountWithdrawals = new Map<number, Set<number>>();
  private readonly clientIds = new Map<string, number>();
  /** Open deposits to addresses of no account. */
  unclaimedDeposits = 0;
  /** Withdrawals that have not ended. */
  openWithdrawals = 0;
  /** The records that the last command made the engine drop, for history. */
  readonly dropped: (DepositRecord | WithdrawalRecord)[] = [];
  /** By ascending id. */
  readonly outbox = new Map<number, Instruction>();

  constructor(readonly state: CustodyState) {
    this.heads = new Records(state, headLayout);
    this.networks = new Records(state, networkLayout);
    this.addresses = new Records(state, addressLayout);
    this.requests = new Records(state, requestLayout);
    this.book = new Records(state, bookLayout);
    this.openDeposits = new Records(state, depositLayout);
    this.endedDeposits = new Records(state, { ...depositLayout, tag: 7 });
    this.withdrawals = new Records(state, withdrawalLayout);
  }

  get head(): CustodyHead {
    return this.heads.get(0) ?? NO_HEAD;
  }

  setHead(changes: Partial<CustodyHead>): void {
    this.heads.set({ ...this.head, ...changes });
  }

  /** Returns a new id of a deposit, withdrawal, instruction or address. */
  takeId(): number {
    const id = this.head.nextId;
    this.setHead({ nextId: id + 1 });
    return id;
  }

  findNetwork(asset: number, name: string): Network | undefined {
    return this.networks.get(this.networkIds.get(`${asset} ${name}`) ?? -1);
  }

  setNetwork(network: Network): void {
    this.networks.set(network);
    this.networkIds.set(`${network.asset} ${network.name}`, network.id);
    for (const deposit of this.openDeposits.values()) {
      if (deposit.network === network.id) this.queueDeposit(deposit);
    }
  }

  /** Returns the deposit address of an account. */
  addressFor(account: number, network: number): DepositAddress | undefined {
    return this.addresses.get(this.ownAddresses.get(`${account} ${network}`) ?? 0);
  }

  /** Returns the deposit address that receives a payment. An unknown memo is that of no other address. */
  findAddress(network: number, address: string, memo: string): DepositAddress | undefined {
    return this.addresses.get(this.addressIds.get(`${network} ${address} ${memo}`) ?? 0);
  }

  addAddress(each: DepositAddress): void {
    this.addresses.set(each);
    this.addressIds.set(`${each.network} ${each.address} ${each.memo}`, each.id);
    this.ownAddresses.set(`${each.account} ${each.network}`, each.id);
  }

  requestFor(account: number, network: number): AddressRequest | undefined {
    return this.requests.get(this.ownRequests.get(`${account} ${network}`) ?? 0);
  }

  addRequest(request: AddressRequest): void {
    this.requests.set(request);
    this.ownRequests.set(`${request.account} ${request.network}`, request.id);
    this.outbox.set(request.id, { id: request.id, kind: 'address', request });
  }

  removeRequest({ id, account, network }: AddressRequest): void {
    this.requests.delete(id);
    this.ownRequests.delete(`${account} ${network}`);
    this.outbox.delete(id);
  }

  /** Returns the address book of an account, the oldest entry first. */
  bookEntries(account: number): WithdrawalAddress[] {
    return [...(this.books.get(account) ?? [])].map((id) => this.book.get(id)!);
  }

  addToBook(entry: WithdrawalAddress): void {
    this.book.set(entry);
    add(this.books, entry.account, entry.id);
  }

  removeFromBook({ id, account }: WithdrawalAddress): void {
    this.book.delete(id);
    remove(this.books, account, id);
  }

  findDeposit(network: number, transaction: string, index: number): DepositRecord | undefined {
    return this.getDeposit(this.depositIds.get(`${network} ${index} ${transaction}`) ?? 0);
  }

  /** Returns an open or remembered deposit. */
  getDeposit(id: number): DepositRecord | undefined {
    return this.openDeposits.get(id) ?? this.endedDeposits.get(id);
  }

  /** Stores a change of a deposit, and reports it. */
  saveDeposit(deposit: DepositRecord): DepositRecord {
    this.putDeposit(deposit);
    this.state.events.push(deposit);
    if (isEnded(deposit)) this.forgetDeposits();
    return deposit;
  }

  putDeposit(deposit: DepositRecord): void {
    const { id, account } = deposit;
    const ended = isEnded(deposit);
    const before = this.getDeposit(id);
    const wasUnclaimed = before?.account === NONE && !isEnded(before);
    if (before !== undefined && before.account !== account) {
      remove(this.accountDeposits, before.account, id);
    }
    add(this.accountDeposits, account, id);
    const isUnclaimed = !ended && account === NONE;
    this.unclaimedDeposits += Number(isUnclaimed) - Number(wasUnclaimed);
    (ended ? this.openDeposits : this.endedDeposits).delete(id);
    (ended ? this.endedDeposits : this.openDeposits).set(deposit);
    this.depositIds.set(`${deposit.network} ${deposit.index} ${deposit.transaction}`, id);
    if (deposit.status === DepositStatus.frozen) add(this.frozen, account, id);
    else remove(this.frozen, account, id);
    this.queueDeposit(deposit);
  }

  /** Returns whether a reorganized deposit took more from an account of the group than it had. */
  groupHasShortfall(account: number): boolean {
    const { owner } = this.state.accounts[account]!;
    const members = [owner, ...(owner.subAccounts ?? [])];
    return members.some(({ index }) => this.hasShortfall(index));
  }

  /** Returns whether a reorganized deposit took more from the account than it had. */
  hasShortfall(account: number): boolean {
    const ids = this.frozen.get(account) ?? [];
    return [...ids].some((id) => {
      const { held, amount } = this.openDeposits.get(id)!;
      return held !== amount;
    });
  }

  /** Returns the open and remembered deposits of an account, in no particular order. */
  accountDepositRecords(account: number): DepositRecord[] {
    return [...(this.accountDeposits.get(account) ?? [])].map((id) => this.getDeposit(id)!);
  }

  /** Returns the accounts and ids in the lists that `accountDepositRecords` reads, for the audit. */
  *depositsByAccount(): Iterable<readonly [account: number, id: number]> {
    for (const [account, ids] of this.accountDeposits) for (const id of ids) yield [account, id];
  }

  /** Returns the remembered withdrawals of an account, the oldest first. */
  *accountWithdrawalRecords(account: number): Iterable<WithdrawalRecord> {
    for (const id of this.accountWithdrawals.get(account) ?? []) yield this.withdrawals.get(id)!;
  }

  findWithdrawal(account: number, clientId: string): WithdrawalRecord | undefined {
    return this.withdrawals.get(this.clientIds.get(`${account} ${clientId}`) ?? 0);
  }

  /** Returns why a withdrawal is not to be sent now; undefined if it may be. */
  findObstacle({ account, network }: WithdrawalRecord): RejectionCode | undefined {
    if (this.state.accounts[account]!.isFrozen) return RejectionCode.accountFrozen;
    if (this.groupHasShortfall(account)) return RejectionCode.withdrawalsBlocked;
    if (!this.networks.get(network)!.withdrawals) return RejectionCode.networkUnavailable;
    return undefined;
  }

  /** Stores a change of a withdrawal, and reports it. */
  saveWithdrawal(withdrawal: WithdrawalRecord): WithdrawalRecord {
    this.putWithdrawal(withdrawal);
    this.state.events.push(withdrawal);
    if (isUnpaid(withdrawal)) this.forgetUnpaid(withdrawal.account);
    return withdrawal;
  }

  putWithdrawal(withdrawal: WithdrawalRecord): void {
    const { id, account, clientId, instruction, status } = withdrawal;
    const before = this.withdrawals.get(id);
    const wasOpen = before !== undefined && !hasEnded(before);
    this.openWithdrawals += Number(!hasEnded(withdrawal)) - Number(wasOpen);
    this.withdrawals.set(withdrawal);
    add(this.accountWithdrawals, account, id);
    if (clientId !== null) this.clientIds.set(`${account} ${clientId}`, id);
    if (status === WithdrawalStatus.approved) {
      this.outbox.set(instruction, { id: instruction, kind: 'withdrawal', withdrawal });
    } else if (instruction !== 0) this.outbox.delete(instruction);
    this.due.set(id, withdrawalDue(withdrawal));
  }

  forgetWithdrawal(withdrawal: WithdrawalRecord): void {
    const { id, account, clientId } = withdrawal;
    this.dropped.push(withdrawal);
    this.withdrawals.delete(id);
    remove(this.accountWithdrawals, account, id);
    if (clientId !== null) this.clientIds.delete(`${account} ${clientId}`);
    this.due.set(id, undefined);
  }

  /** Bounds what canceled requests leave behind. Paid withdrawals stay, because the daily limit counts them. */
  private forgetUnpaid(account: number): void {
    const unpaid = [...this.accountWithdrawalRecords(account)].filter(isUnpaid);
    if (unpaid.length > MAX_REMEMBERED.unpaidWithdrawals) this.forgetWithdrawal(unpaid[0]!);
  }

  /** Sorts the outbox, which was filled in the order of a snapshot. */
  sortOutbox(): void {
    const sorted = [...this.outbox.values()].sort((a, b) => a.id - b.id);
    this.outbox.clear();
    for (const each of sorted) this.outbox.set(each.id, each);
  }

  /** Returns whether a deposit can be credited or put under review. */
  isReady({ status, confirmations, network }: DepositRecord): boolean {
    const rules = this.networks.get(network)!;
    return (
      status === DepositStatus.pending && rules.deposits && confirmations >= rules.confirmations
    );
  }

  private queueDeposit(deposit: DepositRecord): void {
    this.due.set(deposit.id, this.isReady(deposit) ? 0 : undefined);
  }

  private forgetDeposits(): void {
    const { endedDeposits } = this;
    if (endedDeposits.size <= MAX_REMEMBERED.deposits) return;
    const [oldest] = endedDeposits.values();
    const { id, account, network, index, transaction } = oldest!;
    remove(this.accountDeposits, account, id);
    this.dropped.push(oldest!);
    endedDeposits.delete(id);
    this.depositIds.delete(`${network} ${index} ${transaction}`);
    this.setHead({ forgottenBelow: Math.max(this.head.forgottenBelow, id + 1) });
  }
}

/** Returns whether a withdrawal ended without a payment. */
function isUnpaid({ status }: WithdrawalRecord): boolean {
  return status > WithdrawalStatus.confirmed;
}

/** Returns when a withdrawal is due to be released or forgotten. */
function withdrawalDue(withdrawal: WithdrawalRecord): number | undefined {
  if (withdrawal.status === WithdrawalStatus.delayed) return withdrawal.waitsUntil;
  return hasEnded(withdrawal) ? withdrawal.updatedAt + WITHDRAWAL_MEMORY_MS : undefined;
}

function add(sets: Map<number, Set<number>>, key: number, id: number): void {
  const set = sets.get(key);
  if (set === undefined) sets.set(key, new Set([id]));
  else set.add(id);
}

function remove(sets: Map<number, Set<number>>, key: number, id: number): void {
  const set = sets.get(key);
  if (set?.delete(id) && set.size === 0) sets.delete(key);
}

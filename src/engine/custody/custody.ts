import { CommandKind } from '../command-kind.ts';
import { MAX_NETWORKS } from '../limits.ts';
import type { ByteReader, ByteWriter } from '../numbers/bytes.ts';
import type { Exact } from '../numbers/exact.ts';
import { invariant, type Rejection, RejectionCode, rejected } from '../rejection.ts';
import { NONE } from '../terms.ts';
import { Addresses } from './addresses.ts';
import type {
  AcknowledgeInstruction,
  CustodianActor,
  CustodyCommand,
  SetCustodianKey,
  SetNetwork,
} from './custody-commands.ts';
import type { CustodyState } from './custody-state.ts';
import { CustodyStore } from './custody-store.ts';
import { Deposits } from './deposits.ts';
import { Holdings } from './holdings.ts';
import { brokenNetworkRule, networkUnit } from './networks.ts';
import type { CustodyOutcome } from './outcomes.ts';
import { hasEnded } from './statuses.ts';
import { heldForWithdrawal, Withdrawals } from './withdrawals.ts';

const PUBLIC_KEY_BYTES = 32;

/**
 * Deposits and withdrawals (engine version 2). The exchange knows no chain: a custodian reports deposits, and carries out
 * the instructions of the outbox. Every change of a deposit or withdrawal is an event.
 */
export class Custody {
  readonly id = 70;
  readonly store: CustodyStore;
  /** A part of the state by itself, which older snapshots do not have. */
  readonly holdings: Holdings;
  private readonly addresses: Addresses;
  private readonly deposits: Deposits;
  private readonly withdrawals: Withdrawals;

  constructor(private readonly state: CustodyState) {
    this.store = new CustodyStore(state);
    this.holdings = new Holdings(this.store);
    this.deposits = new Deposits(this.store);
    this.withdrawals = new Withdrawals(this.store);
    this.addresses = new Addresses(this.store, this.withdrawals);
  }

  get isEmpty(): boolean {
    return this.store.networks.size === 0 && this.store.heads.size === 0;
  }

  get nextTime(): number {
    return this.store.due.nextTime;
  }

  /** Number of the custodian's current key, from 1; 0 before the first. */
  get keyNumber(): number {
    return this.store.head.keyNumber;
  }

  /** Carries out a command whose actor is authorized. */
  apply(command: CustodyCommand): CustodyOutcome {
    if (this.state.version < 2) return rejected(RejectionCode.unknownNetwork);
    const rejection = this.checkActor(command);
    if (rejection !== undefined) return rejection;
    switch (command.kind) {
      case CommandKind.setNetwork:
        return this.setNetwork(command);
      case CommandKind.setCustodianKey:
        return this.setCustodianKey(command);
      case CommandKind.requestAddress:
        return this.addresses.request(command);
      case CommandKind.assignAddress:
        return this.addresses.assign(command);
      case CommandKind.addWithdrawalAddress:
        return this.addresses.add(command);
      case CommandKind.removeWithdrawalAddress:
        return this.addresses.remove(command);
      case CommandKind.reportDeposit:
        return this.deposits.report(command);
      case CommandKind.resolveDeposit:
        return this.deposits.resolve(command);
      case CommandKind.requestWithdrawal:
        return this.withdrawals.request(command);
      case CommandKind.cancelWithdrawal:
        return this.withdrawals.cancel(command);
      case CommandKind.approveWithdrawal:
        return this.withdrawals.approve(command);
      case CommandKind.rejectWithdrawal:
        return this.withdrawals.reject(command);
      case CommandKind.reportWithdrawal:
        return this.withdrawals.report(command);
      case CommandKind.reportHoldings:
        return this.holdings.report(command);
      case CommandKind.acknowledgeInstruction:
        return this.acknowledge(command);
    }
  }

  /** Credits a deposit whose network was turned on, ends the delay of a withdrawal, or forgets one. */
  runDue(): void {
    const { store } = this;
    const id = store.due.first;
    const withdrawal = store.withdrawals.get(id);
    if (withdrawal !== undefined) this.withdrawals.runDue(withdrawal);
    else this.deposits.settle(store.openDeposits.get(id)!);
  }

  /** Passes on what is held for withdrawals and reorganized deposits. */
  reserve(add: (account: number, asset: number, amount: Exact) => void): void {
    const { networks, withdrawals, openDeposits } = this.store;
    for (const each of withdrawals.values()) {
      if (hasEnded(each)) continue;
      add(each.account, networks.get(each.network)!.asset, heldForWithdrawal(each));
    }
    for (const { account, network, held } of openDeposits.values()) {
      if (held !== 0) add(account, networks.get(network)!.asset, held);
    }
  }

  countDigest(): number {
    return this.all().reduce((sum, records) => (sum + records.countDigest()) | 0, 0);
  }

  /** @throws InvariantError if something is due at another time, or not found by its other names. */
  audit(): void {
    const { store } = this;
    let due = 0;
    for (const deposit of store.openDeposits.values()) {
      const { id, network, transaction, index } = deposit;
      const found = store.findDeposit(network, transaction, index);
      invariant(found === deposit, `deposit ${id} is not found by its transaction`);
      invariant(
        store.due.get(id) === (store.isReady(deposit) ? 0 : undefined),
        `deposit ${id} is due at the wrong time`,
      );
      if (store.isReady(deposit)) due++;
    }
    const open = [...store.openDeposits.values()];
    invariant(
      store.unclaimedDeposits === open.filter(({ account }) => account === NONE).length,
      'the deposits of no account are miscounted',
    );
    for (const [account, id] of store.depositsByAccount()) {
      const isListed = store.getDeposit(id)?.account === account;
      invariant(isListed, `deposit ${id} is in the list of another account`);
    }
    let sent = 0;
    let openWithdrawals = 0;
    for (const withdrawal of store.withdrawals.values()) {
      const { id, account, instruction } = withdrawal;
      const isListed = [...store.accountWithdrawalRecords(account)].includes(withdrawal);
      invariant(isListed, `withdrawal ${id} is not in the list of its account`);
      if (store.due.get(id) !== undefined) due++;
      if (store.outbox.has(instruction)) sent++;
      if (!hasEnded(withdrawal)) openWithdrawals++;
    }
    invariant(openWithdrawals === store.openWithdrawals, 'the open withdrawals are miscounted');
    invariant(due === store.due.size, 'something is due that does not exist');
    invariant(
      sent + store.requests.size === store.outbox.size,
      'the outbox has instructions for nothing',
    );
  }

  write(writer: ByteWriter): void {
    for (const records of this.all()) records.write(writer);
  }

  read(reader: ByteReader): void {
    const { store } = this;
    store.heads.read(reader);
    store.networks.read(reader, (each) => store.setNetwork(each));
    store.addresses.read(reader, (each) => store.addAddress(each));
    store.requests.read(reader, (each) => store.addRequest(each));
    store.book.read(reader, (each) => store.addToBook(each));
    store.openDeposits.read(reader, (each) => store.putDeposit(each));
    store.endedDeposits.read(reader, (each) => store.putDeposit(each));
    store.withdrawals.read(reader, (each) => store.putWithdrawal(each));
    store.sortOutbox();
  }

  /** All records, in the order of snapshots. */
  private all() {
    const { heads, networks, addresses, requests, book, ...rest } = this.store;
    const { openDeposits, endedDeposits, withdrawals } = rest;
    return [
      ...[heads, networks, addresses, requests, book],
      ...[openDeposits, endedDeposits, withdrawals],
    ];
  }

  /** Checks the key of the custodian again in log order, and that the account of a user exists. */
  private checkActor(command: CustodyCommand): Rejection | undefined {
    if ('keyNumber' in command) return this.checkCustodian(command);
    const isUser = USER_COMMANDS.includes(command.kind);
    return isUser && this.state.accounts[command.account] === undefined
      ? rejected(RejectionCode.unknownAccount)
      : undefined;
  }

  private checkCustodian({ keyNumber }: CustodianActor): Rejection | undefined {
    return keyNumber === 0 || keyNumber === this.keyNumber
      ? undefined
      : rejected(RejectionCode.unauthorized);
  }

  /** Adds a network, or replaces the rules of a known one. What they decided before stays as it is. */
  private setNetwork(command: SetNetwork): CustodyOutcome {
    const { store } = this;
    // The reason is for the audit: a snapshot would lose it.
    const { kind, account, key, reason, asset: index, ...rules } = command;
    const asset = this.state.assets[index];
    if (asset === undefined) return rejected(RejectionCode.unknownAsset);
    const broken = brokenNetworkRule(asset, rules);
    if (broken !== undefined) return rejected(RejectionCode.invalidRules, broken);
    const known = store.findNetwork(index, rules.name);
    if (known === undefined && store.networks.size >= MAX_NETWORKS) {
      return rejected(RejectionCode.limitReached, 'networks');
    }
    if (known !== undefined && known.decimals !== rules.decimals) {
      return rejected(RejectionCode.invalidRules, 'the decimals of a network never change');
    }
    const unit = networkUnit(asset, rules.decimals);
    const network = { id: known?.id ?? store.networks.size, asset: index, unit, ...rules };
    store.setNetwork(network);
    return { kind: 'network', network, created: known === undefined };
  }

  private setCustodianKey({ publicKey }: SetCustodianKey): CustodyOutcome {
    if (publicKey.length !== PUBLIC_KEY_BYTES) {
      return rejected(RejectionCode.invalidRules, 'a public key has 32 bytes');
    }
    this.store.setHead({ publicKey, keyNumber: this.keyNumber + 1 });
    return { kind: 'done' };
  }

  /** Removes an instruction from the outbox; one that is no longer there changes nothing. */
  private acknowledge({ instruction: id }: AcknowledgeInstruction): CustodyOutcome {
    const { store } = this;
    const instruction = store.outbox.get(id);
    if (instruction?.kind === 'address') store.removeRequest(instruction.request);
    if (instruction?.kind === 'withdrawal') this.withdrawals.acknowledge(instruction.withdrawal);
    return { kind: 'done' };
  }
}

const USER_COMMANDS: readonly number[] = [
  CommandKind.requestAddress,
  CommandKind.addWithdrawalAddress,
  CommandKind.removeWithdrawalAddress,
  CommandKind.requestWithdrawal,
  CommandKind.cancelWithdrawal,
];

import { type Command, CommandKind, type ReportHoldings } from '../src/engine/command.ts';
import {
  type DepositStatus,
  depositStatuses,
  type WithdrawalStatus,
  withdrawalStatuses,
} from '../src/engine/custody/statuses.ts';
import type { DepositRecord, Event, Outcome, WithdrawalRecord } from '../src/engine/event.ts';
import type { AuditedLedger } from './audited-ledger.ts';
import { check } from './failure.ts';

type DepositName = (typeof depositStatuses)[DepositStatus];
type WithdrawalName = (typeof withdrawalStatuses)[WithdrawalStatus];

/** The states that may follow each state of a deposit, as in docs/trading/deposits-and-withdrawals.md. */
const DEPOSIT_STEPS: Readonly<Record<DepositName | 'new', readonly DepositName[]>> = {
  new: ['pending', 'credited', 'reversed', 'below_minimum', 'review'],
  pending: ['pending', 'credited', 'reversed', 'below_minimum', 'review'],
  credited: ['credited', 'frozen'],
  reversed: ['reversed', 'pending', 'credited', 'below_minimum', 'review'],
  below_minimum: [],
  review: ['review', 'credited', 'reversed', 'dismissed', 'debited'],
  frozen: ['frozen', 'credited', 'debited', 'released'],
  debited: ['debited', 'review'],
  released: [],
  dismissed: [],
};

/** The states that may follow each state of a withdrawal. */
const WITHDRAWAL_STEPS: Readonly<Record<WithdrawalName | 'new', readonly WithdrawalName[]>> = {
  new: ['delayed', 'awaiting_approval', 'approved'],
  delayed: ['awaiting_approval', 'approved', 'canceled', 'rejected'],
  awaiting_approval: ['awaiting_approval', 'approved', 'canceled', 'rejected'],
  approved: ['sending', 'broadcast', 'confirmed', 'failed'],
  sending: ['broadcast', 'confirmed', 'failed'],
  broadcast: ['broadcast', 'confirmed', 'failed'],
  confirmed: [],
  failed: [],
  canceled: [],
  rejected: [],
};

/** Statuses of deposits whose amount the account has received. */
const RECEIVED: readonly DepositName[] = ['credited', 'frozen', 'released'];
/** Statuses of withdrawals that hold nothing. */
const ENDED: readonly WithdrawalName[] = ['confirmed', 'failed', 'canceled', 'rejected'];

/** A payment that the custodian was asked to make. */
interface Payout {
  readonly amount: bigint;
  readonly instruction: number;
}

/**
 * Books of the custodian's side, built from commands, outcomes, events and ledger entries alone: each payment is credited
 * at most once, each withdrawal is instructed at most once and debited only after its confirmation, and both go through
 * the states of the tables.
 */
export class AuditedCustody {
  private readonly deposits = new Map<number, DepositRecord>();
  /** The newest deposit by network, transaction and index. */
  private readonly payments = new Map<string, number>();
  private readonly withdrawals = new Map<number, WithdrawalRecord>();
  private readonly payouts = new Map<number, Payout>();
  private readonly confirmed = new Set<number>();
  private readonly approvals = new Map<number, Set<number>>();
  /** The newest accepted report of each network. */
  private readonly holdings = new Map<number, ReportHoldings>();

  constructor(private readonly ledger: AuditedLedger) {}

  /** Records a command before its events. */
  noteCommand(command: Command, outcome: Outcome): void {
    if (outcome.kind === 'rejected') return;
    if (command.kind === CommandKind.approveWithdrawal) {
      const known = this.approvals.get(command.withdrawal) ?? new Set<number>();
      this.approvals.set(command.withdrawal, known.add(command.account));
    }
    if (command.kind === CommandKind.reportHoldings) this.noteHoldings(command, outcome);
    if (command.kind !== CommandKind.reportWithdrawal) return;
    if (withdrawalStatuses[command.reached] === 'confirmed') this.confirmed.add(command.withdrawal);
  }

  /** Checks the records of a command whose ledger entries were noted. */
  noteEvents(events: readonly Event[]): void {
    // A deposit may change twice within a command, of which the ledger shows the last.
    const last = new Map<number, DepositRecord | WithdrawalRecord>();
    for (const event of events) {
      if (event.kind === 'deposit') this.noteDeposit(event);
      else if (event.kind === 'withdrawal') this.noteWithdrawal(event);
      else continue;
      last.set(event.id, event);
    }
    for (const record of last.values()) {
      if (record.kind === 'deposit') this.checkDeposit(record);
      else this.checkWithdrawal(record);
    }
  }

  /** Checks that the newest report of a network counts, in whatever order reports arrive. */
  private noteHoldings(command: ReportHoldings, outcome: Outcome): void {
    if (outcome.kind !== 'holding') return;
    const before = this.holdings.get(command.network);
    const newest = before !== undefined && !isNewer(command, before) ? before : command;
    this.holdings.set(command.network, newest);
    const { id, amount, report } = outcome.holding;
    const isNewest = id === newest.network && amount === newest.amount && report === newest.report;
    check(isNewest, `network ${id} holds ${amount} by report ${report}, not ${newest.report}`);
  }

  private noteDeposit(deposit: DepositRecord): void {
    const { id, network, transaction, index } = deposit;
    const payment = `${network} ${index} ${transaction}`;
    const before = this.deposits.get(id);
    const status = depositStatuses[deposit.status]!;
    const from = before === undefined ? 'new' : depositStatuses[before.status]!;
    check(DEPOSIT_STEPS[from].includes(status), `deposit ${id} went from ${from} to ${status}`);
    if (before === undefined) this.checkPayment(payment, id);
    else {
      check(before.amount === deposit.amount, `deposit ${id} has changed its amount`);
      check(deposit.report >= before.report, `deposit ${id} went back to an earlier report`);
      const isLess = deposit.confirmations < before.confirmations;
      const isReversed = ['reversed', 'frozen', 'debited'].includes(status);
      check(!isLess || isReversed, `deposit ${id} has lost confirmations`);
    }
    this.payments.set(payment, id);
    this.deposits.set(id, deposit);
  }

  /** Checks that a payment which comes back under another id was not credited under the former one. */
  private checkPayment(payment: string, id: number): void {
    const former = this.deposits.get(this.payments.get(payment) ?? 0);
    if (former === undefined) return;
    const status = depositStatuses[former.status]!;
    check(!RECEIVED.includes(status), `deposits ${former.id} and ${id} are of the same payment`);
  }

  private checkDeposit({ id, amount, held, status }: DepositRecord): void {
    const name = depositStatuses[status]!;
    const expected = RECEIVED.includes(name) ? BigInt(amount) : 0n;
    const received = this.ledger.movedBy(id);
    check(received === expected, `deposit ${id} is ${name} and moved ${received}, not ${expected}`);
    const own = this.ledger.heldByCustody(id);
    check(own === BigInt(held), `deposit ${id} holds ${own}, not ${held}`);
    check(name === 'frozen' || own === 0n, `deposit ${id} is ${name} and still holds ${own}`);
  }

  private noteWithdrawal(withdrawal: WithdrawalRecord): void {
    const { id, amount, instruction } = withdrawal;
    const before = this.withdrawals.get(id);
    const status = withdrawalStatuses[withdrawal.status]!;
    const from = before === undefined ? 'new' : withdrawalStatuses[before.status]!;
    const isStep = WITHDRAWAL_STEPS[from].includes(status);
    check(isStep, `withdrawal ${id} went from ${from} to ${status}`);
    this.withdrawals.set(id, withdrawal);
    if (instruction === 0) return;
    const payout = this.payouts.get(id);
    check(
      payout === undefined || payout.instruction === instruction,
      `withdrawal ${id} has a second instruction`,
    );
    this.payouts.set(id, { amount: BigInt(amount), instruction });
  }

  private checkWithdrawal(withdrawal: WithdrawalRecord): void {
    const { id, account, amount, fee, approvals } = withdrawal;
    const status = withdrawalStatuses[withdrawal.status]!;
    const isPaid = status === 'confirmed';
    const moved = this.ledger.movedBy(id);
    const total = BigInt(amount) + BigInt(fee);
    check(moved === (isPaid ? -total : 0n), `withdrawal ${id} is ${status} and moved ${moved}`);
    check(!isPaid || this.confirmed.has(id), `withdrawal ${id} was never confirmed`);
    check(!isPaid || this.payouts.has(id), `withdrawal ${id} was paid without an instruction`);
    const held = this.ledger.heldByCustody(id);
    check(
      held === (ENDED.includes(status) ? 0n : total),
      `withdrawal ${id} is ${status} and holds ${held}`,
    );
    const known = this.approvals.get(id) ?? new Set();
    const isApproved = approvals.every((each) => known.has(each) && each !== account && each >= 0);
    check(isApproved, `withdrawal ${id} has an approval that no other operator gave`);
  }
}

type ReportNumber = Pick<ReportHoldings, 'keyNumber' | 'report'>;

function isNewer(next: ReportNumber, known: ReportNumber): boolean {
  const keys = next.keyNumber - known.keyNumber;
  return keys > 0 || (keys === 0 && next.report > known.report);
}

import { Auctions } from './auction/auctions.ts';
import { Custody } from './custody/custody.ts';
import { FeePrograms } from './ledger/fee-programs.ts';
import type { ByteReader, ByteWriter } from './numbers/bytes.ts';
import type { Exact } from './numbers/exact.ts';
import { AdjustmentTotals } from './operators/adjustment-totals.ts';
import { Approvals } from './operators/approvals.ts';
import { Notes } from './operators/notes.ts';
import { Announcements } from './protection/announcements.ts';
import { TradeBusts } from './protection/trade-busts.ts';
import { TradingLimitsPart } from './protection/trading-limits.ts';
import { TradingStatus } from './protection/trading-status.ts';
import { invariant } from './rejection.ts';
import type { PartState, StatePart } from './state-part.ts';
import { ClosedAccounts } from './sub-accounts/closed-accounts.ts';
import { SubAccounts } from './sub-accounts/sub-accounts.ts';

/** All state parts. What is due at the same time runs in the order of the list. */
export class StateParts {
  readonly approvals: Approvals;
  readonly adjustmentTotals: AdjustmentTotals;
  readonly notes: Notes;
  readonly auctions: Auctions;
  readonly tradingStatus: TradingStatus;
  readonly tradeBusts: TradeBusts;
  readonly tradingLimits: TradingLimitsPart;
  readonly feePrograms: FeePrograms;
  readonly announcements: Announcements;
  private readonly all: readonly StatePart[];
  /** The parts whose work does not trade. */
  private readonly whileRestricted: readonly StatePart[];

  readonly custody: Custody;
  readonly subAccounts: SubAccounts;
  readonly closedAccounts: ClosedAccounts;

  constructor(state: PartState) {
    this.approvals = new Approvals(state);
    this.adjustmentTotals = new AdjustmentTotals(state);
    this.notes = new Notes(state);
    this.custody = new Custody(state);
    this.auctions = new Auctions(state);
    this.tradingStatus = new TradingStatus(state);
    this.subAccounts = new SubAccounts(state);
    this.closedAccounts = new ClosedAccounts(state);
    this.tradeBusts = new TradeBusts(state);
    this.tradingLimits = new TradingLimitsPart(state);
    this.feePrograms = new FeePrograms(state);
    this.announcements = new Announcements(state);
    this.all = [
      ...[this.approvals, this.notes, this.custody, this.subAccounts],
      ...[this.auctions, this.tradingStatus, this.tradeBusts, this.adjustmentTotals],
      ...[this.feePrograms, this.tradingLimits, this.announcements, this.custody.holdings],
      this.closedAccounts,
    ];
    this.whileRestricted = this.all.filter((part) => part !== this.auctions);
  }

  /** When the first part has something to do, in milliseconds since 1970; Infinity for never. */
  get nextTime(): number {
    let next = Number.POSITIVE_INFINITY;
    for (const { nextTime } of this.running) if (nextTime < next) next = nextTime;
    return next;
  }

  /** Does what is due first. Something must be due. */
  runDue(): void {
    const next = this.nextTime;
    this.running.find(({ nextTime }) => nextTime === next)!.runDue();
  }

  /** Auctions that would end while trading is restricted in all markets end once it resumes. */
  private get running(): readonly StatePart[] {
    return this.tradingStatus.isRestricted ? this.whileRestricted : this.all;
  }

  /** Passes on what is held for other things than orders. */
  reserve(add: (account: number, asset: number, amount: Exact) => void): void {
    this.custody.reserve(add);
  }

  countDigest(): number {
    return this.all.reduce((sum, part) => (sum + part.countDigest()) | 0, 0);
  }

  /** @throws InvariantError */
  audit(): void {
    for (const part of this.all) part.audit();
  }

  /** Writes every part that is not empty after its number. */
  write(writer: ByteWriter): void {
    const filled = this.all.filter(({ isEmpty }) => !isEmpty);
    writer.byte(filled.length);
    for (const part of filled) {
      writer.byte(part.id);
      part.write(writer);
    }
  }

  /** @throws InvariantError if the snapshot has a part that this release does not know. */
  read(reader: ByteReader): void {
    for (let left = reader.byte(); left > 0; left--) {
      const id = reader.byte();
      const part = this.all.find((each) => each.id === id);
      invariant(
        part !== undefined,
        `the snapshot has a part ${id} that this release does not know: start a newer release`,
      );
      part.read(reader);
    }
  }
}

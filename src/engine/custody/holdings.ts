import { MAX_ASSET_TOTAL } from '../limits.ts';
import type { ByteReader, ByteWriter } from '../numbers/bytes.ts';
import { invariant, RejectionCode, rejected } from '../rejection.ts';
import type { ReportHoldings } from './custody-commands.ts';
import type { Holding } from './custody-records.ts';
import type { CustodyStore } from './custody-store.ts';
import { holdingLayout } from './layouts.ts';
import { fitsNetwork } from './networks.ts';
import type { HoldingsOutcome } from './outcomes.ts';
import { Records } from './records.ts';

/** The custodian's holdings by network (engine version 2). Operators compare them with liabilities. */
export class Holdings {
  readonly id = 43;
  readonly nextTime = Number.POSITIVE_INFINITY;
  private readonly records: Records<Holding>;

  constructor(private readonly store: CustodyStore) {
    this.records = new Records(store.state, holdingLayout);
  }

  get isEmpty(): boolean {
    return this.records.size === 0;
  }

  /** All holdings, in the order in which their networks were first reported. */
  get all(): readonly Holding[] {
    return [...this.records.values()];
  }

  /** Returns the newest report of a network. */
  get(network: number): Holding | undefined {
    return this.records.get(network);
  }

  /** Replaces the holdings of a network unless a newer report is known. */
  report({ network: id, amount, keyNumber, report }: ReportHoldings): HoldingsOutcome {
    const network = this.store.networks.get(id);
    if (network === undefined) return rejected(RejectionCode.unknownNetwork);
    if (amount !== 0 && (!fitsNetwork(network, amount) || amount >= MAX_ASSET_TOTAL)) {
      return rejected(RejectionCode.amountOutOfBounds, 'networkDecimals');
    }
    const known = this.get(id);
    if (known !== undefined && !isNewer({ keyNumber, report }, known)) {
      return { kind: 'holding', holding: known, changed: false };
    }
    const holding = { id, amount, keyNumber, report, reportedAt: this.store.state.time };
    this.records.set(holding);
    return { kind: 'holding', holding, changed: true };
  }

  /** Nothing is ever due. */
  runDue(): void {}

  countDigest(): number {
    return this.records.countDigest();
  }

  /** @throws InvariantError for negative holdings, or those of a network that does not exist. */
  audit(): void {
    for (const { id, amount } of this.records.values()) {
      invariant(this.store.networks.get(id) !== undefined, `holdings of unknown network ${id}`);
      invariant(amount >= 0, `negative holdings on network ${id}`);
    }
  }

  write(writer: ByteWriter): void {
    this.records.write(writer);
  }

  read(reader: ByteReader): void {
    this.records.read(reader);
  }
}

type ReportNumber = Pick<Holding, 'keyNumber' | 'report'>;

/** Each key of the custodian numbers its reports from the start, so that a new key can correct a number that is too high. */
function isNewer(next: ReportNumber, known: ReportNumber): boolean {
  return next.keyNumber === known.keyNumber
    ? next.report > known.report
    : next.keyNumber > known.keyNumber;
}

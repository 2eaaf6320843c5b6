import { applyBatch, type Skips, type Visit } from '../../archivist/recovery.ts';
import { exactNumber } from '../../client/exact-number.ts';
import { type AssetAudit, auditAssets, auditState } from '../../engine/audit/audit.ts';
import { CommandKind, type Skip } from '../../engine/command.ts';
import { Exchange } from '../../engine/exchange.ts';
import { type Exact, sum } from '../../engine/numbers/exact.ts';
import { formatUnits } from '../../engine/numbers/units.ts';
import { writeSnapshot } from '../../engine/snapshot/snapshot.ts';
import type { Batch } from '../../log/log.ts';
import { assetTable } from '../commands/asset-table.ts';
import { fields, printable } from '../text.ts';

/** Result of replaying a log, and the problems found. */
export class Verification {
  /** Sequence of the last batch applied. */
  position: number;
  commands = 0;
  /** Records of skipped commands. */
  readonly skips: Skip[] = [];
  /** Sequences of the snapshots that are equal to the replayed state. */
  readonly equalSnapshots: number[] = [];
  /** Problems found, as sentences. */
  readonly problems: string[] = [];

  /** @param begin The batch after which the given state starts; 0 for an empty exchange. */
  constructor(
    readonly exchange = new Exchange(),
    readonly begin = 0,
  ) {
    this.position = begin;
  }

  /** Applies the next batch. @param visit Called with the outcome of each command. @throws PoisonedCommandError */
  apply(batch: Batch, skipped: Skips, visit?: Visit): void {
    applyBatch(this.exchange, batch, skipped, (_batch, index, command, outcome) => {
      visit?.(batch, index, command, outcome);
      if (command.kind !== CommandKind.skip) return;
      if (skipped.has(`${command.sequence} ${command.index}`)) this.skips.push(command);
    });
    this.position = batch.sequence;
    this.commands += batch.count;
  }

  /** Compares the state hash of a snapshot taken after the last batch with the replayed state. */
  compare(stateHash: string): void {
    if (stateHash === this.stateHash) this.equalSnapshots.push(this.position);
    else {
      this.problems.push(`The snapshot of batch ${this.position} differs from the replayed state.`);
    }
  }

  /** Checks the whole state. @throws InvariantError */
  audit(): void {
    auditState(this.exchange.state);
  }

  /** Records a problem for each snapshot after the last batch of the log, `end`. */
  reportSnapshotsAfter(end: number, snapshots: readonly number[]): void {
    for (const sequence of snapshots.filter((each) => each > end)) {
      this.problems.push(
        `The snapshot of batch ${sequence} is after the end of the log, batch ${end}.`,
      );
    }
  }

  get stateHash(): string {
    return sha256(writeSnapshot(this.exchange));
  }

  /** @param end The last batch of the log. */
  describe(end: number) {
    const { problems, position, begin, commands, exchange, skips, equalSnapshots } = this;
    const { state } = exchange;
    return {
      sound: problems.length === 0,
      problems,
      logPosition: position,
      /** Null if the replay stopped before the end. */
      stateHash: position === end ? this.stateHash : null,
      batches: position - begin,
      commands,
      accounts: state.accounts.length,
      openOrders: state.orders.size,
      assets: auditAssets(state).map(assetData),
      snapshots: equalSnapshots,
      skips: skips.map(({ sequence, index, reason }) => ({ sequence, index, reason })),
    };
  }
}

export type Verified = ReturnType<Verification['describe']>;

export function sha256(bytes: Uint8Array): string {
  return new Bun.SHA256().update(bytes).digest('hex');
}

function assetData({ asset, decimals, available, held, fees, external }: AssetAudit) {
  const amount = (units: Exact) => exactNumber(formatUnits(units, decimals));
  return {
    asset,
    available: amount(available),
    held: amount(held),
    fees: amount(fees),
    external: amount(external),
    sum: amount(sum(sum(available, held), sum(fees, external))),
  };
}

/** Returns the result of a verification as text. */
export function describeVerification(
  data: Verified,
  labels: {
    /** Heading without problems. */
    readonly sound: string;
    /** Subject of the heading with problems. */
    readonly unsound: string;
    readonly fields?: readonly (readonly [string, string])[];
  },
): string {
  const skips = data.skips.map(({ sequence, index, reason }) => `${sequence}/${index} (${reason})`);
  const problems = data.problems.map((problem) => `- ${printable(problem)}`).join('\n');
  return [
    data.sound
      ? printable(labels.sound)
      : `${printable(labels.unsound)} has problems:\n${problems}\n\nResult of the replay up to there:`,
    assetTable(data.assets, 'SUM', ({ sum }) => sum),
    fields([
      ['Batches', String(data.batches)],
      ['Commands', String(data.commands)],
      ...(labels.fields ?? []),
      ['Accounts', String(data.accounts)],
      ['Open orders', String(data.openOrders)],
      ['Equal snapshots', data.snapshots.map((sequence) => `batch ${sequence}`).join(', ')],
      ['Skipped commands', skips.join(', ')],
      ['Log position', String(data.logPosition)],
      ['State hash', data.stateHash],
    ]),
  ].join('\n\n');
}

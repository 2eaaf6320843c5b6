import { applyBatch, type Skips, type Visit } from '../../archivist/recovery.ts';
import { exactNumber } from '../../client/exact-number.ts';
import { type AssetAudit, auditAssets, auditState } from '../../engine/audit/audit.ts';
import { CommandKind, type Skip } from '../../engine/command.ts';
import { Exchange } from '../../engine/exchange.ts';
import { type Exact, sum } from '../../engine/numbers/exact.ts';
import { formatUnits } from '../../engine/numbers/units.ts';
import { writeSnapshot } from '../../engine/snapshot/snapshot.ts';
import type { Batch } from '../../log/log.ts';
import { assetTable } from '../asset-table.ts';
import { fields, printable } from '../text.ts';

/** What a replay of a log comes to, and all that is not as it must be. */
export class Verification {
  /** Sequence of the last batch applied. */
  position: number;
  commands = 0;
  /** Of commands that are passed over. */
  readonly skips: Skip[] = [];
  /** Sequences of the snapshots that hold the state as replayed. */
  readonly equalSnapshots: number[] = [];
  /** All that is not as it must be, in words. */
  readonly problems: string[] = [];

  /** @param begin The batch after which the exchange is as it is given; 0 for an empty one. */
  constructor(
    readonly exchange = new Exchange(),
    readonly begin = 0,
  ) {
    this.position = begin;
  }

  /** Applies the next batch. @param visit Sees each command's outcome. @throws PoisonedCommandError */
  apply(batch: Batch, skipped: Skips, visit?: Visit): void {
    applyBatch(this.exchange, batch, skipped, (_batch, index, command, outcome) => {
      visit?.(batch, index, command, outcome);
      if (command.kind !== CommandKind.skip) return;
      if (skipped.has(`${command.sequence} ${command.index}`)) this.skips.push(command);
    });
    this.position = batch.sequence;
    this.commands += batch.count;
  }

  /** Compares the hash of a snapshot's state, taken after the last batch, with the state as replayed. */
  compare(stateHash: string): void {
    if (stateHash === this.stateHash) this.equalSnapshots.push(this.position);
    else {
      this.problems.push(
        `The snapshot of batch ${this.position} holds another state than the log comes to.`,
      );
    }
  }

  /** Checks the whole state. @throws InvariantError */
  audit(): void {
    auditState(this.exchange.state);
  }

  refuseBeyond(end: number, snapshots: readonly number[]): void {
    for (const sequence of snapshots.filter((each) => each > end)) {
      this.problems.push(
        `The snapshot of batch ${sequence} is beyond the end of the log, batch ${end}.`,
      );
    }
  }

  get stateHash(): string {
    return sha256(writeSnapshot(this.exchange));
  }

  /** @param end Where the log ends. */
  describe(end: number) {
    const { problems, position, begin, commands, exchange, skips, equalSnapshots } = this;
    const { state } = exchange;
    return {
      sound: problems.length === 0,
      problems,
      logPosition: position,
      /** Only of a state that the log comes to. */
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

/** What a verification came to, for people. */
export function textOf(
  data: Verified,
  words: {
    /** Where all is sound. */
    readonly sound: string;
    /** What is not sound, else. */
    readonly unsound: string;
    readonly fields?: readonly (readonly [string, string])[];
  },
): string {
  const skips = data.skips.map(({ sequence, index, reason }) => `${sequence}/${index} (${reason})`);
  const problems = data.problems.map((problem) => `- ${printable(problem)}`).join('\n');
  return [
    data.sound
      ? printable(words.sound)
      : `${printable(words.unsound)} is not sound:\n${problems}\n\nAs far as the replay came:`,
    assetTable(data.assets, 'SUM', ({ sum }) => sum),
    fields([
      ['Batches', String(data.batches)],
      ['Commands', String(data.commands)],
      ...(words.fields ?? []),
      ['Accounts', String(data.accounts)],
      ['Open orders', String(data.openOrders)],
      ['Equal snapshots', data.snapshots.map((sequence) => `batch ${sequence}`).join(', ')],
      ['Skipped commands', skips.join(', ')],
      ['Log position', String(data.logPosition)],
      ['State hash', data.stateHash],
    ]),
  ].join('\n\n');
}

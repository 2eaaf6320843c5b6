import { exactNumber } from '../../client/exact-number.ts';
import { type AssetAudit, auditAssets, auditState } from '../../engine/audit.ts';
import { CommandKind, type Skip } from '../../engine/command.ts';
import { type Exact, sum } from '../../engine/exact.ts';
import { Exchange } from '../../engine/exchange.ts';
import { writeSnapshot } from '../../engine/snapshot.ts';
import { formatUnits } from '../../engine/units.ts';
import { equalHashes } from '../../log/hash.ts';
import type { Batch } from '../../log/log.ts';
import { applyBatch, GENESIS, skipsAfter } from '../../replica/recovery.ts';
import type { Result } from '../command.ts';
import { ExitCode } from '../failure.ts';
import { fields, printable, table } from '../text.ts';
import { type DataDirectory, isFinding, withDataDirectory } from './data-directory.ts';

/**
 * Replays a log from its beginning, compares the state with every snapshot on the way, audits it
 * at the end. Changes nothing.
 */
export function verify(path: string): Promise<Result> {
  return withDataDirectory(path, (directory) => {
    const data = describe(new Verification(directory));
    const exitCode = data.sound ? ExitCode.done : ExitCode.failed;
    return { data, text: textOf(path, data), exitCode };
  });
}

class Verification {
  readonly exchange = new Exchange();
  /** Sequence of the last batch applied. */
  position = 0;
  commands = 0;
  readonly skips: Skip[] = [];
  /** Sequences of the snapshots that hold the state as replayed. */
  readonly equalSnapshots: number[] = [];
  /** All that is not as it must be, in words. */
  readonly problems: string[] = [];

  constructor(readonly directory: DataDirectory) {
    try {
      this.replay();
      auditState(this.exchange.state);
    } catch (error) {
      if (!isFinding(error)) throw error;
      this.problems.push(error.message);
    }
    const end = directory.tail.end.sequence;
    for (const sequence of directory.snapshotSequences.filter((each) => each > end)) {
      this.problems.push(
        `The snapshot of batch ${sequence} is beyond the end of the log, batch ${end}.`,
      );
    }
  }

  private replay(): void {
    const { log } = this.directory;
    const skipped = skipsAfter(log, GENESIS);
    for (const batch of log.read(0)) {
      applyBatch(this.exchange, batch, skipped, (_batch, _index, command) => {
        if (command.kind === CommandKind.skip) this.skips.push(command);
      });
      this.position = batch.sequence;
      this.commands += batch.count;
      if (this.directory.snapshotSequences.includes(batch.sequence)) this.compare(batch);
    }
  }

  /** Compares the snapshot taken after a batch with the state as replayed. */
  private compare(batch: Batch): void {
    try {
      const { position, state } = this.directory.snapshots.read(batch.sequence);
      if (!equalHashes(position.hash, batch.hash)) {
        this.problems.push(`The snapshot of batch ${batch.sequence} belongs to another log.`);
      } else if (sha256(state) !== this.stateHash) {
        this.problems.push(
          `The snapshot of batch ${batch.sequence} holds another state than the log comes to.`,
        );
      } else {
        this.equalSnapshots.push(batch.sequence);
      }
    } catch (error) {
      if (!isFinding(error)) throw error;
      this.problems.push(error.message);
    }
  }

  get stateHash(): string {
    return sha256(writeSnapshot(this.exchange));
  }
}

function sha256(bytes: Uint8Array): string {
  return new Bun.SHA256().update(bytes).digest('hex');
}

function describe(verification: Verification) {
  const { problems, position, commands, exchange, skips, equalSnapshots, directory } = verification;
  const { state } = exchange;
  return {
    sound: problems.length === 0,
    problems,
    logPosition: position,
    /** Only of a state that the log comes to. */
    stateHash: position === directory.tail.end.sequence ? verification.stateHash : null,
    batches: position,
    commands,
    accounts: state.accounts.length,
    openOrders: state.orders.size,
    assets: auditAssets(state).map(assetData),
    snapshots: equalSnapshots,
    skips: skips.map(({ sequence, index, reason }) => ({ sequence, index, reason })),
    tornBytes: directory.tail.torn.length,
  };
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

function textOf(path: string, data: ReturnType<typeof describe>): string {
  const skips = data.skips.map(({ sequence, index, reason }) => `${sequence}/${index} (${reason})`);
  const problems = data.problems.map((problem) => `- ${printable(problem)}`).join('\n');
  const rows = data.assets.map((asset) => [
    asset.asset,
    asset.available,
    asset.held,
    asset.fees,
    asset.external,
    asset.sum,
  ]);
  const torn = `The last ${data.tornBytes} bytes of the log are part of a batch that was never acknowledged: the next start cuts them off.`;
  return [
    data.sound
      ? `The log in ${printable(path)} replays from its beginning, and everything balances.`
      : `The data in ${printable(path)} is not sound:\n${problems}\n\nAs far as the replay came:`,
    table(['ASSET', 'AVAILABLE', 'HELD', 'FEES', 'EXTERNAL', 'SUM'], rows),
    fields([
      ['Batches', String(data.batches)],
      ['Commands', String(data.commands)],
      ['Accounts', String(data.accounts)],
      ['Open orders', String(data.openOrders)],
      ['Equal snapshots', data.snapshots.map((sequence) => `batch ${sequence}`).join(', ')],
      ['Skipped commands', skips.join(', ')],
      ['Log position', String(data.logPosition)],
      ['State hash', data.stateHash],
    ]),
    ...(data.tornBytes > 0 ? [torn] : []),
  ].join('\n\n');
}

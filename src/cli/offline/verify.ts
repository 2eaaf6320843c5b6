import { noteSkip } from '../../archivist/recovery.ts';
import { RememberedByEngine } from '../../archivist/remembered.ts';
import type { ArchiveConfig } from '../../config/archive.ts';
import { equalHashes } from '../../log/hash.ts';
import type { Batch } from '../../log/log.ts';
import type { Progress } from '../../monitoring/progress.ts';
import type { ArchivedLog } from '../../retention/archived-log.ts';
import { openArchivedLog } from '../../retention/retention.ts';
import type { Result } from '../command.ts';
import { ExitCode } from '../failure.ts';
import { type DataDirectory, withDataDirectory } from './data-directory.ts';
import { isFinding } from './finding.ts';
import { HistoryCheck } from './history-check.ts';
import { describeVerification, sha256, Verification, type Verified } from './verification.ts';

/**
 * Replays a log from its start, compares the state with every snapshot, and audits it at the end. Read-only.
 */
export function verify(
  path: string,
  archive: ArchiveConfig | undefined,
  progress: Progress,
): Promise<Result> {
  return withDataDirectory(path, async (directory) => {
    const verification = new Verification();
    const history = await HistoryCheck.open(directory.historyPath);
    const { tail, snapshotSequences } = directory;
    try {
      const log = openArchivedLog(directory.storage, directory.logDirectory, archive);
      await replay(directory, log, verification, history, progress);
      progress.begin('checking the state');
      verification.audit();
    } catch (error) {
      if (!isFinding(error)) throw error;
      verification.problems.push(error.message);
    }
    const historyPosition = await history.finish(tail.end.sequence);
    verification.problems.push(...history.problems);
    verification.reportSnapshotsAfter(tail.end.sequence, snapshotSequences);
    const data = {
      ...verification.describe(tail.end.sequence),
      /** The last batch of the compared history; null if none was compared. */
      historyPosition,
      /** Orders, fills and ledger entries from before are no longer kept; null if all are. */
      historyKeptSince: history.keptSince === 0 ? null : new Date(history.keptSince).toISOString(),
      tornBytes: tail.torn.length,
    };
    const exitCode = data.sound ? ExitCode.done : ExitCode.failed;
    return { data, text: describe(path, data), exitCode };
  });
}

async function replay(
  directory: DataDirectory,
  archived: ArchivedLog,
  verification: Verification,
  history: HistoryCheck,
  progress: Progress,
): Promise<void> {
  const { exchange } = verification;
  const { snapshotSequences, tail } = directory;
  const end = tail.end.sequence;
  async function* read(after: number) {
    for await (const batch of archived.readAll({ sequence: after }, end)) {
      done = batch.sequence;
      progress.tick();
      yield batch;
    }
  }
  let done = 0;
  const measure = { done: () => done, total: end, unit: 'batches' };
  progress.begin('reading the log', measure);
  // Those of archived segments are in the manifest.
  const skipped = new Set(archived.skips);
  for await (const batch of read(archived.archivedTo)) noteSkip(batch, skipped);
  const remembered = new RememberedByEngine(exchange.state);
  done = 0;
  progress.begin('replaying the log', measure);
  for await (const batch of read(0)) {
    verification.apply(batch, skipped, ({ sequence }, index, command, outcome) => {
      remembered.note(outcome);
      const { events, state } = exchange;
      history.record(sequence, index, state.time, command, outcome, events, remembered);
    });
    history.passed(batch);
    if (snapshotSequences.includes(batch.sequence)) compare(directory, verification, batch);
  }
}

/** Compares the snapshot taken after a batch with the replayed state. */
function compare(directory: DataDirectory, verification: Verification, batch: Batch): void {
  try {
    const { position, state } = directory.snapshots.read(batch.sequence);
    if (equalHashes(position.hash, batch.hash)) verification.compare(sha256(state));
    else {
      verification.problems.push(`The snapshot of batch ${batch.sequence} belongs to another log.`);
    }
  } catch (error) {
    if (!isFinding(error)) throw error;
    verification.problems.push(error.message);
  }
}

interface Described extends Verified {
  readonly tornBytes: number;
  readonly historyPosition: number | null;
  readonly historyKeptSince: string | null;
}

function describe(path: string, data: Described): string {
  const { historyPosition, historyKeptSince } = data;
  const kept = historyKeptSince === null ? '' : `, kept since ${historyKeptSince}`;
  const compared =
    historyPosition === null ? 'not compared' : `equal up to batch ${historyPosition}${kept}`;
  const text = describeVerification(data, {
    sound: `The log in ${path} replays from its start, and the books balance.`,
    unsound: `The data in ${path}`,
    fields: data.sound ? [['History', compared]] : [],
  });
  if (data.tornBytes === 0) return text;
  return `${text}\n\nThe last ${data.tornBytes} bytes of the log are part of a batch that was never acknowledged. The next start removes them.`;
}

import { applyBatch } from '../../archivist/recovery.ts';
import { SnapshotStore } from '../../archivist/snapshots/snapshots.ts';
import type { dataPaths } from '../../config/data-paths.ts';
import { CommandKind } from '../../engine/command.ts';
import { Exchange } from '../../engine/exchange.ts';
import { ByteReader, ByteWriter } from '../../engine/numbers/bytes.ts';
import { writeSnapshot } from '../../engine/snapshot/snapshot.ts';
import { decodeCommand, encodeCommand } from '../../log/codec.ts';
import { FileLog } from '../../log/file-log.ts';
import type { Batch } from '../../log/log.ts';
import type { Progress } from '../../monitoring/progress.ts';
import { readCredentials, writeCredentials } from '../../sandbox/credentials-file.ts';
import type { Result } from '../command.ts';
import { fields } from '../text.ts';
import { withNewDirectory } from './fork-target.ts';
import { type Moment, type Source, type SourcePlace, withSource } from './source.ts';
import { sha256 } from './verification.ts';

/** Batches and bytes per sync: enough to make syncs cheap, few enough for memory. */
const BATCHES_PER_SYNC = 4_096;
const BYTES_PER_SYNC = 8 << 20;

/** The exchange of a fork. */
interface Forked {
  readonly exchange: Exchange;
  readonly logPosition: number;
  readonly commands: number;
  /** State hash of the source at the moment of the fork. */
  readonly sourceStateHash: string;
  readonly wasSandbox: boolean;
}

/**
 * Writes a sandbox that begins at a moment of another exchange: its log up to there, and a snapshot. Only reads the
 * source, whose node may be running.
 * @param at By default the end of the log.
 * @throws CliError
 */
export function fork(
  place: SourcePlace,
  at: Moment | undefined,
  to: string,
  progress: Progress,
): Promise<Result> {
  const from = place.path;
  return withSource(place, at, progress, (source) =>
    withNewDirectory(to, from, async (paths) => {
      const forked = await copyLog(source, paths);
      const { exchange, logPosition, wasSandbox } = forked;
      progress.begin('writing the snapshot');
      const state = writeSnapshot(exchange);
      const position = { sequence: logPosition, hash: forked.hash };
      await source.storage.makeDirectory(paths.snapshots);
      await new SnapshotStore(source.storage, paths.snapshots).write(position, state);
      if (wasSandbox) await copyCredentials(source, paths);
      return toResult(from, to, source, forked, sha256(state));
    }),
  );
}

/** Copies the log up to the moment and replays it. The copy is that of a sandbox. */
async function copyLog(
  source: Source,
  paths: ReturnType<typeof dataPaths>,
): Promise<Forked & { readonly hash: Uint8Array }> {
  const log = await FileLog.open({ storage: source.storage, directory: paths.log });
  const exchange = new Exchange();
  let [commands, bytes, wasSandbox, sourceStateHash] = [0, 0, true, ''];
  let pending: Batch[] = [];
  const append = async () => {
    if (pending.length > 0) await log.appendAll(pending);
    [pending, bytes] = [[], 0];
  };
  const take = async (batch: Batch) => {
    applyBatch(exchange, batch, source.skips);
    pending.push(batch);
    commands += batch.count;
    bytes += batch.payload.length;
    if (pending.length >= BATCHES_PER_SYNC || bytes >= BYTES_PER_SYNC) await append();
  };
  try {
    for await (const batch of source.read('copying the log')) {
      if (batch.sequence > 1) await take(batch);
      else {
        const opened = openAsSandbox(batch);
        wasSandbox = opened.wasSandbox;
        await take(opened.batch);
      }
    }
    sourceStateHash = hashAs(exchange, wasSandbox);
    // Without these records a start of the fork would stop at the commands that they skip.
    const { time } = exchange.state;
    for (const record of source.laterSkips) await take({ ...record, time });
    await append();
    const { lastSequence: logPosition, lastHash: hash } = log;
    return { exchange, logPosition, hash, commands, sourceStateHash, wasSandbox };
  } finally {
    await log.close();
  }
}

/** Returns the first batch of a log as that of a sandbox, and whether it was one. */
function openAsSandbox(batch: Batch): { batch: Batch; wasSandbox: boolean } {
  const reader = new ByteReader(batch.payload);
  const command = decodeCommand(reader);
  if (command.kind !== CommandKind.open || command.sandbox) return { batch, wasSandbox: true };
  const writer = new ByteWriter();
  encodeCommand(writer, { ...command, sandbox: true });
  // The flag does not change the size of the command.
  writer.append(batch.payload.subarray(writer.length));
  return { batch: { ...batch, payload: writer.bytes() }, wasSandbox: false };
}

/** Returns the state hash of an exchange as if it were a sandbox, or a real exchange. */
function hashAs(exchange: Exchange, isSandbox: boolean): string {
  const { state } = exchange;
  const { sandbox } = state;
  state.sandbox = isSandbox;
  const hash = sha256(writeSnapshot(exchange));
  state.sandbox = sandbox;
  return hash;
}

/** Copies the keys of a sandbox, so that programs can use both. Those that do not work are replaced at start. */
async function copyCredentials(
  { storage, paths: from }: Source,
  to: ReturnType<typeof dataPaths>,
): Promise<void> {
  const file = readCredentials(from.sandbox);
  if (file !== undefined) await writeCredentials(storage, to.sandbox, file);
}

function toResult(
  from: string,
  to: string,
  { end }: Source,
  { exchange, logPosition, commands, sourceStateHash, wasSandbox }: Forked,
  stateHash: string,
): Result {
  const { state } = exchange;
  const data = {
    from,
    to,
    forkedAt: end,
    time: new Date(state.time).toISOString(),
    logPosition,
    commands,
    accounts: state.accounts.length,
    openOrders: state.orders.size,
    sourceStateHash,
    stateHash,
    wasSandbox,
  };
  const text = fields([
    ['Forked at', `batch ${end}, ${data.time}`],
    ['Log position', logPosition],
    ['Commands', commands],
    ['Accounts', data.accounts],
    ['Open orders', data.openOrders],
    ['State hash of the source', sourceStateHash],
    ['State hash', stateHash],
  ]);
  const keys = wasSandbox
    ? 'The keys and passwords in sandbox.json work there too.'
    : 'API keys of the source work there, except HMAC keys; its users are not copied.';
  return {
    data,
    text: `${to} is a sandbox that begins at batch ${end} of ${from}.\n\n${text}\n\n${keys} Start it: buttonwood start --data ${to}`,
  };
}

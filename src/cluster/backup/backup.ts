import { existsSync, mkdirSync, readdirSync, statSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { Objm } from '@nats-io/obj';
import type { NatsConnection } from '@nats-io/transport-node';
import { OperatorError } from '../../monitoring/operator-error.ts';
import type { Progress } from '../../monitoring/progress.ts';
import { dumpDatabase, refuseUnlessEmpty, restoreDatabase } from './postgres-dump.ts';
import {
  type Content,
  checkContent,
  copyStream,
  measureFile,
  type NoteBytes,
  restoreStream,
  type StreamCopy,
  streamNames,
} from './stream-copy.ts';

/** A backup cannot be taken, or cannot be restored here. */
export class BackupError extends OperatorError {
  override readonly name = 'BackupError';
}

const FORMAT = 1;
const MANIFEST = 'backup.json';
const DUMP = 'postgres.dump';

/** The manifest of a backup. It is written last: a directory without it is an incomplete backup. */
export interface Backup {
  readonly format: typeof FORMAT;
  readonly takenAt: string;
  /** The stream of the log; the other streams are its object stores. */
  readonly logStream: string;
  readonly streams: readonly StreamCopy[];
  /** The last batch that the history in the database contains. */
  readonly historyPosition: number;
  readonly dump: Content;
}

/** The NATS servers and the database of a cluster. */
export interface Places {
  readonly connection: NatsConnection;
  readonly logStream: string;
  readonly databaseUrl: string;
  readonly progress: Progress;
}

/**
 * Copies the log, its snapshots and the database into a new directory while the nodes run. The snapshot of the database
 * is taken before the streams are copied, so its history is never ahead of the log; a node writes the rest from the log.
 * @throws BackupError, StreamCopyError, PostgresDumpError
 */
export async function backUp(places: Places, directory: string): Promise<Backup> {
  const { connection, logStream, databaseUrl, progress } = places;
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  if (readdirSync(directory).length > 0) {
    throw new BackupError(`${directory} is not empty. Name a new or empty directory.`);
  }
  const parts = [logStream, `OBJ_${bucketName(logStream)}`];
  const names = (await streamNames(connection)).filter((name) => parts.includes(name));
  if (!names.includes(logStream)) throw new BackupError(`There is no stream ${logStream}.`);
  const dumpPath = join(directory, DUMP);
  const dumpedBytes = () => statSync(dumpPath, { throwIfNoEntry: false })?.size ?? 0;
  const note = countBytes(progress, 'copying the database and the streams', undefined, dumpedBytes);
  const copies = () =>
    Promise.all(
      names.map((name) => copyStream(connection, name, streamPath(directory, name), note)),
    );
  const takenAt = new Date().toISOString();
  const copied = await dumpDatabase(databaseUrl, dumpPath, async (historyPosition) => ({
    streams: await copies(),
    historyPosition,
  }));
  const dump = await measureFile(
    dumpPath,
    countBytes(progress, 'hashing the database dump', dumpedBytes()),
  );
  const backup: Backup = { format: FORMAT, takenAt, logStream, ...copied, dump };
  refuseUnlessContinuous(backup, backup.historyPosition);
  await refuseUnlessRebuildable(places, backup);
  await writeDurably(join(directory, MANIFEST), `${JSON.stringify(backup, undefined, 2)}\n`);
  return backup;
}

/**
 * Restores a backup into servers and a database that have none of it. Everything is checked before anything is changed.
 * @param replicas Number of servers that store each stream.
 * @throws BackupError, StreamCopyError, PostgresDumpError
 */
export async function restore(
  places: Places,
  directory: string,
  replicas: number,
): Promise<Backup> {
  const { connection, logStream, databaseUrl, progress } = places;
  const backup = await readBackup(directory);
  if (backup.logStream !== logStream) {
    throw new BackupError(
      `The backup contains the stream ${backup.logStream}, not ${logStream}. Use --log-stream ${backup.logStream}.`,
    );
  }
  const streamBytes = backup.streams.reduce((sum, { bytes }) => sum + bytes, 0);
  const noteRead = countBytes(progress, 'checking the files', backup.dump.bytes + streamBytes);
  await checkContent(backup.dump, join(directory, DUMP), noteRead);
  for (const copy of backup.streams) {
    await checkContent(copy, streamPath(directory, copy.stream), noteRead);
  }
  const present = await streamNames(connection);
  const existing = backup.streams.find(({ stream }) => present.includes(stream));
  if (existing !== undefined) {
    throw new BackupError(
      `The stream ${existing.stream} already exists. Delete it if it is no longer needed, then restore again.`,
    );
  }
  await refuseUnlessEmpty(databaseUrl);
  progress.begin('restoring the database');
  refuseUnlessContinuous(backup, await restoreDatabase(databaseUrl, join(directory, DUMP)));
  const noteSent = countBytes(progress, 'restoring the streams', streamBytes);
  for (const copy of backup.streams) {
    const path = streamPath(directory, copy.stream);
    const now = await restoreStream(connection, copy, path, replicas, noteSent);
    if (copy.stream !== logStream || now.messages === now.last_seq - now.first_seq + 1) continue;
    throw new BackupError(
      `The restored log has a gap: it has ${now.messages} messages from ${now.first_seq} to ${now.last_seq}. Restore another backup.`,
    );
  }
  return backup;
}

const MIB = 1024 * 1024;

/**
 * Begins a stage of that many bytes and returns the function that counts them.
 * @param others Returns bytes that are counted elsewhere.
 */
function countBytes(
  progress: Progress,
  stage: string,
  totalBytes?: number,
  others: () => number = () => 0,
): NoteBytes {
  let bytes = 0;
  const done = () => (bytes + others()) / MIB;
  const total = totalBytes === undefined ? {} : { total: totalBytes / MIB };
  progress.begin(stage, { done, ...total, unit: 'MiB' });
  return (more) => {
    bytes += more;
  };
}

/** The object store of the snapshots. */
function bucketName(logStream: string): string {
  return `${logStream}-snapshots`;
}

/**
 * A node that continues history starts from a snapshot that history has passed, or from the first batch. Such a snapshot
 * that exists now was also in the copy, because later snapshots are never older.
 */
async function refuseUnlessRebuildable({ connection, logStream }: Places, backup: Backup) {
  const { historyPosition, streams } = backup;
  if (streams.find(({ stream }) => stream === logStream)!.state.first_seq <= 1) return;
  const objects = await new Objm(connection).open(bucketName(logStream));
  const sequences = (await objects.list()).map(({ name }) => Number(name));
  if (sequences.some((sequence) => sequence <= historyPosition)) return;
  throw new BackupError(
    'New snapshots replaced the older ones during the backup. Take the backup again.',
  );
}

/** History continues with the batch after its last one, so it must not be ahead of the log or before its beginning. */
function refuseUnlessContinuous({ logStream, streams }: Backup, historyPosition: number) {
  const { first_seq, last_seq } = streams.find(({ stream }) => stream === logStream)!.state;
  if (historyPosition > last_seq) {
    throw new BackupError(
      `History is at batch ${historyPosition}, ahead of the log, which ends at ${last_seq}, so no node would start. ` +
        'Take one backup of both, in which the database is dumped before the streams.',
    );
  }
  if (historyPosition < first_seq - 1) {
    throw new BackupError(
      `History ends at batch ${historyPosition}, and the log begins at ${first_seq}: it was trimmed during the backup. Take the backup again.`,
    );
  }
}

async function readBackup(directory: string): Promise<Backup> {
  const path = join(directory, MANIFEST);
  if (!existsSync(path)) {
    throw new BackupError(`${path} is missing: the directory has no backup, or an incomplete one.`);
  }
  const backup = (await Bun.file(path).json()) as Backup;
  if (backup.format === FORMAT) return backup;
  throw new BackupError(`${path} has format ${backup.format}; this version reads ${FORMAT}.`);
}

async function writeDurably(path: string, text: string): Promise<void> {
  const file = await open(path, 'wx', 0o600);
  await file.writeFile(text);
  await file.sync();
  await file.close();
}

function streamPath(directory: string, stream: string): string {
  return join(directory, `${stream}.stream`);
}

import { existsSync, mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { skipsIn } from '../../archivist/recovery.ts';
import type { ArchiveConfig } from '../../config/archive.ts';
import { dataPaths } from '../../config/data-paths.ts';
import { equalHashes } from '../../log/hash.ts';
import { readHeader, segmentName, segmentNames } from '../../log/segment.ts';
import { OperatorError } from '../../monitoring/operator-error.ts';
import type { Progress } from '../../monitoring/progress.ts';
import { ArchiveDamagedError } from '../../retention/archive-store.ts';
import {
  type ArchiveEntry,
  chainTo,
  endPosition,
  isComplete,
  objectName,
} from '../../retention/entry.ts';
import type { LogArchive } from '../../retention/log-archive.ts';
import { Manifest } from '../../retention/manifest.ts';
import { openLogArchive } from '../../retention/open-log-archive.ts';
import { DiskStorage } from '../../storage/disk-storage.ts';
import { readAll, type Storage, writeAll } from '../../storage/storage.ts';
import type { Result } from '../command.ts';
import { ExitCode } from '../failure.ts';
import { fields, printable } from '../text.ts';
import { cliError } from './finding.ts';

/** An archive, and the data directory whose log it continues, which need not exist. */
export interface ArchivePlace {
  readonly archive: ArchiveConfig;
  readonly directory: string;
}

/** The archived part of one log. */
interface Archived {
  readonly storage: Storage;
  readonly archive: LogArchive;
  /** Entries, oldest first. */
  readonly chain: readonly ArchiveEntry[];
  /** Directory of the log; undefined if there is none on this disk. */
  readonly logDirectory: string | undefined;
  readonly problems: string[];
}

const OPTIONS = { skipsIn, pause: async () => {} };

/** Compares the manifest with the objects in the archive, without reading them. The node may run. */
export function archiveStatus(place: ArchivePlace): Promise<Result> {
  return withArchive(place, async (archived) => {
    const names = new Set(await archived.archive.store.list());
    for (const entry of archived.chain) {
      if (names.has(objectName(entry))) continue;
      archived.problems.push(`The object ${objectName(entry)} is missing.`);
    }
    return toResult(archived, 'has every segment of the manifest');
  });
}

/** Reads every segment from the archive, and verifies its frames and the chain of their hashes. The node may run. */
export function archiveVerify(place: ArchivePlace, progress: Progress): Promise<Result> {
  return withArchive(place, async (archived) => {
    await eachSegment(archived, 'verifying the archive', progress, async () => {});
    return toResult(archived, 'is verified');
  });
}

/**
 * Writes the log to a new directory: the archived segments and, if the data directory has them, the later ones.
 * @param to A directory that is new or empty.
 */
export function archiveRestore(
  place: ArchivePlace,
  to: string,
  progress: Progress,
): Promise<Result> {
  return withArchive(place, async (archived) => {
    const { storage, logDirectory, problems } = archived;
    const target = dataPaths(to).log;
    if (existsSync(to) && readdirSync(to).length > 0) {
      throw cliError('NOT_EMPTY', `${to} is not empty. Name a directory that is new or empty.`);
    }
    mkdirSync(to, { recursive: true, mode: 0o700 });
    await storage.makeDirectory(target);
    await eachSegment(archived, 'restoring the log', progress, async (entry, bytes) => {
      await write(storage, join(target, segmentName(entry.first)), bytes);
    });
    if (logDirectory !== undefined && problems.length === 0) {
      for (const name of segmentNames(storage, logDirectory)) {
        if (existsSync(join(target, name))) continue;
        await write(storage, join(target, name), readAll(storage, join(logDirectory, name)));
      }
    }
    await storage.syncDirectory(target);
    return toResult(archived, `was restored to ${target}`);
  });
}

/** Verifies every segment and the links between them, and passes on those without a problem. */
async function eachSegment(
  { archive, chain, problems }: Archived,
  stage: string,
  progress: Progress,
  take: (entry: ArchiveEntry, bytes: Uint8Array) => Promise<void>,
): Promise<void> {
  let done = 0;
  progress.begin(stage, { done: () => done, total: chain.length, unit: 'segments' });
  for (const entry of chain) {
    try {
      await take(entry, await archive.verify(entry, OPTIONS));
    } catch (error) {
      if (!(error instanceof ArchiveDamagedError)) throw error;
      problems.push(error.message);
    }
    done++;
    progress.tick();
  }
}

async function write(storage: Storage, path: string, bytes: Uint8Array): Promise<void> {
  const file = storage.create(path);
  try {
    writeAll(file, bytes, 0);
    await file.sync();
  } finally {
    file.close();
  }
}

/** Finds the archived part of a log. @throws CliError if the archive cannot be read, or has several logs */
async function withArchive(
  { archive: config, directory }: ArchivePlace,
  work: (archived: Archived) => Promise<Result>,
): Promise<Result> {
  const storage = new DiskStorage();
  const archive = openLogArchive(config.location, storage);
  const { log } = dataPaths(directory);
  try {
    const problems: string[] = [];
    if (!existsSync(log) || segmentNames(storage, log).length === 0) {
      const chain = await findOnly(archive, problems);
      return await work({ storage, archive, chain, logDirectory: undefined, problems });
    }
    const chain = await findLocal(storage, archive, log, problems);
    return await work({ storage, archive, chain, logDirectory: log, problems });
  } catch (error) {
    if (!(error instanceof OperatorError)) throw error;
    throw cliError('ARCHIVE', error.message);
  }
}

/** Returns the chain of a log on this disk, and checks that the log continues it. */
async function findLocal(
  storage: Storage,
  archive: LogArchive,
  log: string,
  problems: string[],
): Promise<readonly ArchiveEntry[]> {
  const [oldest] = segmentNames(storage, log);
  const start = readHeader(storage, log, oldest!);
  const { entries } = Manifest.open(storage, log);
  // A segment that was archived may not be deleted yet.
  if (start.sequence < (entries.at(-1)?.last ?? 0)) return entries;
  if (start.sequence === 0) return entries;
  const chain = entries.length > 0 ? entries : chainTo((await archive.entries()).entries, start);
  const end = chain.at(-1);
  if (end === undefined || !equalHashes(endPosition(end).hash, start.hash)) {
    problems.push(
      `The log in ${log} continues batch ${start.sequence}, but the archive ends with batch ${end?.last ?? 0} or with another one.`,
    );
  }
  return chain;
}

/** Returns the longest chain of the only log in an archive. @throws CliError */
async function findOnly(archive: LogArchive, problems: string[]): Promise<ArchiveEntry[]> {
  const { entries, problems: unreadable } = await archive.entries();
  problems.push(...unreadable.map(({ message }) => message));
  const logs = [...new Set(entries.map(({ log }) => log))];
  if (logs.length > 1) {
    throw cliError(
      'SEVERAL_LOGS',
      `${archive.url} has several logs (${logs.join(', ')}). Name the data directory of one with --data.`,
    );
  }
  const newest = entries.reduce<ArchiveEntry | undefined>(
    (best, entry) => (best === undefined || entry.last > best.last ? entry : best),
    undefined,
  );
  return newest === undefined ? [] : chainTo(entries, endPosition(newest));
}

function toResult({ archive, chain, problems }: Archived, verb: string): Result {
  if (chain.length > 0 && !isComplete(chain)) {
    problems.push(`The archive begins with batch ${chain[0]!.first}, not with the first.`);
  }
  const sum = (read: (entry: ArchiveEntry) => number) =>
    chain.reduce((total, entry) => total + read(entry), 0);
  const newest = chain.at(-1);
  const data = {
    sound: problems.length === 0,
    problems,
    url: archive.url,
    log: newest?.log ?? null,
    segments: chain.length,
    firstBatch: chain[0]?.first ?? null,
    lastBatch: newest?.last ?? null,
    lastTime: newest === undefined ? null : new Date(newest.lastTime).toISOString(),
    lastHash: newest?.lastHash ?? null,
    commands: sum(({ commands }) => commands),
    bytes: sum(({ bytes }) => bytes),
    storedBytes: sum(({ storedBytes }) => storedBytes),
  };
  const heading = data.sound
    ? `The archive ${archive.url} ${verb}.`
    : `The archive ${archive.url} has problems:\n${problems.map((problem) => `- ${printable(problem)}`).join('\n')}`;
  const text = fields([
    ['Log', data.log],
    ['Segments', data.segments],
    ['Batches', newest === undefined ? null : `${data.firstBatch} to ${data.lastBatch}`],
    ['Until', data.lastTime],
    ['Hash of the last batch', data.lastHash],
    ['Commands', data.commands],
    ['Bytes', data.bytes],
    ['Stored bytes', data.storedBytes],
  ]);
  const exitCode = data.sound ? ExitCode.done : ExitCode.failed;
  return { data, text: `${printable(heading).replaceAll('\\u{000a}', '\n')}\n\n${text}`, exitCode };
}

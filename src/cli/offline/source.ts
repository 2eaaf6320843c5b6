import { existsSync } from 'node:fs';
import { noteSkip } from '../../archivist/recovery.ts';
import type { ArchiveConfig } from '../../config/archive.ts';
import { dataPaths } from '../../config/data-paths.ts';
import { CommandKind } from '../../engine/command.ts';
import { EngineVersionError } from '../../engine/rejection.ts';
import type { Batch } from '../../log/log.ts';
import { openSourceLog, type SourceLog } from '../../log/source-log.ts';
import type { Progress } from '../../monitoring/progress.ts';
import type { ArchivedLog } from '../../retention/archived-log.ts';
import { openArchivedLog } from '../../retention/retention.ts';
import { DiskStorage } from '../../storage/disk-storage.ts';
import { cliError, isFinding } from './finding.ts';

/** A moment in a log: a position, or a time in milliseconds since 1970. */
export type Moment = { readonly position: number } | { readonly timeMs: number };

/** The part of a log up to a moment. The node that writes the log may be running. */
export interface Source {
  readonly storage: DiskStorage;
  readonly paths: ReturnType<typeof dataPaths>;
  /** Sequence of the last batch of the part. */
  readonly end: number;
  /** Commands of the part that an operator has skipped, as `sequence index`. */
  readonly skips: ReadonlySet<string>;
  /** The records of them that come after the part. */
  readonly laterSkips: readonly Batch[];
  /** Reads the part, and reports the progress as that of `stage`. */
  read(stage: string): AsyncIterable<Batch>;
}

/** A data directory, and the archive with the older part of its log. */
export interface SourcePlace {
  readonly path: string;
  readonly archive?: ArchiveConfig | undefined;
}

type ReadableSource = Pick<SourceLog, 'lastSequence'> & { readonly log: ArchivedLog };

/** Returns the moment that an option names, whose form was checked; undefined if there is none. */
export function parseMoment(text: string | undefined): Moment | undefined {
  if (text === undefined) return undefined;
  return /^\d+$/.test(text) ? { position: Number(text) } : { timeMs: Date.parse(text) };
}

/**
 * Runs `work` on the log of a data directory up to a moment, by default up to its end. Changes nothing there.
 * @throws CliError if there is no log, if it does not have that moment, or if it cannot be read
 */
export async function withSource<T>(
  { path, archive }: SourcePlace,
  at: Moment | undefined,
  progress: Progress,
  work: (source: Source) => T | Promise<T>,
): Promise<T> {
  const paths = dataPaths(path);
  if (existsSync(paths.beginning) || existsSync(paths.forking)) {
    throw cliError('INCOMPLETE', `The sandbox in ${path} is incomplete. Wait until it is created.`);
  }
  if (!existsSync(paths.log)) {
    throw cliError(
      'NO_DATA',
      `No log of an exchange in ${path}. Name its data directory with --data or BUTTONWOOD_DATA. The log of a cluster is not in files.`,
    );
  }
  try {
    const storage = new DiskStorage();
    const { lastSequence } = await openSourceLog(storage, paths.log);
    const log = { lastSequence, log: openArchivedLog(storage, paths.log, archive) };
    return await work({ storage, paths, ...(await survey(log, path, at, progress)) });
  } catch (error) {
    if (error instanceof EngineVersionError) throw cliError('NEWER', `${error.message}.`);
    throw isFinding(error) ? cliError('UNSOUND', error.message) : error;
  }
}

/** Reads the whole log, to find the moment and the skips: their records come after the commands. */
async function survey(
  log: ReadableSource,
  path: string,
  at: Moment | undefined,
  progress: Progress,
) {
  const skips = new Set<string>();
  const records: Batch[] = [];
  let [end, lastTime] = [0, 0];
  for await (const batch of track(log, log.lastSequence, 'reading the log', progress)) {
    if (batch.payload[0] === CommandKind.skip) {
      noteSkip(batch, skips);
      records.push(batch);
    }
    lastTime = batch.time;
    if (at === undefined || 'position' in at || batch.time <= at.timeMs) end = batch.sequence;
  }
  end = resolve(at, { path, end, lastSequence: log.lastSequence, lastTime });
  const isInPart = (skip: string) => Number(skip.split(' ')[0]) <= end;
  return {
    end,
    skips: new Set([...skips].filter(isInPart)),
    laterSkips: records.filter((record) => record.sequence > end && skipsWithin(record, isInPart)),
    read: (stage: string) => track(log, end, stage, progress),
  };
}

function skipsWithin(record: Batch, isInPart: (skip: string) => boolean): boolean {
  const skips = new Set<string>();
  noteSkip(record, skips);
  return [...skips].some(isInPart);
}

interface Found {
  readonly path: string;
  /** The last batch at or before the wanted time. */
  readonly end: number;
  readonly lastSequence: number;
  readonly lastTime: number;
}

/** @throws CliError if the log does not have the moment */
function resolve(at: Moment | undefined, { path, end, lastSequence, lastTime }: Found): number {
  if (lastSequence === 0) throw cliError('NO_DATA', `The log in ${path} has no batch yet.`);
  const lastText = `batch ${lastSequence}, at ${new Date(lastTime).toISOString()}`;
  if (at === undefined) return lastSequence;
  if ('position' in at) {
    if (at.position <= lastSequence) return at.position;
    throw cliError(
      'NO_SUCH_POSITION',
      `There is no batch ${at.position} in ${path}: the log ends with ${lastText}.`,
    );
  }
  if (end === 0) {
    const wanted = new Date(at.timeMs).toISOString();
    throw cliError('NO_SUCH_POSITION', `The log in ${path} begins after ${wanted}.`);
  }
  if (at.timeMs <= lastTime) return end;
  throw cliError(
    'NO_SUCH_POSITION',
    `The log in ${path} ends before that time, with ${lastText}. Leave out --at for its end.`,
  );
}

/** Returns the batches of a log up to `end`, and reports the progress. */
async function* track(
  { log, lastSequence }: ReadableSource,
  end: number,
  stage: string,
  progress: Progress,
): AsyncGenerator<Batch> {
  let done = 0;
  progress.begin(stage, { done: () => done, total: end, unit: 'batches' });
  for await (const batch of log.readAll({ sequence: 0 }, lastSequence)) {
    done = batch.sequence;
    progress.tick();
    yield batch;
    if (batch.sequence >= end) return;
  }
}

import { existsSync } from 'node:fs';
import { HistoryUnavailableError } from '../archivist/archivist.ts';
import { loadNewest, replayInTurns } from '../archivist/recovery.ts';
import { SnapshotStore } from '../archivist/snapshots/snapshots.ts';
import { WorkerArchivist } from '../archivist/worker-archivist.ts';
import type { Kept } from '../config/archive.ts';
import type { Config } from '../config/config.ts';
import type { dataPaths } from '../config/data-paths.ts';
import { CommandKind, SYSTEM_ACTOR } from '../engine/command.ts';
import { ENGINE_VERSION } from '../engine/exchange.ts';
import type { State } from '../engine/state.ts';
import { FileLog, SEGMENT_BYTES } from '../log/file-log.ts';
import * as logger from '../monitoring/logger.ts';
import { Replica, realTimers, singleNodeLog } from '../replica/replica.ts';
import { openArchivedLog } from '../retention/retention.ts';
import { seedHistory } from '../sandbox/seeded-history.ts';
import { DiskSpace } from '../storage/disk-space.ts';
import { lockDirectory } from '../storage/lock.ts';
import type { Storage } from '../storage/storage.ts';
import { checkKind } from './check-kind.ts';
import { DayStatistics, DeferredStatistics } from './day-statistics.ts';
import { exemptAccounts } from './exempt-accounts.ts';
import { createExchange, executeAll } from './genesis.ts';
import {
  refuseFileAsLog,
  refuseForeignDatabase,
  refuseIncompleteFork,
  refuseMissingLog,
  refuseMissingUsers,
} from './missing-log.ts';
import { MIN_FREE_BYTES, type NodeContext, type NodeCore } from './node-core.ts';
import { isVirtual } from './sandbox-parts.ts';

type Paths = ReturnType<typeof dataPaths>;

const MIN_SEGMENT_BYTES = 64 * 1024;

/** Recovers the exchange of a data directory, or creates one there. */
export async function openSingle(
  config: Config,
  paths: Paths,
  context: NodeContext,
): Promise<NodeCore> {
  const { storage, clock, now, metrics, readiness, onEvents, onFailure } = context;
  const { log, lock } = await openLog(config, paths, storage);
  clock.startAfter(log.lastTime);
  await storage.makeDirectory(paths.snapshots);
  const snapshots = new SnapshotStore(storage, paths.snapshots);
  const isNew = log.lastSequence === 0;
  const seeded = isNew ? await fillLog(config, paths, log, snapshots, context) : undefined;
  const archivist = startArchivist(config, paths, log, isNew, onFailure);
  // Avoids an unhandled rejection if recovery fails first.
  archivist.ready.catch(() => {});
  readiness.add('replaying');
  const { exchange } = seeded ?? (await recover(config, paths, storage, log, snapshots));
  checkExchange(config, paths, exchange.state);
  // Takes 20 ms, a tenth of a test exchange's start.
  if (!isVirtual(config))
    exchange.state.reserve(Math.max(MIN_FREE_BYTES, 2 * exchange.state.orders.size));
  await archivist.ready;
  // Seeded trading is already counted.
  const figures =
    seeded === undefined
      ? await loadDay(archivist, exchange.state, log.lastSequence, context)
      : undefined;
  readiness.clear('replaying');
  readiness.check('clock off', () => clock.isOff);
  const replica: Replica = new Replica({
    exchange,
    log: singleNodeLog(log),
    archivist,
    now,
    metrics,
    timers: realTimers,
    onEvents: (events) => {
      onEvents(events);
      figures?.note(replica.position + 1, events);
    },
    onFailure,
  });
  await replica.begin();
  await upgrade(replica);
  figures?.load(archivist, replica, now).catch(onFailure);
  const disk = watchDisk(config, paths, onFailure);
  const rest = () => {
    disk.stop();
    figures?.stop();
  };
  const parts = { replica, archivist, log, disk, hasKeys: true, bus: undefined };
  return { ...parts, ...createEndings(replica, archivist, log, lock, rest) };
}

/** Returns the two ways in which a core ends. @param stopRest Ends everything that only reads. */
function createEndings(
  replica: Replica,
  archivist: WorkerArchivist,
  log: FileLog,
  lock: { release(): void },
  stopRest: () => void,
): Required<Pick<NodeCore, 'close' | 'discard'>> {
  return {
    close: async () => {
      stopRest();
      await replica.close();
      await archivist.close();
      await log.close();
      lock.release();
    },
    discard: async () => {
      stopRest();
      await replica.hold();
      replica.discard();
      await archivist.discard();
      await log.close();
      lock.release();
    },
  };
}

/** Creates the exchange in an empty log. @returns the exchange if it was seeded with trading */
async function fillLog(
  { isSandbox, hasMakers, seed }: Config,
  paths: Paths,
  log: FileLog,
  snapshots: SnapshotStore,
  { storage, statistics, now, credentialsPath, plannedUrl, randomBytes, recording }: NodeContext,
) {
  if (hasMakers) {
    logger.info('Creating thirty days of trading. This takes some seconds, once …');
    return seedHistory({
      storage,
      log,
      snapshots,
      marker: paths.beginning,
      seed,
      now: now(),
      onEvents: (events) => statistics.note(events),
    });
  }
  const credentials = [credentialsPath, plannedUrl, randomBytes] as const;
  await createExchange(log, now(), storage, isSandbox, ...credentials, recording);
  return undefined;
}

function startArchivist(
  config: Config,
  paths: Paths,
  log: FileLog,
  isFirstStart: boolean,
  onFailure: (error: Error) => void,
): WorkerArchivist {
  const { database, archive, keptHistoryMs } = config;
  const start = {
    log: 'file',
    logDirectory: paths.log,
    snapshotDirectory: paths.snapshots,
    proofDirectory: paths.proofs,
    rebuiltHistory: paths.rebuiltHistory,
    reportDirectory: paths.reports,
    isFirstStart,
    historyUrl: database.kind === 'sqlite' ? `sqlite://${paths.history}` : database.url,
    keptHistoryMs,
    exemptAccounts: exemptAccounts(config),
    logEnd: log.lastSequence,
    archive,
  } as const;
  return new WorkerArchivist(start, onFailure);
}

async function recover(
  { archive }: Config,
  paths: Paths,
  storage: Storage,
  { lastSequence }: FileLog,
  snapshots: SnapshotStore,
) {
  const recovered = loadNewest(snapshots);
  const log = openArchivedLog(storage, paths.log, archive);
  const read = (sequence: number, hash?: Uint8Array) =>
    log.stream({ sequence, hash }, lastSequence);
  await replayInTurns({ read }, recovered);
  return recovered;
}

/** @throws WrongDataError if the exchange is of another kind, or its database of users is missing */
function checkExchange(
  { isSandbox, dataDirectory, database }: Config,
  paths: Paths,
  state: State,
): void {
  checkKind(state, isSandbox, dataDirectory);
  if (!isSandbox && database.kind === 'sqlite') refuseMissingUsers(paths, state.accounts.length);
}

/** Upgrades the log to this release's engine version; older releases reject it from then on. */
async function upgrade(replica: Replica): Promise<void> {
  const { state } = replica.exchange;
  if (state.version >= ENGINE_VERSION) return;
  const from = state.version;
  await executeAll(replica, [
    { kind: CommandKind.upgrade, ...SYSTEM_ACTOR, version: ENGINE_VERSION },
  ]);
  logger.info(`The engine was upgraded from version ${from} to ${ENGINE_VERSION}.`);
}

function watchDisk(
  { dataDirectory }: Config,
  { log, snapshots }: Paths,
  onFailure: (error: Error) => void,
): DiskSpace {
  return new DiskSpace({
    directories: [dataDirectory, log, snapshots],
    snapshotDirectory: snapshots,
    onFailure,
  });
}

/** Locks and opens the log. @throws WrongDataError if it is missing */
async function openLog({ database, archive }: Config, paths: Paths, storage: Storage) {
  const onEmpty = async (isInterrupted: boolean) => {
    refuseMissingLog(paths, isInterrupted);
    if (database.kind === 'postgres') await refuseForeignDatabase(paths.log, database.url);
  };
  refuseIncompleteFork(paths);
  refuseFileAsLog(paths.log);
  if (!existsSync(paths.log)) await onEmpty(false);
  await storage.makeDirectory(paths.log);
  // In addition to the data directory: the log may be a volume that two data directories share.
  const lock = lockDirectory(paths.log);
  const segmentBytes = archive && segmentSize(archive.kept);
  const log = await FileLog.open({ storage, directory: paths.log, onEmpty, segmentBytes });
  return { log, lock };
}

/** Returns the maximum size of a segment: what stays on the disk is bounded by its size to an eighth. */
function segmentSize(kept: Kept): number | undefined {
  if (!('maxBytes' in kept)) return undefined;
  return Math.min(SEGMENT_BYTES, Math.max(MIN_SEGMENT_BYTES, Math.floor(kept.maxBytes / 8)));
}

/**
 * Loads the 24 h figures of all markets.
 * @returns an object that loads them later, if history is not available yet
 */
async function loadDay(
  archivist: WorkerArchivist,
  state: State,
  position: number,
  { statistics, now }: NodeContext,
): Promise<DeferredStatistics | undefined> {
  try {
    await new DayStatistics(statistics).load(archivist, state, position, now());
    return undefined;
  } catch (error) {
    if (!(error instanceof HistoryUnavailableError)) throw error;
    return new DeferredStatistics(statistics);
  }
}

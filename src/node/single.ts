import { existsSync } from 'node:fs';
import { type Archivist, HistoryUnavailableError } from '../archivist/archivist.ts';
import { loadNewest, replayInTurns } from '../archivist/recovery.ts';
import { SnapshotStore } from '../archivist/snapshots/snapshots.ts';
import { WorkerArchivist } from '../archivist/worker-archivist.ts';
import type { Config } from '../config/config.ts';
import type { dataPaths } from '../config/data-paths.ts';
import { CommandKind, SYSTEM_ACTOR } from '../engine/command.ts';
import { ENGINE_VERSION } from '../engine/exchange.ts';
import type { State } from '../engine/state.ts';
import { FileLog } from '../log/file-log.ts';
import * as logger from '../monitoring/logger.ts';
import { Replica } from '../replica/replica.ts';
import { realTimers } from '../replica/timers.ts';
import { seedHistory } from '../sandbox/seeded-history.ts';
import { DiskSpace } from '../storage/disk-space.ts';
import { lockDirectory } from '../storage/lock.ts';
import type { Storage } from '../storage/storage.ts';
import { checkKind } from './check-kind.ts';
import { DayStatistics, LateStatistics } from './day-statistics.ts';
import { begin, executeAll } from './genesis.ts';
import {
  refuseFileAsLog,
  refuseForeignDatabase,
  refuseMissingLog,
  refuseMissingUsers,
} from './missing-log.ts';
import { MIN_FREE_BYTES, type NodeContext, type NodeCore } from './node-core.ts';

type Paths = ReturnType<typeof dataPaths>;

/** Recovers an exchange from its data directory, or begins a new one there. */
export async function openSingle(
  config: Config,
  paths: Paths,
  ground: NodeContext,
): Promise<NodeCore> {
  const { storage, statistics, clock, now, metrics, readiness, onEvents, onFailure } = ground;
  const { credentialsPath, plannedUrl } = ground;
  const { log, lock } = await openLog(config, paths, storage);
  clock.startAfter(log.lastTime);
  await storage.makeDirectory(paths.snapshots);
  const snapshots = new SnapshotStore(storage, paths.snapshots);
  const isNew = log.lastSequence === 0;
  const played =
    isNew && config.hasMakers
      ? await seedHistory({
          ...{ storage, log, snapshots, marker: paths.beginning, seed: config.seed, now: now() },
          onEvents: (events) => statistics.note(events),
        })
      : undefined;
  if (isNew && played === undefined) {
    await begin(log, now(), storage, config.isSandbox, credentialsPath, plannedUrl);
  }
  const archivist = new WorkerArchivist(
    {
      log: 'file',
      logDirectory: paths.log,
      snapshotDirectory: paths.snapshots,
      rebuiltHistory: paths.rebuiltHistory,
      isFirstStart: isNew,
      historyUrl:
        config.database.kind === 'sqlite' ? `sqlite://${paths.history}` : config.database.url,
      logEnd: log.lastSequence,
    },
    onFailure,
  );
  // Recovery may fail first; the archivist's failure must not go unheard then.
  archivist.ready.catch(played === undefined ? () => {} : onFailure);
  readiness.add('replaying');
  const recovered = played ?? loadNewest(snapshots);
  if (played === undefined) await replayInTurns(log, recovered);
  const { exchange } = recovered;
  let figures: LateStatistics | undefined;
  checkKind(exchange.state, config.isSandbox, config.dataDirectory);
  const hasUsersFile = !config.isSandbox && config.database.kind === 'sqlite';
  if (hasUsersFile) refuseMissingUsers(paths, exchange.state.accounts.length);
  exchange.state.reserve(Math.max(MIN_FREE_BYTES, 2 * exchange.state.orders.size));
  // The past has been counted as it was played: what asks for history waits for it, orders do not.
  if (played === undefined) {
    await archivist.ready;
    figures = await loadDay(archivist, exchange.state, log.lastSequence, ground);
  }
  readiness.clear('replaying');
  readiness.check('clock off', () => clock.isOff);
  const replica: Replica = new Replica({
    ...{ exchange, log, archivist, now, metrics, timers: realTimers },
    onEvents: (events) => {
      onEvents(events);
      figures?.note(replica.position + 1, events);
    },
    onFailure,
  });
  await upgrade(replica);
  figures?.load(archivist, replica, now).catch(onFailure);
  const disk = watchDisk(config, paths, onFailure);
  const close = async () => {
    disk.stop();
    figures?.stop();
    await replica.close();
    await archivist.close();
    await log.close();
    lock.release();
  };
  return { replica, archivist, log, disk, hasKeys: true, bus: undefined, close };
}

/** Raises a log of an older release to the behavior of this one, which older releases then refuse. */
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
  const reserve = process.env.BUTTONWOOD_TEST_DISK_RESERVE;
  return new DiskSpace({
    directories: [dataDirectory, log, snapshots],
    snapshotDirectory: snapshots,
    reserveBytes: reserve === undefined ? undefined : Number(reserve),
    onFailure,
  });
}

/** Opens the log, which no other process may have open. @throws WrongDataError where it is missing */
async function openLog({ database }: Config, paths: Paths, storage: Storage) {
  const onEmpty = async (isInterrupted: boolean) => {
    refuseMissingLog(paths, isInterrupted);
    if (database.kind === 'postgres') await refuseForeignDatabase(paths.log, database.url);
  };
  refuseFileAsLog(paths.log);
  if (!existsSync(paths.log)) await onEmpty(false);
  await storage.makeDirectory(paths.log);
  // In addition to the data directory: the log may be a volume that two data directories share.
  const lock = lockDirectory(paths.log);
  const log = await FileLog.open({ storage, directory: paths.log, onEmpty });
  return { log, lock };
}

/**
 * Loads the 24 h figures of all markets.
 * @returns What loads them later, where history cannot be asked yet.
 */
async function loadDay(
  archivist: Archivist,
  state: State,
  position: number,
  { statistics, now }: NodeContext,
): Promise<LateStatistics | undefined> {
  try {
    await new DayStatistics(statistics).load(archivist, state, position, now());
    return undefined;
  } catch (error) {
    if (!(error instanceof HistoryUnavailableError)) throw error;
    return new LateStatistics(statistics);
  }
}

import type { Config } from '../config.ts';
import type { dataPaths } from '../data-paths.ts';
import { CommandKind } from '../engine/command.ts';
import { ENGINE_VERSION } from '../engine/exchange.ts';
import { begin, executeAll } from '../genesis.ts';
import type { Candle } from '../history/history.ts';
import * as journal from '../journal.ts';
import { FileLog } from '../log/file-log.ts';
import { playPast } from '../past.ts';
import type { MinuteCandles } from '../replica/archive.ts';
import type { Archivist } from '../replica/archivist.ts';
import { loadNewest, replayInTurns } from '../replica/recovery.ts';
import { Replica } from '../replica/replica.ts';
import { SnapshotStore } from '../replica/snapshots.ts';
import { realTimers } from '../replica/timers.ts';
import { WorkerArchivist } from '../replica/worker-archivist.ts';
import { NOBODY } from '../sandbox.ts';
import { checkKind } from './check-kind.ts';
import { DAY_MS, type Foundation, type Ground, LEAST_ROOM } from './foundation.ts';

/** Recovers an exchange from its data directory, or begins a new one there. */
export async function openSingle(
  config: Config,
  paths: ReturnType<typeof dataPaths>,
  ground: Ground,
): Promise<Foundation> {
  const { storage, statistics, clock, now, metrics, readiness, onEvents, onFailure } = ground;
  const { credentialsPath, plannedUrl } = ground;
  const log = await FileLog.open({ storage, directory: paths.log });
  clock.startAfter(log.lastTime);
  await storage.makeDirectory(paths.snapshots);
  const snapshots = new SnapshotStore(storage, paths.snapshots);
  const isNew = log.lastSequence === 0;
  const played =
    isNew && config.hasMakers
      ? await playPast({
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
  checkKind(exchange.state, config.isSandbox, config.dataDirectory);
  exchange.state.reserve(Math.max(LEAST_ROOM, 2 * exchange.state.orders.size));
  // The past has been counted as it was played: what asks for history waits for it, orders do not.
  if (played === undefined) {
    await archivist.ready;
    for (const { index } of exchange.state.markets) {
      statistics.load(index, await lastDay(archivist, index, log.lastSequence, now()));
    }
  }
  readiness.clear('replaying');
  readiness.check('clock off', () => clock.isOff);
  const replica = new Replica({
    ...{ exchange, log, archivist, now, metrics, timers: realTimers },
    ...{ onEvents, onFailure },
  });
  await upgrade(replica);
  const close = async () => {
    await replica.close();
    await archivist.close();
    await log.close();
  };
  return { replica, archivist, log, hasKeys: true, bus: undefined, close };
}

/** Raises a log of an older release to the behavior of this one, which older releases then refuse. */
async function upgrade(replica: Replica): Promise<void> {
  const { state } = replica.exchange;
  if (state.version >= ENGINE_VERSION) return;
  const from = state.version;
  await executeAll(replica, [{ kind: CommandKind.upgrade, ...NOBODY, version: ENGINE_VERSION }]);
  journal.info(`The engine was upgraded from version ${from} to ${ENGINE_VERSION}.`);
}

async function lastDay(
  archivist: Archivist,
  market: number,
  position: number,
  now: number,
): Promise<Candle[]> {
  const query = { kind: 'minuteCandles', market, since: now - DAY_MS } as const;
  return ((await archivist.ask(query, position)) as MinuteCandles).candles;
}

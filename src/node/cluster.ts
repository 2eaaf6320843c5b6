import { existsSync, rmSync } from 'node:fs';
import { inStream } from '../archivist/recovery.ts';
import { RestartableArchivist } from '../archivist/restartable-archivist.ts';
import { ObjectSnapshots } from '../archivist/snapshots/object-snapshots.ts';
import { type StreamSource, WorkerArchivist } from '../archivist/worker-archivist.ts';
import { NatsBus } from '../cluster/bus/nats-bus.ts';
import { LogTrimmedError, machineClock } from '../cluster/log/clustered-log.ts';
import { JetStream } from '../cluster/log/jetstream.ts';
import { StreamLog } from '../cluster/log/stream-log.ts';
import { type StreamState, TOKEN_BYTES } from '../cluster/log/stream-state.ts';
import {
  connectToNats,
  type NatsConnection,
  reconnectWhenSilent,
  retryTransient,
} from '../cluster/stream/connection.ts';
import { StreamFill } from '../cluster/stream/fill-level.ts';
import {
  checkPayload,
  checkStore,
  checkSync,
  checkVersion,
  ensureStream,
  listPeers,
  listServers,
} from '../cluster/stream/stream.ts';
import type { Config, JetStreamConfig } from '../config/config.ts';
import { dataPaths } from '../config/data-paths.ts';
import type { GuardedClock } from '../monitoring/clock.ts';
import * as logger from '../monitoring/logger.ts';
import { CommandNotAppliedError } from '../replica/errors.ts';
import { Replica, realTimers } from '../replica/replica.ts';
import { checkKind, WrongDataError } from './check-kind.ts';
import { DayStatistics } from './day-statistics.ts';
import { exemptAccounts } from './exempt-accounts.ts';
import { genesisCommands } from './genesis.ts';
import { identify } from './identity.ts';
import { MIN_FREE_BYTES, type NodeContext, type NodeCore } from './node-core.ts';
import { checkVote, noteOutvoted } from './outvoted.ts';
import { retryIfTrimmed } from './retry-if-trimmed.ts';

/** Joins the cluster whose log is a stream of NATS, or creates its exchange. */
export async function openCluster(
  config: Config,
  settings: JetStreamConfig,
  context: NodeContext,
  clock: GuardedClock,
): Promise<NodeCore> {
  const { node, isSandbox } = config;
  if (config.database.kind !== 'postgres') throw new Error('a cluster needs PostgreSQL');
  const { stream, replicas } = settings;
  const { credentialsPath, readiness } = context;
  readiness.add('replaying');
  const connection = await connectToNats(settings, node);
  const { remaining, snapshots } = await openStream(connection, settings, isSandbox);
  await identify(snapshots, config.database.url);
  await checkVote(snapshots, node);
  const source = {
    log: 'jetstream',
    nats: settings,
    stream,
    replicas,
    node,
    historyUrl: config.database.url,
    keptHistoryMs: config.keptHistoryMs,
    exemptAccounts: exemptAccounts(config),
    reportDirectory: dataPaths(config.dataDirectory).reports,
    archive: config.archive,
  } as const;
  const joined = await retryIfTrimmed(() => join(connection, snapshots, source, context));
  const { replica, archivist, log } = joined;
  // It may have restarted before the other nodes had recorded that it was outvoted.
  await checkVote(snapshots, node);
  await prepareExchange(joined, isSandbox, stream, context);
  readiness.clear('replaying');
  compareClocks(context, clock, log);
  const fill = await StreamFill.watch(connection, stream, remaining);
  const stopReconnecting = reconnectWhenSilent(connection, () => log.silentMs);
  const bus = new NatsBus(connection, stream, node);
  return {
    replica,
    archivist,
    log,
    bus,
    fill,
    hasKeys: existsSync(credentialsPath),
    close: async () => {
      stopReconnecting();
      fill.stop();
      await replica.close();
      await archivist.close();
      await log.close();
      await bus.close();
      await connection.close();
    },
  };
}

/** Creates or checks the stream and the store of snapshots. @throws NatsError */
async function openStream(
  connection: NatsConnection,
  settings: JetStreamConfig,
  isSandbox: boolean,
) {
  const { stream, replicas } = settings;
  checkVersion(connection);
  checkPayload(connection);
  const servers = await listServers(settings.system);
  const remaining = await retryTransient(() => ensureStream(connection, stream, replicas, servers));
  // A sandbox may lose its play money in a power cut.
  if (!isSandbox) {
    checkSync(settings, await retryTransient(() => listPeers(connection, stream)), servers);
  }
  const snapshots = await retryTransient(() => ObjectSnapshots.open(connection, stream, replicas));
  await retryTransient(() => checkStore(connection, stream, replicas));
  return { remaining, snapshots };
}

/** Creates the exchange if the log is empty, checks its kind and loads its 24 h figures. */
async function prepareExchange(
  joined: Joined,
  isSandbox: boolean,
  stream: string,
  context: NodeContext,
): Promise<void> {
  const { replica, archivist, figures } = joined;
  const { state } = replica.exchange;
  // Fails if the database has a history that the log does not.
  await archivist.ready;
  if (state.version === 0) {
    checkUnused(context.credentialsPath);
    await createExchange(replica, isSandbox, context);
  }
  checkKind(state, isSandbox, `stream ${stream}`);
  await figures.load(archivist, state, replica.position, context.now());
  joined.areFiguresLoaded = true;
}

/** Marks the node unready while its clock differs from the servers', from which the time of the log comes. */
function compareClocks({ readiness }: NodeContext, clock: GuardedClock, log: StreamLog): void {
  // It is unknown which clock is wrong, but the cluster prefers nodes whose clock agrees with the servers'.
  const isApart = (leadMs: number) => Math.abs(leadMs) > MAX_CLOCK_LEAD_MS;
  readiness.check('clock off', () => clock.isOff || isApart(log.clockLeadMs));
  clock.accepts = (offsetMs) => !isApart(log.clockLeadMs + offsetMs);
  clock.canGoBack = true;
}

type ClusterSource = StreamSource & {
  readonly historyUrl: string;
  readonly keptHistoryMs: number | undefined;
  readonly exemptAccounts: readonly string[];
  readonly reportDirectory: string;
};

interface Joined {
  readonly replica: Replica;
  readonly archivist: RestartableArchivist;
  readonly log: StreamLog;
  readonly figures: DayStatistics;
  /** Whether the 24 h figures are loaded; from then on events are published. */
  areFiguresLoaded: boolean;
}

/**
 * Loads the newest snapshot, follows the log and joins the cluster.
 * @throws LogTrimmedError if the log was trimmed past that snapshot in the meantime; everything started is stopped then
 */
async function join(
  connection: NatsConnection,
  snapshots: ObjectSnapshots,
  source: ClusterSource,
  context: NodeContext,
): Promise<Joined> {
  const { now, metrics } = context;
  const { stream } = source;
  let isJoining = true;
  let isGivenUp = false;
  const onFailure = (error: Error) => {
    // `replica.begin` rejects with the error, so the caller gets it.
    if (isGivenUp || (isJoining && error instanceof LogTrimmedError)) return;
    context.onFailure(inStream(error, stream));
  };
  const { log: state, exchange } = await retryTransient(() => snapshots.newest());
  exchange.state.reserve(Math.max(MIN_FREE_BYTES, 2 * exchange.state.orders.size));
  const log = await openLog(connection, source, state, now, onFailure);
  const skips = await retryTransient(() => snapshots.skips());
  const archivist = startArchivist(source, onFailure);
  const figures = new DayStatistics(context.statistics);
  const replica: Replica = new Replica({
    exchange,
    log,
    archivist,
    now,
    metrics,
    skips,
    timers: realTimers,
    onFailure,
    onOutvoted: (nodes, sequence) => void noteOutvoted(snapshots, nodes, sequence),
    onEvents: (events) => {
      if (joined.areFiguresLoaded) context.onEvents(events);
      else figures.collect(replica.position + 1, events);
    },
  });
  const joined: Joined = { replica, archivist, log, figures, areFiguresLoaded: false };
  try {
    await replica.begin();
  } catch (error) {
    isGivenUp = true;
    await replica.close();
    archivist.terminate();
    await log.close();
    throw error;
  }
  isJoining = false;
  return joined;
}

async function openLog(
  connection: NatsConnection,
  { stream, node }: StreamSource,
  state: StreamState,
  now: () => number,
  onFailure: (error: Error) => void,
): Promise<StreamLog> {
  return new StreamLog({
    stream: await JetStream.open(connection, stream, logger.warn),
    node,
    state,
    onFailure,
    warn: logger.warn,
    clock: { ...machineClock, now },
    token: crypto.getRandomValues(new Uint8Array(TOKEN_BYTES)),
  });
}

function startArchivist(
  source: ClusterSource,
  onFailure: (error: Error) => void,
): RestartableArchivist {
  const archivist = new RestartableArchivist(
    (onStale) => new WorkerArchivist(source, onFailure, onStale),
    onFailure,
  );
  archivist.ready.catch(onFailure);
  return archivist;
}

/** Far above the differences between synchronized clocks, and too small for traders to notice. */
const MAX_CLOCK_LEAD_MS = 5000;

/** Refuses to overwrite the only copy of another exchange's keys. */
function checkUnused(path: string): void {
  if (!existsSync(path)) return;
  throw new WrongDataError(
    `The log holds no exchange yet, but ${path} has the keys of one. Check that the log is the right one (BUTTONWOOD_LOG_STREAM). ` +
      'To create a new exchange, move that file away.',
  );
}

/** Creates the exchange in an empty log. If another node is first, the keys created here are invalid and removed. */
async function createExchange(
  replica: Replica,
  isSandbox: boolean,
  context: NodeContext,
): Promise<void> {
  const { storage, credentialsPath, plannedUrl, randomBytes } = context;
  const commands = await genesisCommands(
    storage,
    isSandbox,
    credentialsPath,
    plannedUrl,
    randomBytes,
  );
  // Commands submitted together form one batch.
  const outcomes = commands.map((command) => replica.execute(command));
  try {
    await Promise.all(outcomes);
  } catch (error) {
    if (!(error instanceof CommandNotAppliedError)) throw error;
    await Promise.allSettled(outcomes);
    if (replica.exchange.state.version === 0) return createExchange(replica, isSandbox, context);
    rmSync(credentialsPath);
  }
}

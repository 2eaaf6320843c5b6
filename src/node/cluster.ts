import { existsSync, rmSync } from 'node:fs';
import type { NatsConnection } from '@nats-io/transport-node';
import type { StreamSource } from '../archivist/messages.ts';
import { inStream } from '../archivist/recovery.ts';
import { RestartableArchivist } from '../archivist/restartable-archivist.ts';
import { ObjectSnapshots } from '../archivist/snapshots/object-snapshots.ts';
import { WorkerArchivist } from '../archivist/worker-archivist.ts';
import { NatsBus } from '../cluster/bus/nats-bus.ts';
import { LogTrimmedError } from '../cluster/log/errors.ts';
import { JetStream } from '../cluster/log/jetstream.ts';
import { machineClock } from '../cluster/log/message-stream.ts';
import { StreamLog } from '../cluster/log/stream-log.ts';
import { TOKEN_BYTES } from '../cluster/log/stream-state.ts';
import {
  connectToNats,
  reconnectWhenSilent,
  retryTransient,
} from '../cluster/stream/connection.ts';
import { StreamFill } from '../cluster/stream/fill-level.ts';
import {
  checkPayload,
  checkStore,
  checkVersion,
  ensureStream,
  peersOf,
} from '../cluster/stream/stream.ts';
import { checkSync, serversOf } from '../cluster/stream/sync.ts';
import type { Config, JetStreamConfig } from '../config/config.ts';
import * as logger from '../monitoring/logger.ts';
import { CommandNotAppliedError } from '../replica/errors.ts';
import { Replica } from '../replica/replica.ts';
import { realTimers } from '../replica/timers.ts';
import { checkKind, WrongDataError } from './check-kind.ts';
import { DayStatistics } from './day-statistics.ts';
import { fromNewest } from './from-newest.ts';
import { genesisCommands } from './genesis.ts';
import { identify } from './identity.ts';
import { MIN_FREE_BYTES, type NodeContext, type NodeCore } from './node-core.ts';
import { checkVote, noteOutvoted } from './outvoted.ts';

/** Joins the nodes that serve the exchange whose log is a stream of NATS, or begins that exchange. */
export async function openCluster(
  config: Config,
  settings: JetStreamConfig,
  ground: NodeContext,
): Promise<NodeCore> {
  const { node, isSandbox } = config;
  if (config.database.kind !== 'postgres') throw new Error('many nodes share one database');
  const { stream, replicas } = settings;
  const { credentialsPath, clock, now, readiness } = ground;
  readiness.add('replaying');
  const connection = await connectToNats(settings, node);
  checkVersion(connection);
  checkPayload(connection);
  const servers = await serversOf(settings.system);
  const room = await retryTransient(() => ensureStream(connection, stream, replicas, servers));
  // Play money may be lost with the power.
  if (!isSandbox)
    checkSync(settings, await retryTransient(() => peersOf(connection, stream)), servers);
  const snapshots = await retryTransient(() => ObjectSnapshots.open(connection, stream, replicas));
  await retryTransient(() => checkStore(connection, stream, replicas));
  await identify(snapshots, config.database.url);
  await checkVote(snapshots, node);
  const source = {
    ...({ log: 'jetstream', nats: settings, stream, replicas, node } as const),
    historyUrl: config.database.url,
  };
  const joined = await fromNewest(() => join(connection, snapshots, source, ground));
  const { replica, archivist, log, figures } = joined;
  // It may have been started again before the others had noted it.
  await checkVote(snapshots, node);
  const { exchange } = replica;
  // It ends the node where the database knows of an exchange that the log has lost.
  await archivist.ready;
  if (exchange.state.version === 0) {
    checkUnused(credentialsPath);
    await begin(replica, isSandbox, ground);
  }
  checkKind(exchange.state, isSandbox, `stream ${stream}`);
  await figures.load(archivist, exchange.state, replica.position, now());
  joined.areFiguresLoaded = true;
  readiness.clear('replaying');
  // Which of the clocks is wrong is not known here; a node whose clock agrees with the servers' is the better one.
  const isApart = (leadMs: number) => Math.abs(leadMs) > MAX_CLOCK_LEAD_MS;
  readiness.check('clock off', () => clock.isOff || isApart(log.clockLeadMs));
  // A clock that was set right agrees with that of the servers, which the time of the log comes from.
  clock.accepts = (offsetMs) => !isApart(log.clockLeadMs + offsetMs);
  clock.canGoBack = true;
  const fill = await StreamFill.watch(connection, stream, room);
  const stay = reconnectWhenSilent(connection, () => log.silentMs);
  const bus = new NatsBus(connection, stream, node);
  return {
    ...{ replica, archivist, log, bus, fill },
    hasKeys: existsSync(credentialsPath),
    close: async () => {
      stay();
      fill.stop();
      await replica.close();
      await archivist.close();
      await log.close();
      await bus.close();
      await connection.close();
    },
  };
}

interface Joined {
  readonly replica: Replica;
  readonly archivist: RestartableArchivist;
  readonly log: StreamLog;
  readonly figures: DayStatistics;
  /** From when on events go out. */
  areFiguresLoaded: boolean;
}

/**
 * Goes on from the newest snapshot, follows the log and joins.
 * @throws LogTrimmedError where the log was trimmed behind a newer snapshot meanwhile; nothing of it goes on then
 */
async function join(
  connection: NatsConnection,
  snapshots: ObjectSnapshots,
  source: StreamSource & { readonly historyUrl: string },
  ground: NodeContext,
): Promise<Joined> {
  const { now, metrics } = ground;
  const { stream, node } = source;
  let isJoining = true;
  let isGivenUp = false;
  const onFailure = (error: Error) => {
    // Whoever waits for it to join is told.
    if (isGivenUp || (isJoining && error instanceof LogTrimmedError)) return;
    ground.onFailure(inStream(error, stream));
  };
  const { log: state, exchange } = await retryTransient(() => snapshots.newest());
  exchange.state.reserve(Math.max(MIN_FREE_BYTES, 2 * exchange.state.orders.size));
  const log = new StreamLog({
    stream: await JetStream.open(connection, stream, logger.warn),
    ...{ node, state, onFailure, warn: logger.warn },
    clock: { ...machineClock, now },
    token: crypto.getRandomValues(new Uint8Array(TOKEN_BYTES)),
  });
  const skips = await retryTransient(() => snapshots.skips());
  const archivist = new RestartableArchivist(
    (onStale) => new WorkerArchivist(source, onFailure, onStale),
    onFailure,
  );
  archivist.ready.catch(onFailure);
  const figures = new DayStatistics(ground.statistics);
  const replica: Replica = new Replica({
    ...{ exchange, log, archivist, now, metrics, skips, timers: realTimers, onFailure },
    onOutvoted: (nodes, sequence) => void noteOutvoted(snapshots, nodes, sequence),
    onEvents: (events) => {
      if (joined.areFiguresLoaded) ground.onEvents(events);
      else figures.gather(replica.position + 1, events);
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

/** Far more than clocks that are kept differ by, and less than what people would notice. */
const MAX_CLOCK_LEAD_MS = 5000;

/** Keys of another exchange are in nobody else's hands: they are not written over. */
function checkUnused(path: string): void {
  if (!existsSync(path)) return;
  throw new WrongDataError(
    `The log holds no exchange yet, but ${path} has the keys of one. Is it the right log (BUTTONWOOD_LOG_STREAM)? ` +
      'To begin a new exchange, move that file away.',
  );
}

/** Makes an empty log an exchange, unless another node is first: then the keys made for it are worth nothing. */
async function begin(replica: Replica, isSandbox: boolean, ground: NodeContext): Promise<void> {
  const { storage, credentialsPath, plannedUrl } = ground;
  const commands = await genesisCommands(storage, isSandbox, credentialsPath, plannedUrl);
  // Submitted together they are one batch.
  const outcomes = commands.map((command) => replica.execute(command));
  try {
    await Promise.all(outcomes);
  } catch (error) {
    if (!(error instanceof CommandNotAppliedError)) throw error;
    await Promise.allSettled(outcomes);
    if (replica.exchange.state.version === 0) return begin(replica, isSandbox, ground);
    rmSync(credentialsPath);
  }
}

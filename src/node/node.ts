import { type Config, ConfigError } from '../config/config.ts';
import { Authorization } from '../gateway/auth/authorization.ts';
import { Dialect } from '../gateway/binance/dialect.ts';
import { BinanceSockets } from '../gateway/binance/sockets/binance-sockets.ts';
import type { CustodyOutbox } from '../gateway/custody/outbox.ts';
import { SocketFaults } from '../gateway/faults/socket-faults.ts';
import { AddressList, Gateway } from '../gateway/gateway.ts';
import { type Listening, listen, type Served } from '../gateway/http/server.ts';
import type { Notifications } from '../gateway/notifications/notifications.ts';
import { startBundler } from '../gateway/pages/bundle.ts';
import {
  Activity,
  KeyUseTimes,
  PublicOrderIds,
  QueuePositions,
  type Services,
} from '../gateway/services.ts';
import { Streams } from '../gateway/stream/streams.ts';
import type { GuardedClock } from '../monitoring/clock.ts';
import type { Monitor } from '../monitoring/monitor.ts';
import { OperatorError } from '../monitoring/operator-error.ts';
import { ClientConnections } from '../replica/client-connections.ts';
import { DroppedIds, OrderSearch } from '../replica/order-search.ts';
import { realTimers } from '../replica/replica.ts';
import type { Checkpoint } from '../sandbox/checkpoints/checkpoints.ts';
import { SandboxClock } from '../sandbox/clock/sandbox-clock.ts';
import type { Credential } from '../sandbox/credentials-file.ts';
import { createFaults } from '../sandbox/faults/create-faults.ts';
import { cancelLeftovers, missingMakers } from '../sandbox/makers/market-makers.ts';
import type { Recording } from '../sandbox/recorded/recording.ts';
import { ensureSandboxUsers } from '../sandbox/sandbox-users.ts';
import { watchDescriptors } from '../storage/descriptor-watch.ts';
import { loadLibraries, type Users } from '../users/users.ts';
import { createOutbox } from './custody-outbox.ts';
import { exemptAccounts } from './exempt-accounts.ts';
import { executeAll, restoreSandboxKeys } from './genesis.ts';
import { openSealedSecrets } from './hmac-keys.ts';
import { type Parts, watchNode } from './metrics.ts';
import { createContext, openDataDirectory, type Paths, pagesUrlAt, urlAt } from './node-context.ts';
import type { NodeContext, NodeCore } from './node-core.ts';
import { noteAddress } from './note-address.ts';
import { createNotifications } from './notifications.ts';
import { keepKeyUses, openUsers } from './open-users.ts';
import { openRecordedMarkets } from './recorded-markets.ts';
import { openCheckpoints, type SandboxParts, startSandbox } from './sandbox-parts.ts';
import { openSingle } from './single.ts';

export { resetData } from './reset.ts';

/** A running exchange. */
export interface Node {
  readonly baseUrl: string;
  /** The URL at which browsers open the pages. */
  readonly pagesUrl: string;
  /** The markets that the Binance dialect leaves out, each with the reason; undefined if it is not served. */
  readonly binanceOmissions: readonly string[] | undefined;
  /** The file with the keys that this node created for its operator. */
  readonly credentialsPath: string;
  /** Returns the first key of that name in the file; undefined if the file is missing. */
  credential(name: string): Credential | undefined;
  /** Keeps serving, but closes every connection after its current request. */
  drain(): void;
  /** Stops accepting requests, finishes running ones, and makes everything durable. */
  stop(): Promise<void>;
}

/**
 * Starts a node: recovers the exchange from its log or creates a new one, then serves it.
 * @param onFailure Called if the node cannot continue; the process must then end at once with an error.
 * @param monitor Receives the node's metrics and readiness.
 */
export async function startNode(
  config: Config,
  onFailure: (error: Error) => void,
  monitor: Monitor,
): Promise<Node> {
  checkNetworks(config);
  let node: RunningNode;
  let recording: Promise<Recording | undefined> | undefined;
  // Checked once, also if the sandbox returns to checkpoints.
  const openRecording = (path: string) => (recording ??= openRecordedMarkets(config, path));
  const restart = async (checkpoint: Checkpoint) => {
    const { server } = node;
    server.suspend();
    await node.discard();
    openCheckpoints(config).restore(checkpoint.name);
    const resumed = { server, checkpoint };
    node = await runNode(config, onFailure, monitor, openRecording, returnTo, resumed);
  };
  let restarting: Promise<void> = Promise.resolve();
  const returnTo = (checkpoint: Checkpoint) => {
    // There is no node any more: the next start completes the return.
    restarting = restart(checkpoint).catch(onFailure);
    return restarting;
  };
  node = await runNode(config, onFailure, monitor, openRecording, returnTo);
  const { baseUrl, pagesUrl, binanceOmissions, credentialsPath, credential, server } = node;
  const stop = async () => {
    await restarting;
    await node.stop();
  };
  return {
    ...{ baseUrl, pagesUrl, binanceOmissions, credentialsPath, credential },
    ...{ drain: server.drain, stop },
  };
}

interface RunningNode extends Omit<Node, 'drain'> {
  readonly server: Listening;
  /** Ends it without writing anything, so that its files can be replaced. The server keeps running. */
  discard(): Promise<void>;
}

/**
 * Runs a node.
 * @param openRecording Returns the recorded markets, with their checked rows in a directory.
 * @param returnTo Ends it, and runs another one from a checkpoint.
 * @param resumed The checkpoint to continue from, and the server that waits for it.
 */
async function runNode(
  config: Config,
  onFailure: (error: Error) => void,
  monitor: Monitor,
  openRecording: (directory: string) => Promise<Recording | undefined>,
  returnTo: (checkpoint: Checkpoint) => Promise<void>,
  resumed?: { readonly server: Listening; readonly checkpoint: Checkpoint },
): Promise<RunningNode> {
  const { paths, storage, lock } = await openDataDirectory(config);
  const recording = await openRecording(paths.recording);
  const parts = createContext(config, paths, storage, recording, onFailure, monitor);
  const { context, changes, attach } = parts;
  const core = await openCore(config, paths, context, parts.machineClock);
  parts.attachCore(core);
  const connections = await openConnections(config, core, context);
  let port = config.port;
  const pagesUrl = () => pagesUrlAt(config, port);
  const users = await openUsers(config, paths.accounts, core, context.now, pagesUrl);
  const sealedSecrets = await openSealedSecrets(config, users, core.replica, context);
  const notifications = await createNotifications(config, { ...core, ...context, users });
  const outbox = await createOutbox(config, { ...core, ...context, users });
  const own = { users, changes, connections, sealedSecrets, notifications, outbox };
  const created = createServices(config, context, core, own);
  const { services, authorization, streams, faults } = created;
  const binance = config.hasBinance ? new Dialect(services, authorization) : undefined;
  const binanceSockets = binance && new BinanceSockets(binance, streams.metrics.dropped);
  attach(services.faults, services.queuePositions, streams, binanceSockets, notifications, outbox);
  await keepKeyUses(users, services.keyUses, core.replica.exchange.state, context.now);
  await prepareSandbox(config, context, core, own, resumed?.checkpoint);
  await loadEarly(config);
  const options = { isSandbox: config.isSandbox, binance };
  const gateway = new Gateway(services, authorization, options);
  const sandbox = await startSandbox(config, context, core, returnTo, resumed?.checkpoint);
  services.sandbox = sandbox;
  const activity = new Activity(services, gateway.metrics.latencies);
  services.activity = activity;
  const served: Served = {
    ...{ gateway, streams, now: context.now, binance: binanceSockets, faults },
    beforeMessage: sandbox && (() => sandbox.control.beforeRequest()),
  };
  const server = resumed?.server ?? serve(served, config);
  ({ port } = server);
  const baseUrl = urlAt(config, port);
  const credentials = await noteAddress(config, paths, context, baseUrl);
  const watched = { gateway, server, streams, binance: binanceSockets, outbox, notifications };
  const stopWatching = watch(monitor, context, core, watched, activity);
  resumed?.server.resume(served);
  return {
    baseUrl,
    pagesUrl: pagesUrl(),
    binanceOmissions: binance?.symbols.omissions,
    credentialsPath: context.credentialsPath,
    credential: (name) => credentials?.accounts.find((credential) => credential.name === name),
    server,
    ...createEndings({
      ...{ stopWatching, server, sandbox, authorization, core, lock, ...own },
      faults: services.faults,
    }),
  };
}

interface Ending {
  readonly stopWatching: () => void;
  readonly server: Listening;
  readonly sandbox: SandboxParts | undefined;
  readonly authorization: Authorization;
  readonly users: Users;
  readonly connections: ClientConnections;
  readonly core: NodeCore;
  readonly lock: { release(): void };
  readonly faults: Services['faults'];
  readonly notifications: Notifications;
  readonly outbox: CustodyOutbox;
}

/** Returns the two ways in which a node ends. */
function createEndings(parts: Ending): Pick<RunningNode, 'discard' | 'stop'> {
  const { server, sandbox, authorization, users, connections, core, lock } = parts;
  return {
    discard: async () => {
      parts.stopWatching();
      parts.faults?.discard();
      await sandbox?.control.stop();
      authorization.close();
      await parts.notifications.close();
      await parts.outbox.close();
      await users.close();
      await core.discard!();
      lock.release();
    },
    stop: async () => {
      parts.stopWatching();
      await parts.faults?.close();
      await server.stop();
      await sandbox?.stop();
      authorization.close();
      await parts.notifications.close();
      await parts.outbox.close();
      await users.close();
      await connections.close();
      await core.close();
      lock.release();
    },
  };
}

/** Recovers the exchange, or creates a new one. */
async function openCore(
  config: Config,
  paths: Paths,
  context: NodeContext,
  machineClock: GuardedClock,
): Promise<NodeCore> {
  if (config.log.kind === 'file') return openSingle(config, paths, context);
  // Only a cluster needs the libraries of NATS.
  const { openCluster } = await import('./cluster.ts');
  return openCluster(config, config.log, context, machineClock);
}

/** Cancels the orders of clients that were connected when this node last ended. */
async function openConnections(
  { node, log }: Config,
  { replica }: NodeCore,
  { clock, timeline }: NodeContext,
): Promise<ClientConnections> {
  const isAlone = log.kind === 'file';
  // Leases end by the sandbox's clock, and so they are renewed by it.
  const every =
    clock instanceof SandboxClock
      ? (intervalMs: number, work: () => void) => timeline.every(intervalMs, clock.now(), work)
      : realTimers.every;
  const connections = new ClientConnections({ replica, node, isAlone, every });
  await connections.begin();
  return connections;
}

function createServices(
  config: Config,
  { statistics, clock, now, plannedUrl, randomBytes, timeline }: NodeContext,
  { replica, archivist, bus, disk }: NodeCore,
  own: Pick<
    Services,
    'users' | 'changes' | 'connections' | 'sealedSecrets' | 'notifications' | 'outbox'
  >,
) {
  const services: Services = {
    replica,
    archivist,
    ...{ ...own, nodeName: config.node, surveillanceExempt: exemptAccounts(config) },
    explorers: config.explorers,
    statistics,
    keyUses: new KeyUseTimes(),
    publicOrderIds: new PublicOrderIds(own.users.orderIdSecret),
    queuePositions: new QueuePositions(() => replica.exchange),
    clock,
    now,
    randomBytes,
    orderSearch: new OrderSearch(
      replica,
      archivist,
      new DroppedIds(replica, archivist, { isHistoryRebuilt: config.database.kind === 'sqlite' }),
    ),
    bus,
    disk,
    faults: config.isSandbox
      ? createFaults(replica, now, config.seed, () => services.sandbox?.control.speed ?? 1)
      : undefined,
  };
  const baseUrl = config.publicUrl ?? plannedUrl;
  const authorization = new Authorization(services, { ...config, baseUrl });
  const streams = new Streams(services, authorization);
  own.users.sessions.onEnded = (ids) => streams.endSessions(ids);
  if (services.faults === undefined) return { services, authorization, streams };
  timeline.add(services.faults);
  return { services, authorization, streams, faults: new SocketFaults(services.faults) };
}

/** Restores the sandbox's keys and users, and the accounts of its market makers. */
async function prepareSandbox(
  config: Config,
  { storage, credentialsPath, plannedUrl, now, randomBytes }: NodeContext,
  core: NodeCore,
  { users, sealedSecrets }: Pick<Services, 'users' | 'sealedSecrets'>,
  resumed: Checkpoint | undefined,
): Promise<void> {
  const { replica, archivist } = core;
  const { state } = replica.exchange;
  if (config.isSandbox && core.hasKeys) {
    const file = { path: credentialsPath, baseUrl: plannedUrl };
    await restoreSandboxKeys(storage, core, file, sealedSecrets, randomBytes);
    await ensureSandboxUsers(users, storage, credentialsPath, now());
    // The market makers of a checkpoint continue with their orders, and recorded orders stay open.
    const continues = resumed?.makers !== undefined || config.recording !== undefined;
    if (!continues) await executeAll(replica, cancelLeftovers(state));
  }
  if (config.hasMakers) await executeAll(replica, missingMakers(state), archivist);
}

/** Loads modules that would otherwise block trading for a quarter of a second when the first user signs up. */
async function loadEarly({ isSandbox }: Config): Promise<void> {
  await startBundler();
  if (!isSandbox) loadLibraries();
}

/** Starts all monitoring of a node that serves. @returns a function that stops it */
function watch(
  monitor: Monitor,
  { metrics, clock, now }: NodeContext,
  { replica, archivist, log, fill, disk }: NodeCore,
  parts: Pick<Parts, 'gateway' | 'server' | 'streams' | 'binance' | 'outbox' | 'notifications'>,
  activity: Activity,
): () => void {
  const descriptors = watchDescriptors();
  const ownMetrics = monitor.metrics.length;
  const stopClockWatch = clock.watch();
  const stopActivity = activity.start();
  watchNode(monitor, {
    replica,
    metrics,
    archivist,
    clock,
    now,
    log,
    fill,
    disk,
    ...parts,
  });
  return () => {
    descriptors.stop();
    stopClockWatch();
    stopActivity();
    monitor.metrics.length = ownMetrics;
  };
}

function checkNetworks({ trustedProxies, webhookNetworks }: Config): void {
  const lists = Object.entries({
    BUTTONWOOD_TRUSTED_PROXIES: trustedProxies,
    BUTTONWOOD_WEBHOOK_NETWORKS: webhookNetworks,
  });
  for (const [variable, entries] of lists) {
    try {
      new AddressList(entries);
    } catch (error) {
      throw new ConfigError(`${variable}: ${(error as Error).message}`);
    }
  }
}

function serve(served: Served, config: Config): Listening {
  const { gateway, streams, now, binance, beforeMessage, faults } = served;
  try {
    return listen(gateway, config, streams, now, binance, beforeMessage, faults);
  } catch (error) {
    throw new OperatorError(
      `Cannot listen on ${config.host}, port ${config.port} (${(error as Error).message}). ` +
        'Stop the process that uses the port, change PORT or BUTTONWOOD_HOST, or check the certificate.',
    );
  }
}

import { existsSync } from 'node:fs';
import { type Config, ConfigError } from '../config/config.ts';
import { dataPaths } from '../config/data-paths.ts';
import type { Event } from '../engine/event.ts';
import type { State } from '../engine/state.ts';
import { Permission } from '../engine/terms.ts';
import { Authorization } from '../gateway/auth/authorization.ts';
import { Dialect } from '../gateway/binance/dialect.ts';
import { BinanceSockets } from '../gateway/binance/sockets/binance-sockets.ts';
import { AddressList, Gateway } from '../gateway/gateway.ts';
import { listen } from '../gateway/http/server.ts';
import { startBundler } from '../gateway/pages/bundle.ts';
import {
  AccountChanges,
  KeyUseTimes,
  PublicOrderIds,
  QueuePositions,
  type Services,
} from '../gateway/services.ts';
import { Streams } from '../gateway/stream/streams.ts';
import { GuardedClock } from '../monitoring/clock.ts';
import * as logger from '../monitoring/logger.ts';
import type { Monitor } from '../monitoring/monitor.ts';
import { OperatorError } from '../monitoring/operator-error.ts';
import { ClientConnections } from '../replica/client-connections.ts';
import { MarketStatisticsBoard } from '../replica/market-statistics.ts';
import { DroppedIds, OrderSearch } from '../replica/order-search.ts';
import { ReplicaMetrics, realTimers } from '../replica/replica.ts';
import {
  type Credential,
  MAKER_KEYS,
  readCredentials,
  writeCredentials,
  writeShellVariables,
} from '../sandbox/credentials-file.ts';
import {
  cancelLeftovers,
  MAKER,
  MarketMakers,
  missingMakers,
  TAKER,
} from '../sandbox/makers/market-makers.ts';
import { ensureSandboxUsers } from '../sandbox/sandbox-users.ts';
import { watchDescriptors } from '../storage/descriptor-watch.ts';
import { DiskStorage } from '../storage/disk-storage.ts';
import { checkUsersFile, loadLibraries, logMail, smtpMail, Users } from '../users/users.ts';
import { acquireLock } from './acquire-lock.ts';
import { executeAll, restoreKeys, restoreSandboxKeys } from './genesis.ts';
import { openSealedSecrets } from './hmac-keys.ts';
import { type Parts, watchNode } from './metrics.ts';
import type { NodeContext, NodeCore } from './node-core.ts';
import { openAccount } from './open-account.ts';
import { removeExchange } from './reset.ts';
import { openSingle } from './single.ts';

export { resetData } from './reset.ts';

/** A running exchange. */
export interface Node {
  readonly baseUrl: string;
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
  checkProxies(config);
  const { paths, storage, lock } = await openDataDirectory(config);
  const { context, changes, attach } = createContext(config, paths, storage, onFailure, monitor);
  const core = await openCore(config, paths, context);
  const connections = await openConnections(config, core);
  let port = config.port;
  const publicUrl = () => config.publicUrl ?? urlAt(config, port);
  const users = await openUsers(config, paths.accounts, core, context.now, publicUrl);
  const sealedSecrets = await openSealedSecrets(config, users, core.replica, context.now());
  const own = { users, changes, connections, sealedSecrets };
  const { services, authorization, streams } = createServices(config, context, core, own);
  const binance = config.hasBinance ? new Dialect(services, authorization) : undefined;
  const binanceSockets = binance && new BinanceSockets(binance, streams.metrics.dropped);
  attach(services.queuePositions, streams);
  if (binanceSockets !== undefined) attach(binanceSockets);
  await keepKeyUses(users, services.keyUses, core.replica.exchange.state, context.now);
  await prepareSandbox(config, paths, context, core, own);
  await loadEarly(config);
  const { isSandbox } = config;
  const gateway = new Gateway(services, authorization, { isSandbox, binance });
  const server = serve(gateway, config, streams, context.now, binanceSockets);
  ({ port } = server);
  const baseUrl = urlAt(config, port);
  const credentials = await noteAddress(config, paths, context, baseUrl);
  const parts = { gateway, server, streams, binance: binanceSockets };
  const stopWatching = watch(monitor, context, core, parts);
  const makers = config.hasMakers ? startMakers(config, port, paths.makers) : undefined;
  return {
    baseUrl,
    binanceOmissions: binance?.symbols.omissions,
    credentialsPath: context.credentialsPath,
    credential: (name) => credentials?.accounts.find((credential) => credential.name === name),
    drain: () => server.drain(),
    stop: async () => {
      stopWatching();
      await makers?.stop();
      await server.stop();
      authorization.close();
      await users.close();
      await connections.close();
      await core.close();
      lock.release();
    },
  };
}

type Paths = ReturnType<typeof dataPaths>;

/** Creates and locks the data directory, and removes a sandbox whose creation was interrupted. */
async function openDataDirectory({ dataDirectory, isSandbox, database }: Config) {
  const storage = new DiskStorage();
  await storage.makeDirectory(dataDirectory);
  const lock = await acquireLock(dataDirectory);
  const paths = dataPaths(dataDirectory);
  if (isSandbox && existsSync(paths.beginning)) removeExchange(paths);
  // Checked before anything else is opened, which would leave files behind.
  if (database.kind === 'sqlite') checkUsersFile(paths.accounts);
  return { paths, storage, lock };
}

/** A part of a node that gets the events of every command. */
type Listener = Pick<Streams, 'note'>;

/**
 * Creates the dependencies of the core of a node.
 * @returns `attach` connects the streams and other listeners, which exist only after the core; events before that need none.
 */
function createContext(
  config: Config,
  paths: Paths,
  storage: DiskStorage,
  onFailure: (error: Error) => void,
  { readiness }: Monitor,
) {
  const statistics = new MarketStatisticsBoard();
  const changes = new AccountChanges();
  const clock = new GuardedClock({ warn: logger.warn });
  // A laptop that wakes from sleep must not need an operator.
  if (config.isSandbox) clock.accepts = () => true;
  const listeners: Listener[] = [];
  const context: NodeContext = {
    storage,
    statistics,
    clock,
    now: clock.now,
    credentialsPath: config.isSandbox ? paths.sandbox : paths.operator,
    plannedUrl: urlAt(config, config.port),
    metrics: new ReplicaMetrics(),
    readiness,
    onEvents: (events: readonly Event[]) => {
      statistics.note(events);
      changes.note(events);
      for (const listener of listeners) listener.note(events);
    },
    onFailure,
  };
  const attach = (...created: readonly Listener[]) => void listeners.push(...created);
  return { context, changes, attach };
}

/** Recovers the exchange, or creates a new one. */
async function openCore(config: Config, paths: Paths, context: NodeContext): Promise<NodeCore> {
  if (config.log.kind === 'file') return openSingle(config, paths, context);
  // Only a cluster needs the libraries of NATS.
  const { openCluster } = await import('./cluster.ts');
  return openCluster(config, config.log, context);
}

/** Cancels the orders of clients that were connected when this node last ended. */
async function openConnections(
  { node, log }: Config,
  { replica }: NodeCore,
): Promise<ClientConnections> {
  const isAlone = log.kind === 'file';
  const connections = new ClientConnections({ replica, node, isAlone, timers: realTimers });
  await connections.begin();
  return connections;
}

function createServices(
  config: Config,
  { statistics, clock, now, plannedUrl }: NodeContext,
  { replica, archivist, bus, disk }: NodeCore,
  own: Pick<Services, 'users' | 'changes' | 'connections' | 'sealedSecrets'>,
) {
  const services: Services = {
    replica,
    archivist,
    ...own,
    statistics,
    keyUses: new KeyUseTimes(),
    publicOrderIds: new PublicOrderIds(own.users.orderIdSecret),
    queuePositions: new QueuePositions(() => replica.exchange),
    clock,
    now,
    orderSearch: new OrderSearch(
      replica,
      archivist,
      new DroppedIds(replica, archivist, { isHistoryRebuilt: config.database.kind === 'sqlite' }),
    ),
    bus,
    disk,
  };
  const baseUrl = config.publicUrl ?? plannedUrl;
  const authorization = new Authorization(services, { ...config, baseUrl });
  const streams = new Streams(services, authorization);
  own.users.sessions.onEnded = (ids) => streams.endSessions(ids);
  return { services, authorization, streams };
}

/** Restores the sandbox's keys and users, and the accounts of its market makers. */
async function prepareSandbox(
  config: Config,
  paths: Paths,
  { storage, credentialsPath, plannedUrl, now }: NodeContext,
  { replica, archivist, hasKeys }: NodeCore,
  { users, sealedSecrets }: Pick<Services, 'users' | 'sealedSecrets'>,
): Promise<void> {
  const { state } = replica.exchange;
  if (config.isSandbox && hasKeys) {
    await restoreSandboxKeys(storage, replica, credentialsPath, plannedUrl, sealedSecrets);
    await ensureSandboxUsers(users, storage, credentialsPath, now());
    await executeAll(replica, cancelLeftovers(state));
  }
  if (config.hasMakers) {
    await executeAll(replica, missingMakers(state), archivist);
    await restoreKeys(storage, replica, paths.makers, plannedUrl, MAKER_KEYS);
  }
}

/** Loads modules that would otherwise block trading for a quarter of a second when the first user signs up. */
async function loadEarly({ isSandbox }: Config): Promise<void> {
  await startBundler();
  if (!isSandbox) loadLibraries();
}

/** Writes the address served at into the files of credentials. @returns the credentials, if there are any */
async function noteAddress(
  { isSandbox }: Config,
  { sandboxVariables }: Paths,
  { storage, credentialsPath }: NodeContext,
  baseUrl: string,
) {
  const file = readCredentials(credentialsPath, DAMAGED_CREDENTIALS_ADVICE);
  if (file === undefined) return undefined;
  const current = { ...file, baseUrl };
  if (file.baseUrl !== baseUrl) await writeCredentials(storage, credentialsPath, current);
  if (isSandbox) await writeShellVariables(storage, sandboxVariables, current);
  return current;
}

/** Starts all monitoring of a node that serves. @returns a function that stops it */
function watch(
  monitor: Monitor,
  { metrics, clock, now }: NodeContext,
  { replica, archivist, log, fill, disk }: NodeCore,
  parts: Pick<Parts, 'gateway' | 'server' | 'streams' | 'binance'>,
): () => void {
  const descriptors = watchDescriptors();
  const stopClockWatch = clock.watch();
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
  };
}

/** Opens the users' database. Mail is sent by SMTP, or in the sandbox written to this process's output. */
async function openUsers(
  { isSandbox, mail, database }: Config,
  path: string,
  { replica, bus }: NodeCore,
  now: () => number,
  baseUrl: () => string,
): Promise<Users> {
  const send = mail === undefined ? undefined : await smtpMail(mail.smtpUrl, mail.from);
  return Users.open({
    url: database.kind === 'sqlite' ? `sqlite://${path}` : database.url,
    sendMail: send ?? (isSandbox ? logMail : undefined),
    baseUrl,
    now,
    bus,
    permissions: Permission.read | Permission.trade,
    openAccount: (accountId) => openAccount(replica, accountId),
  });
}

/** Loads the times at which keys were last used, and saves them at every cleanup of the users' database. */
async function keepKeyUses(
  users: Users,
  keyUses: KeyUseTimes,
  state: State,
  now: () => number,
): Promise<void> {
  for (const [apiKey, at] of await users.keyUses.load()) {
    const key = state.keysByApiKey.get(apiKey);
    if (key !== undefined) keyUses.note(key, at);
  }
  users.onCleanup = async () => {
    await users.keyUses.save(keyUses.takeNew(state.keysByApiKey.values(), now()));
    // Uses seen by other nodes, which save theirs about once a minute.
    for (const [apiKey, at] of await users.keyUses.load(now() - KEY_USES_MS)) {
      const key = state.keysByApiKey.get(apiKey);
      if (key !== undefined && keyUses.get(key) < at) keyUses.note(key, at);
    }
  };
}

/** The only copy of the secrets of a real exchange's first keys must never be overwritten. */
const DAMAGED_CREDENTIALS_ADVICE =
  'It was not changed. Restore it from a backup; the exchange runs without it, and its keys stay valid.';

/** Twice the interval of cleanups, plus a difference between clocks. */
const KEY_USES_MS = 300_000;

/** Starts the sandbox's market makers, which use the public API like any client. */
function startMakers(config: Config, port: number, path: string): MarketMakers {
  const keys = readCredentials(path)!.accounts;
  const findKey = (name: string) => keys.find((key) => key.name === name)!;
  const baseUrl = urlAt({ ...config, host: reachable(config.host) }, port);
  return new MarketMakers({
    baseUrl,
    maker: findKey(MAKER),
    taker: findKey(TAKER),
    seed: config.seed,
  });
}

/** Returns an address at which this machine reaches a server that listens on `host`. */
function reachable(host: string): string {
  if (host === '0.0.0.0') return '127.0.0.1';
  return host === '::' ? '::1' : host;
}

/** Returns this node's URL on a port. */
function urlAt({ certificate, host }: Config, port: number): string {
  const scheme = certificate === undefined ? 'http' : 'https';
  return `${scheme}://${host.includes(':') ? `[${host}]` : host}:${port}`;
}

function checkProxies({ trustedProxies }: Config): void {
  try {
    new AddressList(trustedProxies);
  } catch (error) {
    throw new ConfigError(`BUTTONWOOD_TRUSTED_PROXIES: ${(error as Error).message}`);
  }
}

function serve(
  gateway: Gateway,
  config: Config,
  streams: Streams,
  now: () => number,
  binance: BinanceSockets | undefined,
): ReturnType<typeof listen> {
  try {
    return listen(gateway, config, streams, now, binance);
  } catch (error) {
    throw new OperatorError(
      `Cannot listen on ${config.host}, port ${config.port} (${(error as Error).message}). ` +
        'Stop the process that uses the port, change PORT or BUTTONWOOD_HOST, or check the certificate.',
    );
  }
}

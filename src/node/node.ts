import { existsSync } from 'node:fs';
import { type Config, ConfigError } from '../config/config.ts';
import { dataPaths } from '../config/data-paths.ts';
import type { Event } from '../engine/event.ts';
import type { State } from '../engine/state.ts';
import { Permission } from '../engine/terms.ts';
import { Authorization } from '../gateway/auth/authorization.ts';
import { KeyUseTimes } from '../gateway/auth/key-uses.ts';
import { Gateway } from '../gateway/gateway.ts';
import { AccountChanges } from '../gateway/http/account-changes.ts';
import { AddressList } from '../gateway/http/client-address.ts';
import { listen } from '../gateway/http/server.ts';
import { startBundler } from '../gateway/pages/bundle.ts';
import type { Services } from '../gateway/services.ts';
import { Streams } from '../gateway/stream/streams.ts';
import { GuardedClock } from '../monitoring/clock.ts';
import * as logger from '../monitoring/logger.ts';
import type { Monitor } from '../monitoring/monitor.ts';
import { DroppedIds } from '../replica/dropped-ids.ts';
import { MarketStatisticsBoard } from '../replica/market-statistics.ts';
import { OrderSearch } from '../replica/order-search.ts';
import { ReplicaMetrics } from '../replica/replica-metrics.ts';
import {
  type Credential,
  MAKER_KEYS,
  readCredentials,
  writeCredentials,
  writeShellVariables,
} from '../sandbox/credentials-file.ts';
import { MAKER, TAKER } from '../sandbox/makers/maker-accounts.ts';
import { cancelLeftovers, missingMakers } from '../sandbox/makers/maker-genesis.ts';
import { MarketMakers } from '../sandbox/makers/market-makers.ts';
import { openAccount } from '../sandbox/open-account.ts';
import { keepSandboxUsers } from '../sandbox/sandbox-users.ts';
import { watchDescriptors } from '../storage/descriptor-watch.ts';
import { DiskStorage } from '../storage/disk-storage.ts';
import { checkUsersFile } from '../users/database.ts';
import { loadLibraries } from '../users/load-libraries.ts';
import { logMail, smtpMail } from '../users/mail.ts';
import { Users } from '../users/users.ts';
import { lockSoon } from './acquire-lock.ts';
import { executeAll, restoreKeys, restoreSandboxKeys } from './genesis.ts';
import { watchNode } from './metrics.ts';
import type { NodeContext, NodeCore } from './node-core.ts';
import { forget } from './reset.ts';
import { openSingle } from './single.ts';

/** A running exchange. */
export interface Node {
  readonly baseUrl: string;
  /** File with the keys that this node made for its holder. */
  readonly credentialsPath: string;
  /** The first key of that name in the file, undefined where the file is gone. */
  credential(name: string): Credential | undefined;
  /** Goes on serving, but has every client come anew for its next request. */
  drain(): void;
  /** Stops taking requests, finishes those under way, and leaves everything durable. */
  stop(): Promise<void>;
}

/**
 * Recovers an exchange from its data directory, or begins a new one there, and serves it.
 * @param onFailure The node can go on no longer; the process must end at once, with an error.
 * @param monitor Is told what the node does, and whether it is ready.
 */
export async function startNode(
  config: Config,
  onFailure: (error: Error) => void,
  monitor: Monitor,
): Promise<Node> {
  checkProxies(config);
  const storage = new DiskStorage();
  await storage.makeDirectory(config.dataDirectory);
  const lock = await lockSoon(config.dataDirectory);
  const paths = dataPaths(config.dataDirectory);
  // Nobody has seen a sandbox that was not done beginning.
  if (config.isSandbox && existsSync(paths.beginning)) forget(paths);
  // Before anything else is opened, which would leave files behind.
  if (config.database.kind === 'sqlite') checkUsersFile(paths.accounts);
  const credentialsPath = config.isSandbox ? paths.sandbox : paths.operator;
  const statistics = new MarketStatisticsBoard();
  const changes = new AccountChanges();
  const clock = new GuardedClock({ warn: logger.warn });
  // A laptop that was asleep must not need an operator.
  if (config.isSandbox) clock.accepts = () => true;
  const { now } = clock;
  const metrics = new ReplicaMetrics();
  // What other nodes do is seen before this one has streams.
  let streams: Streams | undefined;
  const ground: NodeContext = {
    ...{ storage, statistics, clock, now, credentialsPath, metrics, onFailure },
    readiness: monitor.readiness,
    plannedUrl: urlAt(config, config.port),
    onEvents: (events: readonly Event[]) => {
      statistics.note(events);
      changes.note(events);
      streams?.note(events);
    },
  };
  const foundation = await (config.log.kind === 'file'
    ? openSingle(config, paths, ground)
    : // Only a log that nodes share needs the libraries of NATS.
      (await import('./cluster.ts')).openCluster(config, config.log, ground));
  const { replica, archivist } = foundation;
  const { exchange } = replica;
  const publicUrl = () => config.publicUrl ?? urlAt(config, server.port);
  const accounts = await openAccounts(config, paths.accounts, foundation, now, publicUrl);
  const keyUses = new KeyUseTimes();
  const services: Services = {
    ...{ replica, archivist, statistics, changes, accounts, keyUses, clock, now },
    orderSearch: new OrderSearch(
      replica,
      archivist,
      new DroppedIds(replica, archivist, { isHistoryRebuilt: config.database.kind === 'sqlite' }),
    ),
    ...{ bus: foundation.bus, disk: foundation.disk },
  };
  const authorization = new Authorization(services, {
    ...config,
    baseUrl: config.publicUrl ?? ground.plannedUrl,
  });
  const served = new Streams(services, authorization);
  streams = served;
  accounts.sessions.onEnded = (ids) => served.endSessions(ids);
  await keepKeyUses(accounts, keyUses, exchange.state, now);
  if (config.isSandbox && foundation.hasKeys) {
    await restoreSandboxKeys(storage, replica, credentialsPath, ground.plannedUrl);
    await keepSandboxUsers(accounts, storage, credentialsPath, now());
    await executeAll(replica, cancelLeftovers(exchange.state));
  }
  if (config.hasMakers) {
    await executeAll(replica, missingMakers(exchange.state), archivist);
    await restoreKeys(storage, replica, paths.house, ground.plannedUrl, MAKER_KEYS);
  }

  await startBundler();
  // Later it would stop trading for a quarter of a second, for the first who signs up.
  if (!config.isSandbox) loadLibraries();
  const gateway = new Gateway(services, authorization, config.isSandbox);
  const server = serve(gateway, config, served, now);
  const baseUrl = urlAt(config, server.port);
  const file = readCredentials(credentialsPath, LEFT_AS_IT_IS);
  if (file !== undefined && file.baseUrl !== baseUrl) {
    await writeCredentials(storage, credentialsPath, { ...file, baseUrl });
  }
  if (config.isSandbox && file !== undefined) {
    await writeShellVariables(storage, paths.sandboxVariables, { ...file, baseUrl });
  }
  const house = config.hasMakers ? openHouse(config, server.port, paths.house) : undefined;
  const watch = watchDescriptors();
  const stopClockWatch = clock.watch();
  watchNode(monitor, {
    ...{ replica, metrics, archivist, gateway, server, clock, now },
    ...{ log: foundation.log, fill: foundation.fill, disk: foundation.disk, streams: served },
  });
  return {
    baseUrl,
    credentialsPath,
    credential: (name) => file?.accounts.find((credential) => credential.name === name),
    drain: () => server.drain(),
    stop: async () => {
      watch.stop();
      stopClockWatch();
      await house?.stop();
      await server.stop();
      authorization.close();
      await accounts.close();
      await foundation.close();
      lock.release();
    },
  };
}

/** Mail goes by SMTP, or in the sandbox to this process's log. */
async function openAccounts(
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

/** When keys were last used is known from before, and written down with what else is tidied up. */
async function keepKeyUses(
  accounts: Users,
  keyUses: KeyUseTimes,
  state: State,
  now: () => number,
): Promise<void> {
  for (const [apiKey, at] of await accounts.keyUses.load()) {
    const key = state.keysByApiKey.get(apiKey);
    if (key !== undefined) keyUses.note(key, at);
  }
  accounts.onCleanup = async () => {
    await accounts.keyUses.save(keyUses.takeNew(state.keysByApiKey.values(), now()));
    // What other nodes have seen: of the last minutes, for they write it down once in one.
    for (const [apiKey, at] of await accounts.keyUses.load(now() - KEY_USES_MS)) {
      const key = state.keysByApiKey.get(apiKey);
      if (key !== undefined && keyUses.of(key) < at) keyUses.note(key, at);
    }
  };
}

/** Keys with the secrets of a real exchange are in one file alone: no node writes over it. */
const LEFT_AS_IT_IS =
  'It is left as it is: restore it from a backup. The exchange runs without it, and its keys stay valid.';

/** Twice what lies between two times of tidying up, and a clock that differs by some. */
const KEY_USES_MS = 300_000;

/** The sandbox's traders come in by the front door, like anybody. */
function openHouse(config: Config, port: number, path: string): MarketMakers {
  const keys = readCredentials(path)!.accounts;
  const keyOf = (name: string) => keys.find((key) => key.name === name)!;
  const baseUrl = urlAt({ ...config, host: reachable(config.host) }, port);
  return new MarketMakers({ baseUrl, maker: keyOf(MAKER), taker: keyOf(TAKER), seed: config.seed });
}

/** Of every address that is listened on, this machine's own. */
function reachable(host: string): string {
  if (host === '0.0.0.0') return '127.0.0.1';
  return host === '::' ? '::1' : host;
}

/** Where this node is reached on a port. */
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
): ReturnType<typeof listen> {
  try {
    return listen(gateway, config, streams, now);
  } catch (error) {
    throw new ConfigError(
      `Cannot listen on ${config.host}, port ${config.port} (${(error as Error).message}): ` +
        'stop what runs there, set PORT or BUTTONWOOD_HOST to another, or see to the certificate.',
    );
  }
}

import { existsSync } from 'node:fs';
import type { Config } from '../config/config.ts';
import { dataPaths } from '../config/data-paths.ts';
import type { Event } from '../engine/event.ts';
import { AccountChanges } from '../gateway/services.ts';
import type { Streams } from '../gateway/stream/streams.ts';
import { GuardedClock } from '../monitoring/clock.ts';
import * as logger from '../monitoring/logger.ts';
import type { Monitor } from '../monitoring/monitor.ts';
import { MarketStatisticsBoard } from '../replica/market-statistics.ts';
import { ReplicaMetrics } from '../replica/replica.ts';
import { SandboxClock } from '../sandbox/clock/sandbox-clock.ts';
import { Timeline } from '../sandbox/clock/timeline.ts';
import type { Recording } from '../sandbox/recorded/recording.ts';
import { DiskStorage } from '../storage/disk-storage.ts';
import { checkUsersFile } from '../users/users.ts';
import { acquireLock } from './acquire-lock.ts';
import type { NodeContext, NodeCore } from './node-core.ts';
import { firstTime } from './recorded-markets.ts';
import { removeExchange } from './reset.ts';
import { isVirtual, openCheckpoints, openRandomBytes } from './sandbox-parts.ts';

export type Paths = ReturnType<typeof dataPaths>;

/** Creates and locks the data directory, and removes a sandbox whose creation was interrupted. */
export async function openDataDirectory(config: Config) {
  const { dataDirectory, isSandbox, database } = config;
  const storage = new DiskStorage(!isVirtual(config));
  await storage.makeDirectory(dataDirectory);
  const lock = await acquireLock(dataDirectory);
  const paths = dataPaths(dataDirectory);
  if (isSandbox) openCheckpoints(config).finish();
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
export function createContext(
  config: Config,
  paths: Paths,
  storage: DiskStorage,
  recording: Recording | undefined,
  onFailure: (error: Error) => void,
  { readiness }: Monitor,
) {
  const statistics = new MarketStatisticsBoard();
  const changes = new AccountChanges();
  const machineClock = new GuardedClock({ warn: logger.warn });
  // A laptop that wakes from sleep must not need an operator.
  if (config.isSandbox) machineClock.accepts = () => true;
  const hasOwnClock = config.isSandbox && config.log.kind === 'file';
  const start = isVirtual(config) ? firstTime(config, recording) : undefined;
  const clock = hasOwnClock ? new SandboxClock(machineClock, start) : machineClock;
  let position = () => 0;
  const listeners: Listener[] = [];
  const context: NodeContext = {
    storage,
    statistics,
    clock,
    now: clock.now,
    timeline: new Timeline(),
    recording,
    randomBytes: openRandomBytes(config, () => position()),
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
  const attach = (...created: readonly (Listener | undefined)[]) =>
    void listeners.push(...created.filter((listener) => listener !== undefined));
  const attachCore = ({ replica }: NodeCore) => {
    position = () => replica.position;
  };
  return { context, changes, attach, attachCore, machineClock };
}

/**
 * Returns the URL of this node's pages on a port. Browsers allow passkeys for names only, not for addresses, so that pages on
 * the loopback address are at `localhost`.
 */
export function pagesUrlAt(config: Config, port: number): string {
  const host = config.host === '127.0.0.1' ? 'localhost' : config.host;
  return config.publicUrl ?? urlAt({ ...config, host }, port);
}

/** Returns this node's URL on a port. */
export function urlAt({ certificate, host }: Config, port: number): string {
  const scheme = certificate === undefined ? 'http' : 'https';
  return `${scheme}://${host.includes(':') ? `[${host}]` : host}:${port}`;
}

import {
  DiscardPolicy,
  type JetStreamManager,
  jetstreamManager,
  RetentionPolicy,
  StorageType,
  type StreamConfig,
} from '@nats-io/jetstream';
import type { NatsConnection } from '@nats-io/transport-node';
import * as logger from '../../monitoring/logger.ts';
import { type AccountUse, logLimit, remainingBytes } from './capacity.ts';
import { isStreamMissing, isUnavailable, NatsError } from './connection.ts';
import type { ServerAnswer } from './sync.ts';

export { checkSync, listServers } from './sync.ts';

/** A smaller log would be full with its first large batch. */
const MIN_BYTES = 1024 * 1024;

/** The configuration that the stream must have, and the options of `nats stream edit` that set it. */
const REQUIREMENTS: readonly {
  readonly holds: (config: StreamConfig) => boolean;
  readonly reason: string;
  readonly fix: string;
  /** Whether it applies to the store of snapshots too. */
  readonly appliesToStore?: true;
}[] = [
  {
    holds: ({ storage }) => storage === StorageType.File,
    appliesToStore: true,
    reason: 'it is kept in memory and lost when the servers stop',
    fix: 'the storage of a stream cannot be changed: back up, create it again with --storage=file, restore',
  },
  {
    holds: ({ retention }) => retention === RetentionPolicy.Limits,
    reason: 'messages vanish once they are read',
    fix: '--retention=limits, on a new stream',
  },
  {
    holds: ({ discard }) => discard === DiscardPolicy.New,
    reason: 'a full stream would forget its oldest messages instead of refusing new ones',
    fix: '--discard=new',
  },
  {
    holds: ({ max_age }) => !max_age,
    appliesToStore: true,
    reason: 'messages vanish with age',
    fix: '--max-age=0',
  },
  {
    holds: ({ max_msgs, max_msgs_per_subject }) =>
      (max_msgs ?? -1) <= 0 && (max_msgs_per_subject ?? -1) <= 0,
    appliesToStore: true,
    reason: 'it is limited by the number of messages',
    fix: '--max-msgs=-1 --max-msgs-per-subject=-1',
  },
  {
    holds: ({ max_msg_size }) => (max_msg_size ?? -1) <= 0,
    reason: 'large batches would be rejected on every attempt',
    fix: '--max-msg-size=-1',
  },
  {
    holds: ({ deny_delete }) => deny_delete === true,
    reason: 'single messages could be deleted',
    fix: '--deny-delete, on a new stream',
  },
  {
    holds: ({ deny_purge }) => deny_purge !== true,
    reason: 'messages that a snapshot covers could never be removed',
    fix: '--no-deny-purge, on a new stream',
  },
  {
    holds: ({ allow_rollup_hdrs }) => allow_rollup_hdrs !== true,
    reason: 'one message could replace all before it',
    fix: '--no-allow-rollup',
  },
  {
    holds: ({ mirror, sources, sealed }) =>
      mirror === undefined && (sources ?? []).length === 0 && sealed !== true,
    reason: 'it is a copy of another stream, or sealed',
    fix: 'a stream of its own',
  },
];

/**
 * Creates the stream if there is none, with a limit if the capacity is known, and checks that it cannot lose messages.
 * @param replicas Number of servers that must store each message: three, so that one may fail.
 * @param servers The configuration that the servers report, if known.
 * @returns the bytes by which the stream may grow; undefined if unknown
 * @throws NatsError that names the problem and the command that fixes it
 */
export async function ensureStream(
  connection: NatsConnection,
  stream: string,
  replicas: number,
  servers: readonly ServerAnswer[] = [],
): Promise<number | undefined> {
  const manager = await openManager(connection);
  const remaining = remainingBytes(servers, await readAccount(manager), replicas);
  const config = await findOrCreate(manager, stream, replicas, remaining);
  check(config, REQUIREMENTS);
  checkReplicas(config, replicas);
  for (const subject of streamSubjects(stream)) {
    if (config.subjects.includes(subject)) continue;
    throw new NatsError(
      `The stream ${stream} does not accept ${subject}. Fix it: nats stream edit ${stream} --subjects=${streamSubjects(stream).join(',')}`,
    );
  }
  return remaining;
}

/**
 * Warns about server versions whose replicas may differ. With 2.9.10, after a leader was stopped for seconds, replicas
 * stored different times for one message, so nodes that read from different ones computed different states and stopped.
 */
export function checkVersion({ info }: NatsConnection): void {
  const [major = 0, minor = 0] = (info?.version ?? '').split('.').map(Number);
  if (major > 2 || (major === 2 && minor >= 10)) return;
  logger.warn(
    `NATS ${info?.version} is for tests only: it cannot sync each message to disk, and its replicas may store different times ` +
      'for one message, which stops nodes. Run 2.10 or later.',
  );
}

/** Minimum of the servers' `max_payload`: twice the largest command with its envelope and headers. */
export const MIN_MAX_PAYLOAD_BYTES = 64 * 1024;

/** @throws NatsError if the servers reject a message with the largest command */
export function checkPayload({ info }: Pick<NatsConnection, 'info'>): void {
  const bytes = info?.max_payload ?? MIN_MAX_PAYLOAD_BYTES;
  if (bytes >= MIN_MAX_PAYLOAD_BYTES) return;
  throw new NatsError(
    `The NATS servers accept messages of at most ${bytes} bytes, but a command may need more. ` +
      `Set max_payload to at least ${MIN_MAX_PAYLOAD_BYTES} in the configuration of every server; 1MB is the default.`,
  );
}

/** Returns the names of the servers that hold the stream; none if there is only one server. */
export async function listPeers(connection: NatsConnection, stream: string): Promise<string[]> {
  const { cluster } = await (await openManager(connection)).streams.info(stream);
  const peers = [cluster?.leader, ...(cluster?.replicas ?? []).map(({ name }) => name)];
  return peers.filter((name): name is string => name !== undefined && name !== '');
}

/**
 * Checks that the store of snapshots cannot lose messages either: the stream is trimmed up to them.
 * @throws NatsError that names the problem and the command that fixes it
 */
export async function checkStore(
  connection: NatsConnection,
  stream: string,
  replicas: number,
): Promise<void> {
  const manager = await openManager(connection);
  const { config } = await manager.streams.info(`OBJ_${stream}-snapshots`);
  check(
    config,
    REQUIREMENTS.filter(({ appliesToStore }) => appliesToStore),
  );
  checkReplicas(config, replicas);
}

function check(config: StreamConfig, requirements: typeof REQUIREMENTS): void {
  const { name } = config;
  const broken = requirements.find(({ holds }) => !holds(config));
  if (broken === undefined) return;
  throw new NatsError(
    `The stream ${name} is not safe: ${broken.reason}. Fix it: nats stream edit ${name} ${broken.fix}`,
  );
}

function checkReplicas({ name, num_replicas: actual }: StreamConfig, replicas: number): void {
  if (actual >= replicas) return;
  throw new NatsError(
    `The stream ${name} has ${actual} replica(s) instead of ${replicas}. ` +
      `Fix it: nats stream edit ${name} --replicas=${replicas}. Or set BUTTONWOOD_LOG_REPLICAS=${actual}.`,
  );
}

function streamSubjects(stream: string): string[] {
  return [`${stream}.batches`];
}

/** Returns the manager of a connection that is known to have JetStream. */
export function openManager(connection: NatsConnection): Promise<JetStreamManager> {
  return jetstreamManager(connection, { checkAPI: false });
}

/** Reads the account's limits, which also shows whether JetStream is enabled at all. */
async function readAccount(manager: JetStreamManager): Promise<AccountUse> {
  try {
    return await manager.getAccountInfo();
  } catch (error) {
    if (isUnavailable(error)) throw error;
    throw new NatsError(
      `JetStream is not enabled for this NATS user (${(error as Error).message}). Enable it in the servers' configuration and for the account.`,
    );
  }
}

async function findOrCreate(
  manager: JetStreamManager,
  stream: string,
  replicas: number,
  remaining: number | undefined,
): Promise<StreamConfig> {
  try {
    return (await manager.streams.info(stream)).config;
  } catch (error) {
    if (!isStreamMissing(error)) throw error;
  }
  const limit = remaining === undefined ? undefined : logLimit(remaining);
  // A limit of zero would mean no limit.
  if (limit !== undefined && limit < MIN_BYTES) {
    throw new NatsError(
      `There is not enough space for the stream ${stream}: the NATS servers or the account have ${remaining} bytes left. ` +
        'Raise max_file_store of the servers or the limit of the account, or remove streams that are not needed.',
    );
  }
  try {
    const made = await manager.streams.add({
      name: stream,
      subjects: streamSubjects(stream),
      storage: StorageType.File,
      retention: RetentionPolicy.Limits,
      discard: DiscardPolicy.New,
      deny_delete: true,
      num_replicas: replicas,
      ...(limit === undefined ? {} : { max_bytes: limit }),
      description: 'The log of a Buttonwood exchange: every command, in order.',
    });
    return made.config;
  } catch (error) {
    // Another node that starts at the same time may have created it first.
    const found = await manager.streams.info(stream).catch(() => undefined);
    if (found !== undefined) return found.config;
    if (isUnavailable(error)) throw error;
    throw new NatsError(
      `The stream ${stream} cannot be created with ${replicas} replicas: ${(error as Error).message}. ` +
        'Run that many NATS servers as a cluster, or lower BUTTONWOOD_LOG_REPLICAS; 1 keeps everything on one server.',
    );
  }
}

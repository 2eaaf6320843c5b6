import {
  DiscardPolicy,
  JetStreamApiCodes,
  JetStreamApiError,
  type JetStreamManager,
  jetstreamManager,
  RetentionPolicy,
  StorageType,
  type StreamConfig,
} from '@nats-io/jetstream';
import type { NatsConnection } from '@nats-io/transport-node';
import * as logger from '../../monitoring/logger.ts';
import { type AccountUse, limitIn, roomOf } from './capacity.ts';
import { isPassing, NatsError } from './connection.ts';
import type { ServerAnswer } from './sync.ts';

/** A log that holds less would be full with its first large batch. */
const LEAST_BYTES = 1024 * 1024;

/** What the stream must be, and the option of the `nats` command that makes it so. */
const DEMANDS: readonly {
  readonly holds: (config: StreamConfig) => boolean;
  readonly reason: string;
  readonly mend: string;
  /** Whether it is asked of the store of snapshots too, behind which the stream is trimmed. */
  readonly isOfStore?: true;
}[] = [
  {
    holds: ({ storage }) => storage === StorageType.File,
    isOfStore: true,
    reason: 'it is kept in memory, and lost with the servers',
    mend: 'the storage of a stream cannot be changed: back up, make it anew with --storage=file, restore',
  },
  {
    holds: ({ retention }) => retention === RetentionPolicy.Limits,
    reason: 'messages vanish once they were read',
    mend: '--retention=limits, on a new stream',
  },
  {
    holds: ({ discard }) => discard === DiscardPolicy.New,
    reason: 'a full stream would forget its oldest messages instead of refusing new ones',
    mend: '--discard=new',
  },
  {
    holds: ({ max_age }) => !max_age,
    isOfStore: true,
    reason: 'messages vanish with age',
    mend: '--max-age=0',
  },
  {
    holds: ({ max_msgs, max_msgs_per_subject }) =>
      (max_msgs ?? -1) <= 0 && (max_msgs_per_subject ?? -1) <= 0,
    isOfStore: true,
    reason: 'it is limited by the number of messages',
    mend: '--max-msgs=-1 --max-msgs-per-subject=-1',
  },
  {
    holds: ({ max_msg_size }) => (max_msg_size ?? -1) <= 0,
    reason: 'large batches would be refused, again and again',
    mend: '--max-msg-size=-1',
  },
  {
    holds: ({ deny_delete }) => deny_delete === true,
    reason: 'single messages could be deleted',
    mend: '--deny-delete, on a new stream',
  },
  {
    holds: ({ deny_purge }) => deny_purge !== true,
    reason: 'what lies behind a snapshot could never be given back',
    mend: '--no-deny-purge, on a new stream',
  },
  {
    holds: ({ allow_rollup_hdrs }) => allow_rollup_hdrs !== true,
    reason: 'one message could replace all before it',
    mend: '--no-allow-rollup',
  },
  {
    holds: ({ mirror, sources, sealed }) =>
      mirror === undefined && (sources ?? []).length === 0 && sealed !== true,
    reason: 'it is a copy of another stream, or sealed',
    mend: 'a stream of its own',
  },
];

/**
 * Makes the stream where there is none, with a limit where it is known how much room there is, and sees that it is one
 * that loses nothing.
 * @param replicas On how many servers each message must lie: three, so that one may be lost.
 * @param servers What they say of themselves, where that is known.
 * @returns How many bytes more there is room for; undefined where nobody says.
 * @throws NatsError naming what is wrong, and the command that mends it
 */
export async function ensureStream(
  connection: NatsConnection,
  stream: string,
  replicas: number,
  servers: readonly ServerAnswer[] = [],
): Promise<number | undefined> {
  const manager = await managerOf(connection);
  const room = roomOf(servers, await accountOf(manager), replicas);
  const config = await findOrMake(manager, stream, replicas, room);
  check(config, DEMANDS);
  checkReplicas(config, replicas);
  for (const subject of subjectsOf(stream)) {
    if (config.subjects.includes(subject)) continue;
    throw new NatsError(
      `The stream ${stream} does not take ${subject}. Mend it: nats stream edit ${stream} --subjects=${subjectsOf(stream).join(',')}`,
    );
  }
  return room;
}

/**
 * Warns of servers that may not agree. Seen with 2.9.10, whose leader had been stopped for seconds: its replicas kept
 * different times for one message, so that nodes that follow different ones come to different states, and end.
 */
export function checkVersion({ info }: NatsConnection): void {
  const [major = 0, minor = 0] = (info?.version ?? '').split('.').map(Number);
  if (major > 2 || (major === 2 && minor >= 10)) return;
  logger.warn(
    `NATS ${info?.version} is for trying only: it cannot sync each message to disk, and its replicas may keep different times ` +
      'for one message, which ends nodes. Run 2.10 or later.',
  );
}

/**
 * Minimum of the servers' `max_payload`: the largest command with its envelope and headers fits twice.
 */
export const MIN_MAX_PAYLOAD_BYTES = 64 * 1024;

/** @throws NatsError if the servers do not take a message with the largest command */
export function checkPayload({ info }: Pick<NatsConnection, 'info'>): void {
  const bytes = info?.max_payload ?? MIN_MAX_PAYLOAD_BYTES;
  if (bytes >= MIN_MAX_PAYLOAD_BYTES) return;
  throw new NatsError(
    `The NATS servers take messages of at most ${bytes} bytes, but a command may need more. ` +
      `Set max_payload to at least ${MIN_MAX_PAYLOAD_BYTES} in the configuration of every server; 1MB is the default.`,
  );
}

/** Names of the servers that the stream lies on; none where there is but one. */
export async function peersOf(connection: NatsConnection, stream: string): Promise<string[]> {
  const { cluster } = await (await managerOf(connection)).streams.info(stream);
  const peers = [cluster?.leader, ...(cluster?.replicas ?? []).map(({ name }) => name)];
  return peers.filter((name): name is string => name !== undefined && name !== '');
}

/**
 * Sees that the store of snapshots loses nothing either: what lies behind them is trimmed from the stream.
 * @throws NatsError naming what is wrong, and the command that mends it
 */
export async function checkStore(
  connection: NatsConnection,
  stream: string,
  replicas: number,
): Promise<void> {
  const manager = await managerOf(connection);
  const { config } = await manager.streams.info(`OBJ_${stream}-snapshots`);
  check(
    config,
    DEMANDS.filter(({ isOfStore }) => isOfStore),
  );
  checkReplicas(config, replicas);
}

function check(config: StreamConfig, demands: typeof DEMANDS): void {
  const { name } = config;
  const broken = demands.find(({ holds }) => !holds(config));
  if (broken === undefined) return;
  throw new NatsError(
    `The stream ${name} is not safe: ${broken.reason}. Mend it: nats stream edit ${name} ${broken.mend}`,
  );
}

function checkReplicas({ name, num_replicas: are }: StreamConfig, replicas: number): void {
  if (are >= replicas) return;
  throw new NatsError(
    `The stream ${name} lies on ${are} server(s), not on ${replicas}. ` +
      `Mend it: nats stream edit ${name} --replicas=${replicas}. Or ask for fewer: BUTTONWOOD_LOG_REPLICAS.`,
  );
}

function subjectsOf(stream: string): string[] {
  return [`${stream}.batches`];
}

/** Of a connection that is known to have JetStream. */
export function managerOf(connection: NatsConnection): Promise<JetStreamManager> {
  return jetstreamManager(connection, { checkAPI: false });
}

/** Asks whether there is JetStream at all, and what it lets this account have. */
async function accountOf(manager: JetStreamManager): Promise<AccountUse> {
  try {
    return await manager.getAccountInfo();
  } catch (error) {
    if (isPassing(error)) throw error;
    throw new NatsError(
      `NATS has no JetStream for this user (${(error as Error).message}): set "jetstream" in the servers' configuration and for the account.`,
    );
  }
}

async function findOrMake(
  manager: JetStreamManager,
  stream: string,
  replicas: number,
  room: number | undefined,
): Promise<StreamConfig> {
  try {
    return (await manager.streams.info(stream)).config;
  } catch (error) {
    const isMissing =
      error instanceof JetStreamApiError && error.code === JetStreamApiCodes.StreamNotFound;
    if (!isMissing) throw error;
  }
  const limit = room === undefined ? undefined : limitIn(room);
  // None at all would be taken for no limit.
  if (limit !== undefined && limit < LEAST_BYTES) {
    throw new NatsError(
      `There is no room for the stream ${stream}: the NATS servers, or the account, have ${room} bytes left for it. ` +
        'Give them a larger max_file_store, or the account a larger limit, or remove streams that are not needed.',
    );
  }
  try {
    const made = await manager.streams.add({
      name: stream,
      subjects: subjectsOf(stream),
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
    // Another node that starts at the same time may have been first.
    const found = await manager.streams.info(stream).catch(() => undefined);
    if (found !== undefined) return found.config;
    if (isPassing(error)) throw error;
    throw new NatsError(
      `The stream ${stream} cannot be made with ${replicas} replicas: ${(error as Error).message}. ` +
        'Run as many NATS servers as a cluster, or ask for fewer: BUTTONWOOD_LOG_REPLICAS=1 keeps everything on one.',
    );
  }
}

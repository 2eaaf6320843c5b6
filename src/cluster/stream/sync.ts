import { connectToNats, isPassing, NatsError, type NatsSettings } from './connection.ts';

/** How long the servers of the cluster have to say how they are set up. */
const ANSWER_MS = 1000;

export interface SyncSettings {
  /** `asserted`: the operator says that the servers sync always. */
  readonly sync: 'checked' | 'asserted';
  /** A user of the servers' system account, who may read how they are set up. */
  readonly system?: NatsSettings;
}

/** What a server says of itself. */
export interface ServerAnswer {
  readonly server: { readonly name: string; readonly ver: string };
  readonly data?: {
    readonly jetstream?: {
      readonly config?: { readonly sync_always?: boolean; readonly max_storage?: number };
      readonly stats?: { readonly storage?: number; readonly reserved_storage?: number };
    };
  };
}

/**
 * Sees that every server makes a message durable before it says so: as they come they do it every two minutes,
 * and a power cut that takes most of them at once takes what was acknowledged.
 * @param peers Names of the servers that the stream lies on.
 * @param servers What `serversOf` gives.
 * @throws NatsError where one does not, or where it cannot be read
 */
export function checkSync(
  { sync, system }: SyncSettings,
  peers: readonly string[],
  servers: readonly ServerAnswer[],
): void {
  if (sync === 'asserted') return;
  if (system === undefined) {
    throw new NatsError(
      'Whether the NATS servers sync each message to disk cannot be read: give a user of their system account in ' +
        'BUTTONWOOD_LOG_SYSTEM (nats://user:password@host:4222). Where that cannot be had, set sync_interval: always in ' +
        'the jetstream block of every server and assert it: BUTTONWOOD_LOG_SYNC=asserted.',
    );
  }
  if (servers.length === 0) {
    throw new NatsError(
      'No NATS server with JetStream said how it is set up: see that the user in BUTTONWOOD_LOG_SYSTEM belongs to the system account.',
    );
  }
  const silent = peers.filter((peer) => servers.every(({ server }) => server.name !== peer));
  if (silent.length > 0) {
    throw new NatsError(
      `These NATS servers hold the stream and did not say whether they sync: ${silent.join(', ')}. Start them first.`,
    );
  }
  const lax = servers.filter(({ data }) => data?.jetstream?.config?.sync_always !== true);
  if (lax.length === 0) return;
  const names = lax.map(({ server }) => `${server.name} (${server.ver})`).join(', ');
  throw new NatsError(
    `These NATS servers do not sync each message to disk: ${names}. Set sync_interval: always in the jetstream block of ` +
      'their configuration (version 2.10 or later) and start them again, one after the other.',
  );
}

/**
 * What the servers with JetStream say of themselves.
 * @param system A user of their system account; without one nobody is asked.
 */
export async function serversOf(system: NatsSettings | undefined): Promise<ServerAnswer[]> {
  if (system === undefined) return [];
  const connection = await connectToNats(system, 'buttonwood-setup');
  try {
    const answers = await connection.requestMany('$SYS.REQ.SERVER.PING.VARZ', '', {
      strategy: 'timer',
      maxWait: ANSWER_MS,
    });
    const servers: ServerAnswer[] = [];
    for await (const message of answers) servers.push(message.json<ServerAnswer>());
    return servers.filter(({ data }) => data?.jetstream?.config);
  } catch (error) {
    // To a user of another account nobody answers at all.
    if (isPassing(error)) return [];
    throw error;
  } finally {
    await connection.close();
  }
}

import { connectToNats, isUnavailable, NatsError, type NatsSettings } from './connection.ts';

/** Time within which all NATS servers must report their configuration. */
const REPLIES_MS = 1000;

export interface SyncSettings {
  /** `asserted`: the operator vouches that the servers sync every message. */
  readonly sync: 'checked' | 'asserted';
  /** A user of the servers' system account, which may read their configuration. */
  readonly system?: NatsSettings;
}

/** A server's report of its configuration. */
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
 * Checks that every server syncs a message to disk before it acknowledges it. By default servers sync every two minutes,
 * so a power cut of most of them at once would lose acknowledged messages.
 * @param peers Names of the servers that hold the stream.
 * @param servers The result of `listServers`.
 * @throws NatsError if one does not sync, or if this cannot be read
 */
export function checkSync(
  { sync, system }: SyncSettings,
  peers: readonly string[],
  servers: readonly ServerAnswer[],
): void {
  if (sync === 'asserted') return;
  if (system === undefined) {
    throw new NatsError(
      'Buttonwood cannot check that the NATS servers sync each message to disk. Set BUTTONWOOD_LOG_SYSTEM to a user of ' +
        'their system account (nats://user:password@host:4222). Without such a user, set sync_interval: always in ' +
        'the jetstream block of every server and BUTTONWOOD_LOG_SYNC=asserted here.',
    );
  }
  if (servers.length === 0) {
    throw new NatsError(
      'No NATS server with JetStream reported its configuration. Check that the user in BUTTONWOOD_LOG_SYSTEM belongs to the system account.',
    );
  }
  const silent = peers.filter((peer) => servers.every(({ server }) => server.name !== peer));
  if (silent.length > 0) {
    throw new NatsError(
      `These NATS servers hold the stream and did not report whether they sync: ${silent.join(', ')}. Start them first.`,
    );
  }
  const lax = servers.filter(({ data }) => data?.jetstream?.config?.sync_always !== true);
  if (lax.length === 0) return;
  const names = lax.map(({ server }) => `${server.name} (${server.ver})`).join(', ');
  throw new NatsError(
    `These NATS servers do not sync each message to disk: ${names}. Set sync_interval: always in the jetstream block of ` +
      'their configuration (version 2.10 or later) and restart them one at a time.',
  );
}

/**
 * Returns the configuration that the servers with JetStream report.
 * @param system A user of their system account; without one the result is empty.
 */
export async function listServers(system: NatsSettings | undefined): Promise<ServerAnswer[]> {
  if (system === undefined) return [];
  const connection = await connectToNats(system, 'buttonwood-setup');
  try {
    const answers = await connection.requestMany('$SYS.REQ.SERVER.PING.VARZ', '', {
      strategy: 'timer',
      maxWait: REPLIES_MS,
    });
    const servers: ServerAnswer[] = [];
    for await (const message of answers) servers.push(message.json<ServerAnswer>());
    return servers.filter(({ data }) => data?.jetstream?.config);
  } catch (error) {
    // A user of another account gets no reply at all.
    if (isUnavailable(error)) return [];
    throw error;
  } finally {
    await connection.close();
  }
}

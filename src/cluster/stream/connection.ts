import { readFileSync } from 'node:fs';
import { JetStreamApiCodes, JetStreamApiError, JetStreamError } from '@nats-io/jetstream';
import {
  type Authenticator,
  type ConnectionOptions,
  connect,
  credsAuthenticator,
  errors,
  type NatsConnection,
  NatsConnectionImpl,
} from '@nats-io/transport-node';
import { OperatorError } from '../../monitoring/operator-error.ts';
import { retry } from '../../monitoring/retry.ts';

export type { NatsConnection };

export interface NatsSettings {
  /** `host:port`; one is enough, the client discovers the others. */
  readonly servers: readonly string[];
  /** Whether the connection must be encrypted. */
  readonly isTls: boolean;
  readonly user?: string | undefined;
  readonly password?: string | undefined;
  /** Path of a credentials file, instead of user and password. */
  readonly credentialsPath?: string | undefined;
}

/** NATS cannot be reached, rejects this node, or is not set up as Buttonwood needs it. */
export class NatsError extends OperatorError {
  override readonly name = 'NatsError';
}

const NATS_ERRORS = [
  NatsError,
  JetStreamApiError,
  JetStreamError,
  errors.RequestError,
  errors.TimeoutError,
  errors.NoRespondersError,
  errors.ClosedConnectionError,
  errors.ConnectionError,
  errors.PermissionViolationError,
] as const;

const TIMEOUT_MS = 5000;
const RECONNECT_MS = 200;
/** Longer than several elections in a row, which take some seconds each. */
const GIVE_UP_MS = 60_000;
/** NATS starts elections after 4 to 9 s; reconnecting earlier would miss the new leader. */
const SILENT_MS = 9000;
const POLL_EVERY_MS = 500;
/** Status of JetStream's replies while it has no leader. */
const UNAVAILABLE = 503;

/**
 * Connects to NATS, and reconnects without limit whenever the connection is lost.
 * @param name Name of the connection in the servers' own tools.
 * @param reconnect False for work that must end with the connection, because a gap would make it wrong.
 * @throws NatsError if no server answers or accepts this node
 */
export async function connectToNats(
  settings: NatsSettings,
  name: string,
  { reconnect = true }: Pick<ConnectionOptions, 'reconnect'> = {},
): Promise<NatsConnection> {
  const { servers, isTls, user, password } = settings;
  try {
    const connection = await connect({
      servers: [...servers],
      name,
      timeout: TIMEOUT_MS,
      reconnect,
      maxReconnectAttempts: -1,
      reconnectTimeWait: RECONNECT_MS,
      reconnectJitter: RECONNECT_MS / 2,
      // Disconnects from a server that hangs, after about three seconds.
      pingInterval: 1000,
      maxPingOut: 2,
      ...(user === undefined ? {} : { user, pass: password ?? '' }),
      ...(isTls ? { tls: {} } : {}),
      ...readAuthenticator(settings),
    });
    void closeWhenStale(connection);
    return connection;
  } catch (error) {
    throw new NatsError(
      `NATS at ${servers.join(', ')} cannot be used: ${(error as Error).message}. ` +
        'Check that the servers run, and that BUTTONWOOD_LOG and its credentials are correct.',
    );
  }
}

/**
 * Closes the connection to a server that no longer answers. The client itself first waits until everything written has
 * been sent, which takes a quarter of an hour if packets are lost.
 */
async function closeWhenStale(connection: NatsConnection): Promise<void> {
  if (!(connection instanceof NatsConnectionImpl)) throw new Error('unknown NATS client');
  for await (const { type } of connection.status()) {
    if (type !== 'staleConnection') continue;
    await connection.protocol.transport.close(new errors.ConnectionError('it does not answer'));
  }
}

/**
 * Reconnects to another server whenever the log has been silent for some seconds: a server that is cut off from the
 * others keeps its connections, but delivers and accepts nothing.
 * @param silentMs Returns the time since the last message, milliseconds.
 * @returns A function that stops the watch
 */
export function reconnectWhenSilent(
  connection: NatsConnection,
  silentMs: () => number,
): () => void {
  let reconnectedAt = performance.now();
  const timer = setInterval(() => {
    const connectedMs = performance.now() - reconnectedAt;
    if (connection.isClosed() || Math.min(silentMs(), connectedMs) < SILENT_MS) return;
    reconnectedAt = performance.now();
    void connection.reconnect();
  }, POLL_EVERY_MS);
  return () => clearInterval(timer);
}

/**
 * Repeats a request while JetStream is unavailable, as it is while its servers elect a leader.
 * @throws NatsError after a minute, and any other error of `request`
 */
export async function retryTransient<Result>(request: () => Promise<Result>): Promise<Result> {
  const isTransient = (error: unknown) => isUnavailable(error) || hasNoLeader(error);
  const until = performance.now() + GIVE_UP_MS;
  try {
    return await retry(request, { every: RECONNECT_MS, until, isTransient });
  } catch (error) {
    if (!isTransient(error)) throw error;
    throw new NatsError(`JetStream does not answer (${(error as Error).message}).`, {
      advice: 'Check that a majority of the NATS servers run and reach each other.',
    });
  }
}

/** Returns whether an error of NATS only means that no server can answer now. */
export function isUnavailable(error: unknown): boolean {
  if (error instanceof JetStreamApiError) return error.status === UNAVAILABLE;
  return [errors.TimeoutError, errors.RequestError, errors.NoRespondersError].some(
    (type) => error instanceof type,
  );
}

/** Returns whether an error comes from the NATS servers, the connection to them, or their permissions. */
export function isNatsFailure(error: unknown): error is Error {
  return NATS_ERRORS.some((type) => error instanceof type) || isJetStreamNotEnabled(error);
}

/**
 * Returns whether a publish failed because the stream has no leader yet. The client library reports that JetStream is not
 * enabled, with the reason as its cause.
 */
function hasNoLeader(error: unknown): boolean {
  return isJetStreamNotEnabled(error) && error.cause instanceof errors.RequestError;
}

/** The library does not export this class. */
function isJetStreamNotEnabled(error: unknown): error is Error {
  return error instanceof Error && error.name === 'JetStreamNotEnabled';
}

function readAuthenticator({ credentialsPath }: NatsSettings): { authenticator?: Authenticator } {
  if (credentialsPath === undefined) return {};
  return { authenticator: credsAuthenticator(readFileSync(credentialsPath)) };
}

/** Whether JetStream has no stream of that name. */
export function isStreamMissing(error: unknown): boolean {
  return error instanceof JetStreamApiError && error.code === JetStreamApiCodes.StreamNotFound;
}

import { readFileSync } from 'node:fs';
import { JetStreamApiError, JetStreamError } from '@nats-io/jetstream';
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

export interface NatsSettings {
  /** `host:port`; any of them leads to all. */
  readonly servers: readonly string[];
  /** Whether the connection must be encrypted. */
  readonly isTls: boolean;
  readonly user?: string | undefined;
  readonly password?: string | undefined;
  /** Path of a credentials file, instead of user and password. */
  readonly credentialsPath?: string | undefined;
}

/** NATS cannot be reached, does not let this node in, or is not set up as it must be: the message says what to do. */
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
/** An election takes some seconds, several of them after one another more. */
const PATIENCE_MS = 60_000;
/** Elections of NATS begin after 4 to 9 s: who leaves a server before is away when there is a leader again. */
const SILENT_MS = 9000;
const LOOK_EVERY_MS = 500;
/** What JetStream answers as long as it has no leader. */
const UNAVAILABLE = 503;

/**
 * Connects to NATS, and again whenever the connection is lost, for as long as it takes.
 * @param name What the servers' own tools show for it.
 * @param reconnect False for work that a lost connection would leave with a gap: it ends with it.
 * @throws NatsError where no server answers, or none lets this node in
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
      // A server that hangs is left after as long.
      pingInterval: 1000,
      maxPingOut: 2,
      ...(user === undefined ? {} : { user, pass: password ?? '' }),
      ...(isTls ? { tls: {} } : {}),
      ...authenticatorOf(settings),
    });
    void leaveStale(connection);
    return connection;
  } catch (error) {
    throw new NatsError(
      `NATS at ${servers.join(', ')} cannot be used: ${(error as Error).message}. ` +
        'See that the servers run, and that BUTTONWOOD_LOG and the credentials in it are right.',
    );
  }
}

/**
 * Of a server that answers no more the client lets go only once all that was written has gone out: where packets are
 * lost that is when the system gives up, after a quarter of an hour. Here it lets go at once.
 */
async function leaveStale(connection: NatsConnection): Promise<void> {
  if (!(connection instanceof NatsConnectionImpl)) throw new Error('another client of NATS');
  for await (const { type } of connection.status()) {
    if (type !== 'staleConnection') continue;
    await connection.protocol.transport.close(new errors.ConnectionError('it does not answer'));
  }
}

/**
 * Goes to another server whenever nothing has been heard of the log for some seconds: one that has lost the others
 * keeps its connections, and tells and takes nothing.
 * @param silentMs For how long.
 * @returns Ends it.
 */
export function reconnectWhenSilent(
  connection: NatsConnection,
  silentMs: () => number,
): () => void {
  let leftAt = performance.now();
  const timer = setInterval(() => {
    const stayedMs = performance.now() - leftAt;
    if (connection.isClosed() || Math.min(silentMs(), stayedMs) < SILENT_MS) return;
    leftAt = performance.now();
    void connection.reconnect();
  }, LOOK_EVERY_MS);
  return () => clearInterval(timer);
}

/**
 * Asks until it is answered: while servers elect a leader, of all of them or of a stream, none of them answers.
 * @throws NatsError where that takes too long, and what `ask` throws for any other reason
 */
export async function retryTransient<Answer>(ask: () => Promise<Answer>): Promise<Answer> {
  const until = performance.now() + PATIENCE_MS;
  for (;;) {
    try {
      return await ask();
    } catch (error) {
      if (!isPassing(error) && !hasNoLeader(error)) throw error;
      if (performance.now() > until) {
        throw new NatsError(
          `JetStream does not answer (${(error as Error).message}): see that most of the NATS servers run and reach each other.`,
        );
      }
      await Bun.sleep(RECONNECT_MS);
    }
  }
}

/** Whether an error of NATS only says that nobody can answer now. */
export function isPassing(error: unknown): boolean {
  if (error instanceof JetStreamApiError) return error.status === UNAVAILABLE;
  return [errors.TimeoutError, errors.RequestError, errors.NoRespondersError].some(
    (passing) => error instanceof passing,
  );
}

/** Returns whether an error comes from the NATS servers, the connection to them, or what they permit. */
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

function authenticatorOf({ credentialsPath }: NatsSettings): { authenticator?: Authenticator } {
  if (credentialsPath === undefined) return {};
  return { authenticator: credsAuthenticator(readFileSync(credentialsPath)) };
}

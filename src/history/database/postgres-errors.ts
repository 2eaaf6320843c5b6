import { HistoryUnavailableError, HistoryUnreadableError } from '../errors.ts';

/**
 * Transient classes and codes of SQLSTATE: connections (08), resources such as disk and memory (53), operator
 * intervention such as a restart (57), system errors (58), conflicting transactions (40), a read-only standby (25006), an
 * idle session that was closed (25P03), a statement prepared before a newer release changed its table (0A000), a locked
 * table (55P03).
 */
const TRANSIENT = /^(08|53|57|58|40)|^(25006|25P03|0A000|55P03)$/;
/** Client errors that do not go away by waiting: encryption and passwords. */
const PERMANENT_CLIENT_CODES = /TLS|AUTH|PASSWORD|SASL|CHANNEL_BINDING|UNSUPPORTED|INVALID/;

/** Returns a HistoryUnavailableError for a transient failure of PostgreSQL or the network, otherwise the error itself. */
export function postgresError(error: unknown): unknown {
  if (!(error instanceof Bun.SQL.PostgresError)) return error;
  const isTransient =
    error.errno === undefined
      ? !PERMANENT_CLIENT_CODES.test(error.code)
      : TRANSIENT.test(`${error.errno}`);
  return isTransient ? new HistoryUnavailableError(`PostgreSQL: ${error.message}`, error) : error;
}

/** Returns a HistoryUnreadableError for a database that rejects this node or does not exist, otherwise the error itself. */
export function connectionError(error: unknown, url: string): unknown {
  // Transient errors were converted before.
  if (!(error instanceof Bun.SQL.PostgresError)) return error;
  const { host, pathname } = new URL(url);
  return new HistoryUnreadableError(
    host + pathname,
    error,
    'Check that BUTTONWOOD_DATABASE and its credentials are correct, and that its user may create tables there.',
  );
}

/**
 * Returns a HistoryUnavailableError for a permanent error of a database that was already opened, or undefined for any
 * other error. It does not stop the node, which can trade without history, and which a restart would not help.
 */
export function permanentError(error: unknown): HistoryUnavailableError | undefined {
  if (!(error instanceof Bun.SQL.PostgresError)) return undefined;
  const state = error.errno === undefined ? error.code : `SQLSTATE ${error.errno}`;
  return new HistoryUnavailableError(`PostgreSQL: ${error.message} (${state})`, error);
}

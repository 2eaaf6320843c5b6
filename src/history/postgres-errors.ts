import { HistoryUnavailableError, HistoryUnreadableError } from './errors.ts';

/**
 * Classes and codes of SQLSTATE that pass: connections (08), resources such as disk and memory (53),
 * an operator's doing such as a restart (57), a system error (58), transactions that got in each
 * other's way (40), a standby that takes no writes (25006), a session that was ended for its silence
 * (25P03), a statement prepared before a newer release changed its table (0A000), a table locked (55P03).
 */
const PASSING = /^(08|53|57|58|40)|^(25006|25P03|0A000|55P03)$/;
/** What no waiting mends though nothing has answered: encryption, passwords. */
const LASTING_CLIENT_CODES = /TLS|AUTH|PASSWORD|SASL|CHANNEL_BINDING|UNSUPPORTED|INVALID/;

/** What PostgreSQL or the way to it failed with: HistoryUnavailableError where that passes, else itself. */
export function postgresError(error: unknown): unknown {
  if (!(error instanceof Bun.SQL.PostgresError)) return error;
  const passes =
    error.errno === undefined
      ? !LASTING_CLIENT_CODES.test(error.code)
      : PASSING.test(`${error.errno}`);
  return passes ? new HistoryUnavailableError(`PostgreSQL: ${error.message}`, error) : error;
}

/** What a database that does not let this node in, or is not there, failed with: a HistoryUnreadableError for people. */
export function refused(error: unknown, url: string): unknown {
  // What passes is another error by now.
  if (!(error instanceof Bun.SQL.PostgresError)) return error;
  const { host, pathname } = new URL(url);
  return new HistoryUnreadableError(
    host + pathname,
    error,
    'See that BUTTONWOOD_DATABASE names it and the credentials in it are right, and that its user may make tables there.',
  );
}

/**
 * What does not pass by itself, to those that had opened the database: nothing that it says is worth ending a node
 * for, which trades on without it, and whoever took its place would be told the same. Undefined for any other error.
 */
export function lastingError(error: unknown): HistoryUnavailableError | undefined {
  if (!(error instanceof Bun.SQL.PostgresError)) return undefined;
  const state = error.errno === undefined ? error.code : `SQLSTATE ${error.errno}`;
  return new HistoryUnavailableError(`PostgreSQL: ${error.message} (${state})`, error);
}

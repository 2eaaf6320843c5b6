import { getEnvironmentData, setEnvironmentData } from 'node:worker_threads';

/**
 * The output of the process for its operator, one line per event, as plain text or as JSON objects. It is unrelated to the
 * exchange's log.
 */

/** Further values of a line. Only primitive values, so that no request, header or record is logged as a whole. */
export type Fields = Readonly<Record<string, string | number | boolean | null | undefined>>;

type Level = 'info' | 'warn' | 'error';

const FORMAT = 'buttonwood log format';
const JSON_LINES = 'json';

/** Switches to JSON lines on standard error, for this thread and threads started later. */
export function useJson(): void {
  setEnvironmentData(FORMAT, JSON_LINES);
}

/** Logs an event; plain text goes to standard output. */
export function info(message: string, fields: Fields = {}): void {
  write('info', message, fields);
}

/** Logs a condition that an operator should look at while the exchange continues. */
export function warn(message: string, fields: Fields = {}): void {
  write('warn', message, fields);
}

/** Logs a failure, with the stack and causes of `thrown` but none of its other properties. */
export function error(message: string, thrown?: unknown, fields: Fields = {}): void {
  write('error', message, fields, thrown);
}

function write(level: Level, message: string, fields: Fields, thrown?: unknown): void {
  if (getEnvironmentData(FORMAT) === JSON_LINES) {
    const cause = thrown === undefined ? {} : { error: formatTrace(thrown) };
    const line = { time: new Date().toISOString(), level, message, ...fields, ...cause };
    process.stderr.write(`${JSON.stringify(line, withoutSecret)}\n`);
    return;
  }
  const known = Object.entries(fields).filter(([, value]) => value !== undefined);
  const shown = known.map(([name, value]) => ` ${name}=${value}`).join('');
  const trace = thrown === undefined ? '' : `\n${formatTrace(thrown)}`;
  const text = withoutSecrets(`${message}${shown}${trace}`);
  if (level === 'info') console.log(text);
  else console.error(text);
}

function withoutSecret(_: string, value: unknown): unknown {
  return typeof value === 'string' ? withoutSecrets(value) : value;
}

/**
 * Masks API secrets and passwords in URLs. No caller logs a secret, but messages of other programs may contain one.
 */
function withoutSecrets(text: string): string {
  return text
    .replace(/\bbws_[0-9A-Za-z]+/g, 'bws_***')
    .replace(/(\w:\/\/[^\s/:@]*:)[^\s/]*@/g, '$1***@');
}

/** Returns the stack of an error and of its causes. */
function formatTrace(thrown: unknown): string {
  if (!(thrown instanceof Error)) return String(thrown);
  const { name, message, stack, cause } = thrown;
  const own = stack?.includes(message) ? stack : `${name}: ${message}\n${stack ?? ''}`;
  return cause === undefined ? own : `${own}\ncaused by ${formatTrace(cause)}`;
}

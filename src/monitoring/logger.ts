import { getEnvironmentData, setEnvironmentData } from 'node:worker_threads';

/**
 * What the process tells its operator, a line an event: plain words for people, or one JSON object a line. It has
 * nothing to do with the exchange's log.
 */

/** Beside the message. Values are simple ones on purpose: no request, header or record gets in as a whole. */
export type Fields = Readonly<Record<string, string | number | boolean | null | undefined>>;

type Level = 'info' | 'warn' | 'error';

const FORMAT = 'buttonwood journal';
const JSON_LINES = 'json';

/** From now on, in threads that begin from now on too, every line is one JSON object on standard error. */
export function loggerAsJson(): void {
  setEnvironmentData(FORMAT, JSON_LINES);
}

/** For people who look at a terminal: goes to standard output when it is plain. */
export function info(message: string, fields: Fields = {}): void {
  write('info', message, fields);
}

/** The exchange goes on; somebody should look at it. */
export function warn(message: string, fields: Fields = {}): void {
  write('warn', message, fields);
}

/** Something failed that must not. `thrown` is told with its stack and causes, not with what else it carries. */
export function error(message: string, thrown?: unknown, fields: Fields = {}): void {
  write('error', message, fields, thrown);
}

function write(level: Level, message: string, fields: Fields, thrown?: unknown): void {
  if (getEnvironmentData(FORMAT) === JSON_LINES) {
    const cause = thrown === undefined ? {} : { error: traceOf(thrown) };
    const line = { time: new Date().toISOString(), level, message, ...fields, ...cause };
    process.stderr.write(`${JSON.stringify(line, withoutSecret)}\n`);
    return;
  }
  const known = Object.entries(fields).filter(([, value]) => value !== undefined);
  const shown = known.map(([name, value]) => ` ${name}=${value}`).join('');
  const trace = thrown === undefined ? '' : `\n${traceOf(thrown)}`;
  const text = withoutSecrets(`${message}${shown}${trace}`);
  if (level === 'info') console.log(text);
  else console.error(text);
}

function withoutSecret(_: string, value: unknown): unknown {
  return typeof value === 'string' ? withoutSecrets(value) : value;
}

/**
 * No caller gives a secret. Should one stand in another program's words, an API secret or a password in a url
 * is masked all the same.
 */
function withoutSecrets(text: string): string {
  return text
    .replace(/\bbws_[0-9A-Za-z]+/g, 'bws_***')
    .replace(/(\w:\/\/[^\s/:@]*:)[^\s/]*@/g, '$1***@');
}

/** Where it was thrown, and what caused it. */
function traceOf(thrown: unknown): string {
  if (!(thrown instanceof Error)) return String(thrown);
  const { name, message, stack, cause } = thrown;
  const own = stack?.includes(message) ? stack : `${name}: ${message}\n${stack ?? ''}`;
  return cause === undefined ? own : `${own}\ncaused by ${traceOf(cause)}`;
}

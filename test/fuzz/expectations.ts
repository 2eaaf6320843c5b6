import { PASSWORD } from '../http/browser.ts';
import { checkDescribed } from '../http/described.ts';
import { checkWire, type WireResponse } from '../http/wire.ts';

/** Text that reveals paths, source files or errors of the runtime. */
const INTERNALS =
  /node_modules|\.tsx?:\d|\bat (async )?\w+ \(|\/(home|root|work|tmp|proc)\/|SQLITE|sqlite|TypeError|RangeError|SyntaxError|undefined is not/;
const SECRET_KEY = /bws_[A-Za-z0-9]{20}/;
/** Operations that return a new secret. */
const RETURNS_SECRET: ReadonlySet<string> = new Set(['createKey', 'createOwnKey']);

/** A request, its answer, and the state of the exchange before and after. */
export interface Exchanged {
  readonly operation: string;
  readonly method: string;
  readonly path: string;
  readonly body: Uint8Array | undefined;
  readonly response: WireResponse;
  readonly nowMs: number;
  readonly before: bigint | number | string;
  readonly after: bigint | number | string;
  /** Secrets of the senders, which no answer may contain. */
  readonly secrets: readonly string[];
}

/** Checks the rules for all answers. @throws Error with the violated rule. */
export function checkAnswer(exchanged: Exchanged): void {
  const { operation, method, path, body, response, before, after, secrets } = exchanged;
  const { status, headers, text } = response;
  if (status >= 500) throw new Error(`status ${status}: ${text}`);
  const isPage = headers.get('Content-Type')?.startsWith('application/json') === false;
  const bare = path.replace(/[?#].*$/s, '');
  if (isPage) {
    const isFile = operation.endsWith('ReportFile') && status === 200;
    if (!isFile && /^\/+api(\/|$)/.test(bare)) throw new Error('a page under /api/');
  } else {
    checkWire(response, exchanged.nowMs);
    checkDescribed({ method, path, body }, response);
  }
  const isRead = method !== 'POST' && method !== 'PATCH' && method !== 'DELETE';
  // 202: the request waits for a second operator, and is recorded.
  const isAccepted = status === 200 || status === 202;
  if ((!isAccepted || isRead) && before !== after) {
    throw new Error(`${status} to a ${method} changed the state of the exchange`);
  }
  if (isPage) return;
  if (INTERNALS.test(text)) throw new Error(`internals in the answer: ${text}`);
  const returnsSecret = status === 200 && RETURNS_SECRET.has(operation);
  if (!returnsSecret && SECRET_KEY.test(text)) throw new Error(`a secret in the answer: ${text}`);
  if (text.includes(PASSWORD)) throw new Error(`a password in the answer: ${text}`);
  for (const secret of secrets) {
    if (text.includes(secret)) throw new Error(`the sender's secret in the answer: ${text}`);
  }
}

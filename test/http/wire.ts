import { ERRORS, type ErrorCode } from '../../src/gateway/http/response/errors.ts';

const WINDOW_SECONDS = 60;

/** A response from any transport. */
export interface WireResponse {
  readonly method: string;
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

/**
 * Checks the rules for every response under /api/: the envelope, its status, the mandatory headers.
 * @param nowMs The exchange's time of the response.
 * @throws Error with the violated rule.
 */
export function checkWire(response: WireResponse, nowMs: number): void {
  const { method, headers, text } = response;
  checkHeaders(response, nowMs);
  if (method === 'HEAD') {
    demand(text === '', 'HEAD has a body');
    demand(Number(headers.get('Content-Length')) > 2, 'HEAD lacks the length of the body');
    return;
  }
  // Files have no envelope.
  if (response.status === 200 && headers.has('Content-Disposition')) return;
  demand(headers.get('Content-Type') === 'application/json', 'not application/json');
  checkEnvelope(response);
}

function checkHeaders({ status, headers }: WireResponse, nowMs: number): void {
  const limit = wholeHeader(headers, 'X-RateLimit-Limit');
  const remaining = wholeHeader(headers, 'X-RateLimit-Remaining');
  const reset = wholeHeader(headers, 'X-RateLimit-Reset');
  demand(limit >= 1 && remaining <= limit, `${remaining} of ${limit} remaining`);
  const ahead = reset - nowMs / 1000;
  demand(ahead > 0 && ahead <= WINDOW_SECONDS + 1, `the window ends in ${ahead} s`);
  demand(headers.get('X-API-Version') === '1', 'no X-API-Version: 1');
  demand(/^[\w-]{8,64}$/.test(headers.get('X-Request-Id') ?? ''), 'no X-Request-Id');
  if (status === 405) demand(/\w/.test(headers.get('Allow') ?? ''), '405 without Allow');
  if (status === 429) demand(remaining === 0, '429 with requests remaining');
  const asksToWait = status === 429 || status === 503;
  demand(asksToWait === headers.has('Retry-After'), `Retry-After with ${status}`);
  if (asksToWait) demand(wholeHeader(headers, 'Retry-After') >= 1, 'Retry-After below 1 s');
  for (const name of headers.keys()) {
    demand(!name.startsWith('access-control-'), `the CORS header ${name}`);
  }
}

function checkEnvelope({ status, text }: WireResponse): void {
  const body = JSON.parse(text);
  demand(
    body.success === (status === 200 || status === 202),
    `success is ${body.success} with ${status}`,
  );
  if (body.success) {
    demand(Object.keys(body).join() === 'success,data', `fields ${Object.keys(body)}`);
    demand(isObject(body.data), 'data is no object');
    return;
  }
  demand(Object.keys(body).join() === 'success,error', `fields ${Object.keys(body)}`);
  const { code, message, details } = body.error;
  demand(Object.keys(body.error).join() === 'code,message,details', 'fields of error');
  demand(Object.hasOwn(ERRORS, code), `unknown code ${code}`);
  demand(ERRORS[code as ErrorCode].status === status, `${code} with ${status}`);
  demand(isObject(details), 'details is no object');
  demand(message.length > 10 && message.length <= 1000, `message: ${message}`);
}

function wholeHeader(headers: Headers, name: string): number {
  const text = headers.get(name) ?? '';
  demand(/^\d+$/.test(text), `${name} is ${text}`);
  return Number(text);
}

function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function demand(holds: boolean, what: string): asserts holds {
  if (!holds) throw new Error(`A response breaks the contract: ${what}`);
}

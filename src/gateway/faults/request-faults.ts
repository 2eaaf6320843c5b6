import type { Faults, RequestFaults, RequestOccasion } from '../../sandbox/faults/faults.ts';
import type { Hit } from '../../sandbox/faults/script.ts';
import { newRequestId } from '../http/response/envelope.ts';

/** A request, with the ways to serve and to reject it. */
interface Served {
  readonly occasion: RequestOccasion;
  /** The read that the request repeats: see `readKey`. */
  readonly read: string | undefined;
  readonly serve: () => Promise<Response>;
  readonly reject: (hit: Hit) => Response | Promise<Response>;
}

/** An operation of a socket, with the ways to execute and to reject it. */
interface Operated {
  readonly occasion: RequestOccasion;
  readonly read: string | undefined;
  /** The operation's id, as JSON. */
  readonly id: string;
  readonly run: (skewMs: number) => string | Promise<string>;
  readonly toError: (hit: Hit) => Error;
  /** Ends the connection without a close frame. */
  readonly disconnect: () => void;
}

/** Serves a request over HTTP with the faults that happen to it. */
export async function serveWithFaults(
  faults: Faults,
  request: Request,
  { occasion, read, serve, reject }: Served,
): Promise<Response> {
  // A connection can only be closed without an answer to a request whose answer has a body.
  const drawn = request.method === 'HEAD' ? undefined : faults.onRequest(occasion);
  if (drawn === undefined) return serve();
  const { outcome, skewMs, delayBeforeMs, delayAfterMs } = drawn;
  const kind = outcome?.fault.kind;
  if (skewMs !== 0) faults.skews.set(request, skewMs);
  await faults.wait(delayBeforeMs);
  const isLostBefore = kind === 'answer_lost_before_commit';
  let response: Response | undefined;
  if (!isLostBefore) {
    try {
      response =
        outcome !== undefined && isRejection(outcome) ? await reject(outcome) : await serve();
    } catch (error) {
      settle(faults, drawn, undefined, occasion, newRequestId());
      throw error;
    }
  }
  let happened = outcome;
  if (read !== undefined && drawn.isRemembered && response?.status === 200) {
    const answer = await response.text();
    const older = faults.replaceAnswer(read, answer);
    if (kind === 'stale_read' && older === undefined) happened = undefined;
    const body = kind === 'stale_read' ? (older ?? answer) : answer;
    response = new Response(body, { status: 200, headers: response.headers });
  } else if (kind === 'stale_read') happened = undefined;
  await faults.wait(delayAfterMs);
  const requestId = response?.headers.get('X-Request-Id') ?? newRequestId();
  settle(faults, drawn, happened, occasion, requestId);
  const isLost = isLostBefore || kind === 'answer_lost_after_commit';
  return isLost || response === undefined ? brokenResponse() : response;
}

/** Executes an operation of a socket with the faults that happen to it. @returns Its result, which is dropped if the socket is closed */
export async function operateWithFaults(
  faults: Faults,
  { occasion, read, id, run, toError, disconnect }: Operated,
): Promise<string> {
  const drawn = faults.onRequest(occasion);
  if (drawn === undefined) return run(0);
  const { outcome, skewMs, delayBeforeMs, delayAfterMs } = drawn;
  const kind = outcome?.fault.kind;
  const requestId = id.startsWith('"') ? id.slice(1, -1) : id;
  const note = (happened: Hit | undefined) => settle(faults, drawn, happened, occasion, requestId);
  await faults.wait(delayBeforeMs);
  if (outcome !== undefined && (isRejection(outcome) || kind === 'answer_lost_before_commit')) {
    await faults.wait(delayAfterMs);
    note(outcome);
    if (!isRejection(outcome)) disconnect();
    throw toError(outcome);
  }
  let happened = kind === 'stale_read' ? undefined : outcome;
  try {
    let result = await run(skewMs);
    const isRemembered = read !== undefined && drawn.isRemembered;
    const older = isRemembered ? faults.replaceAnswer(read, result) : undefined;
    if (kind === 'stale_read' && older !== undefined) {
      result = older;
      happened = outcome;
    }
    return result;
  } finally {
    await faults.wait(delayAfterMs);
    note(happened);
    if (kind === 'answer_lost_after_commit') disconnect();
  }
}

/** Records what has happened to a request. @param happened Its outcome; undefined if that did not happen, as a stale read of nothing older */
function settle(
  faults: Faults,
  { outcome, others }: RequestFaults,
  happened: Hit | undefined,
  occasion: RequestOccasion,
  requestId: string,
): void {
  for (const hit of others) faults.record(hit, occasion, requestId);
  if (happened !== undefined) faults.record(happened, occasion, requestId);
  else if (outcome !== undefined) faults.release(outcome);
}

function isRejection({ fault: { kind } }: Hit): boolean {
  return kind === 'status' || kind === 'reject_all' || kind === 'maintenance';
}

/** Returns a response that makes the server close the connection before it has sent a byte. */
function brokenResponse(): Response {
  return new Response(new ReadableStream({ pull: (controller) => controller.error() }));
}

import { readBytes } from '../http/request/call.ts';
import { addressScope, type PeerSource } from '../http/request/client-address.ts';
import type { RequestEnds } from '../http/request-ends.ts';
import { ApiError } from '../http/response/errors.ts';
import type { BinanceCall } from './call.ts';
import type { Dialect } from './dialect.ts';
import type { BinanceEndpoint } from './endpoint.ts';
import { type BinanceError, errorText, toBinanceError } from './errors.ts';
import { BASE_WEIGHT } from './limits.ts';
import { readParameters } from './parameters.ts';
import { commonHeaders } from './response-headers.ts';
import { inTimeUnit, wantsMicroseconds } from './time-unit.ts';

const UTF8 = new TextDecoder('utf-8', { ignoreBOM: true });
const SIGNATURE = /(?:^|&)signature=[^&]*/;

/** Serves one request of the dialect over HTTP. Never throws. */
export async function serveRest(
  dialect: Dialect,
  ends: RequestEnds,
  request: Request,
  peers: PeerSource,
  endpoint: BinanceEndpoint,
): Promise<Response> {
  const origin = dialect.authorization.readOrigin(request, peers);
  const { faults } = dialect.services;
  const from = faults === undefined ? origin : { ...origin, skewMs: faults.skews.get(request) };
  const scope = addressScope(from.address);
  let call: BinanceCall | undefined;
  try {
    const first = dialect.limits.takeWeight(scope, BASE_WEIGHT);
    const { url, method } = request;
    const start = url.indexOf('?');
    const query = start < 0 ? '' : url.slice(start + 1);
    const form = method === 'GET' || method === 'HEAD' ? '' : await readForm(request, peers, ends);
    call = dialect.open(endpoint, readParameters(query, form), scope, first);
    const { headers } = request;
    const inMicroseconds = wantsMicroseconds(headers.get('x-mbx-time-unit'));
    const apiKey = headers.get('x-mbx-apikey') ?? undefined;
    const payload = () => Buffer.from(unsigned(query) + unsigned(form));
    const text = await dialect.run(call, endpoint, apiKey, payload, from);
    return respond(dialect, request, 200, inTimeUnit({ inMicroseconds }, text), scope, call);
  } catch (thrown) {
    const error = toBinanceError(thrown);
    return respond(dialect, request, error.status, errorText(error), scope, call, error);
  }
}

/** Rejects a request to a path or with a method that the dialect does not have. It has the weight of the cheapest request. */
export function rejectUnknown(dialect: Dialect, request: Request, peers: PeerSource): Response {
  const { address } = dialect.authorization.readOrigin(request, peers);
  const scope = addressScope(address);
  let error = toBinanceError(new ApiError('NOT_FOUND'));
  try {
    dialect.limits.takeWeight(scope, BASE_WEIGHT);
  } catch (thrown) {
    error = toBinanceError(thrown);
  }
  return respond(dialect, request, error.status, errorText(error), scope, undefined, error);
}

/** Rejects a request that does not get to its endpoint. It has the weight of the cheapest request. */
export function rejectRequest(
  dialect: Dialect,
  request: Request,
  peers: PeerSource,
  error: BinanceError,
): Response {
  const scope = addressScope(dialect.authorization.readOrigin(request, peers).address);
  return respond(dialect, request, error.status, errorText(error), scope, undefined, error);
}

/** Returns the form in a body. Clients label it in many ways, so its type is not checked. @throws ApiError */
async function readForm(request: Request, peers: PeerSource, ends: RequestEnds): Promise<string> {
  const bytes = await readBytes(request);
  if (bytes instanceof ApiError) throw bytes;
  if (!(await ends.waitForEnd(request, peers))) throw new ApiError('INVALID_REQUEST');
  return UTF8.decode(bytes);
}

/** Returns a query or form without its signature: what the client signed. */
function unsigned(text: string): string {
  if (text === '') return text;
  const rest = text.replace(SIGNATURE, '');
  return rest.startsWith('&') ? rest.slice(1) : rest;
}

function respond(
  dialect: Dialect,
  request: Request,
  status: number,
  body: string,
  scope: string,
  call: BinanceCall | undefined,
  error?: BinanceError,
): Response {
  const { used } = call?.weight ?? dialect.limits.usedWeight(scope);
  const headers = commonHeaders(used, call?.orderCounts);
  const isHead = request.method === 'HEAD';
  const response = new Response(isHead ? null : body, { status, headers });
  if (isHead) response.headers.set('Content-Length', `${Buffer.byteLength(body)}`);
  if (error?.retryAfter !== undefined) response.headers.set('Retry-After', `${error.retryAfter}`);
  return response;
}

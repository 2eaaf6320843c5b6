import type { State } from '../../engine/state.ts';
import type { RequestOccasion } from '../../sandbox/faults/faults.ts';
import { parseBearer } from '../../users/credentials/api-keys.ts';
import type { Caller } from '../auth/caller.ts';
import { isOperatorAccess } from '../auth/permissions.ts';
import type { BinanceEndpoint } from '../binance/endpoint.ts';
import { BINANCE_PATH } from '../binance/path.ts';
import type { Endpoint } from '../endpoints/endpoint.ts';

/** The names of the two methods and the endpoints whose answer is the exchange's time. */
const TIME_PATHS: ReadonlySet<string> = new Set(['/api/time', '/api/v3/time']);

/**
 * Returns whether requests to an endpoint can have faults. Those to the sandbox's and the operator's cannot, so that a script
 * can always be removed, and neither can those of users in browsers.
 */
export function mayHaveFaults({ path, access, isUserEndpoint }: Endpoint): boolean {
  return !isOperatorAccess(access) && isUserEndpoint !== true && !path.startsWith('/api/sandbox/');
}

/** Returns the name of an endpoint in scripts, such as `POST /api/orders`. */
export function endpointName({ method, path }: Pick<Endpoint, 'method' | 'path'>): string {
  return `${method} ${path}`;
}

/** Returns the name of an operation of `/ws` in scripts. */
export function operationName(operation: string): string {
  return `ws ${operation}`;
}

/** Returns the name of an endpoint of the Binance dialect in scripts. */
export function binanceName({ method, path }: Pick<BinanceEndpoint, 'method' | 'path'>): string {
  return `${method} ${BINANCE_PATH}${path}`;
}

/** Returns the name of a method of Binance's WebSocket API in scripts. */
export function methodName(method: string): string {
  return `ws-api ${method}`;
}

/** Returns what a request to an endpoint is to the faults. The key is the one that it names: it may not be its own. */
export function apiOccasion(endpoint: Endpoint, headers: Headers, state: State): RequestOccasion {
  const apiKey = parseBearer(headers.get('authorization'));
  const isTime = TIME_PATHS.has(endpoint.path);
  return {
    name: endpointName(endpoint),
    ...owner(apiKey, state),
    isRead: endpoint.method === 'GET' && !isTime,
    changesOrders: changesOrders(endpoint),
    isTimed: isTime || headers.has('x-api-timestamp'),
  };
}

/** Returns what an operation is to the faults. */
export function operationOccasion(endpoint: Endpoint, caller: Caller | undefined): RequestOccasion {
  return {
    name: operationName(endpoint.operation!.name),
    apiKey: caller === undefined || 'session' in caller ? undefined : caller.apiKey,
    account: caller?.account.id,
    isRead: endpoint.method === 'GET',
    changesOrders: changesOrders(endpoint),
    isTimed: endpoint.takesOrders === true,
  };
}

/** Returns what a request of the Binance dialect is to the faults. */
export function binanceOccasion(
  endpoint: BinanceEndpoint,
  headers: Headers,
  state: State,
): RequestOccasion {
  const apiKey = headers.get('x-mbx-apikey') ?? undefined;
  return { ...toOccasion(endpoint, apiKey, state), name: binanceName(endpoint) };
}

/** Returns what a request of Binance's WebSocket API is to the faults. */
export function methodOccasion(
  endpoint: BinanceEndpoint,
  apiKey: string | undefined,
  state: State,
): RequestOccasion {
  return { ...toOccasion(endpoint, apiKey, state), name: methodName(endpoint.operation!) };
}

function toOccasion(
  { method, path, access, orders, takesOrders }: BinanceEndpoint,
  apiKey: string | undefined,
  state: State,
): Omit<RequestOccasion, 'name'> {
  const isTime = TIME_PATHS.has(path);
  return {
    ...owner(apiKey, state),
    isRead: method === 'GET' && !isTime,
    changesOrders: orders !== undefined || takesOrders === true,
    isTimed: isTime || (access !== 'public' && access !== 'key'),
  };
}

function changesOrders({ access, takesOrders }: Endpoint): boolean {
  return takesOrders === true || access === 'place';
}

function owner(apiKey: string | undefined, { keysByApiKey }: State) {
  return { apiKey, account: keysByApiKey.get(apiKey ?? '')?.account.id };
}

/**
 * Returns what two reads have in common of which one may get the other's answer: who reads, what, and the parameters.
 * @param caller The key or session, or undefined if there is none
 * @returns Undefined for a private read without a caller, which no one may get
 */
export function readKey(
  isPublic: boolean,
  caller: string | undefined,
  name: string,
  parameters: string,
): string | undefined {
  if (caller === undefined && !isPublic) return undefined;
  return JSON.stringify([caller ?? null, name, parameters]);
}

/** Returns the parameters of a signed request without those that differ each time. */
export function readWithoutSignature(parameters: string): string {
  return parameters
    .split('&')
    .filter((each) => !/^(timestamp|recvWindow|signature)=/.test(each))
    .join('&');
}

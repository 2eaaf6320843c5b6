import type { Faults } from '../../sandbox/faults/faults.ts';
import { parseBearer } from '../../users/credentials/api-keys.ts';
import { sessionSecret } from '../auth/cookies.ts';
import type { Dialect } from '../binance/dialect.ts';
import type { BinanceEndpoint } from '../binance/endpoint.ts';
import { rejectRequest } from '../binance/rest.ts';
import type { Endpoint } from '../endpoints/endpoint.ts';
import type { PeerSource } from '../http/request/client-address.ts';
import type { ApiError } from '../http/response/errors.ts';
import type { PathParameters } from '../pages/page-routes.ts';
import type { Services } from '../services.ts';
import { toApiFault, toBinanceFault } from './fault-errors.ts';
import {
  apiOccasion,
  binanceOccasion,
  mayHaveFaults,
  readKey,
  readWithoutSignature,
} from './occasions.ts';
import { serveWithFaults } from './request-faults.ts';

/** Serves one path and method; gets the path's parameters by name. */
export type Route = (
  request: Request,
  peers: PeerSource,
  parameters: PathParameters,
) => Response | Promise<Response>;

/** Returns a route of the exchange's own API whose requests have the faults of the installed scripts. */
export function withApiFaults(
  { replica, now }: Pick<Services, 'replica' | 'now'>,
  faults: Faults,
  endpoint: Endpoint,
  serve: Route,
  reject: (request: Request, peers: PeerSource, error: ApiError) => Promise<Response>,
): Route {
  if (!mayHaveFaults(endpoint)) return serve;
  return (request, peers, parameters) => {
    if (!faults.isActive) return serve(request, peers, parameters);
    const occasion = apiOccasion(endpoint, request.headers, replica.exchange.state);
    return serveWithFaults(faults, request, {
      occasion,
      read: readKey(
        endpoint.access === 'public',
        findCaller(request.headers),
        occasion.name,
        request.url,
      ),
      serve: async () => serve(request, peers, parameters),
      reject: (hit) => reject(request, peers, toApiFault(hit, now())),
    });
  };
}

/** Returns a route of the Binance dialect whose requests have the faults of the installed scripts. */
export function withBinanceFaults(
  faults: Faults,
  dialect: Dialect,
  endpoint: BinanceEndpoint,
  serve: Route,
): Route {
  const { replica, now } = dialect.services;
  return (request, peers, parameters) => {
    if (!faults.isActive) return serve(request, peers, parameters);
    const { url, headers } = request;
    const occasion = binanceOccasion(endpoint, headers, replica.exchange.state);
    const start = url.indexOf('?');
    const query = start < 0 ? '' : readWithoutSignature(url.slice(start + 1));
    return serveWithFaults(faults, request, {
      occasion,
      read: readKey(endpoint.access === 'public', occasion.apiKey, occasion.name, query),
      serve: async () => serve(request, peers, parameters),
      reject: (hit) => rejectRequest(dialect, request, peers, toBinanceFault(hit, now())),
    });
  };
}

/** Returns the key or the session that a request names. */
function findCaller(headers: Headers): string | undefined {
  const apiKey = parseBearer(headers.get('authorization'));
  if (apiKey !== undefined) return apiKey;
  const secret = sessionSecret(headers.get('cookie'));
  return secret === undefined ? undefined : `session ${secret}`;
}

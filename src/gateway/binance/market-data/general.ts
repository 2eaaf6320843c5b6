import type { BinanceCall } from '../call.ts';
import type { BinanceEndpoint } from '../endpoint.ts';

/** GET /api/v3/ping. */
function ping({ given }: BinanceCall): string {
  given.checkAllRead();
  return '{}';
}

/** GET /api/v3/time. */
function getTime({ given, services, skewMs }: BinanceCall): string {
  given.checkAllRead();
  return `{"serverTime":${services.now() + skewMs}}`;
}

export const GENERAL_ENDPOINTS: readonly BinanceEndpoint[] = [
  {
    method: 'GET',
    path: '/api/v3/ping',
    operation: 'ping',
    access: 'public',
    weight: 1,
    handle: ping,
  },
  {
    method: 'GET',
    path: '/api/v3/time',
    operation: 'time',
    access: 'public',
    weight: 1,
    handle: getTime,
  },
];

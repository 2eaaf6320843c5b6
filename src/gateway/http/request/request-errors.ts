import { ApiError } from '../response/errors.ts';

/** Errors of requests before they reach an endpoint. */

export const SEVERAL_HOSTS = new ApiError(
  'INVALID_REQUEST',
  'The request has several Host headers. Send exactly one.',
  { field: 'Host', rule: 'one' },
);
export const NO_UPGRADE = new ApiError(
  'INVALID_REQUEST',
  'This path is for WebSocket connections only. Send Upgrade: websocket and the other handshake headers.',
  { field: 'Upgrade', rule: 'websocket' },
);

/** @throws ApiError UNSUPPORTED_VERSION */
export function checkVersion(request: Request): void {
  const version = request.headers.get('x-api-version');
  if (version === null || version === '1' || version === 'v1') return;
  throw new ApiError('UNSUPPORTED_VERSION', undefined, { field: 'X-API-Version', rule: '1' });
}

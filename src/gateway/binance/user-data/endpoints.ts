import type { BinanceCall } from '../call.ts';
import type { BinanceEndpoint } from '../endpoint.ts';
import { noSuchListenKey } from '../errors.ts';

/** POST /api/v3/userDataStream. */
function createListenKey({ given, key, address, userData }: BinanceCall): string {
  given.checkAllRead();
  userData.checkPermission(key!, address);
  return `{"listenKey":"${userData.listenKeys.create(key!)}"}`;
}

/** PUT /api/v3/userDataStream. */
function extendListenKey(call: BinanceCall): string {
  call.userData.listenKeys.extend(readListenKey(call));
  return '{}';
}

/** DELETE /api/v3/userDataStream. */
function deleteListenKey(call: BinanceCall): string {
  call.userData.listenKeys.delete(readListenKey(call));
  call.userData.check();
  return '{}';
}

/** Reads a valid listen key of the caller's API key. @throws BinanceError -1102, -1125 */
function readListenKey({ given, key, userData }: BinanceCall): string {
  const listenKey = userData.listenKeys.find(given.required('listenKey'));
  given.checkAllRead();
  if (listenKey?.key === key) return listenKey!.text;
  throw noSuchListenKey();
}

const shared = { path: '/api/v3/userDataStream', access: 'key', weight: 2 } as const;

export const USER_DATA_ENDPOINTS: readonly BinanceEndpoint[] = [
  { ...shared, method: 'POST', operation: 'userDataStream.start', handle: createListenKey },
  { ...shared, method: 'PUT', operation: 'userDataStream.ping', handle: extendListenKey },
  { ...shared, method: 'DELETE', operation: 'userDataStream.stop', handle: deleteListenKey },
];

import type { StreamOrigin } from '../../auth/authorization.ts';
import { readPath } from '../../http/request/request-path.ts';
import type { SocketState } from '../../stream/sockets/protocol.ts';
import type { Dialect } from '../dialect.ts';
import { BINANCE_PATH } from '../rest.ts';
import { WsApi } from '../ws-api/ws-api.ts';

/** The sockets of the dialect, by the path at which they are opened. */
export class BinanceSockets {
  private readonly api: WsApi;

  constructor(dialect: Dialect) {
    this.api = new WsApi(dialect);
  }

  /** Returns what makes the state of the socket that a request opens; undefined if the dialect has no sockets at its path. */
  find(request: Request): ((from: StreamOrigin) => SocketState) | undefined {
    if (request.method !== 'GET') return undefined;
    const path = readPath(request);
    if (path !== `${BINANCE_PATH}/ws-api/v3`) return undefined;
    const query = new URL(request.url).searchParams;
    return (from) => this.api.connection(from, query.get('returnRateLimits') !== 'false');
  }
}

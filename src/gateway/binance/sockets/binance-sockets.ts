import { tryDecodeURIComponent } from 'hono/utils/url';
import type { Event } from '../../../engine/event.ts';
import { type Counter, gauge, type Metric } from '../../../monitoring/metrics.ts';
import type { StreamOrigin } from '../../auth/authorization.ts';
import { readPath } from '../../http/request/request-path.ts';
import type { SocketState } from '../../stream/sockets/protocol.ts';
import type { Dialect } from '../dialect.ts';
import { BINANCE_PATH } from '../path.ts';
import { StreamSockets } from '../streams/stream-sockets.ts';
import { wantsMicroseconds } from '../time-unit.ts';
import { API_METHODS, WsApi } from '../ws-api/ws-api.ts';
import { OpenSockets } from './open-sockets.ts';
import { SocketMetrics } from './socket-metrics.ts';

const RAW_PATH = `${BINANCE_PATH}/ws`;

/** Returns the state of a new socket. */
type Connect = (from: StreamOrigin) => SocketState;

/** The sockets of the dialect, by the path at which they are opened. */
export class BinanceSockets {
  readonly metrics: readonly Metric[];
  private readonly sockets: OpenSockets;
  private readonly api: WsApi;
  private readonly streams: StreamSockets;

  /** @param dropped Counts the sockets that read too slowly. */
  constructor(
    private readonly dialect: Dialect,
    dropped: Counter,
  ) {
    const metrics = new SocketMetrics(API_METHODS);
    this.sockets = new OpenSockets(dialect.services.now, dropped);
    this.api = new WsApi(dialect, this.sockets, metrics);
    const { userData } = dialect;
    userData.onSent = (event) => metrics.noteEvent('user_data', event);
    this.streams = new StreamSockets(dialect, this.sockets, metrics, (...terms) =>
      userData.attach(...terms),
    );
    const size = () => this.sockets.size;
    const help = 'Open sockets of the Binance dialect.';
    this.metrics = [gauge('buttonwood_binance_sockets', help, size), ...metrics.all];
  }

  /** Sets how a message is sent to all sockets that are subscribed to a channel. */
  set publish(publish: (channel: string, message: string) => void) {
    this.streams.topics.publish = publish;
  }

  /** Collects the changes of a command for the streams. */
  note(events: readonly Event[]): void {
    this.streams.note(events);
    this.dialect.userData.note(events);
  }

  /** Returns what makes the state of the socket that a request opens; undefined if the dialect has no sockets at its path. */
  find(request: Request): Connect | undefined {
    if (request.method !== 'GET') return undefined;
    const path = readPath(request);
    if (!path.startsWith(`${BINANCE_PATH}/`)) return undefined;
    const query = new URL(request.url).searchParams;
    const inMicroseconds = readTimeUnit(query);
    if (inMicroseconds === undefined) return undefined;
    if (path === `${BINANCE_PATH}/ws-api/v3`) {
      const showsLimits = query.get('returnRateLimits') !== 'false';
      return (from) => this.api.connection(from, showsLimits, inMicroseconds);
    }
    const isCombined = path === `${BINANCE_PATH}/stream`;
    const list = isCombined ? readStreams(query) : readRawStreams(path);
    if (list === undefined) return undefined;
    const first = list.split('/').filter((name) => name !== '');
    return (from) => this.streams.connection(from, { first, isCombined, inMicroseconds });
  }

  /** Announces the end of the server, and closes all sockets. */
  shutDown(code: number, reason: string): void {
    this.streams.topics.flush();
    this.sockets.shutDown(code, reason);
  }

  closeAll(code: number, reason: string): void {
    this.sockets.closeAll(code, reason);
  }
}

/** Returns the streams that the URL of a combined connection names, with slashes between them. */
function readStreams(query: URLSearchParams): string {
  // A time zone's plus sign stands for a blank in a query.
  return (query.get('streams') ?? '').replaceAll(' ', '+');
}

/** Returns the streams in the path of a raw connection, with slashes between them; undefined if it is another path. */
function readRawStreams(path: string): string | undefined {
  if (path === RAW_PATH) return '';
  if (!path.startsWith(`${RAW_PATH}/`)) return undefined;
  return tryDecodeURIComponent(path.slice(RAW_PATH.length + 1));
}

/** Returns whether times are in microseconds; undefined if the unit is neither of Binance's. */
function readTimeUnit(query: URLSearchParams): boolean | undefined {
  try {
    return wantsMicroseconds(query.get('timeUnit'));
  } catch {
    return undefined;
  }
}

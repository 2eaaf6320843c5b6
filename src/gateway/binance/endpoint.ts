import { MINUTE_MS } from '../../config/durations.ts';
import type { Access } from '../auth/permissions.ts';
import type { BinanceCall } from './call.ts';
import type { Parameters } from './parameters.ts';

/**
 * The credentials that a request needs: nothing, the header X-MBX-APIKEY, or that and a signature of a key with a permission: Binance's
 * security types NONE, USER_STREAM, USER_DATA and TRADE (rest-api.md, "Request Security").
 */
export type BinanceAccess = 'public' | 'key' | Extract<Access, 'read' | 'trade' | 'place'>;

/** An endpoint of the dialect: one path and method, and the method of its WebSocket API with the same parameters. */
export interface BinanceEndpoint {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** Below /binance. */
  readonly path: string;
  /** The method of the WebSocket API that has the same parameters and the same result. */
  readonly operation?: string;
  readonly access: BinanceAccess;
  /** Request weight: the part of the address's limit of 6,000 a minute that a request uses up. */
  readonly weight: number | ((parameters: Parameters) => number);
  /** The orders that a request places: the part of the account's order limits that it uses up. */
  readonly orders?: number;
  /** Places or amends orders: rejected while the exchange is overloaded. */
  readonly takesOrders?: true;
  /** Shows market data, which a node that does not reach the log must not present as current. */
  readonly showsMarkets?: true;
  /** Returns a value that changes whenever the response may change. Responses without one are never cached. */
  readonly version?: (call: BinanceCall) => string | number;
  /** Returns the response as JSON. @throws BinanceError or ApiError */
  readonly handle: (call: BinanceCall) => string | Promise<string>;
}

/** Method and access of requests about the account that change nothing. */
export const READ = { method: 'GET', access: 'read' } as const;

/** Version of responses that change only with commands. */
export const byPosition = ({ services }: BinanceCall): number => services.replica.position;
/** Version of responses that also change every minute. */
export const byMinute = ({ services }: BinanceCall): string =>
  `${services.replica.position} ${Math.floor(services.now() / MINUTE_MS)}`;
/** Version of responses that contain the current time. */
export const byTime = ({ services }: BinanceCall): string =>
  `${services.replica.position} ${services.now()}`;

import type { Config } from '../../../config/config.ts';
import { AddressList, addressScope, clientAddress } from '../../http/request/client-address.ts';
import { newRequestId, respond } from '../../http/response/envelope.ts';
import { ApiError, errorBody } from '../../http/response/errors.ts';
import { AddressWindows } from '../../limits/rate-limit.ts';

/** Maximum open connections per address; an IPv6 /64 counts as one address. */
const MAX_CONNECTIONS_PER_ADDRESS = 100;
/** Maximum new connections per address: opening one costs more than most requests. */
const MAX_OPENED_PER_MINUTE = 300;
/** Maximum open connections over all addresses. */
const MAX_CONNECTIONS = 10_000;
const RETRY_AFTER_SECONDS = 10;

/** Limits the connections of the streams, in total and by address. */
export class Connections {
  private readonly counts = new Map<string, number>();
  private readonly trustedProxies: AddressList;
  private readonly perAddress: number;
  private readonly opened: AddressWindows;
  private total = 0;

  constructor({ rateLimits, trustedProxies }: Pick<Config, 'rateLimits' | 'trustedProxies'>) {
    this.trustedProxies = new AddressList(trustedProxies);
    const factor = { spec: 1, '10x': 10, off: Infinity }[rateLimits];
    this.perAddress = MAX_CONNECTIONS_PER_ADDRESS * factor;
    this.opened = new AddressWindows([MAX_OPENED_PER_MINUTE], rateLimits);
  }

  /** Returns the client's address, as for REST. @param peer The other end of the TCP connection. */
  clientAddress(request: Request, peer: string): string {
    return clientAddress(peer, request.headers.get('x-forwarded-for'), this.trustedProxies);
  }

  /**
   * Counts a new connection. Returns the response that rejects it if a limit is reached.
   * @param isLost Whether this node cannot serve streams now.
   */
  open(address: string, nowMs: number, isLost = false): Response | undefined {
    const scope = addressScope(address);
    const { opened } = this;
    if (!opened.take(scope, 0, nowMs)) {
      const rule = `at most ${opened.limit} new connections a minute from an address`;
      return limited(rule, opened.limit, opened.retryAfterSeconds, nowMs);
    }
    const count = this.counts.get(scope) ?? 0;
    if (count >= this.perAddress) {
      const rule = `at most ${this.perAddress} connections an address`;
      return limited(rule, this.perAddress, RETRY_AFTER_SECONDS, nowMs);
    }
    if (isLost || this.total >= MAX_CONNECTIONS) {
      return rejection(new ApiError('OVERLOADED'), MAX_CONNECTIONS, RETRY_AFTER_SECONDS, nowMs);
    }
    this.counts.set(scope, count + 1);
    this.total++;
    return undefined;
  }

  close(address: string): void {
    const scope = addressScope(address);
    const count = this.counts.get(scope)! - 1;
    if (count === 0) this.counts.delete(scope);
    else this.counts.set(scope, count);
    this.total--;
  }
}

function limited(rule: string, limit: number, retryAfter: number, nowMs: number): Response {
  const error = new ApiError('RATE_LIMIT_EXCEEDED', undefined, { rule, retryAfter });
  return rejection(error, limit, retryAfter, nowMs);
}

function rejection(error: ApiError, limit: number, retryAfter: number, nowMs: number): Response {
  const window = { limit, remaining: 0, resetSeconds: Math.ceil(nowMs / 1000) + retryAfter };
  const headers = { 'Retry-After': `${retryAfter}` };
  return respond(error.status, errorBody(error), window, newRequestId(), headers);
}

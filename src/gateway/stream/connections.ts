import type { Config } from '../../config/config.ts';
import { AddressList, addressScope, clientAddress } from '../http/client-address.ts';
import { newRequestId, respond } from '../http/envelope.ts';
import { ApiError, errorBody } from '../http/errors.ts';
import { AddressWindows } from '../limits/rate-limit.ts';

/** Of one address at a time, an IPv6 /64 counted as one. */
const MAX_CONNECTIONS_PER_ADDRESS = 100;
/** Of one address: opening a connection costs more than most requests. */
const MAX_OPENED_PER_MINUTE = 300;
/** Of all addresses together. */
const MAX_CONNECTIONS = 10_000;
const RETRY_AFTER_SECONDS = 10;

/** Counts the connections of the streams, by address, and refuses those beyond the limits. */
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

  /** The client's own address, as REST finds it. `peer`: the other end of the connection. */
  addressOf(request: Request, peer: string): string {
    return clientAddress(peer, request.headers.get('x-forwarded-for'), this.trustedProxies);
  }

  /**
   * Counts one more connection; a refusal is the answer to give instead of the upgrade.
   * @param isLost Whether this node can serve no stream.
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
      return refusal(new ApiError('OVERLOADED'), MAX_CONNECTIONS, RETRY_AFTER_SECONDS, nowMs);
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
  return refusal(error, limit, retryAfter, nowMs);
}

function refusal(error: ApiError, limit: number, retryAfter: number, nowMs: number): Response {
  const window = { limit, remaining: 0, resetSeconds: Math.ceil(nowMs / 1000) + retryAfter };
  const headers = { 'Retry-After': `${retryAfter}` };
  return respond(error.status, errorBody(error), window, newRequestId(), headers);
}

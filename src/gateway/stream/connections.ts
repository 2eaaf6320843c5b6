import type { Config } from '../../config.ts';
import { AddressList, addressScope, clientAddress } from '../address.ts';
import { newRequestId, respond } from '../envelope.ts';
import { ApiError, errorBody } from '../errors.ts';

/** Of one address at a time, an IPv6 /64 counted as one. */
const MAX_CONNECTIONS_PER_ADDRESS = 100;
/** Of all addresses together. */
const MAX_CONNECTIONS = 10_000;
const RETRY_AFTER_SECONDS = 10;

/** Counts the connections of the streams, by address, and refuses those beyond the limits. */
export class Connections {
  private readonly counts = new Map<string, number>();
  private readonly trustedProxies: AddressList;
  private readonly perAddress: number;
  private total = 0;

  constructor({ rateLimits, trustedProxies }: Pick<Config, 'rateLimits' | 'trustedProxies'>) {
    this.trustedProxies = new AddressList(trustedProxies);
    const factor = { spec: 1, '10x': 10, off: Infinity }[rateLimits];
    this.perAddress = MAX_CONNECTIONS_PER_ADDRESS * factor;
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
    const count = this.counts.get(scope) ?? 0;
    if (count >= this.perAddress) {
      const retryAfter = RETRY_AFTER_SECONDS;
      const details = { rule: `at most ${this.perAddress} connections an address`, retryAfter };
      return this.refusal(new ApiError('RATE_LIMIT_EXCEEDED', undefined, details), nowMs);
    }
    if (isLost || this.total >= MAX_CONNECTIONS) {
      return this.refusal(new ApiError('OVERLOADED'), nowMs);
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

  private refusal(error: ApiError, nowMs: number): Response {
    const resetSeconds = Math.ceil(nowMs / 1000) + RETRY_AFTER_SECONDS;
    const limit = error.code === 'OVERLOADED' ? MAX_CONNECTIONS : this.perAddress;
    const headers = { 'Retry-After': `${RETRY_AFTER_SECONDS}` };
    const window = { limit, remaining: 0, resetSeconds };
    return respond(error.status, errorBody(error), window, newRequestId(), headers);
  }
}

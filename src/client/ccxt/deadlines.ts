import { BadRequest, type Exchange, InvalidNonce } from 'ccxt';
import { type ReceiveWindow, windowUntil } from '../deadline.ts';

/**
 * Returns the `deadline` of CCXT's `params`: the time after which orders are not executed, milliseconds since 1970.
 * @throws BadRequest if it is no time, since an order with an ignored deadline may be executed at any time
 */
export function readDeadline(exchange: Exchange, value: unknown): number | undefined {
  if (value === undefined) return undefined;
  const deadline = typeof value === 'string' && value !== '' ? Number(value) : value;
  if (typeof deadline === 'number' && Number.isFinite(deadline)) return deadline;
  throw new BadRequest(`${exchange.id} deadline must be milliseconds since 1970, not ${value}`);
}

/** Returns the receive window that ends at a deadline. @throws InvalidNonce if it has passed */
export function receiveWindow(
  exchange: Exchange,
  deadline: number | undefined,
): ReceiveWindow | undefined {
  if (deadline === undefined) return undefined;
  try {
    return windowUntil(deadline, exchange.id);
  } catch (error) {
    throw new InvalidNonce(`${exchange.id} ${(error as Error).message}`);
  }
}

/** Returns the headers of a request whose orders are not executed after a deadline. @throws InvalidNonce */
export function windowHeaders(exchange: Exchange, deadline: number | undefined) {
  const window = receiveWindow(exchange, deadline);
  if (window === undefined) return undefined;
  const { timestamp, recvWindow } = window;
  return { 'X-API-Timestamp': `${timestamp}`, 'X-API-Recv-Window': `${recvWindow}` };
}

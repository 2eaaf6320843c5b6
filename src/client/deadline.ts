import { NotSentError } from './errors.ts';

/** Maximum receive window. */
const MAX_WINDOW_MS = 60_000;

/** When a request was sent, milliseconds since 1970, and for how many milliseconds it is accepted. */
export interface ReceiveWindow {
  readonly timestamp: number;
  readonly recvWindow: number;
}

/**
 * Returns the timestamp and receive window of a request whose orders must not be executed after a deadline.
 * @param deadline Milliseconds since 1970; one more than a minute ahead counts as a minute ahead.
 * @throws NotSentError if it has passed
 */
export function windowUntil(deadline: number, url: string): ReceiveWindow {
  const timestamp = Date.now();
  const recvWindow = Math.min(MAX_WINDOW_MS, Math.floor(deadline - timestamp));
  if (recvWindow >= 1) return { timestamp, recvWindow };
  throw new NotSentError(url, 'The deadline of the request has passed. It was not sent.');
}

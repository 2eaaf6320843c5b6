import { effect, signal, untracked } from '@preact/signals';
import { NotSentError, OutcomeUnknownError, type Trading } from '../../src/client/index.ts';
import { api } from '../api.ts';
import { canTrade } from './account.ts';

/** Methods that the socket and the REST client have in common. */
type Trader = Pick<
  Trading<true>,
  'placeOrder' | 'placePair' | 'amendOrder' | 'cancelOrder' | 'cancelOrders'
>;

/** Time from sending the last order to its response, in milliseconds; undefined before and after a failure. */
export const roundTrip = signal<number | undefined>(undefined);

/** Ping interval, as for the page's streams. */
const PING_MS = 2500;
/** After a broken connection orders wait this long for the next one, then they are sent over REST. */
const SEND_TIMEOUT_MS = 2000;
let socket: Trading<true> | undefined;

/** Keeps a socket for orders open while a user who may trade is signed in. */
export function startTrading(): void {
  effect(() => {
    if (!canTrade.value) return;
    return untracked(() => {
      const opened = api.trading({
        session: true,
        pingMs: PING_MS,
        sendTimeoutMs: SEND_TIMEOUT_MS,
      });
      socket = opened;
      return () => {
        socket = undefined;
        opened.close();
      };
    });
  });
}

/**
 * Trades over the socket, or over REST while it is not connected.
 * @param isIdempotent Whether the work has the same effect when done twice, so that REST can follow an unknown outcome.
 */
export async function trade<Result>(
  work: (trader: Trader) => Promise<Result>,
  isIdempotent = false,
): Promise<Result> {
  if (socket?.isConnected) {
    try {
      return await work(socket);
    } catch (error) {
      const isSafe = isIdempotent && error instanceof OutcomeUnknownError;
      if (!isSafe && !(error instanceof NotSentError)) throw error;
    }
  }
  return work(api);
}

/** Places an order with a clientOrderId, which is placed once however often it is sent, and measures the round trip. */
export async function placing<Result>(work: (trader: Trader) => Promise<Result>): Promise<Result> {
  roundTrip.value = undefined;
  const startMs = performance.now();
  const result = await trade(work, true);
  roundTrip.value = performance.now() - startMs;
  return result;
}

import { newClientOrderId } from '../../src/client/index.ts';
import { fillToasts, openOrders, pastOrders } from './account.ts';
import { priceDecimalsFor } from './markets.ts';
import type { Placement } from './order-draft.ts';
import { describeOcoOutcome, describeOutcome, type Outcome } from './order-outcome.ts';
import { isRejection } from './order-rejection.ts';
import { placing } from './trading.ts';

/** Maximum time to wait for a response, retries included. */
const MAX_WAIT_MS = 15_000;
/** Maximum number of placements without a response that are remembered. */
const MAX_UNANSWERED = 100;
/** Time for which the same placement counts as a repetition. */
const REPEAT_MS = 60_000;

/** A placement without a response. */
interface Unanswered {
  readonly clientOrderId: string;
  readonly atMs: number;
}

/** The same placement is sent with the same id again, so that it is placed once. */
const unanswered = new Map<string, Unanswered>();

/**
 * Sends an order or an OCO order. Fills that the outcome reports get no toast of their own.
 * @throws ApiRequestError if the exchange rejects it, and any other error if its outcome is unknown
 */
export async function place(placement: Placement): Promise<Outcome> {
  const key = JSON.stringify(placement);
  const clientOrderId = findRepeated(key) ?? newClientOrderId();
  const options = { signal: AbortSignal.timeout(MAX_WAIT_MS) };
  try {
    const orders = await fillToasts.reportedBy(() =>
      placing(async (trader) =>
        placement.kind === 'oco'
          ? (await trader.placePair({ ...placement.parameters, clientOrderId }, options)).orders
          : [await trader.placeOrder({ ...placement.parameters, clientOrderId }, options)],
      ),
    );
    unanswered.delete(key);
    const decimals = priceDecimalsFor(orders[0]!.symbol);
    return placement.kind === 'oco'
      ? describeOcoOutcome(orders, decimals)
      : describeOutcome(orders[0]!, decimals);
  } catch (error) {
    if (isRejection(error)) unanswered.delete(key);
    else keepUnanswered(key, clientOrderId);
    throw error;
  }
}

/** Returns the id of a placement that may have been placed; once its order is known, the same placement is another one. */
function findRepeated(key: string): string | undefined {
  const known = unanswered.get(key);
  if (known === undefined || performance.now() - known.atMs > REPEAT_MS) return undefined;
  const { clientOrderId } = known;
  const isSeen = [...openOrders.peek(), ...(pastOrders.peek() ?? [])].some(
    (order) => order.clientOrderId === clientOrderId,
  );
  return isSeen ? undefined : clientOrderId;
}

function keepUnanswered(key: string, clientOrderId: string): void {
  unanswered.set(key, { clientOrderId, atMs: performance.now() });
  for (const oldest of [...unanswered.keys()].slice(0, -MAX_UNANSWERED)) unanswered.delete(oldest);
}

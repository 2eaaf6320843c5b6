import type { OrderSelection } from '../../engine/command.ts';
import type { Exchange } from '../../engine/exchange.ts';
import { NONE } from '../../engine/terms.ts';
import { invalid, type Query } from '../http/request/query.ts';
import type { QueryTexts } from '../openapi/description.ts';

/** Maximum ids in one request. */
export const MAX_IDS = 1000;

export const SELECTION_PARAMETERS = ['symbol', 'ids', 'clientOrderId', 'all'] as const;
export const SELECTION_TEXTS: QueryTexts = {
  symbol: 'Cancel the open orders of this market.',
  clientOrderId: 'Cancel the open order with this client order id.',
};

/** Reads which open orders to cancel: by exactly one of the parameters. @throws ApiError */
export function readSelection(query: Query, exchange: Exchange): OrderSelection {
  const given = SELECTION_PARAMETERS.filter((name) => query.text(name) !== undefined);
  if (given.length !== 1) {
    const message = `Send exactly one of ${SELECTION_PARAMETERS.join(', ')} to choose the orders to cancel.`;
    throw invalid(given[1] ?? 'all', 'exactlyOne', message);
  }
  query.choice('all', ['true']);
  const ids = query.text('ids');
  return {
    orderIds: ids === undefined ? null : readIds(ids),
    clientOrderId: query.clientOrderId() ?? null,
    market: query.market(exchange)?.index ?? NONE,
  };
}

/** Returns each id once. Texts that cannot be an order id are ignored, as are ids without an open order. */
function readIds(text: string): number[] {
  const parts = text.split(',');
  if (parts.length > MAX_IDS) {
    throw invalid('ids', 'maxIds', `ids has ${parts.length} entries. Send at most ${MAX_IDS}.`);
  }
  if (parts.includes('')) {
    throw invalid('ids', 'notEmpty', 'ids has an empty entry. Send order ids separated by commas.');
  }
  const ids = parts
    .filter((part) => /^[1-9]\d{0,15}$/.test(part))
    .map(Number)
    .filter(Number.isSafeInteger);
  return [...new Set(ids)];
}

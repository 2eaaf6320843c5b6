import type { OrderSelection } from '../../engine/command.ts';
import type { Exchange } from '../../engine/exchange.ts';
import { NONE } from '../../engine/terms.ts';
import { invalid, type Query } from '../http/query.ts';

/** Most ids that one request may name. */
const MAX_IDS = 1000;

export const SELECTION_PARAMETERS = ['symbol', 'ids', 'clientOrderId', 'all'] as const;

/** The open orders that exactly one of the parameters means. @throws ApiError */
export function readSelection(query: Query, exchange: Exchange): OrderSelection {
  const given = SELECTION_PARAMETERS.filter((name) => query.text(name) !== undefined);
  if (given.length !== 1) {
    const message = `Send exactly one of ${SELECTION_PARAMETERS.join(', ')}: which orders to cancel.`;
    throw invalid(given[1] ?? 'all', 'exactlyOne', message);
  }
  query.word('all', ['true']);
  const ids = query.text('ids');
  return {
    orderIds: ids === undefined ? null : readIds(ids),
    clientOrderId: query.clientOrderId() ?? null,
    market: query.market(exchange)?.index ?? NONE,
  };
}

/** Each id once. What cannot be the id of an order is ignored, as is an id that no open order has. */
function readIds(text: string): number[] {
  const parts = text.split(',');
  if (parts.length > MAX_IDS) throw invalid('ids', 'maxIds', `Send at most ${MAX_IDS} ids.`);
  if (parts.includes('')) {
    throw invalid('ids', 'notEmpty', 'ids is a list of order ids with commas between them.');
  }
  const ids = parts
    .filter((part) => /^[1-9]\d{0,15}$/.test(part))
    .map(Number)
    .filter(Number.isSafeInteger);
  return [...new Set(ids)];
}

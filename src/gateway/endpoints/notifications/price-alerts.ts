import { randomBytes } from 'node:crypto';
import { z } from 'zod';
import { parseUnits } from '../../../engine/numbers/units.ts';
import { alertDirections, type PriceAlert } from '../../../users/notifications/price-alerts.ts';
import type { Call } from '../../http/request/call.ts';
import { invalid } from '../../http/request/query.ts';
import { ApiError } from '../../http/response/errors.ts';
import { alertText } from '../../notifications/price-watch.ts';
import { checkBody, decimal, label, optional } from '../../openapi/body-schema.ts';
import { describe } from '../../openapi/description.ts';
import { fromZod, record } from '../../openapi/json-schema.ts';
import { recordList, recordRef } from '../../openapi/record-schemas.ts';

/** Alerts per account that have not triggered. */
const MAX_WAITING = 100;

/** GET /api/alerts: `{alerts}` of the account, newest first. */
export async function listPriceAlerts(call: Call): Promise<string> {
  call.query([]);
  const alerts = await call.services.users.priceAlerts.list(call.account.id);
  return `{"alerts":[${alerts.map((alert) => alertText(alert)).join(',')}]}`;
}
listPriceAlerts.description = describe({
  operationId: 'listPriceAlerts',
  tag: 'Notifications',
  summary: 'Price alerts of the account, newest first',
  notes: 'Includes the last 100 that have triggered.',
  data: record({ alerts: recordList('PriceAlert') }),
});

const newAlert = z.strictObject({
  symbol: z.string().meta({ description: 'A market from GET /api/markets.' }),
  direction: z.enum(alertDirections).meta({
    description: '`above`: when the last price is at least `price`; `below`: when it is at most.',
  }),
  price: decimal.meta({ description: 'The price at which it triggers.' }),
  note: optional(label, 'A text for yourself. Default: empty.'),
});

/** POST /api/alerts: creates an alert, which triggers once. */
export async function createPriceAlert(call: Call): Promise<string> {
  const body = checkBody(newAlert, call.body());
  const { services, account, exchange } = call;
  const market = exchange.state.marketsBySymbol.get(body.symbol);
  if (market === undefined) {
    throw new ApiError('INVALID_SYMBOL', undefined, { field: 'symbol', rule: 'known' });
  }
  const { priceDecimals } = market.rules;
  const price = parseUnits(body.price.text, priceDecimals);
  if (typeof price !== 'number' || price <= 0) {
    const message = `price must be a positive number with at most ${priceDecimals} decimals.`;
    throw new ApiError('INVALID_PRICE', message, { field: 'price', rule: 'decimals' });
  }
  const { lastPrice } = market;
  const isReached = body.direction === 'above' ? lastPrice >= price : lastPrice <= price;
  if (lastPrice !== 0 && isReached) {
    const message = 'The last price has reached this price already.';
    throw new ApiError('INVALID_PRICE', message, { field: 'price', rule: 'notReached' });
  }
  const waiting = await services.users.priceAlerts.list(account.id);
  if (waiting.filter(({ triggeredAt }) => triggeredAt === 0).length >= MAX_WAITING) {
    throw invalid('price', 'tooMany', `The account has ${MAX_WAITING} alerts. Delete one first.`);
  }
  const alert: PriceAlert = {
    id: `pa_${randomBytes(12).toString('hex')}`,
    accountId: account.id,
    symbol: body.symbol,
    direction: body.direction,
    price: body.price.text,
    note: body.note ?? '',
    createdAt: services.now(),
    triggeredAt: 0,
  };
  await services.users.priceAlerts.add(alert);
  await services.notifications.reload();
  return `{"alert":${alertText(alert)}}`;
}
createPriceAlert.description = describe({
  operationId: 'createPriceAlert',
  tag: 'Notifications',
  summary: 'Create a price alert',
  notes:
    'It triggers once, by the first trade at the price or beyond it: as a notice on the pages, and as the event `price.alert` ' +
    'of webhooks and mails.',
  body: {
    schema: fromZod(newAlert),
    examples: { above: { symbol: 'BTC/USDT', direction: 'above', price: 250000 } },
  },
  data: record({ alert: recordRef('PriceAlert') }),
  errors: ['INVALID_SYMBOL', 'INVALID_PRICE'],
});

/** DELETE /api/alerts/:id: deletes an alert. */
export async function deletePriceAlert(call: Call): Promise<string> {
  call.query([]);
  const id = call.parameters.id!;
  const { services, account } = call;
  const alert = (await services.users.priceAlerts.list(account.id)).find((each) => each.id === id);
  if (alert === undefined || !(await services.users.priceAlerts.remove(account.id, id))) {
    throw new ApiError('NOT_FOUND', 'The account has no such alert.', { field: 'id' });
  }
  await services.notifications.reload();
  return `{"alert":${alertText(alert)}}`;
}
deletePriceAlert.description = describe({
  operationId: 'deletePriceAlert',
  tag: 'Notifications',
  summary: 'Delete a price alert',
  path: { id: 'alertId' },
  data: record({ alert: recordRef('PriceAlert') }),
  errors: ['NOT_FOUND'],
});

import type { Timeline } from '../../../archivist/archivist.ts';
import type { Account } from '../../../engine/ledger/accounts.ts';
import type { Call } from '../../http/request/call.ts';
import { ApiError } from '../../http/response/errors.ts';
import { describe } from '../../openapi/description.ts';
import {
  boolean,
  integer,
  list,
  nullableReference,
  record,
  reference,
  timestamp,
} from '../../openapi/json-schema.ts';
import { recordRef } from '../../openapi/record-schemas.ts';
import { pastError } from '../../past/past-error.ts';
import { timeText } from '../records.ts';
import { formatOrder, readOrderId } from './orders.ts';
import { eventText, obstacleText, pointText } from './timeline-texts.ts';

/** The fields of the timeline of an order. */
export const ORDER_TIMELINE = record({
  order: recordRef('Order'),
  events: list(reference('TimelineEvent'), 'Oldest first.'),
  points: list(
    reference('QueuePoint'),
    'What was ahead of the order while it rested: a point for each change, or for some of them. Oldest first.',
  ),
  whyNotFilled: nullableReference(
    'WhyNotFilled',
    'Why an open order has not filled, as of the present; null for one that has ended.',
  ),
  complete: boolean(
    'Whether the timeline goes up to the end of the order, or to the present. It ends early after 1,000 events and ' +
      'after 1,000,000 commands.',
    true,
  ),
  position: integer('Position of the log up to which the timeline goes.', 47655),
  timestamp: timestamp('The time of that position.'),
});

/** GET /api/orders/:id/timeline: `{order, events, points, whyNotFilled, complete, position, timestamp}`. Sandbox only. */
export function getOrderTimeline(call: Call): Promise<string> {
  call.query([]);
  return timelineText(call, call.account, readOrderId(call));
}

/** Returns the timeline of an order of an account as JSON. @throws ApiError ORDER_NOT_FOUND, NOT_FOUND */
export async function timelineText(
  call: Call,
  { index: account }: Account,
  orderId: number,
): Promise<string> {
  const { archivist, replica } = call.services;
  const query = { kind: 'timeline', account, orderId } as const;
  const found = (await archivist.query(query, replica.position)) as Timeline;
  if (found.kind === 'unknown') throw new ApiError('ORDER_NOT_FOUND');
  if (found.kind !== 'timeline') throw pastError(found, 'orderId');
  const { order, obstacle } = found;
  const market = call.exchange.state.markets[order.market]!;
  const events = found.events.map((event) => eventText(event, order, market));
  const points = found.points.map((point) => pointText(point, market));
  const why = obstacle === undefined ? 'null' : obstacleText(obstacle, order, market);
  return (
    `{"order":${formatOrder(call, order)},"events":[${events.join(',')}],` +
    `"points":[${points.join(',')}],"whyNotFilled":${why},"complete":${found.isComplete},` +
    `"position":${found.position},"timestamp":${timeText(found.time)}}`
  );
}
getOrderTimeline.description = describe({
  operationId: 'getOrderTimeline',
  tag: 'Trading',
  summary:
    'The life of one of your orders: its events, its place in the queue, and why it has not filled',
  notes:
    'Replayed from the log, also for orders that have ended. At most 1,000 events and 256 points. Exists only in the sandbox, ' +
    'and counts in the limit of requests for past states, too.',
  path: { id: 'orderId' },
  data: ORDER_TIMELINE,
  errors: ['ORDER_NOT_FOUND', 'NOT_FOUND', 'OVERLOADED'],
});

import { obstacles, timelineEvents } from '../../archivist/archivist.ts';
import { marketStatuses, orderReasons, sides } from '../../engine/terms.ts';
import { enumeration, integer, nullable, number, record, text, timestamp } from './json-schema.ts';

/** The records of order timelines, for the OpenAPI document. */

const position = integer(
  'Position of the log: the batch of commands with which it happened.',
  47655,
);

const levelsAhead = integer('Number of better prices on its side of the book.', 3);
const amountAhead = number(
  'Amount at better prices, and ahead of it in the queue of its price.',
  2.5,
);
const queueAhead = number('Amount ahead of it in the queue of its price.', 0.5);

const TimelineEvent = record({
  position,
  timestamp: timestamp('Time of the event.'),
  kind: enumeration(
    timelineEvents,
    '`rested`: it came to the end of the queue of its price. `replenished`: the next part of an iceberg did. ' +
      '`activated`: a trailing stop began to follow the price. `market_status`: the status of the market changed. The ' +
      'last event of an order that ended is its status.',
    'rested',
  ),
  price: nullable(number('Price of the fill; otherwise the limit price.', 117000), 117000),
  amount: number('Amount of the fill; otherwise that of the order.', 0.01),
  filled: number('Amount filled up to this event, which is included.', 0),
  triggerPrice: nullable(number('Trigger price, null for an order without one.', 116000)),
  reason: nullable(
    enumeration(
      orderReasons.filter((reason) => reason !== null),
      'Reason of an amendment, or of the end.',
    ),
  ),
  tradeId: nullable(text('Trade of a fill.', '7')),
  liquidity: nullable(
    enumeration(['maker', 'taker'], 'Whether it was the maker or the taker of a fill.'),
  ),
  counterpartySide: nullable(enumeration(sides, 'Side of the other order of a fill.')),
  marketStatus: enumeration(marketStatuses, 'Status of the market.'),
  levelsAhead: nullable(levelsAhead, 3),
  amountAhead: nullable(amountAhead, 2.5),
  queueAhead: nullable(queueAhead, 0.5),
});

const QueuePoint = record({
  position,
  timestamp: timestamp('Time from which it is so.'),
  levelsAhead,
  amountAhead,
  queueAhead,
});

const WhyNotFilled = record({
  code: enumeration(
    obstacles,
    'The first condition that keeps the order from a fill.',
    'orders_ahead',
  ),
  text: text('The condition in words.', '3 price levels and 2.5 BTC are ahead of the order.'),
  levelsAhead: nullable(levelsAhead, 3),
  amountAhead: nullable(amountAhead, 2.5),
  queueAhead: nullable(queueAhead, 0.5),
  marketStatus: enumeration(marketStatuses, 'Status of the market.'),
  lastPrice: nullable(number('Price of the last trade; null before the first.', 117100), 117100),
  triggerPrice: nullable(number('Trigger price.', 116000)),
  activationPrice: nullable(number('Activation price of a trailing stop.', 119000)),
  counterPrice: nullable(number('Best price of the other side of the book.', 117180), 117180),
  distancePercent: nullable(
    number(
      'Distance in percent: of the best price of the other side from the limit price or, before a trigger or an activation, ' +
        'of its price from that of the last trade.',
      0.4,
    ),
    0.4,
  ),
});

export const TIMELINE_RECORDS = { TimelineEvent, QueuePoint, WhyNotFilled };

import { alertDirections } from '../../users/notifications/price-alerts.ts';
import { subscriptionStatuses } from '../../users/notifications/subscriptions.ts';
import {
  boolean,
  enumeration,
  integer,
  list,
  nullable,
  number,
  record,
  text,
  timestamp,
} from './json-schema.ts';
import { symbol } from './market-schemas.ts';

/** The records of notifications, for the OpenAPI document. */

const events = {
  ...list(text('Name of an event, or a pattern such as `order.*`.', 'order.*')),
  examples: [['order.*']],
};

const Webhook = record({
  id: text('Webhook id.', `wh_${'0'.repeat(24)}`),
  url: text('Address of the receiver.', 'https://example.com/hooks'),
  label: text('Label of the webhook.', 'bot'),
  events,
  status: enumeration(
    subscriptionStatuses,
    'Status. `failed`: nothing was accepted for three days; resume it once the receiver works.',
  ),
  createdAt: timestamp('Time when the webhook was created.'),
  failingSince: nullable(
    timestamp('Time since which every attempt has failed; null if the last one succeeded.'),
  ),
  attempts: integer('Number of failed attempts in a row.', 0),
  lastError: nullable(text('The reason why the last attempt failed; null if it succeeded.', '')),
});

const Delivery = record({
  eventId: text(
    'The `webhook-id` of the request: the same for every attempt at an event.',
    `wh_${'0'.repeat(24)}-order-1`,
  ),
  event: text('Name of the event.', 'order.filled'),
  timestamp: timestamp('Time of the attempt.'),
  attempt: integer('Number of the attempt, from 1.', 1),
  accepted: boolean('Whether the receiver responded with a status of 200 to 299.', true),
  status: nullable(integer('HTTP status; null if there was no response.', 200), 200),
  error: nullable(text('The reason why it failed; null if it was accepted.', '')),
  durationMs: integer('Duration of the attempt.', 12),
});

const PriceAlert = record({
  id: text('Alert id.', `pa_${'0'.repeat(24)}`),
  symbol,
  direction: enumeration(alertDirections, 'Whether the price must rise or fall to the price.'),
  price: number('The price.', 250000),
  note: text('A text for yourself.', 'take profit'),
  createdAt: timestamp('Time when the alert was created.'),
  triggeredAt: nullable(timestamp('Time when the price was reached; null before.')),
});

const Notice = record({
  id: integer('Notice id, increasing.', 1),
  event: text('Name of the event.', 'price.alert'),
  timestamp: timestamp('Time of the event.'),
  read: boolean('Whether it is marked as read.', false),
  data: { type: 'object', description: 'The record of the event.', examples: [{}] },
});

const PUSH_KEY = Buffer.alloc(65, 4).toString('base64url');

const PushSubscription = record({
  endpoint: text('The address of the browser at its push service.', 'https://push.example/send/1'),
  events,
});

const NotificationSettings = record({
  mail: events,
  page: events,
  push: list(PushSubscription, 'Your browsers that get messages.'),
  pushKey: text('The key with which browsers subscribe, `applicationServerKey`.', PUSH_KEY),
});

export const NOTIFICATION_RECORDS = { Webhook, Delivery, PriceAlert, Notice, NotificationSettings };

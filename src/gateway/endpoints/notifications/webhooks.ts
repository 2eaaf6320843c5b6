import { randomBytes } from 'node:crypto';
import { z } from 'zod';
import { secretText } from '../../../delivery/signature.ts';
import { checkTarget } from '../../../delivery/targets.ts';
import type { Change, Delivery, Subscription } from '../../../users/notifications/subscriptions.ts';
import { quote } from '../../http/json.ts';
import type { Call } from '../../http/request/call.ts';
import { invalid } from '../../http/request/query.ts';
import { ApiError } from '../../http/response/errors.ts';
import { eventNames, matchesEvent, presentCursor } from '../../notifications/account-events.ts';
import { checkBody, label, optional } from '../../openapi/body-schema.ts';
import { describe } from '../../openapi/description.ts';
import { fromZod, record, text } from '../../openapi/json-schema.ts';
import { recordList, recordRef } from '../../openapi/record-schemas.ts';
import { timeOrNull, timeText } from '../records.ts';

/** Webhooks per account. */
const MAX_WEBHOOKS = 20;
const PATTERNS = ['*', 'order.*', 'fill.*', 'price.*', 'trade.*', 'deposit.*', 'withdrawal.*'];

/** Events of a channel, none to turn it off. */
export const optionalEvents = z
  .array(
    z
      .string()
      .refine(
        (pattern) => PATTERNS.includes(pattern) || eventNames.some((name) => name === pattern),
        `must be one of ${[...eventNames, ...PATTERNS].join(', ')}`,
      ),
  )
  .max(eventNames.length, `must be at most ${eventNames.length} events`)
  .meta({ description: 'Names of events, or patterns such as `order.*`; `*` for all.' });
const eventList = optionalEvents
  .min(1, 'must name at least one event')
  .meta({ description: 'Names of events, or patterns such as `order.*`; `*` for all.' });

const url = z.string().meta({ description: 'Address of the receiver; it begins with `https://`.' });

const SECRET = text(
  'The secret that signs the requests, as libraries of Standard Webhooks expect it.',
  `whsec_${Buffer.alloc(32).toString('base64')}`,
);
const NO_SUCH_WEBHOOK = 'The account has no such webhook.';

/** GET /api/webhooks: `{webhooks}` of the account, oldest first. */
export async function listWebhooks(call: Call): Promise<string> {
  call.query([]);
  return `{"webhooks":[${(await readWebhooks(call)).map(webhookText).join(',')}]}`;
}
listWebhooks.description = describe({
  operationId: 'listWebhooks',
  tag: 'Notifications',
  summary: 'Webhooks of the account, oldest first',
  data: record({ webhooks: recordList('Webhook') }),
});

const newWebhook = z.strictObject({
  url,
  events: eventList,
  label: optional(label, 'A name by which you recognize the webhook. Default: empty.'),
});

/** POST /api/webhooks: creates a webhook for the events from now on. */
export async function createWebhook(call: Call): Promise<string> {
  const body = checkBody(newWebhook, call.body());
  requireTarget(call, body.url);
  if ((await readWebhooks(call)).length >= MAX_WEBHOOKS) {
    const message = `The account has ${MAX_WEBHOOKS} webhooks. Delete one first.`;
    throw invalid('url', 'tooMany', message);
  }
  const { services, account } = call;
  const webhook: Subscription = {
    id: `wh_${randomBytes(12).toString('hex')}`,
    accountId: account.id,
    userId: '',
    channel: 'webhook',
    target: body.url,
    label: body.label ?? '',
    events: body.events,
    status: 'active',
    createdAt: services.now(),
    secretNumber: 1,
    secretChangedAt: 0,
    cursor: await presentCursor(services),
    failingSince: 0,
    attempts: 0,
    lastError: '',
  };
  await services.users.subscriptions.add(webhook);
  await services.notifications.reload();
  return withSecret(call, webhook);
}
createWebhook.description = describe({
  operationId: 'createWebhook',
  tag: 'Notifications',
  summary: 'Create a webhook',
  notes:
    'The exchange sends each event of the account as a POST request, in order and at least once: repeat deliveries have the ' +
    'same `webhook-id`. Requests are signed as Standard Webhooks defines it. The secret is returned here, and by ' +
    '`POST /api/webhooks/{id}/secret`. A failed delivery is repeated for three days with growing pauses.',
  body: {
    schema: fromZod(newWebhook),
    examples: { orders: { url: 'https://example.com/hooks', events: ['order.*', 'fill.created'] } },
  },
  data: record({ webhook: recordRef('Webhook'), secret: SECRET }),
});

const changedWebhook = z
  .strictObject({
    url: url.optional(),
    events: eventList.optional(),
    label: label.optional().meta({ description: 'A name by which you recognize the webhook.' }),
    status: z
      .enum(['active', 'paused'])
      .optional()
      .meta({ description: '`active` also resumes a webhook that has failed.' }),
    skipMissed: z.boolean().optional().meta({
      description: 'Whether to leave out the events up to now that were not delivered.',
    }),
  })
  .refine((body) => Object.keys(body).length > 0, 'must have at least one field')
  .meta({ minProperties: 1 });

/** PATCH /api/webhooks/:id: changes a webhook, pauses or resumes it. */
export async function changeWebhook(call: Call): Promise<string> {
  const body = checkBody(changedWebhook, call.body());
  const webhook = await readWebhook(call);
  if (body.url !== undefined) requireTarget(call, body.url);
  const { services } = call;
  const present = await presentCursor(services);
  // Kinds of events that are new to it begin now: their past was not asked for.
  const cursor = body.skipMissed ? present : startNewKinds(webhook, body.events, present);
  const resumes = body.status === 'active' && webhook.status !== 'active';
  const change: Change = {
    ...(body.url === undefined ? {} : { target: body.url }),
    ...(body.events === undefined ? {} : { events: body.events }),
    ...(body.label === undefined ? {} : { label: body.label }),
    ...(body.status === undefined ? {} : { status: body.status }),
    ...(cursor === undefined ? {} : { cursor }),
    ...(resumes ? { failingSince: 0, attempts: 0, lastError: '' } : {}),
  };
  services.notifications.stop(webhook.id);
  await services.users.subscriptions.change(webhook.id, change);
  await services.notifications.reload(webhook.id);
  return `{"webhook":${webhookText(await services.users.subscriptions.get(webhook.id))}}`;
}
changeWebhook.description = describe({
  operationId: 'changeWebhook',
  tag: 'Notifications',
  summary: 'Change, pause or resume a webhook',
  notes:
    'A webhook that is resumed continues where it stopped, unless `skipMissed` is true. Events that are added begin now.',
  path: { id: 'webhookId' },
  body: { schema: fromZod(changedWebhook), examples: { pause: { status: 'paused' } } },
  data: record({ webhook: recordRef('Webhook') }),
  errors: ['NOT_FOUND'],
});

/** DELETE /api/webhooks/:id: deletes a webhook and its log. */
export async function deleteWebhook(call: Call): Promise<string> {
  call.query([]);
  const webhook = await readWebhook(call);
  await call.services.users.subscriptions.remove(webhook.id);
  await call.services.notifications.reload();
  return `{"webhook":${webhookText(webhook)}}`;
}
deleteWebhook.description = describe({
  operationId: 'deleteWebhook',
  tag: 'Notifications',
  summary: 'Delete a webhook',
  path: { id: 'webhookId' },
  data: record({ webhook: recordRef('Webhook') }),
  errors: ['NOT_FOUND'],
});

const newSecret = z.strictObject({
  renew: z.boolean().meta({ description: 'Whether to create another secret.' }),
});

/** POST /api/webhooks/:id/secret: returns the secret, or replaces it. */
export async function getWebhookSecret(call: Call): Promise<string> {
  const { renew } = checkBody(newSecret, call.body());
  const webhook = await readWebhook(call);
  if (!renew) return withSecret(call, webhook);
  const { services } = call;
  const change = { secretNumber: webhook.secretNumber + 1, secretChangedAt: services.now() };
  services.notifications.stop(webhook.id);
  await services.users.subscriptions.change(webhook.id, change);
  await services.notifications.reload(webhook.id);
  return withSecret(call, { ...webhook, ...change });
}
getWebhookSecret.description = describe({
  operationId: 'getWebhookSecret',
  tag: 'Notifications',
  summary: 'Show or renew the secret of a webhook',
  notes: 'For 24 hours after it was renewed, requests are signed with both secrets.',
  path: { id: 'webhookId' },
  body: { schema: fromZod(newSecret), examples: { show: { renew: false } } },
  data: record({ webhook: recordRef('Webhook'), secret: SECRET }),
  errors: ['NOT_FOUND'],
});

const emptyTest = z.strictObject({});

/** POST /api/webhooks/:id/test: sends a test event now and returns what became of it. */
export async function testWebhook(call: Call): Promise<string> {
  checkBody(emptyTest, call.body());
  const webhook = await readWebhook(call);
  const { services } = call;
  const time = services.now();
  const id = `test-${randomBytes(6).toString('hex')}`;
  const message = { id, name: 'webhook.test', time, data: `{"webhookId":"${webhook.id}"}` };
  const attempt = await services.notifications.attempt(webhook, message);
  const eventId = `${webhook.id}-${id}`;
  const delivery = { id: 0, eventId, event: message.name, attemptedAt: time, attempt: 1 };
  return `{"delivery":${deliveryText({ ...delivery, ...attempt })}}`;
}
testWebhook.description = describe({
  operationId: 'testWebhook',
  tag: 'Notifications',
  summary: 'Send a test event to a webhook',
  notes: 'Responds when the receiver has, after ten seconds at the latest.',
  path: { id: 'webhookId' },
  body: { schema: fromZod(emptyTest), examples: { test: {} } },
  data: record({ delivery: recordRef('Delivery') }),
  errors: ['NOT_FOUND'],
});

/** GET /api/webhooks/:id/deliveries: the last attempts, newest first. */
export async function listDeliveries(call: Call): Promise<string> {
  const query = call.query(['limit']);
  const { id } = await readWebhook(call);
  const found = await call.services.users.subscriptions.deliveries(id, query.count('limit'));
  return `{"deliveries":[${found.map(deliveryText).join(',')}]}`;
}
listDeliveries.description = describe({
  operationId: 'listDeliveries',
  tag: 'Notifications',
  summary: 'Deliveries of a webhook, newest first',
  notes: 'The last 200 attempts are kept.',
  path: { id: 'webhookId' },
  query: ['limit'],
  data: record({ deliveries: recordList('Delivery') }),
  errors: ['NOT_FOUND'],
});

async function readWebhooks({ services, account }: Call): Promise<Subscription[]> {
  const all = await services.users.subscriptions.list(account.id);
  return all.filter(({ channel }) => channel === 'webhook');
}

/** @throws ApiError NOT_FOUND */
async function readWebhook(call: Call): Promise<Subscription> {
  const { id } = call.parameters;
  const found = (await readWebhooks(call)).find((each) => each.id === id);
  if (found !== undefined) return found;
  throw new ApiError('NOT_FOUND', NO_SUCH_WEBHOOK, { field: 'id' });
}

function requireTarget(call: Call, target: string): void {
  const fault = checkTarget(target, call.services.notifications.rules);
  if (fault !== undefined) throw invalid('url', 'target', `url ${fault}.`);
}

/** Returns the cursor with the present for the kinds of events that are new; undefined if there are none. */
function startNewKinds(
  { events, cursor }: Subscription,
  changed: readonly string[] | undefined,
  present: Subscription['cursor'],
): Subscription['cursor'] | undefined {
  if (changed === undefined) return undefined;
  const had = (kind: string) =>
    eventNames.some(
      (name) => name.startsWith(kind) && events.some((each) => matchesEvent(each, name)),
    );
  return {
    ...cursor,
    ...(had('order.') ? {} : { orderBatch: present.orderBatch, orderId: present.orderId }),
    ...(had('fill.') ? {} : { tradeId: present.tradeId }),
    ...(had('price.') || had('trade.') ? {} : { noticeId: present.noticeId }),
    ...(had('deposit.') || had('withdrawal.')
      ? {}
      : { custodyBatch: present.custodyBatch, custodyIndex: present.custodyIndex }),
  };
}

function withSecret({ services }: Call, webhook: Subscription): string {
  const secret = secretText(services.notifications.secrets.current(webhook));
  return `{"webhook":${webhookText(webhook)},"secret":"${secret}"}`;
}

function webhookText(webhook: Subscription): string {
  const { id, target, label: name, events, status, createdAt } = webhook;
  return (
    `{"id":"${id}","url":${quote(target)},"label":${quote(name)},"events":${JSON.stringify(events)},` +
    `"status":"${status}","createdAt":${timeText(createdAt)},"failingSince":${timeOrNull(webhook.failingSince)},` +
    `"attempts":${webhook.attempts},"lastError":${webhook.lastError === '' ? 'null' : quote(webhook.lastError)}}`
  );
}

function deliveryText(delivery: Delivery): string {
  const { eventId, event, attemptedAt, attempt, status, error, durationMs } = delivery;
  return (
    `{"eventId":"${eventId}","event":"${event}","timestamp":${timeText(attemptedAt)},"attempt":${attempt},` +
    `"accepted":${error === ''},"status":${status === 0 ? 'null' : status},` +
    `"error":${error === '' ? 'null' : quote(error)},"durationMs":${durationMs}}`
  );
}

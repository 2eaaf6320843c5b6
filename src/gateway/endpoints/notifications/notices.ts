import { z } from 'zod';
import type { Notice } from '../../../users/notifications/notices.ts';
import type { Channel, Subscription } from '../../../users/notifications/subscriptions.ts';
import type { Call } from '../../http/request/call.ts';
import { invalid } from '../../http/request/query.ts';
import { presentCursor } from '../../notifications/account-events.ts';
import { checkBody, integer } from '../../openapi/body-schema.ts';
import { describe } from '../../openapi/description.ts';
import { fromZod, integer as integerField, record } from '../../openapi/json-schema.ts';
import { recordList, recordRef } from '../../openapi/record-schemas.ts';
import { timeText } from '../records.ts';
import { signedIn } from '../user/browser.ts';
import { pushSubscription, setPush } from './push.ts';
import { optionalEvents } from './webhooks.ts';

/** GET /api/notices: `{notices, unread}` of the account, newest first. */
export async function listNotices(call: Call): Promise<string> {
  const limit = call.query(['limit']).count('limit');
  return noticesText(call, limit);
}
listNotices.description = describe({
  operationId: 'listNotices',
  tag: 'Notifications',
  summary: 'Notices of the account, newest first',
  notes: 'The last 500 are kept.',
  query: ['limit'],
  data: record({
    notices: recordList('Notice'),
    unread: integerField('Number of notices that are not marked as read.', 0),
  }),
});

const readUpTo = z.strictObject({
  upTo: integer(1, Number.MAX_SAFE_INTEGER).meta({
    description: 'Notices up to this id are marked as read.',
  }),
});

/** POST /api/notices/read: marks notices as read. */
export async function markNoticesRead(call: Call): Promise<string> {
  const { upTo } = checkBody(readUpTo, call.body());
  const { users } = call.services;
  await users.notices.markRead(call.account.id, upTo);
  return `{"unread":${await users.notices.countUnread(call.account.id)}}`;
}
markNoticesRead.description = describe({
  operationId: 'markNoticesRead',
  tag: 'Notifications',
  summary: 'Mark notices as read',
  body: { schema: fromZod(readUpTo), examples: { first: { upTo: 1 } } },
  data: record({ unread: integerField('Number of notices that are not marked as read.', 0) }),
});

/** GET /api/account/notifications: what is sent by mail, and shown on the pages. */
export async function getNotificationSettings(call: Call): Promise<string> {
  call.query([]);
  const { user } = await signedIn(call);
  return settingsText(call, await ownSubscriptions(call, user.id));
}
getNotificationSettings.description = describe({
  operationId: 'getNotificationSettings',
  tag: 'Users',
  summary: 'Your notification settings',
  data: record({ notifications: recordRef('NotificationSettings') }),
});

const settings = z.strictObject({
  mail: optionalEvents.optional().meta({ description: 'Events that are sent to you by mail.' }),
  page: optionalEvents.optional().meta({ description: 'Events that are shown on the pages.' }),
  push: pushSubscription.optional(),
});

/** PATCH /api/account/notifications: changes them. */
export async function changeNotificationSettings(call: Call): Promise<string> {
  const body = checkBody(settings, call.body());
  const { user, session } = await signedIn(call);
  if (body.push !== undefined) await setPush(call, session, body.push);
  for (const channel of ['mail', 'page'] as const) {
    const events = body[channel];
    if (channel === 'mail' && events?.length && !call.services.users.canMail) {
      throw invalid('mail', 'noMail', 'This exchange sends no mail. Leave mail out.');
    }
    if (events !== undefined) await setEvents(call, user.id, channel, events);
  }
  await call.services.notifications.reload();
  return settingsText(call, await ownSubscriptions(call, user.id));
}
changeNotificationSettings.description = describe({
  operationId: 'changeNotificationSettings',
  tag: 'Users',
  summary: 'Change your notification settings',
  notes:
    'An empty list turns a channel off. Price alerts are always shown on the pages. Messages to a browser end with the session that subscribed it.',
  body: {
    schema: fromZod(settings),
    examples: { mails: { mail: ['order.filled', 'price.alert'] } },
  },
  data: record({ notifications: recordRef('NotificationSettings') }),
});

async function ownSubscriptions({ services, account }: Call, userId: string) {
  const all = await services.users.subscriptions.list(account.id);
  return all.filter((each) => each.userId === userId);
}

async function setEvents(
  call: Call,
  userId: string,
  channel: 'mail' | 'page',
  events: readonly string[],
): Promise<void> {
  const { services, account } = call;
  const { subscriptions } = services.users;
  const known = (await ownSubscriptions(call, userId)).find((each) => each.channel === channel);
  // The events begin now, whether it is new or not.
  if (events.length === 0) {
    if (known !== undefined) await subscriptions.remove(known.id);
    return;
  }
  const id = `${channel}_${userId}_${account.id}`;
  services.notifications.stop(id);
  await subscriptions.add({
    id,
    accountId: account.id,
    userId,
    channel,
    target: '',
    label: '',
    events,
    status: 'active',
    createdAt: services.now(),
    secretNumber: 1,
    secretChangedAt: 0,
    cursor: await presentCursor(services),
    failingSince: 0,
    attempts: 0,
    lastError: '',
  });
}

function settingsText({ services }: Call, subscriptions: readonly Subscription[]): string {
  const events = (channel: Channel) =>
    JSON.stringify(subscriptions.find((each) => each.channel === channel)?.events ?? []);
  const push = subscriptions
    .filter(({ channel }) => channel === 'push')
    .map((each) => ({ endpoint: each.target, events: each.events }));
  const { pushKey } = services.notifications;
  return `{"notifications":{"mail":${events('mail')},"page":${events('page')},"push":${JSON.stringify(push)},"pushKey":"${pushKey}"}}`;
}

async function noticesText({ services, account }: Call, limit: number): Promise<string> {
  const { notices } = services.users;
  const found = await notices.list(account.id, limit);
  return `{"notices":[${found.map(noticeText).join(',')}],"unread":${await notices.countUnread(account.id)}}`;
}

function noticeText({ id, event, createdAt, data, isRead }: Notice): string {
  return `{"id":${id},"event":"${event}","timestamp":${timeText(createdAt)},"read":${isRead},"data":${data}}`;
}

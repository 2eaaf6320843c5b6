import { createHash } from 'node:crypto';
import { z } from 'zod';
import { checkTarget } from '../../../delivery/targets.ts';
import { arePushKeys } from '../../../delivery/web-push.ts';
import type { Call } from '../../http/request/call.ts';
import { invalid } from '../../http/request/query.ts';
import { presentCursor } from '../../notifications/account-events.ts';
import { writePushLabel } from '../../notifications/push-label.ts';
import { optionalEvents } from './webhooks.ts';

/** Browsers of a user per account. The one that was added first makes room for another. */
const MAX_BROWSERS = 10;
const MAX_KEY_LENGTH = 128;

const key = (description: string) => z.string().max(MAX_KEY_LENGTH).meta({ description });

export const pushSubscription = z
  .strictObject({
    endpoint: z.string().meta({ description: 'The address of the browser at its push service.' }),
    p256dh: key('Public key of the browser, in base64url.'),
    auth: key('Secret of the browser, in base64url.'),
    events: optionalEvents.meta({ description: 'Events that are sent; none removes the browser.' }),
  })
  .meta({
    description: 'A browser that gets messages by Web Push, as its PushManager returns it.',
  });

/** Adds a browser, changes its events, or removes it. @throws ApiError INVALID_REQUEST */
export async function setPush(
  { services, account }: Call,
  { id: sessionId, userId }: NonNullable<Call['session']>,
  { endpoint, p256dh, auth, events }: z.infer<typeof pushSubscription>,
): Promise<void> {
  const fault = checkTarget(endpoint, services.notifications.rules);
  if (fault !== undefined) throw invalid('push.endpoint', 'target', `push.endpoint ${fault}.`);
  if (!arePushKeys({ p256dh, auth })) {
    const message =
      'push.p256dh and push.auth must be the keys of a push subscription, in base64url.';
    throw invalid('push.p256dh', 'format', message);
  }
  const { subscriptions } = services.users;
  const digest = createHash('sha256').update(`${account.id}\n${userId}\n${endpoint}`).digest('hex');
  const id = `push_${digest.slice(0, 32)}`;
  services.notifications.stop(id);
  if (events.length === 0) {
    await subscriptions.remove(id);
    return;
  }
  const known = (await subscriptions.list(account.id)).filter(
    (each) => each.channel === 'push' && each.userId === userId && each.id !== id,
  );
  for (const { id: oldest } of known.slice(0, Math.max(0, known.length + 1 - MAX_BROWSERS))) {
    services.notifications.stop(oldest);
    await subscriptions.remove(oldest);
  }
  await subscriptions.add({
    id,
    accountId: account.id,
    userId,
    channel: 'push',
    target: endpoint,
    label: writePushLabel({ p256dh, auth, sessionId }),
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

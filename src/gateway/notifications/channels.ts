import { type Attempt, post } from '../../delivery/post.ts';
import { signatureHeaders } from '../../delivery/signature.ts';
import type { TargetRules } from '../../delivery/targets.ts';
import { encryptPush, type PushIdentity } from '../../delivery/web-push.ts';
import type { Channel, Subscription } from '../../users/notifications/subscriptions.ts';
import { timeText } from '../endpoints/records.ts';
import { TRADE_BUSTED } from './bust-notices.ts';
import type { Message } from './control.ts';
import { mailText } from './mail-text.ts';
import type { NotificationServices } from './notification-services.ts';
import { readPushLabel } from './push-label.ts';
import type { WebhookSecrets } from './webhook-secrets.ts';

/** Delivers an event. Resolves with the attempt, whatever became of it. */
export type Deliver = (subscription: Subscription, message: Message) => Promise<Attempt>;

const TIMEOUT_MS = 10_000;
const MS_PER_SECOND = 1000;
/** The time for which a push service keeps a message for a browser that is not connected. */
const PUSH_LIFETIME_S = 3600;
const GONE: Attempt = { status: 410, error: 'the session has ended', durationMs: 0 };
const DONE: Attempt = { status: 200, error: '', durationMs: 0 };

/** Returns the ways of delivery by channel. */
export function createChannels(
  services: NotificationServices,
  secrets: WebhookSecrets,
  identity: PushIdentity,
  rules: TargetRules,
): Readonly<Record<Channel, Deliver>> {
  const { users, now, clock } = services;
  return {
    webhook: (subscription, message) => {
      const body = messageText(subscription, message);
      // Receivers reject times that are far from their own, also if the clock of a sandbox is elsewhere.
      const timestamp = Math.floor(clock.wallMs / MS_PER_SECOND);
      const signed = { id: `${subscription.id}-${message.id}`, timestamp, body };
      const headers = signatureHeaders(signed, secrets.signing(subscription, now()));
      return post({ url: subscription.target, headers, body, rules, timeoutMs: TIMEOUT_MS });
    },
    mail: async ({ userId }, message) => {
      const user = await users.store.findById(userId);
      if (user === undefined) return DONE;
      const startedAt = performance.now();
      const error = await users.mails.event(user, mailText(message));
      return { status: 0, error, durationMs: Math.round(performance.now() - startedAt) };
    },
    page: async ({ accountId }, { id, name, data, time }) => {
      // Price alerts and busted trades are notices already.
      if (name !== 'price.alert' && name !== TRADE_BUSTED) {
        await users.notices.add(accountId, id, { event: name, createdAt: time, data });
      }
      return DONE;
    },
    push: async ({ userId, target, label }, message) => {
      const { sessionId, ...keys } = readPushLabel(label);
      const sessions = await users.sessions.listByUser(userId);
      if (!sessions.some(({ id }) => id === sessionId)) return GONE;
      const headers = {
        authorization: identity.authorization(target, Math.floor(clock.wallMs / MS_PER_SECOND)),
        'content-encoding': 'aes128gcm',
        'content-type': 'application/octet-stream',
        ttl: `${PUSH_LIFETIME_S}`,
        urgency: 'high',
      };
      const body = encryptPush(pushText(message), keys);
      return post({ url: target, headers, body, rules, timeoutMs: TIMEOUT_MS });
    },
  };
}

/** Returns what the service worker of the pages shows. */
function pushText(message: Message): string {
  const { subject, text } = mailText(message);
  const { symbol } = JSON.parse(message.data) as { readonly symbol?: unknown };
  const path = typeof symbol === 'string' ? `/trade/${symbol.replace('/', '-')}` : '/portfolio';
  return JSON.stringify({ title: subject, body: text, tag: message.id, path });
}

/** Returns the body of a request: the event with its record. */
function messageText(
  { accountId }: Subscription,
  { name, time, data }: Pick<Message, 'name' | 'time' | 'data'>,
): string {
  return `{"type":"${name}","timestamp":${timeText(time)},"accountId":"${accountId}","data":${data}}`;
}

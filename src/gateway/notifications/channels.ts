import { type Attempt, post } from '../../delivery/post.ts';
import { signatureHeaders } from '../../delivery/signature.ts';
import type { TargetRules } from '../../delivery/targets.ts';
import type { Channel, Subscription } from '../../users/notifications/subscriptions.ts';
import { timeText } from '../endpoints/records.ts';
import { TRADE_BUSTED } from './bust-notices.ts';
import type { Message } from './control.ts';
import { mailText } from './mail-text.ts';
import type { NotificationServices } from './notification-services.ts';
import type { WebhookSecrets } from './webhook-secrets.ts';

/** Delivers an event. Resolves with the attempt, whatever became of it. */
export type Deliver = (subscription: Subscription, message: Message) => Promise<Attempt>;

const TIMEOUT_MS = 10_000;
const MS_PER_SECOND = 1000;
const DONE: Attempt = { status: 200, error: '', durationMs: 0 };

/** Returns the ways of delivery by channel. */
export function createChannels(
  services: NotificationServices,
  secrets: WebhookSecrets,
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
      const error = await users.mails.event(user.email, mailText(message));
      return { status: 0, error, durationMs: Math.round(performance.now() - startedAt) };
    },
    page: async ({ accountId }, { id, name, data, time }) => {
      // Price alerts and busted trades are notices already.
      if (name !== 'price.alert' && name !== TRADE_BUSTED) {
        await users.notices.add(accountId, id, { event: name, createdAt: time, data });
      }
      return DONE;
    },
  };
}

/** Returns the body of a request: the event with its record. */
function messageText(
  { accountId }: Subscription,
  { name, time, data }: Pick<Message, 'name' | 'time' | 'data'>,
): string {
  return `{"type":"${name}","timestamp":${timeText(time)},"accountId":"${accountId}","data":${data}}`;
}

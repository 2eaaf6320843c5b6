import type { Config } from '../config/config.ts';
import { AddressList } from '../gateway/gateway.ts';
import {
  type NotificationServices,
  Notifications,
} from '../gateway/notifications/notifications.ts';

/** Creates the notifications of a node. Secrets of webhooks are derived from one in the users' database. */
export async function createNotifications(
  { node, webhookNetworks, publicUrl }: Config,
  { replica, archivist, users, clock, now }: NotificationServices,
): Promise<Notifications> {
  const notifications = new Notifications(
    { replica, archivist, users, clock, now },
    {
      node,
      // Push services accept no other URLs (RFC 8292, 2.1).
      contact: publicUrl?.startsWith('https:') ? publicUrl : 'mailto:operators@localhost',
      rules: { allowed: new AddressList(webhookNetworks) },
      seal: await users.loadSeal('webhooks'),
    },
  );
  await notifications.begin();
  return notifications;
}

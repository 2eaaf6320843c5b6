import type { Attempt } from '../../delivery/post.ts';
import type { TargetRules } from '../../delivery/targets.ts';
import type { WithdrawalAddress, WithdrawalRecord } from '../../engine/custody/custody-records.ts';
import type { Subscription } from '../../users/notifications/subscriptions.ts';
import type { WebhookSecrets } from './webhook-secrets.ts';

/** An event as a receiver gets it. */
export interface Message {
  /** The same for every attempt. */
  readonly id: string;
  readonly name: string;
  /** Milliseconds since 1970. */
  readonly time: number;
  /** The record, as JSON. */
  readonly data: string;
}

/** Notifies the users of an account of what a thief of it would do first. */
export interface WithdrawalNotices {
  /** Notes a new entry of an address book. */
  addressAdded(entry: WithdrawalAddress): void;
  /** Notes a withdrawal that was just requested. */
  withdrawalRequested(withdrawal: WithdrawalRecord): void;
}

/** The notifications of a node, as endpoints use them. */
export interface NotificationControl {
  readonly rules: TargetRules;
  readonly secrets: WebhookSecrets;
  /** The public key by which push services recognize the exchange, in base64url. */
  readonly pushKey: string;
  readonly custody: WithdrawalNotices;
  /** Reads subscriptions and alerts again, after a change. @param changedId The subscription that has changed. */
  reload(changedId?: string): Promise<void>;
  /** Stops deliveries of a subscription that is about to change; `reload` begins them again. */
  stop(id: string): void;
  /** Sends an event once and records the attempt. */
  attempt(subscription: Subscription, message: Message): Promise<Attempt>;
}

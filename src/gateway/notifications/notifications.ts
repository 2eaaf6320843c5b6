import { SECOND_MS } from '../../config/durations.ts';
import type { Attempt } from '../../delivery/post.ts';
import type { TargetRules } from '../../delivery/targets.ts';
import { PushIdentity } from '../../delivery/web-push.ts';
import type { Event } from '../../engine/event.ts';
import * as logger from '../../monitoring/logger.ts';
import type { Metric } from '../../monitoring/metrics.ts';
import type { Subscription } from '../../users/notifications/subscriptions.ts';
import { BustNotices } from './bust-notices.ts';
import { createChannels } from './channels.ts';
import type { Message, NotificationControl } from './control.ts';
import { CustodyNotices } from './custody-notices.ts';
import { Dispatcher } from './dispatcher.ts';
import type { NotificationServices } from './notification-services.ts';
import { PriceWatch } from './price-watch.ts';
import { WebhookSecrets } from './webhook-secrets.ts';

export type { NotificationServices } from './notification-services.ts';

/** A node keeps the lease for so long after it was last extended. */
const LEASE_MS = 30 * SECOND_MS;
const EXTEND_EVERY_MS = 10 * SECOND_MS;
const READ_EVERY_MS = 30 * SECOND_MS;

export interface NotificationOptions {
  /** Name of this node. */
  readonly node: string;
  readonly rules: TargetRules;
  /** URL by which push services reach the operators. */
  readonly contact: string;
  /** The secret that the secrets of webhooks and the key for push services are derived from. */
  readonly seal: Uint8Array;
  /** The pauses after failed attempts, shorter in tests. */
  readonly pausesMs?: readonly number[];
}

/** Webhooks, mails and notices about the events of accounts, price alerts, busted trades and money that leaves. Of a cluster, one node sends them. */
export class Notifications implements NotificationControl {
  readonly secrets: WebhookSecrets;
  readonly pushKey: string;
  readonly rules: TargetRules;
  readonly dispatcher: Dispatcher;
  private readonly prices: PriceWatch;
  private readonly busts: BustNotices;
  readonly custody: CustodyNotices;
  private readonly timer: ReturnType<typeof setInterval>;
  private isActive = false;
  private extending: Promise<void> = Promise.resolve();
  private reloading: Promise<void> = Promise.resolve();
  private waiting: Promise<void> | undefined;
  /** When price alerts were last read, milliseconds since 1970. */
  private readAt = 0;
  /** When it last looked for what other nodes have left, milliseconds since 1970. */
  private caughtUpAt = 0;

  constructor(
    private readonly services: NotificationServices,
    private readonly options: NotificationOptions,
  ) {
    this.rules = options.rules;
    this.secrets = new WebhookSecrets(options.seal);
    const identity = new PushIdentity(options.seal, options.contact);
    this.pushKey = identity.publicKey;
    this.dispatcher = new Dispatcher({
      services,
      channels: createChannels(services, this.secrets, identity, options.rules),
      isActive: () => this.isActive,
      pausesMs: options.pausesMs,
    });
    this.prices = new PriceWatch(services, (account) => this.dispatcher.wake(account));
    this.busts = new BustNotices(services, (account) => this.dispatcher.wake(account));
    this.custody = new CustodyNotices(services);
    this.timer = setInterval(() => this.extendLater(), EXTEND_EVERY_MS);
    this.timer.unref();
  }

  get metrics(): readonly Metric[] {
    return this.dispatcher.metrics;
  }

  /** Takes the lease, if no other node has it. */
  async begin(): Promise<void> {
    this.extendLater();
    await this.extending;
  }

  note(events: readonly Event[]): void {
    if (!this.isActive) return;
    this.dispatcher.note(events);
    this.prices.note(events);
    this.busts.note(events);
  }

  /** Reads subscriptions and alerts again, after a change. @param changedId The subscription that has changed. */
  reload(changedId?: string): Promise<void> {
    if (changedId !== undefined) this.stop(changedId);
    // Requests in the meantime share one reload.
    this.waiting ??= this.reloading.then(() => {
      this.waiting = undefined;
      this.reloading = this.readAll(false);
      return this.reloading;
    });
    return this.waiting;
  }

  stop(id: string): void {
    this.dispatcher.forget(id);
  }

  /**
   * Reads subscriptions and alerts. Alerts that were reached since the last time trigger now: they may have been made on
   * another node. Never fails: what was not read is read again.
   * @param isPeriodic Whether all subscriptions look for events, also those that have not changed.
   */
  private async readAll(isPeriodic: boolean): Promise<void> {
    if (!this.isActive) return;
    const watchedUntil = this.readAt;
    const readAt = this.services.now();
    await this.dispatcher.reload(isPeriodic);
    try {
      await this.prices.reload(watchedUntil);
      this.readAt = readAt;
    } catch (error) {
      logger.warn(`Price alerts were not read, and are read again: ${(error as Error).message}`);
    }
    this.busts.reload(watchedUntil);
  }

  attempt(subscription: Subscription, message: Message): Promise<Attempt> {
    return this.dispatcher.attempt(subscription, message);
  }

  /** Stops. Nothing is lost: the node that has the lease next continues. */
  async close(): Promise<void> {
    clearInterval(this.timer);
    this.dispatcher.close();
    await this.extending;
    await this.custody.settle();
  }

  private extendLater(): void {
    this.extending = this.extending
      .then(() => this.extend())
      .catch((error) => {
        // Another node may have it soon.
        this.isActive = false;
        logger.warn(`Notifications pause: ${(error as Error).message}`);
      });
  }

  private async extend(): Promise<void> {
    const { users, now } = this.services;
    const wasActive = this.isActive;
    const lease = await users.takeLease('notifications', this.options.node, now() + LEASE_MS);
    this.isActive = lease.isHeld;
    if (!lease.isHeld) this.dispatcher.pauseAll();
    else {
      if (!wasActive) {
        const watchedUntil = lease.previousUntil === 0 ? now() : lease.previousUntil - LEASE_MS;
        this.readAt = watchedUntil;
        this.caughtUpAt = watchedUntil;
      }
      if (wasActive && now() - this.caughtUpAt < READ_EVERY_MS) return;
      // Another node may have changed subscriptions, or stopped before it added a notice.
      const since = this.caughtUpAt;
      this.caughtUpAt = now();
      await this.readAll(true);
      this.custody.reload(since);
    }
  }
}

import { SECOND_MS } from '../../config/durations.ts';
import type { Attempt } from '../../delivery/post.ts';
import type { TargetRules } from '../../delivery/targets.ts';
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
  /** The secret that the secrets of webhooks are derived from. */
  readonly seal: Uint8Array;
  /** The pauses after failed attempts, shorter in tests. */
  readonly pausesMs?: readonly number[];
}

/** Webhooks, mails and notices about the events of accounts, price alerts, busted trades and money that leaves. Of a cluster, one node sends them. */
export class Notifications implements NotificationControl {
  readonly secrets: WebhookSecrets;
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
  /** When subscriptions and alerts were last read, milliseconds since 1970. */
  private readAt = 0;

  constructor(
    private readonly services: NotificationServices,
    private readonly options: NotificationOptions,
  ) {
    this.rules = options.rules;
    this.secrets = new WebhookSecrets(options.seal);
    this.dispatcher = new Dispatcher({
      services,
      channels: createChannels(services, this.secrets, options.rules),
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
    this.dispatcher.note(events);
    this.prices.note(events);
    if (this.isActive) this.busts.note(events);
  }

  /** Reads subscriptions and alerts again, after a change. @param changedId The subscription that has changed. */
  reload(changedId?: string): Promise<void> {
    if (changedId !== undefined) this.dispatcher.forget(changedId);
    // Requests in the meantime share one reload.
    this.waiting ??= this.reloading.then(() => {
      this.waiting = undefined;
      this.reloading = this.readAll(this.services.now());
      return this.reloading;
    });
    return this.waiting;
  }

  /** @param watchedUntil The time up to which the prices were watched, milliseconds since 1970. */
  private async readAll(watchedUntil: number): Promise<void> {
    if (!this.isActive) return;
    this.readAt = this.services.now();
    await this.dispatcher.reload();
    await this.prices.reload(watchedUntil);
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
    else if (!wasActive) {
      const watchedUntil = lease.previousUntil === 0 ? now() : lease.previousUntil - LEASE_MS;
      await this.readAll(watchedUntil);
      this.custody.reload(watchedUntil);
    } else if (now() - this.readAt >= READ_EVERY_MS) {
      // Requests to other nodes may have changed them, and such a node may have stopped before it added a notice.
      const watchedUntil = this.readAt;
      await this.readAll(watchedUntil);
      this.custody.reload(watchedUntil);
    }
  }
}

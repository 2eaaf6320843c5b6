import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '../../config/durations.ts';
import type { Attempt } from '../../delivery/post.ts';
import type { Event } from '../../engine/event.ts';
import * as logger from '../../monitoring/logger.ts';
import { Counter, labels, type Metric } from '../../monitoring/metrics.ts';
import type {
  Change,
  Channel,
  Cursor,
  Subscription,
} from '../../users/notifications/subscriptions.ts';
import { readEvents } from './account-events.ts';
import type { Deliver } from './channels.ts';
import type { Message } from './control.ts';
import type { NotificationServices } from './notification-services.ts';

/** Pauses after the first failed attempts; then the last one repeats. */
const PAUSES_MS = [
  5 * SECOND_MS,
  30 * SECOND_MS,
  2 * MINUTE_MS,
  10 * MINUTE_MS,
  30 * MINUTE_MS,
  HOUR_MS,
];
/** A receiver that accepts nothing for so long gets nothing more until its owner resumes. */
const GIVE_UP_AFTER_MS = 3 * DAY_MS;
/** Attempts at the same time by channel, and by account: a slow receiver must not stop others. */
const MAX_AT_ONCE: Readonly<Record<Channel, number>> = {
  webhook: 16,
  mail: 4,
  page: 1,
  push: 16,
};
const MAX_PER_ACCOUNT = 2;
/** An account whose last attempt took so long is slow. Slow accounts have half of the attempts of a channel. */
const SLOW_MS = SECOND_MS;
/** A message about something older is of no use: it is left out, so that it does not hold up later ones. */
const EXPIRES_MS: Partial<Record<Channel, number>> = { mail: DAY_MS, push: HOUR_MS };
/** A subscription delivers for so long while others wait. */
const TURN_MS = SECOND_MS;
/** Status of a receiver that wants no more: it is given up at once (RFC 9110, 410 Gone). */
const GONE = 410;
/** Status of a browser that is no longer known to its push service (RFC 8030, 7.3). */
const NOT_FOUND = 404;

/** The delivery of one subscription. Its events are delivered one after another, in order. */
interface Run {
  subscription: Subscription;
  isRunning: boolean;
  /** Whether something may have happened since the events were last read. */
  isDue: boolean;
  retry: ReturnType<typeof setTimeout> | undefined;
}

export interface DispatcherOptions {
  readonly services: NotificationServices;
  readonly channels: Readonly<Record<Channel, Deliver>>;
  /** Whether this node delivers. Of a cluster, one does. */
  readonly isActive: () => boolean;
  /** The pauses between attempts, shorter in tests. */
  readonly pausesMs?: readonly number[] | undefined;
}

/**
 * Delivers the events of accounts to their subscriptions: every event at least once and in order, from the history of the
 * log. A subscription stores how far it has come, so a restart or a receiver that is down loses nothing.
 */
export class Dispatcher {
  readonly metrics: readonly Metric[];
  private readonly runs = new Map<string, Run>();
  /** By index of the account. */
  private byAccount = new Map<number, Run[]>();
  private readonly waiting: Run[] = [];
  private servesSoon = false;
  private readonly running: Readonly<Record<Channel, Set<Run>>> = {
    webhook: new Set(),
    mail: new Set(),
    page: new Set(),
    push: new Set(),
  };
  /** Ids of slow accounts, by channel. */
  private readonly slow: Readonly<Record<Channel, Set<string>>> = {
    webhook: new Set(),
    mail: new Set(),
    page: new Set(),
    push: new Set(),
  };
  private isClosed = false;
  private readonly attempts = new Counter(
    'buttonwood_deliveries_total',
    'Attempts to deliver an event by webhook, mail or notice, by outcome.',
    [labels({ outcome: 'accepted' }), labels({ outcome: 'failed' })],
  );

  constructor(private readonly options: DispatcherOptions) {
    this.metrics = [this.attempts];
  }

  /** Notes the events of a command. Accounts without subscriptions cost a lookup. */
  note(events: readonly Event[]): void {
    if (this.byAccount.size === 0 || !this.options.isActive()) return;
    for (const event of events) {
      if (event.kind === 'trade') {
        this.wake(event.makerAccount);
        this.wake(event.takerAccount);
      } else if (event.kind !== 'entry') this.wake(event.account);
    }
  }

  /** Delivers what has happened to an account. */
  wake(account: number): void {
    const runs = this.byAccount.get(account);
    if (runs !== undefined) for (const run of runs) this.begin(run);
  }

  /** Reads the subscriptions again. @param isPeriodic Whether those that have not changed look for events too. */
  async reload(isPeriodic: boolean): Promise<void> {
    if (this.isClosed || !this.options.isActive()) return;
    const { users, replica } = this.options.services;
    try {
      const active = await users.subscriptions.list();
      const ids = new Set(active.map(({ id }) => id));
      for (const [id, run] of this.runs) if (!ids.has(id)) this.end(run);
      const added = active.filter((each) => this.accept(each)).map(({ id }) => id);
      const { accountsById } = replica.exchange.state;
      this.byAccount = Map.groupBy(
        this.runs.values(),
        (run) => accountsById.get(run.subscription.accountId)?.index ?? -1,
      );
      const due = isPeriodic ? this.runs.values() : added.map((id) => this.runs.get(id)!);
      for (const run of due) this.begin(run);
    } catch (error) {
      logger.warn(`Subscriptions were not read, and are read again: ${(error as Error).message}`);
    }
  }

  /** Forgets what it knows of a subscription, which its owner has changed: the next reload begins from what is stored. */
  forget(id: string): void {
    const run = this.runs.get(id);
    if (run !== undefined) this.end(run);
  }

  /** Forgets all subscriptions: another node delivers from now on. */
  pauseAll(): void {
    for (const run of this.runs.values()) this.end(run);
    this.byAccount = new Map();
  }

  /** Stops. What was not delivered is delivered after the next start. */
  close(): void {
    this.isClosed = true;
    for (const run of this.runs.values()) this.end(run);
  }

  /** @returns Whether it is new. */
  private accept(subscription: Subscription): boolean {
    const run = this.runs.get(subscription.id);
    if (run === undefined) {
      const created = { subscription, isRunning: false, isDue: false, retry: undefined };
      this.runs.set(subscription.id, created);
      return true;
    }
    // While it runs, the cursor in memory is ahead of the stored one.
    if (!run.isRunning) run.subscription = subscription;
    else run.subscription = { ...subscription, cursor: run.subscription.cursor };
    return false;
  }

  private end(run: Run): void {
    clearTimeout(run.retry);
    this.runs.delete(run.subscription.id);
  }

  private begin(run: Run): void {
    run.isDue = true;
    if (run.isRunning || run.retry !== undefined || !this.isCurrent(run)) return;
    run.isRunning = true;
    this.waiting.push(run);
    // Events are noted while their batch is applied: its records can be read afterwards.
    if (this.servesSoon) return;
    this.servesSoon = true;
    queueMicrotask(() => {
      this.servesSoon = false;
      this.serve();
    });
  }

  /** Starts what has a slot, those that wait longest first. */
  private serve(): void {
    let kept = 0;
    for (const run of this.waiting) {
      if (this.hasSlot(run)) this.start(run);
      else this.waiting[kept++] = run;
    }
    this.waiting.length = kept;
  }

  private start(run: Run): void {
    this.running[run.subscription.channel].add(run);
    void this.deliverPage(run).then((hasMore) => {
      this.running[run.subscription.channel].delete(run);
      run.isRunning = false;
      if (this.isCurrent(run) && (hasMore || run.isDue)) this.begin(run);
      this.serve();
    });
  }

  private hasSlot({ subscription: { channel, accountId } }: Run): boolean {
    const running = this.running[channel];
    const max = MAX_AT_ONCE[channel];
    if (running.size >= max) return false;
    const slow = this.slow[channel];
    let ofAccount = 0;
    let ofSlow = 0;
    for (const { subscription } of running) {
      if (subscription.accountId === accountId) ofAccount++;
      if (slow.has(subscription.accountId)) ofSlow++;
    }
    if (slow.has(accountId) && ofSlow >= max / 2) return false;
    return ofAccount < MAX_PER_ACCOUNT;
  }

  /** Delivers the next events of a subscription. @returns Whether there may be more to deliver now. */
  private async deliverPage(run: Run): Promise<boolean> {
    run.isDue = false;
    const startedAt = performance.now();
    const { services } = this.options;
    try {
      const account = services.replica.exchange.state.accountsById.get(run.subscription.accountId);
      if (account === undefined) return false;
      const page = await readEvents(run.subscription, account, services);
      const { events, cursor, hasMore } = page;
      for (const { cursor: after, ...message } of events) {
        if (!(await this.deliver(run, message, after))) return false;
        // A delivery that needs no network must not keep the thread.
        if (run.subscription.channel !== 'webhook') await nextTurn();
        if (this.waiting.length > 0 && performance.now() - startedAt > TURN_MS) return true;
      }
      // An account to which nothing happens costs no write: it is read from the stored cursor again, which finds nothing.
      if (page.isEmpty) run.subscription = { ...run.subscription, cursor };
      else await this.save(run, { cursor });
      return hasMore;
    } catch (error) {
      if (this.isClosed) return false;
      // History or the users' database does not answer.
      logger.warn(`Deliveries pause: ${(error as Error).message}`);
      this.pause(run, this.pausesMs[0]!);
      return false;
    }
  }

  /** Delivers an event. @returns Whether the next one may be delivered. */
  private async deliver(run: Run, message: Message, cursor: Cursor): Promise<boolean> {
    if (!this.isCurrent(run) || !this.options.isActive()) return false;
    const { subscription } = run;
    const attempt = await this.attempt(subscription, message);
    if (!this.isCurrent(run)) return false;
    if (attempt.error === '' || this.isExpired(subscription, message)) {
      await this.save(run, { cursor, failingSince: 0, attempts: 0, lastError: '' });
      return true;
    }
    await this.noteFailure(run, attempt);
    return false;
  }

  private isExpired({ channel, lastError }: Subscription, { name, time }: Message): boolean {
    const maxAgeMs = EXPIRES_MS[channel] ?? Number.POSITIVE_INFINITY;
    const isExpired = this.options.services.now() - time >= maxAgeMs;
    if (isExpired) logger.warn(`A ${channel} message about ${name} is left out: ${lastError}.`);
    return isExpired;
  }

  /** Sends an event once and records the attempt. */
  async attempt(subscription: Subscription, message: Message): Promise<Attempt> {
    const { services, channels } = this.options;
    const attemptedAt = services.now();
    const attempt = await channels[subscription.channel](subscription, message);
    this.attempts.add(attempt.error === '' ? 0 : 1);
    const slow = this.slow[subscription.channel];
    if (attempt.durationMs >= SLOW_MS) slow.add(subscription.accountId);
    else slow.delete(subscription.accountId);
    if (subscription.channel === 'webhook') {
      await services.users.subscriptions.addDelivery(subscription.id, {
        eventId: `${subscription.id}-${message.id}`,
        event: message.name,
        attemptedAt,
        attempt: subscription.attempts + 1,
        ...attempt,
      });
    }
    return attempt;
  }

  private async noteFailure(run: Run, { status, error }: Attempt): Promise<void> {
    const { services } = this.options;
    const now = services.now();
    const { subscription } = run;
    const failingSince = subscription.failingSince === 0 ? now : subscription.failingSince;
    const attempts = subscription.attempts + 1;
    const isGone = status === GONE || (subscription.channel === 'push' && status === NOT_FOUND);
    if (isGone || now - failingSince >= GIVE_UP_AFTER_MS) {
      if (subscription.channel === 'push') {
        this.end(run);
        await services.users.subscriptions.remove(subscription.id);
        return;
      }
      await this.save(run, { status: 'failed', failingSince, attempts, lastError: error });
      this.end(run);
      await this.notifyOwners(subscription, error);
      return;
    }
    await this.save(run, { failingSince, attempts, lastError: error });
    this.pause(run, this.pausesMs[Math.min(attempts, this.pausesMs.length) - 1]!);
  }

  /** Notifies an account that one of its webhooks was stopped. */
  private async notifyOwners(
    { id, accountId, target }: Subscription,
    error: string,
  ): Promise<void> {
    const { users, replica, now } = this.options.services;
    const data = JSON.stringify({ id, url: target, error });
    await users.notices.add(accountId, id, { event: 'webhook.failed', createdAt: now(), data });
    // The users of a sub-account are those of its main account.
    const owner = replica.exchange.state.accountsById.get(accountId)?.owner.id ?? accountId;
    for (const user of await users.store.listByAccount(owner))
      users.mails.webhookFailed(user, target, error);
  }

  private pause(run: Run, pauseMs: number): void {
    clearTimeout(run.retry);
    run.retry = setTimeout(() => {
      run.retry = undefined;
      this.begin(run);
    }, pauseMs);
    run.retry.unref();
  }

  private async save(run: Run, change: Change): Promise<void> {
    if (!this.isCurrent(run) || !this.options.isActive()) return;
    run.subscription = { ...run.subscription, ...change };
    await this.options.services.users.subscriptions.change(run.subscription.id, change);
  }

  private isCurrent(run: Run): boolean {
    return !this.isClosed && this.runs.get(run.subscription.id) === run;
  }

  private get pausesMs(): readonly number[] {
    return this.options.pausesMs ?? PAUSES_MS;
  }
}

function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

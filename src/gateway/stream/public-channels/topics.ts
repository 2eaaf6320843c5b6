import { type Event, isMarketEvent } from '../../../engine/event.ts';
import type { BustedTrade } from '../../../engine/protection/trade-busts.ts';
import type { State } from '../../../engine/state.ts';
import { EntryType, type Side } from '../../../engine/terms.ts';
import type { SocketTopic } from '../sockets/socket.ts';
import type { Outbox } from './outbox.ts';
import { countStatusChanges } from './status-feed.ts';

/** Interval of the checks for changes that time alone causes. */
const CHECK_EVERY_MS = 1000;
/**
 * The shortest period after which a topic changes without a trade, except candles of one second; all others are
 * multiples of it.
 */
const PERIOD_MS = 60_000;
/** Maximum time per turn of the event loop for such changes. */
const TURN_MS = 2;

interface MarketTopics {
  readonly all: Set<SocketTopic>;
  /** The topics that orders change even if nothing trades: levels at each pace, and orders. */
  readonly books: SocketTopic[];
  orders: SocketTopic | undefined;
}

/**
 * The topics that have subscribers, by name and by market. The cost of a command depends only on the topics
 * of the markets that it touched.
 */
export class Topics {
  private readonly byName = new Map<string, SocketTopic>();
  /** By the market's index. */
  private readonly byMarket: (MarketTopics | undefined)[] = [];
  /** Markets touched since the last update. */
  private readonly touched = new Set<MarketTopics>();
  /** Topics that merge the changes of an interval. */
  private readonly paced = new Set<SocketTopic>();
  /** Topics that change every second. */
  private readonly everySecond = new Set<SocketTopic>();
  /** The count of changes when statuses were last read. */
  private statusChanges = 0;
  /** Outboxes with messages that are not published yet. */
  readonly unsent = new Set<Outbox>();
  private timer: ReturnType<typeof setInterval> | undefined;
  private period: number;

  /**
   * @param now Milliseconds since 1970.
   * @param onTimer Called every second while there are topics.
   */
  constructor(
    private readonly now: () => number,
    private readonly onTimer: () => void,
  ) {
    this.period = this.currentPeriod();
  }

  get isEmpty(): boolean {
    return this.byName.size === 0;
  }

  get(name: string): SocketTopic | undefined {
    return this.byName.get(name);
  }

  /** @param state The state that the topic's snapshot shows. */
  add(topic: SocketTopic, state: Pick<State, 'parts' | 'markets'>): void {
    if (this.isEmpty) this.statusChanges = countStatusChanges(state);
    const { name, channel, market } = topic;
    this.byName.set(name, topic);
    this.byMarket[market.index] ??= { all: new Set(), books: [], orders: undefined };
    const topics = this.byMarket[market.index]!;
    topics.all.add(topic);
    if (topic.isPaced) this.paced.add(topic);
    if (topic.interval === '1s') this.everySecond.add(topic);
    if (channel === 'orderbook') topics.books.push(topic);
    if (channel === 'level3') topics.orders = topic;
    this.timer ??= setInterval(this.onTimer, CHECK_EVERY_MS);
  }

  /** Removes a topic that has no subscribers left, and closes it. */
  remove(topic: SocketTopic): void {
    const { index } = topic.market;
    this.byName.delete(topic.name);
    topic.close();
    const topics = this.byMarket[index]!;
    topics.all.delete(topic);
    this.paced.delete(topic);
    this.everySecond.delete(topic);
    if (topics.books.includes(topic)) topics.books.splice(topics.books.indexOf(topic), 1);
    if (topics.orders === topic) topics.orders = undefined;
    if (topics.all.size === 0) this.byMarket[index] = undefined;
    if (!this.isEmpty) return;
    clearInterval(this.timer);
    this.timer = undefined;
  }

  /**
   * Collects the changes of a command for the next `update`.
   * @param left The orders that left their places, with the fields of State.
   */
  note(
    events: readonly Event[],
    left: Pick<State, 'freed' | 'removedPending' | 'parts' | 'markets'>,
  ): void {
    const { freed, removedPending } = left;
    if (this.hasNewStatuses(left)) this.noteStatuses(countStatusChanges(left));
    for (let at = 0; at < freed.length; at += 4) {
      const topics = this.touch(freed[at]!);
      if (topics === undefined) continue;
      for (const book of topics.books) book.noteFreed(freed[at + 1] as Side, freed[at + 2]!);
      topics.orders?.orders?.noteLeft(freed[at + 3]!);
    }
    for (let at = 0; at < removedPending.length; at += 2) {
      this.byMarket[removedPending[at]!]?.orders?.orders?.noteTriggered(removedPending[at + 1]!);
    }
    let busted = 0;
    for (const event of events) {
      if (event.kind === 'entry' && event.type === EntryType.tradeBust) {
        // A command busts one trade, with several entries.
        if (event.reference !== busted) this.noteBust(left.parts.tradeBusts.find(event.reference)!);
        busted = event.reference;
      }
      if (!isMarketEvent(event)) continue;
      const topics = this.touch(event.market);
      if (topics === undefined) continue;
      if (event.kind === 'order') {
        for (const book of topics.books) book.note(event);
        topics.orders?.note(event);
      } else for (const topic of topics.all) topic.note(event);
    }
  }

  private noteBust(trade: BustedTrade): void {
    const topics = this.touch(trade.market);
    if (topics !== undefined) for (const topic of topics.all) topic.noteBust(trade);
  }

  hasNewStatuses(state: Pick<State, 'parts' | 'markets'>): boolean {
    return countStatusChanges(state) !== this.statusChanges;
  }

  /** Notes that the status of some markets has changed, which is no event. */
  private noteStatuses(changes: number): void {
    this.statusChanges = changes;
    for (const topics of this.byMarket) {
      if (topics === undefined) continue;
      this.touched.add(topics);
      for (const topic of topics.all) topic.noteStatus();
    }
  }

  private touch(market: number): MarketTopics | undefined {
    const topics = this.byMarket[market];
    if (topics !== undefined) this.touched.add(topics);
    return topics;
  }

  /** Builds the updates of the markets that commands touched. */
  update(): void {
    for (const { all } of this.touched) for (const topic of all) topic.update();
    this.touched.clear();
  }

  /** Publishes everything that waits for the end of an interval, or in outboxes. Call `update` first. */
  flush(): void {
    for (const topic of this.paced) topic.flushPace();
    for (const outbox of this.unsent) outbox.flush();
  }

  /** Updates the topics that change with time, if a period has ended. */
  advanceTime(): void {
    const period = this.currentPeriod();
    const isNew = period !== this.period;
    this.period = period;
    if (isNew) this.advanceFrom([...this.byName.values()], 0);
    else if (this.everySecond.size > 0) this.advanceFrom([...this.everySecond], 0);
  }

  /** Updates the topics from an index on, over as many turns of the event loop as it takes. */
  private advanceFrom(topics: readonly SocketTopic[], from: number): void {
    const start = performance.now();
    for (let at = from; at < topics.length; at++) {
      if (performance.now() > start + TURN_MS) {
        setImmediate(() => this.advanceFrom(topics, at));
        return;
      }
      topics[at]!.advanceTime();
    }
  }

  private currentPeriod(): number {
    return Math.floor(this.now() / PERIOD_MS);
  }
}

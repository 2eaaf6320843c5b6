import type { Event } from '../../engine/event.ts';
import type { Side } from '../../engine/terms.ts';
import type { Outbox } from './outbox.ts';
import type { Topic } from './topic.ts';

/** How often the clock is read for changes that time alone causes. */
const TIMER_MS = 1000;
/** The shortest period after which a topic changes without a trade; all others are multiples of it. */
const PERIOD_MS = 60_000;
/** How long one turn of the event loop may be spent on such changes. */
const TURN_MS = 2;

interface MarketTopics {
  readonly all: Set<Topic>;
  /** The topic that orders change even if nothing trades. */
  book: Topic | undefined;
}

/**
 * The topics that have subscribers, by name and by market. A command costs work for the topics of the
 * markets that it touched, however many others there are.
 */
export class Topics {
  private readonly byName = new Map<string, Topic>();
  /** By the market's index. */
  private readonly byMarket: (MarketTopics | undefined)[] = [];
  /** Markets touched since the last update. */
  private readonly touched = new Set<MarketTopics>();
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

  get(name: string): Topic | undefined {
    return this.byName.get(name);
  }

  add(topic: Topic): void {
    const { name, channel, market } = topic;
    this.byName.set(name, topic);
    this.byMarket[market.index] ??= { all: new Set(), book: undefined };
    const topics = this.byMarket[market.index]!;
    topics.all.add(topic);
    if (channel === 'orderbook') topics.book = topic;
    this.timer ??= setInterval(this.onTimer, TIMER_MS);
  }

  /** Removes a topic that has no subscriber left, and closes it. */
  remove(topic: Topic): void {
    const { index } = topic.market;
    this.byName.delete(topic.name);
    topic.close();
    const topics = this.byMarket[index]!;
    topics.all.delete(topic);
    if (topics.book === topic) topics.book = undefined;
    if (topics.all.size === 0) this.byMarket[index] = undefined;
    if (!this.isEmpty) return;
    clearInterval(this.timer);
    this.timer = undefined;
  }

  /**
   * Takes what a command caused.
   * @param vacated The levels that orders left: of each the market, the side and the price.
   */
  note(events: readonly Event[], freed: readonly number[]): void {
    for (let at = 0; at < freed.length; at += 3) {
      this.touch(freed[at]!)?.book?.vacate(freed[at + 1] as Side, freed[at + 2]!);
    }
    for (const event of events) {
      if (event.kind === 'entry') continue;
      const topics = this.touch(event.market);
      if (topics === undefined) continue;
      if (event.kind === 'order') topics.book?.note(event);
      else for (const topic of topics.all) topic.note(event);
    }
  }

  private touch(market: number): MarketTopics | undefined {
    const topics = this.byMarket[market];
    if (topics !== undefined) this.touched.add(topics);
    return topics;
  }

  /**
   * Makes the updates of the markets that commands touched.
   * @param renew Called for a book of which too much changed for an update.
   */
  update(renew: (topic: Topic) => void): void {
    for (const { all } of this.touched) {
      for (const topic of all) topic.update(() => renew(topic));
    }
    this.touched.clear();
  }

  /** Publishes everything that waits in outboxes. */
  flush(): void {
    for (const outbox of this.unsent) outbox.flush();
  }

  /** Updates the topics of which time alone has changed something. */
  passTime(): void {
    const period = this.currentPeriod();
    if (period === this.period) return;
    this.period = period;
    this.passTimeOf([...this.byName.values()], 0);
  }

  /** Updates what has changed with time, a few milliseconds at once. */
  private passTimeOf(topics: readonly Topic[], from: number): void {
    const start = performance.now();
    for (let at = from; at < topics.length; at++) {
      if (performance.now() > start + TURN_MS) {
        setImmediate(() => this.passTimeOf(topics, at));
        return;
      }
      topics[at]!.passTime();
    }
  }

  private currentPeriod(): number {
    return Math.floor(this.now() / PERIOD_MS);
  }
}

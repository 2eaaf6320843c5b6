import { type Event, isMarketEvent } from '../../../engine/event.ts';
import type { State } from '../../../engine/state.ts';
import type { Side } from '../../../engine/terms.ts';
import { Outbox } from '../../stream/public-channels/outbox.ts';
import type { EventSocket } from '../sockets/socket.ts';
import type { SocketMetrics } from '../sockets/socket-metrics.ts';
import { toMicroseconds } from '../time-unit.ts';
import { REAL_TIME, type Stream } from './stream.ts';

/** The shortest period of a stream; all others are multiples of it. */
const TICK_MS = 100;
/** Time after the end of a period, in which its last commands are applied. */
const DELAY_MS = 10;
/** Maximum time per turn of the event loop for the messages of periods. */
const TURN_MS = 2;

/** A stream with its subscribers. Each of its messages is built once, and published in each form that has subscribers. */
export interface Topic {
  readonly stream: Stream;
  readonly outbox: Outbox;
  readonly subscribers: ReadonlyMap<MessageForm, Set<EventSocket>>;
}

/** Formats a message of a stream in each of the forms in which connections get it. */
const FORMS = {
  raw: (_name: string, message: string) => message,
  combined: wrap,
  'raw microseconds': (_name: string, message: string) => toMicroseconds(message),
  'combined microseconds': (name: string, message: string) => wrap(name, toMicroseconds(message)),
} as const;
export type MessageForm = keyof typeof FORMS;
const FORM_NAMES = Object.keys(FORMS) as readonly MessageForm[];

/** @param isCombined Whether messages are wrapped with the name of their stream. */
export function messageForm(isCombined: boolean, inMicroseconds: boolean): MessageForm {
  const form = isCombined ? 'combined' : 'raw';
  return inMicroseconds ? `${form} microseconds` : form;
}

/** Returns a message of a stream in a form. */
export function formatMessage(form: MessageForm, name: string, message: string): string {
  return FORMS[form](name, message);
}

interface MarketTopics {
  readonly all: Set<Topic>;
  readonly realTime: Set<Topic>;
}

/** Returns a message as connections get it that subscribe to several streams. */
export function wrap(name: string, message: string): string {
  return `{"stream":${JSON.stringify(name)},"data":${message}}`;
}

/** Returns the server's name for the subscribers of a stream. */
function channelName(name: string, form: MessageForm): string {
  return `binance ${form} ${name}`;
}

/** The streams that have subscribers. The cost of a command depends only on those of the markets that it touched. */
export class Topics {
  /** Sends a message to all sockets that are subscribed to a channel. Set by the server. */
  publish: (channel: string, message: string) => void = () => {};
  private readonly byName = new Map<string, Topic>();
  /** By the market's index. */
  private readonly byMarket: (MarketTopics | undefined)[] = [];
  /** Markets with topics that commands touched since the last update. */
  private readonly touched = new Set<MarketTopics>();
  private readonly unsent = new Set<Outbox>();
  private isUpdateDue = false;
  private timer: ReturnType<typeof setTimeout> | undefined;
  /** The number of the last tick, in units of TICK_MS since 1970. */
  private tick = 0;

  /**
   * @param state Returns the engine's state.
   * @param now Milliseconds since 1970.
   * @param isStale Returns whether this node misses commands: then the periods have no messages.
   */
  constructor(
    private readonly state: () => State,
    private readonly now: () => number,
    private readonly isStale: () => boolean,
    private readonly metrics: Pick<SocketMetrics, 'noteEvent'>,
  ) {}

  /** Collects the changes of a command. Costs next to nothing without subscribers. */
  note(events: readonly Event[]): void {
    if (this.byName.size === 0 || events.length === 0) return;
    const { freed } = this.state();
    for (let at = 0; at < freed.length; at += 4) {
      const topics = this.touch(freed[at]!);
      if (topics === undefined) continue;
      for (const { stream } of topics.all) {
        stream.noteFreed(freed[at + 1] as Side, freed[at + 2]!);
      }
    }
    for (const event of events) {
      if (!isMarketEvent(event)) continue;
      const topics = this.touch(event.market);
      if (topics !== undefined) for (const { stream } of topics.all) stream.note(event);
    }
    if (this.isUpdateDue || this.touched.size === 0) return;
    this.isUpdateDue = true;
    // The commands of a batch are applied in one go: microtasks run after the last of them.
    queueMicrotask(() => this.update());
  }

  private touch(market: number): MarketTopics | undefined {
    const topics = this.byMarket[market];
    if (topics !== undefined) this.touched.add(topics);
    return topics;
  }

  /** Sends the messages of the streams that do not wait for the end of a period. */
  private update(): void {
    this.isUpdateDue = false;
    for (const { realTime } of this.touched) for (const topic of realTime) send(topic);
    this.touched.clear();
  }

  /**
   * Subscribes a socket.
   * @param create Returns the stream if it has no subscribers yet; undefined if there is none of this name.
   * @returns The stream; undefined if there is none.
   */
  subscribe(
    socket: EventSocket,
    name: string,
    form: MessageForm,
    create: () => Stream | undefined,
  ): Stream | undefined {
    let topic = this.byName.get(name);
    if (topic === undefined) {
      const stream = create();
      if (stream === undefined) return undefined;
      topic = this.add(stream);
    }
    topic.subscribers.get(form)!.add(socket);
    socket.subscribe(channelName(name, form));
    return topic.stream;
  }

  unsubscribe(socket: EventSocket, name: string, form: MessageForm): void {
    const topic = this.byName.get(name);
    if (topic === undefined) return;
    socket.unsubscribe(channelName(name, form));
    topic.subscribers.get(form)!.delete(socket);
    if (FORM_NAMES.every((each) => topic.subscribers.get(each)!.size === 0)) this.remove(topic);
  }

  /** Moves a subscriber to messages in another form. */
  move(socket: EventSocket, name: string, from: MessageForm, to: MessageForm): void {
    const topic = this.byName.get(name);
    if (topic === undefined) return;
    topic.subscribers.get(from)!.delete(socket);
    topic.subscribers.get(to)!.add(socket);
    socket.unsubscribe(channelName(name, from));
    socket.subscribe(channelName(name, to));
  }

  private add(stream: Stream): Topic {
    const { name, market, periodMs } = stream;
    const topic: Topic = {
      stream,
      outbox: new Outbox((text) => this.publishAll(topic, text), this.unsent),
      subscribers: new Map(FORM_NAMES.map((form) => [form, new Set()])),
    };
    this.byName.set(name, topic);
    if (market !== undefined) {
      this.byMarket[market.index] ??= { all: new Set(), realTime: new Set() };
      const topics = this.byMarket[market.index]!;
      topics.all.add(topic);
      if (periodMs === REAL_TIME) topics.realTime.add(topic);
    }
    if (this.timer === undefined) {
      this.tick = Math.floor(this.now() / TICK_MS);
      this.scheduleTick();
    }
    return topic;
  }

  /** Publishes a message in each form that has subscribers. */
  private publishAll({ stream: { name }, subscribers }: Topic, message: string): void {
    for (const [form, sockets] of subscribers) {
      if (sockets.size === 0) continue;
      const text = formatMessage(form, name, message);
      this.publish(channelName(name, form), text);
      this.metrics.noteEvent('market_data', text, sockets.size);
    }
  }

  private remove(topic: Topic): void {
    const { name, market } = topic.stream;
    this.byName.delete(name);
    topic.stream.close();
    topic.outbox.close();
    if (market !== undefined) {
      const topics = this.byMarket[market.index]!;
      topics.all.delete(topic);
      topics.realTime.delete(topic);
      if (topics.all.size === 0) this.byMarket[market.index] = undefined;
    }
    if (this.byName.size > 0) return;
    clearTimeout(this.timer);
    this.timer = undefined;
  }

  /** Sends everything that is due to all subscribers. */
  flush(): void {
    this.update();
    for (const outbox of this.unsent) outbox.flush();
  }

  /** Ticks are at the same times as the ends of candles, so that these are sent soon. */
  private scheduleTick(): void {
    const waitMs = TICK_MS - (this.now() % TICK_MS) + DELAY_MS;
    this.timer = setTimeout(() => {
      this.scheduleTick();
      this.endPeriods();
    }, waitMs);
  }

  /** Sends the messages of the streams whose period has ended. */
  private endPeriods(): void {
    const last = this.tick;
    // A clock that stands still or was set back ends periods too.
    this.tick = Math.max(last + 1, Math.floor(this.now() / TICK_MS));
    if (this.isStale()) return;
    const isDue = (ticks: number) => Math.floor(this.tick / ticks) > Math.floor(last / ticks);
    const due = [...this.byName.values()].filter(
      ({ stream: { periodMs } }) => periodMs !== REAL_TIME && isDue(periodMs / TICK_MS),
    );
    this.sendFrom(due, 0);
  }

  /** Sends the messages of topics from an index on, over as many turns of the event loop as it takes. */
  private sendFrom(topics: readonly Topic[], from: number): void {
    const start = performance.now();
    for (let at = from; at < topics.length; at++) {
      if (performance.now() > start + TURN_MS) {
        setImmediate(() => this.sendFrom(topics, at));
        return;
      }
      send(topics[at]!);
    }
  }
}

function send({ stream, outbox }: Topic): void {
  const messages = stream.take();
  if (messages.length > 0) outbox.pushAll(messages);
}

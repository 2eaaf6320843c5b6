import { RESUMABLE, type StreamMessage, type TopicFields, topicKey } from './topics.ts';

/** Where a subscription is: to be asked for, asked for, answered, or ended by an error that passes. */
type Stage = 'waiting' | 'asked' | 'live' | 'resting';

/** One topic that is subscribed to, over all connections. */
export class Subscription {
  readonly key: string;
  stage: Stage = 'waiting';
  /** Whether it was ever answered. */
  wasLive = false;
  /** Resolves at the first answer. */
  readonly begun: Promise<void>;
  begin: () => void = () => {};
  refuse: (error: Error) => void = () => {};
  /** Errors that ended it since it was last answered. */
  failures = 0;
  /** Of the last message. */
  private sequence: number | undefined;
  private timer: ReturnType<typeof setTimeout> | undefined;

  constructor(
    private readonly topic: TopicFields,
    private readonly onMessage: (message: StreamMessage<never>) => void,
  ) {
    this.key = topicKey(topic);
    this.sequence = topic.sequence;
    this.begun = new Promise((resolve, reject) => {
      this.begin = resolve;
      this.refuse = reject;
    });
  }

  /** The message that asks for it, from where it was left. */
  request() {
    const { channel, symbol, interval } = this.topic;
    const sequence = RESUMABLE.has(channel) ? this.sequence : undefined;
    return { op: 'subscribe', channel, symbol, interval, sequence };
  }

  /** The message that ends it. */
  farewell() {
    const { channel, symbol, interval } = this.topic;
    return { op: 'unsubscribe', channel, symbol, interval };
  }

  /** Waits until it may be asked for again. */
  rest(waitMs: number, onOver: () => void): void {
    this.stage = 'resting';
    clearTimeout(this.timer);
    this.timer = setTimeout(() => {
      if (this.stage !== 'resting') return;
      this.stage = 'waiting';
      onOver();
    }, waitMs);
  }

  /** Ends that wait, without asking again. */
  stopResting(): void {
    clearTimeout(this.timer);
  }

  /** Whether it is to begin anew, because what it missed is not to be had. */
  forget(): boolean {
    if (!this.wasLive || this.sequence === undefined) return false;
    this.sequence = undefined;
    return true;
  }

  /** Whether a message follows the last one; what an earlier subscription is still sent does not. */
  follows({ op, prevSequence, sequence }: StreamMessage<never>): boolean {
    if (op === 'snapshot') return true;
    return sequence === undefined ? this.stage === 'live' : prevSequence === this.sequence;
  }

  take(message: StreamMessage<never>): void {
    this.sequence = message.sequence;
    this.onMessage(message);
  }
}

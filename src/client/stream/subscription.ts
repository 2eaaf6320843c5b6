import { RESUMABLE, type StreamMessage, type TopicFields, topicKey } from './topics.ts';

/**
 * State of a subscription. `paused` waits to subscribe again after a transient error, `unsubscribed` after the client
 * ended it: messages that still arrive are ignored.
 */
type Stage = 'waiting' | 'requested' | 'live' | 'paused' | 'unsubscribed';

/** A subscription to one topic, across reconnections. */
export class Subscription {
  readonly key: string;
  stage: Stage = 'waiting';
  /** Whether the exchange has ever confirmed it. */
  wasLive = false;
  /** Resolves at the first confirmation. */
  readonly confirmed: Promise<void>;
  confirm: () => void = () => {};
  reject: (error: Error) => void = () => {};
  /** Errors since the last message that was taken. */
  failures = 0;
  /** Sequence of the last message. */
  private sequence: number | undefined;
  private timer: ReturnType<typeof setTimeout> | undefined;

  constructor(
    private readonly topic: TopicFields,
    private readonly onMessage: (message: StreamMessage<never>) => void,
  ) {
    this.key = topicKey(topic);
    this.sequence = topic.sequence;
    this.confirmed = new Promise((resolve, reject) => {
      this.confirm = resolve;
      this.reject = reject;
    });
  }

  /** Returns the subscribe message, which resumes after the last sequence. */
  request() {
    const { channel, symbol, interval, everyMs, queueAhead, fills } = this.topic;
    const sequence = RESUMABLE.has(channel) ? this.sequence : undefined;
    return { op: 'subscribe', channel, symbol, interval, everyMs, sequence, queueAhead, fills };
  }

  /** Returns the unsubscribe message. */
  unsubscribeRequest() {
    const { channel, symbol, interval, everyMs } = this.topic;
    return { op: 'unsubscribe', channel, symbol, interval, everyMs };
  }

  /** Pauses before the next subscribe message. */
  pause(stage: 'paused' | 'unsubscribed', waitMs: number, onOver: () => void): void {
    this.stage = stage;
    clearTimeout(this.timer);
    this.timer = setTimeout(() => {
      if (this.stage !== stage) return;
      this.stage = 'waiting';
      onOver();
    }, waitMs);
  }

  /** Cancels the pause without subscribing again. */
  stopPause(): void {
    clearTimeout(this.timer);
  }

  /** Drops the sequence, so that it subscribes from a new snapshot; returns false if it cannot. */
  forget(): boolean {
    if (!this.wasLive || this.sequence === undefined) return false;
    this.sequence = undefined;
    return true;
  }

  /** Whether a message follows the last one; a late message of an earlier subscription does not. */
  follows({ op, prevSequence, sequence }: StreamMessage<never>): boolean {
    if (op === 'snapshot') return true;
    return sequence === undefined ? this.stage === 'live' : prevSequence === this.sequence;
  }

  take(message: StreamMessage<never>): void {
    this.sequence = message.sequence;
    this.onMessage(message);
  }
}

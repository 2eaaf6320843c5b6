import { ContinuityCheck } from '../../src/cluster/log/continuity-check.ts';
import { ENVELOPE_OVERHEAD_BYTES } from '../../src/cluster/log/envelope.ts';
import type {
  MessageStream,
  StoredMessage,
  StreamSubscription,
} from '../../src/cluster/log/message-stream.ts';
import type { Coverage } from '../coverage.ts';
import { below, type Random } from '../random.ts';
import type { Schedule } from '../schedule.ts';
import type { ClusterFaults } from './cluster-faults.ts';
import type { Follower, SimulatedServers } from './servers.ts';

const ANSWERED_WITHIN_MS = 2000;
/** Usual transit time. */
const WAY_MS = 3;
const MAX_WAY_MS = 9000;
const MAX_PAUSE_MS = 4000;
const MAX_BREAK_MS = 6000;
const MAX_RECONNECT_MS = 1000;
const MAX_MESSAGES_AT_ONCE = 6;
const MAX_MESSAGE_BYTES = 20_000;
/** Maximum payload of a batch: a message without its envelope. */
export const MAX_PAYLOAD_BYTES = MAX_MESSAGE_BYTES - ENVELOPE_OVERHEAD_BYTES;
const MAX_MESSAGES_AGAIN = 3;
const RETRY_MS = 100;

export interface LinkOptions {
  readonly servers: SimulatedServers;
  readonly schedule: Schedule;
  readonly random: Random;
  readonly faults: ClusterFaults;
  readonly coverage: Coverage;
  /** The unique token of the process. */
  readonly token: Uint8Array;
  /** Runs `work` in the process after a delay, unless it has ended by then. */
  readonly later: (delayMs: number, label: string, work: () => void) => void;
}

/** The connection of one process to the stream. Messages may arrive late, twice or never. */
export class Link implements MessageStream, Follower {
  readonly maxMessageBytes = MAX_MESSAGE_BYTES;
  isClosed = false;
  /** The end of the current outage, in simulated milliseconds. */
  wholeAtMs = 0;
  private stalledUntilMs = 0;
  /** The highest received sequence. It is delivered once the last one before an outage was compared. */
  newest = 0;
  /** Sequence of the last message received by the newest consumer, or its start. */
  private received = 0;
  /** The exchange's own check that the servers still hold the delivered messages. */
  private continuity: ContinuityCheck | undefined;
  private isDelivering = false;
  /** Number of the consumer. Each continues after the messages of the previous one. */
  private consumer = 0;
  private needsConsumer = false;

  constructor(private readonly options: LinkOptions) {}

  get isCut(): boolean {
    return this.options.schedule.elapsedMs < this.wholeAtMs;
  }

  /** Whether messages pass in both directions. */
  get isWhole(): boolean {
    return !this.isCut && this.options.schedule.elapsedMs >= this.stalledUntilMs;
  }

  /** Blocks messages in both directions for a while. */
  cut(durationMs: number): void {
    this.wholeAtMs = this.options.schedule.elapsedMs + durationMs;
    this.stall(durationMs);
    this.replaceConsumer();
  }

  /** Makes messages arrive through a new consumer, as after an outage. */
  replaceConsumer(): void {
    this.needsConsumer = true;
  }

  publish(bytes: Uint8Array, withinMs: number): Promise<number> {
    const { random, later } = this.options;
    return new Promise((resolve, reject) => {
      if (this.isClosed) {
        reject(new Error('The connection is closed.'));
        return;
      }
      later(withinMs, 'no acknowledgement', () => reject(new Error('no answer')));
      if (this.isCut) {
        if (random() < 0.5) later(below(50, random), 'refused', () => reject(new Error('cut off')));
        return;
      }
      const refused = () => this.back('refused', () => reject(new Error('no leader')));
      this.send(bytes.slice(), resolve, refused);
    });
  }

  follow(
    after: number,
    take: (message: StoredMessage) => void,
    onEnd: (reason: Error) => void,
  ): Promise<StreamSubscription> {
    return this.request(() => {
      this.received = after;
      this.newest = after;
      const read = (sequence: number) => this.readAgain(sequence);
      const again = (last: number) => this.receiveAgain(last);
      this.continuity = new ContinuityCheck(take, read, after, onEnd, again);
      this.options.servers.addFollower(this);
      this.wake();
      // A new subscription cannot fix a silent link here.
      return { renew() {}, close: async () => this.close() };
    });
  }

  lastSequence(): Promise<number> {
    return this.request(() => this.options.servers.lastSequence);
  }

  close(): void {
    this.continuity = undefined;
    this.isClosed = true;
    this.options.servers.removeFollower(this);
  }

  /** Delivers available messages, some at a time. */
  wake(): void {
    const { servers, random, faults, coverage, schedule } = this.options;
    if (this.isDelivering || this.continuity === undefined) return;
    if (schedule.elapsedMs < this.stalledUntilMs) return;
    if (this.needsConsumer) this.createConsumer();
    if (this.received >= servers.lastSequence) return;
    if (faults.happens('deliveryDelayed')) {
      coverage.count('fault', 'deliveryDelayed');
      this.stall(faults.pick('deliveryDelayed', MAX_PAUSE_MS));
      return;
    }
    this.isDelivering = true;
    this.options.later(below(WAY_MS, random), 'delivery', () => this.deliver());
  }

  rewind(): void {
    this.replaceConsumer();
    this.stall(below(MAX_RECONNECT_MS, this.options.random));
  }

  /**
   * Starts a consumer. It starts at the stream's end if that is before the requested sequence. A lagging server
   * starts at the end of its copy, which repeats some messages.
   */
  private createConsumer(): void {
    const { servers, faults, coverage } = this.options;
    this.needsConsumer = false;
    this.consumer++;
    this.received = Math.min(this.received, servers.lastSequence);
    if (!faults.happens('deliveryAgain')) return;
    coverage.count('fault', 'deliveryAgain');
    this.received -= Math.min(this.received, 1 + faults.pick('deliveryAgain', MAX_MESSAGES_AGAIN));
  }

  /** Returns a message as the servers hold it now, undefined if they do not. Retries until they answer. */
  private readAgain(sequence: number): Promise<StoredMessage | undefined> {
    const { servers, later } = this.options;
    return this.request(() => servers.message(sequence)).catch(
      () =>
        new Promise((resolve) => {
          later(RETRY_MS, 'reads again', () => resolve(this.readAgain(sequence)));
        }),
    );
  }

  /** Continues after a message received earlier. */
  private receiveAgain(after: number): void {
    this.received = after;
    this.replaceConsumer();
    this.wake();
  }

  private deliver(): void {
    const { servers, random, faults, coverage, schedule } = this.options;
    this.isDelivering = false;
    if (faults.happens('deliveryBroken')) {
      coverage.count('fault', 'deliveryBroken');
      this.stall(faults.pick('deliveryBroken', MAX_BREAK_MS));
      this.replaceConsumer();
    }
    if (schedule.elapsedMs < this.stalledUntilMs) return;
    for (let left = 1 + below(MAX_MESSAGES_AT_ONCE, random); left > 0; left--) {
      if (this.needsConsumer) this.createConsumer();
      const sequence = Math.max(this.received + 1, servers.first);
      const message = servers.message(sequence);
      if (message === undefined || this.continuity === undefined) return;
      this.received = sequence;
      this.newest = Math.max(this.newest, sequence);
      this.continuity.next(message, String(this.consumer));
    }
    this.wake();
  }

  private stall(durationMs: number): void {
    const { schedule } = this.options;
    const until = schedule.elapsedMs + durationMs;
    if (until <= this.stalledUntilMs) return;
    this.stalledUntilMs = until;
    schedule.after(this, durationMs, 'deliveries go on', () => this.wake());
  }

  private send(bytes: Uint8Array, resolve: (sequence: number) => void, refused: () => void): void {
    const { faults, coverage, random } = this.options;
    const happens = (kind: Parameters<ClusterFaults['happens']>[0]) => {
      const does = faults.happens(kind);
      if (does) coverage.count('fault', kind);
      return does;
    };
    const [isLost, isUnanswered] = [happens('publishLost'), happens('acknowledgementLost')];
    const [isTwice, isSlow] = [happens('publishTwice'), happens('publishDelayed')];
    if (isLost) return;
    const stored = (sequence: number) => {
      if (!isUnanswered) this.back('acknowledged', () => resolve(sequence));
    };
    const wayMs = isSlow ? faults.pick('publishDelayed', MAX_WAY_MS) : below(WAY_MS, random);
    this.transmit(wayMs, bytes, stored, refused);
    const secondWayMs = faults.pick('publishTwice', random() < 0.5 ? 10 : MAX_WAY_MS);
    if (isTwice) {
      this.transmit(
        secondWayMs,
        bytes,
        () => {},
        () => {},
      );
    }
  }

  private transmit(
    wayMs: number,
    bytes: Uint8Array,
    stored: (sequence: number) => void,
    refused: () => void,
  ): void {
    const { servers, token } = this.options;
    servers.transmit(wayMs, () => {
      if (!servers.receive(bytes, token, stored)) refused();
    });
  }

  private back(label: string, work: () => void): void {
    const { later, random } = this.options;
    if (!this.isCut) later(below(WAY_MS, random), label, work);
  }

  private request<Answer>(answer: () => Answer): Promise<Answer> {
    const { later, random, servers } = this.options;
    return new Promise((resolve, reject) => {
      const isLate = this.isCut || !servers.hasLeader;
      later(isLate ? ANSWERED_WITHIN_MS : below(WAY_MS, random), 'answer', () => {
        if (isLate || this.isCut || this.isClosed) reject(new Error('no answer'));
        else resolve(answer());
      });
    });
  }
}

import { ENVELOPE_OVERHEAD_BYTES } from '../../src/log/envelope.ts';
import type { MessageStream, StoredMessage } from '../../src/log/message-stream.ts';
import type { Coverage } from '../coverage.ts';
import { below, type Random } from '../random.ts';
import type { Schedule } from '../schedule.ts';
import type { ClusterFaults } from './cluster-faults.ts';
import type { Follower, SimulatedServers } from './servers.ts';

const ANSWERED_WITHIN_MS = 2000;
/** One way, mostly. */
const WAY_MS = 3;
const LONGEST_WAY_MS = 9000;
const LONGEST_PAUSE_MS = 4000;
const LONGEST_BREAK_MS = 6000;
const LONGEST_REUNION_MS = 1000;
const MAX_MESSAGES_AT_ONCE = 6;
const MAX_MESSAGE_BYTES = 20_000;
/** Of a batch: a message less its envelope. */
export const MAX_PAYLOAD_BYTES = MAX_MESSAGE_BYTES - ENVELOPE_OVERHEAD_BYTES;

export interface LinkOptions {
  readonly servers: SimulatedServers;
  readonly schedule: Schedule;
  readonly random: Random;
  readonly faults: ClusterFaults;
  readonly coverage: Coverage;
  /** Runs `work` in the process, after a while, unless it has ended by then. */
  readonly later: (delayMs: number, label: string, work: () => void) => void;
}

/** The stream as one process sees it: what is on its way may come late, twice or never. */
export class Link implements MessageStream, Follower {
  readonly maxMessageBytes = MAX_MESSAGE_BYTES;
  isClosed = false;
  /** From when on all goes through again, in simulated milliseconds. */
  wholeAtMs = 0;
  private stalledUntilMs = 0;
  /** Sequence of the last message that was passed on. */
  passedOn = 0;
  private take: ((message: StoredMessage) => void) | undefined;
  private last: StoredMessage | undefined;
  private isUnderWay = false;
  private hasToAsk = false;

  constructor(private readonly options: LinkOptions) {}

  get isCut(): boolean {
    return this.options.schedule.elapsedMs < this.wholeAtMs;
  }

  /** Whether messages go through both ways. */
  get isWhole(): boolean {
    return !this.isCut && this.options.schedule.elapsedMs >= this.stalledUntilMs;
  }

  /** Nothing goes through for a while, either way. */
  cut(durationMs: number): void {
    this.wholeAtMs = this.options.schedule.elapsedMs + durationMs;
    this.stall(durationMs);
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
      const refused = () => this.back('refused', () => reject(new Error('nobody leads')));
      this.send(bytes.slice(), resolve, refused);
    });
  }

  follow(after: number, take: (message: StoredMessage) => void) {
    return this.asked(() => {
      this.passedOn = after;
      this.take = take;
      this.options.servers.addFollower(this);
      this.wake();
      // A way that says nothing here is not mended by asking again.
      return { renew() {}, close: async () => this.close() };
    });
  }

  lastSequence(): Promise<number> {
    return this.asked(() => this.options.servers.lastSequence);
  }

  close(): void {
    this.take = undefined;
    this.isClosed = true;
    this.options.servers.removeFollower(this);
  }

  /** Passes on what is there, some of it at a time. */
  wake(): void {
    const { servers, random, faults, coverage, schedule } = this.options;
    if (this.isUnderWay || this.take === undefined) return;
    if (schedule.elapsedMs < this.stalledUntilMs) return;
    if (this.hasToAsk) this.askAnew();
    if (this.passedOn >= servers.lastSequence) return;
    if (faults.happens('deliveryDelayed')) {
      coverage.count('fault', 'deliveryDelayed');
      this.stall(faults.pick('deliveryDelayed', LONGEST_PAUSE_MS));
      return;
    }
    this.isUnderWay = true;
    this.options.later(below(WAY_MS, random), 'delivery', () => this.deliver());
  }

  /** It has to ask anew. */
  rewind(): void {
    this.hasToAsk = true;
    this.stall(below(LONGEST_REUNION_MS, this.options.random));
  }

  /** From the stream's end on where that is before what it asks for; else the last one once more if it is another now. */
  private askAnew(): void {
    const { servers } = this.options;
    this.hasToAsk = false;
    const isAnother = this.last !== undefined && servers.message(this.passedOn) !== this.last;
    this.passedOn = Math.min(isAnother ? this.passedOn - 1 : this.passedOn, servers.lastSequence);
  }

  private deliver(): void {
    const { servers, random, faults, coverage, schedule } = this.options;
    this.isUnderWay = false;
    if (faults.happens('deliveryBroken')) {
      coverage.count('fault', 'deliveryBroken');
      this.stall(faults.pick('deliveryBroken', LONGEST_BREAK_MS));
    }
    if (schedule.elapsedMs < this.stalledUntilMs) return;
    for (let left = 1 + below(MAX_MESSAGES_AT_ONCE, random); left > 0; left--) {
      if (this.hasToAsk) this.askAnew();
      const sequence = Math.max(this.passedOn + 1, servers.first);
      const message = servers.message(sequence);
      if (message === undefined || this.take === undefined) return;
      this.passedOn = sequence;
      this.last = message;
      this.take(message);
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
    const wayMs = isSlow ? faults.pick('publishDelayed', LONGEST_WAY_MS) : below(WAY_MS, random);
    this.bring(wayMs, bytes, stored, refused);
    const secondWayMs = faults.pick('publishTwice', random() < 0.5 ? 10 : LONGEST_WAY_MS);
    if (isTwice) {
      this.bring(
        secondWayMs,
        bytes,
        () => {},
        () => {},
      );
    }
  }

  private bring(
    wayMs: number,
    bytes: Uint8Array,
    stored: (sequence: number) => void,
    refused: () => void,
  ): void {
    const { servers } = this.options;
    servers.bring(wayMs, () => {
      if (!servers.receive(bytes, stored)) refused();
    });
  }

  private back(label: string, work: () => void): void {
    const { later, random } = this.options;
    if (!this.isCut) later(below(WAY_MS, random), label, work);
  }

  private asked<Answer>(answer: () => Answer): Promise<Answer> {
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

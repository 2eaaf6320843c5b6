import type { FollowedBatch } from '../cluster/log/clustered-log.ts';
import {
  decodeEnvelope,
  type Envelope,
  EnvelopeKind,
  encodeEnvelope,
  NOTHING_APPLIED,
} from '../cluster/log/envelope.ts';
import type { MessageStream, StoredMessage } from '../cluster/log/message-stream.ts';
import { StreamLog } from '../cluster/log/stream-log.ts';
import { StreamState, TOKEN_BYTES } from '../cluster/log/stream-state.ts';
import { makePayload } from './test-batches.ts';

// Helpers for tests of the clustered log.

/** The token of another process than the one under test. */
export const OTHER_TOKEN = new Uint8Array(TOKEN_BYTES).fill(9);

/** A stream that stores and delivers messages when a test says so. */
export class ScriptedStream implements MessageStream {
  maxMessageBytes = 10_000;
  isClosed = false;
  lastSequenceNow = 0;
  /** Ends reported before the real one. */
  reportedEnds: number[] = [];
  polls = 0;
  /** Errors with which the next requests are rejected. */
  readonly refusals: Error[] = [];
  isFollowed = false;
  /** Awaited when a subscription is closed. */
  closing = Promise.resolve();
  closings = 0;
  /** Number of renewals of the subscription. */
  renewals = 0;
  /** Timeouts of the publications. */
  readonly waits: number[] = [];
  readonly published: Envelope[] = [];
  private bytes: Uint8Array[] = [];
  private acknowledge: (sequence: number) => void = () => {};
  private refuse: (error: Error) => void = () => {};
  private take: (message: StoredMessage) => void = () => {};
  /** Ends the subscription with a reason. */
  end: (reason: Error) => void = () => {};

  publish(bytes: Uint8Array, withinMs: number): Promise<number> {
    this.waits.push(withinMs);
    this.published.push(decodeEnvelope(bytes));
    this.bytes.push(bytes.slice());
    return new Promise((resolve, reject) => {
      this.acknowledge = resolve;
      this.refuse = reject;
    });
  }

  /** Starts with the messages of `onFollow`. */
  onFollow: (take: (message: StoredMessage) => void) => void = () => {};

  async follow(_: number, take: (message: StoredMessage) => void, onEnd: (reason: Error) => void) {
    if (this.refusals.length > 0) throw this.refusals.shift()!;
    this.take = take;
    this.end = onEnd;
    this.isFollowed = true;
    this.onFollow(take);
    const close = async () => {
      this.isFollowed = false;
      this.closings++;
      await this.closing;
    };
    return { close, renew: () => this.renewals++ };
  }

  async lastSequence(): Promise<number> {
    this.polls++;
    if (this.refusals.length > 0) throw this.refusals.shift()!;
    return this.reportedEnds.shift() ?? this.lastSequenceNow;
  }

  /** Delivers the newest published message, or another one. */
  async store(storedAt: number, bytes = this.bytes.at(-1)!): Promise<void> {
    this.take({ sequence: ++this.lastSequenceNow, storedAt, bytes });
    await settle();
  }

  async answer(sequence: number): Promise<void> {
    this.acknowledge(sequence);
    await settle();
  }

  async reject(): Promise<void> {
    this.refuse(new Error('no answer'));
    await settle();
  }
}

/** Resolves once everything that needs no external event has happened. */
export const settle = async () => {
  for (let n = 0; n < 60; n++) await Promise.resolve();
};

/** The log of node a on such a stream, not yet followed. */
export function logOn(stream: ScriptedStream, state = new StreamState(), clockLeadMs = 0) {
  /** Waits end at once, or if the clock stands still, when the test says so. */
  const clock = { elapsedMs: 0, standsStill: false, waits: [] as number[], stopped: 0 };
  const late: (() => void)[] = [];
  const pass = async () => {
    for (const end of late.splice(0)) end();
    await settle();
  };
  const failures: Error[] = [];
  const warnings: string[] = [];
  const seen: FollowedBatch[] = [];
  const log = new StreamLog({
    stream,
    node: 'a',
    token: new Uint8Array(TOKEN_BYTES).fill(1),
    state,
    clock: {
      now: () => Math.floor(1_000_000 + clock.elapsedMs + clockLeadMs),
      elapsedMs: () => clock.elapsedMs,
      after(delayMs) {
        clock.waits.push(delayMs);
        const over = new Promise<void>((resolve) => {
          if (clock.standsStill) late.push(resolve);
          else resolve();
        });
        return { over, stop: () => clock.stopped++ };
      },
    },
    onFailure: (error) => failures.push(error),
    warn: (message) => warnings.push(message),
  });
  const append = (n = 1) => log.append(1_000_000, 1, makePayload(n), NOTHING_APPLIED);
  return {
    stream,
    log,
    clock,
    pass,
    failures,
    warnings,
    seen,
    append,
    follow: () => log.follow((batch) => seen.push(batch)),
  };
}

/** A log that is followed. */
export async function begin(clockLeadMs = 0) {
  const one = logOn(new ScriptedStream(), new StreamState(), clockLeadMs);
  await one.follow();
  return one;
}

/** A log that has joined with message 1. */
export async function joined(clockLeadMs = 0) {
  const one = await begin(clockLeadMs);
  const joining = one.log.join();
  await one.stream.store(1_000_000);
  await one.stream.answer(1);
  await joining;
  return one;
}

/** The first batch of node a, with the given differences. */
export const makeEnvelope = (fields: Partial<Envelope>) =>
  encodeEnvelope({
    kind: EnvelopeKind.batch,
    node: 'a',
    incarnation: 1,
    counter: 1,
    clock: 1_000_000,
    deadline: 2_000_000,
    applied: NOTHING_APPLIED,
    count: 1,
    payload: makePayload(7),
    ...fields,
  });

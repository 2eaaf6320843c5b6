import type { FollowedBatch } from '../../src/cluster/log/clustered-log.ts';
import { EnvelopeKind } from '../../src/cluster/log/envelope.ts';
import { type Command, CommandKind } from '../../src/engine/command.ts';
import type { Event, Outcome } from '../../src/engine/event.ts';
import { Exchange } from '../../src/engine/exchange.ts';
import { equalHashes } from '../../src/log/hash.ts';
import { plainOutcome } from '../../test/reference/compare.ts';
import type { NaiveState } from '../../test/reference/naive-state.ts';
import type { Coverage } from '../coverage.ts';
import { countCommand, countEvents, countOutcome } from '../coverage-counts.ts';
import { check, checkSame } from '../failure.ts';
import { formatValue, StateChecker, toSubmission } from '../state-checker.ts';
import { countBytes, takeSubmission } from '../submission-order.ts';
import { MAX_PAYLOAD_BYTES } from './link.ts';
import type { Member } from './member.ts';
import { isSetup, OrderedLog, type OrderedMessage } from './ordered-log.ts';
import type { Promised } from './promises.ts';
import type { SentMessage } from './servers.ts';

/** The expected effects of a message on every node. */
interface Effects {
  readonly reading: OrderedMessage;
  /** The process that sent it. */
  readonly sender: Member;
  /** Digest of the state after it. */
  readonly digest: number;
  /** Hashes of the events of each applied command. */
  readonly events: readonly bigint[];
  /** The hash reported by the first node that delivered it. */
  hash: Uint8Array | undefined;
  /** The submissions in it. */
  readonly promises: readonly (Promised | undefined)[];
}

/**
 * Checks all nodes against the stream in its true order, read by a naive implementation and applied to
 * an engine, the naive reference and the auditor's books as soon as each message has its place.
 */
export class ClusterStateChecker {
  private log = new OrderedLog();
  private engineChecker = new StateChecker(MAX_PAYLOAD_BYTES);
  exchange = new Exchange();
  private effects: Effects[] = [];
  /** Submissions of each process, by counter. */
  private readonly sent = new Map<Member, Map<number, readonly (Promised | undefined)[]>>();
  /** Sequence of the newest message whose effects a client has seen. */
  acknowledged = 0;
  /** Number of times that the servers have lost messages. */
  rewinds = 0;

  constructor(
    private readonly coverage: Coverage,
    /** All processes, including ended ones. */
    private readonly members: readonly Member[],
    /** Submissions to each process that are not known to be sent, oldest first. */
    private readonly waiting: Map<Member, Promised[]>,
  ) {}

  get state(): NaiveState {
    return this.engineChecker.naive.state;
  }

  /** Sequence of the last message. */
  get end(): number {
    return this.effects.length;
  }

  /** Applies the next message that the servers have stored. */
  store(message: SentMessage): void {
    const sender = this.members.findLast(({ token }) => token === message.sender);
    check(sender !== undefined, 'a message came from a process that never existed');
    const reading = this.log.read(message);
    const { kind, commands, sequence } = reading;
    check(
      sequence === this.effects.length + 1,
      'the simulated servers number their messages wrongly',
    );
    this.coverage.count('message', kind);
    this.checkApplied(reading, sender);
    if (reading.envelope.kind === EnvelopeKind.join) this.noteJoin(reading, sender);
    const promises = this.matchSubmissions(reading, sender);
    const isSkipped = isSetup(commands) && this.state.version !== 0;
    const events: bigint[] = [];
    if (kind === 'batch' && isSkipped) this.coverage.count('message', 'repeated setup');
    if (kind === 'batch' && !isSkipped) {
      commands.forEach((command, place) => {
        events.push(this.apply(command, reading, promises[place]));
      });
    }
    const { digest } = this.exchange.state;
    this.effects.push({ reading, sender, digest, events, hash: undefined, promises });
  }

  /** Rebuilds everything from the messages that the servers still have. */
  rewind(messages: readonly SentMessage[]): void {
    const before = this.effects;
    this.rewinds++;
    for (const member of this.members) {
      member.hasJoined = false;
      member.fencedAt = Number.POSITIVE_INFINITY;
    }
    this.log = new OrderedLog();
    this.engineChecker = new StateChecker(MAX_PAYLOAD_BYTES);
    this.exchange = new Exchange();
    this.effects = [];
    this.acknowledged = Math.min(this.acknowledged, messages.length);
    for (const { promises } of before) {
      for (const promise of promises) if (promise !== undefined) promise.applied = undefined;
    }
    for (const message of messages) {
      this.store(message);
      this.effects.at(-1)!.hash = before[message.sequence - 1]!.hash;
    }
  }

  /** Checks how a node decodes a message, before it applies it. */
  checkBatch(member: Member, batch: FollowedBatch, digestBefore: number): void {
    const { sequence, time, isLate, count, hash } = batch;
    check(sequence === member.seen + 1, `batch ${sequence} came after batch ${member.seen}`);
    const expected = this.effects[sequence - 1];
    check(expected !== undefined, `batch ${sequence} was delivered, but no server holds it`);
    this.checkDigest(sequence - 1, digestBefore);
    const { kind, commands, time: rightTime } = expected.reading;
    checkSame(
      { kind: isLate ? 'late' : '', time, count },
      {
        kind: kind === 'late' ? 'late' : '',
        time: rightTime,
        count: kind === 'batch' ? commands.length : 0,
      },
      `message ${sequence} (${kind}) was misread by ${member.name}`,
    );
    expected.hash ??= hash;
    check(equalHashes(expected.hash, hash), `nodes differ in the hash of message ${sequence}`);
    check(
      !batch.isOwn || expected.sender === member,
      'a message of another process is taken for its own',
    );
  }

  /** Checks the events of a command in the last batch that a node received. */
  checkEvents(member: Member, events: readonly Event[]): void {
    const expected = this.effects[member.seen - 1]!.events[member.place++];
    check(
      expected !== undefined,
      `a command of message ${member.seen} was applied but must not be`,
    );
    check(eventsHash(events) === expected, `message ${member.seen} had other events on a node`);
  }

  /** Checks the state of a node after a message. */
  checkDigest(sequence: number, digest: number): void {
    const expected =
      sequence === 0 ? new Exchange().state.digest : this.effects[sequence - 1]!.digest;
    check(digest === expected, `a node's state after message ${sequence} is not the reference's`);
  }

  /** Checks the last state completely. */
  compareState(): void {
    this.engineChecker.compareState(this.exchange);
  }

  /** Checks the state that a sound process reports in a message. */
  private checkApplied(
    { sequence: at, envelope: { applied } }: OrderedMessage,
    sender: Member,
  ): void {
    if (applied.sequence === 0 || sender.damagedAtMs !== undefined || this.rewinds > 0) return;
    const { digest, hash } = this.effects[applied.sequence - 1]!;
    const isRight =
      applied.digest === (digest | 0) && equalHashes(hash ?? applied.hash, applied.hash);
    check(isRight, `${sender.name} reports a wrong state in message ${at}`);
  }

  private noteJoin({ kind, envelope, sequence }: OrderedMessage, member: Member): void {
    const { node, payload } = envelope;
    check(equalHashes(member.token, payload), 'a process joined with the token of another');
    for (const other of this.members) {
      if (other !== member && other.name === node) other.lastRivalJoin = sequence;
    }
    if (kind === 'rejected join') return;
    for (const other of this.members) {
      if (other === member || other.name !== node || !other.hasJoined) continue;
      other.fencedAt = Math.min(other.fencedAt, sequence);
    }
    member.hasJoined = true;
  }

  /** Returns the submissions in a message, which must be the oldest pending ones of its process. */
  private matchSubmissions(
    { envelope, commands, sequence }: OrderedMessage,
    member: Member,
  ): readonly (Promised | undefined)[] {
    if (commands.length === 0) return [];
    const sent = this.sent.get(member) ?? new Map<number, readonly (Promised | undefined)[]>();
    this.sent.set(member, sent);
    const again = sent.get(envelope.counter);
    if (again !== undefined) return again;
    const waiting = this.waiting.get(member)!;
    const isDivided = countBytes(waiting) > MAX_PAYLOAD_BYTES;
    const promises = commands.map((command) => {
      // The replica itself submits ticks.
      if (command.kind === CommandKind.tick) return undefined;
      const promise = takeSubmission(waiting, toSubmission(command).bytes, isDivided);
      check(
        promise !== undefined,
        `a command of message ${sequence} is not the one that was submitted next`,
      );
      return promise;
    });
    sent.set(envelope.counter, promises);
    return promises;
  }

  private apply(command: Command, { time, sequence }: OrderedMessage, promise?: Promised): bigint {
    const outcome = this.exchange.apply(command, time);
    const { events } = this.exchange;
    this.engineChecker.observe(this.exchange, { command, time }, outcome);
    countCommand(this.coverage, command);
    countOutcome(this.coverage, outcome);
    countEvents(this.coverage, events);
    if (promise !== undefined) {
      check(
        promise.applied === undefined,
        `message ${sequence} repeats a command that was applied before`,
      );
      check(
        !promise.isNotApplied,
        `message ${sequence} applies a command that was answered as not applied`,
      );
      // A revocation lost by the servers has no effect, although it was answered.
      const isRevoked = promise.revocation?.applied !== undefined;
      check(
        !isRevoked || outcome.kind === 'rejected',
        `message ${sequence} applies a command by a key whose revocation had been answered`,
      );
      if (isRevoked) this.coverage.count('key', 'used after its revocation was answered');
      promise.applied = { sequence, outcome: plainAnswer(outcome) };
    }
    return eventsHash(events);
  }
}

/** Returns the outcome as text, because the engine reuses the object. */
export function plainAnswer(outcome: Outcome): string {
  return formatValue(plainOutcome(outcome));
}

function eventsHash(events: readonly Event[]): bigint {
  return BigInt(Bun.hash.wyhash(formatValue(events)));
}

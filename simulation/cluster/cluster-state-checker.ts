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
import { StateChecker, submissionOf, textOf } from '../state-checker.ts';
import { bytesOf, takeSubmission } from '../submission-order.ts';
import { MAX_PAYLOAD_BYTES } from './link.ts';
import type { Member } from './member.ts';
import { isBeginning, OrderedLog, type Reading } from './ordered-log.ts';
import type { Promised } from './promises.ts';
import type { SentMessage } from './servers.ts';

/** What one message did, and what every node must have made of it. */
interface Told {
  readonly reading: Reading;
  /** The process that sent it. */
  readonly sender: Member;
  /** Of the state after it. */
  readonly digest: number;
  /** Of each command that was applied. */
  readonly events: readonly bigint[];
  /** As the first node to pass it on said. */
  hash: Uint8Array | undefined;
  /** What was submitted in it. */
  readonly promises: readonly (Promised | undefined)[];
}

/**
 * What all nodes must agree with: the stream in its true order, read by plain rules and applied to an
 * engine, the naive reference and the auditor's books, as soon as each message has its place.
 */
export class ClusterStateChecker {
  private log = new OrderedLog();
  private judge = new StateChecker(MAX_PAYLOAD_BYTES);
  exchange = new Exchange();
  private told: Told[] = [];
  /** What each process has submitted under a counter. */
  private readonly sent = new Map<Member, Map<number, readonly (Promised | undefined)[]>>();
  /** Sequence of the newest message whose effects somebody was told of. */
  acknowledged = 0;
  /** How often the servers have lost what they had. */
  rewinds = 0;

  constructor(
    private readonly coverage: Coverage,
    /** All processes there ever were. */
    private readonly members: readonly Member[],
    /** What each has been asked for and not yet sent as far as is known, oldest first. */
    private readonly waiting: Map<Member, Promised[]>,
  ) {}

  get state(): NaiveState {
    return this.judge.naive.state;
  }

  /** Sequence of the last message. */
  get end(): number {
    return this.told.length;
  }

  /** Takes the next message that the servers have stored. */
  store(message: SentMessage): void {
    const sender = this.members.findLast(({ token }) => token === message.sender);
    check(sender !== undefined, 'a message came from a process that never existed');
    const reading = this.log.read(message);
    const { kind, commands, sequence } = reading;
    check(sequence === this.told.length + 1, 'the simulated servers number their messages wrongly');
    this.coverage.count('message', kind);
    this.checkApplied(reading, sender);
    if (reading.envelope.kind === EnvelopeKind.join) this.noteJoin(reading, sender);
    const promises = this.promisesOf(reading, sender);
    const isPassedOver = isBeginning(commands) && this.state.version !== 0;
    const events: bigint[] = [];
    if (kind === 'batch' && isPassedOver) this.coverage.count('message', 'beginning in vain');
    if (kind === 'batch' && !isPassedOver) {
      commands.forEach((command, place) => {
        events.push(this.apply(command, reading, promises[place]));
      });
    }
    const { digest } = this.exchange.state;
    this.told.push({ reading, sender, digest, events, hash: undefined, promises });
  }

  /** The servers have lost what came after a message: all is as it was then. */
  rewind(messages: readonly SentMessage[]): void {
    const before = this.told;
    this.rewinds++;
    for (const member of this.members) {
      member.hasJoined = false;
      member.fencedAt = Number.POSITIVE_INFINITY;
    }
    this.log = new OrderedLog();
    this.judge = new StateChecker(MAX_PAYLOAD_BYTES);
    this.exchange = new Exchange();
    this.told = [];
    this.acknowledged = Math.min(this.acknowledged, messages.length);
    for (const { promises } of before) {
      for (const promise of promises) if (promise !== undefined) promise.applied = undefined;
    }
    for (const message of messages) {
      this.store(message);
      this.told.at(-1)!.hash = before[message.sequence - 1]!.hash;
    }
  }

  /** Checks what a node makes of a message, before it applies it. */
  checkBatch(member: Member, batch: FollowedBatch, digestBefore: number): void {
    const { sequence, time, isLate, count, hash } = batch;
    check(sequence === member.seen + 1, `batch ${sequence} came after batch ${member.seen}`);
    const told = this.told[sequence - 1];
    check(told !== undefined, `batch ${sequence} was passed on, and no server holds it`);
    this.checkDigest(sequence - 1, digestBefore);
    const { kind, commands, time: rightTime } = told.reading;
    checkSame(
      { kind: isLate ? 'late' : '', time, count },
      {
        kind: kind === 'late' ? 'late' : '',
        time: rightTime,
        count: kind === 'batch' ? commands.length : 0,
      },
      `message ${sequence} (${kind}) was read wrongly by ${member.name}`,
    );
    told.hash ??= hash;
    check(equalHashes(told.hash, hash), `nodes differ in the hash of message ${sequence}`);
    check(!batch.isOwn || told.sender === member, 'what another process sent is taken for its own');
  }

  /** Checks what a node's engine did with a command of the batch that it was passed last. */
  checkEvents(member: Member, events: readonly Event[]): void {
    const told = this.told[member.seen - 1]!;
    const expected = told.events[member.place++];
    check(expected !== undefined, `a command of message ${member.seen} was applied that must not`);
    check(eventsHash(events) === expected, `message ${member.seen} did something else on a node`);
  }

  /** Checks what a node holds after a message. */
  checkDigest(sequence: number, digest: number): void {
    const expected = sequence === 0 ? new Exchange().state.digest : this.told[sequence - 1]!.digest;
    check(digest === expected, `a node's state after message ${sequence} is not the reference's`);
  }

  /** Of all there is: the last state, command by command. */
  compareState(): void {
    this.judge.compareState(this.exchange);
  }

  /** Checks what a sound process says that it had applied. */
  private checkApplied({ sequence: at, envelope: { applied } }: Reading, sender: Member): void {
    if (applied.sequence === 0 || sender.damagedAtMs !== undefined || this.rewinds > 0) return;
    const { digest, hash } = this.told[applied.sequence - 1]!;
    const isRight =
      applied.digest === (digest | 0) && equalHashes(hash ?? applied.hash, applied.hash);
    check(isRight, `${sender.name} says in message ${at} that it holds what it does not`);
  }

  private noteJoin({ kind, envelope, sequence }: Reading, member: Member): void {
    const { node, payload } = envelope;
    check(equalHashes(member.token, payload), 'a process joined with the token of another');
    for (const other of this.members) {
      if (other !== member && other.name === node) other.lastRivalJoin = sequence;
    }
    if (kind === 'join in vain') return;
    for (const other of this.members) {
      if (other === member || other.name !== node || !other.hasJoined) continue;
      other.fencedAt = Math.min(other.fencedAt, sequence);
    }
    member.hasJoined = true;
  }

  /** Which submissions a message holds: those that its process was asked for next. */
  private promisesOf(
    { envelope, commands, sequence }: Reading,
    member: Member,
  ): readonly (Promised | undefined)[] {
    if (commands.length === 0) return [];
    const sent = this.sent.get(member) ?? new Map<number, readonly (Promised | undefined)[]>();
    this.sent.set(member, sent);
    const again = sent.get(envelope.counter);
    if (again !== undefined) return again;
    const waiting = this.waiting.get(member)!;
    const isDivided = bytesOf(waiting) > MAX_PAYLOAD_BYTES;
    const promises = commands.map((command) => {
      // The replica's own, where time has to pass.
      if (command.kind === CommandKind.tick) return undefined;
      const promise = takeSubmission(waiting, submissionOf(command).bytes, isDivided);
      check(
        promise !== undefined,
        `a command of message ${sequence} is not the one that was submitted next`,
      );
      return promise;
    });
    sent.set(envelope.counter, promises);
    return promises;
  }

  private apply(command: Command, { time, sequence }: Reading, promise?: Promised): bigint {
    const outcome = this.exchange.apply(command, time);
    const { events } = this.exchange;
    this.judge.observe(this.exchange, { command, time }, outcome);
    countCommand(this.coverage, command);
    countOutcome(this.coverage, outcome);
    countEvents(this.coverage, events);
    if (promise !== undefined) {
      check(promise.applied === undefined, `message ${sequence} does again what was done before`);
      check(!promise.isUndone, `message ${sequence} does what was answered as undone`);
      // A revocation that the servers have lost is in no log, though it was answered.
      const isRevoked = promise.revocation?.applied !== undefined;
      check(
        !isRevoked || outcome.kind === 'rejected',
        `message ${sequence} does what was asked by a key after its revocation was answered`,
      );
      if (isRevoked) this.coverage.count('key', 'used after its revocation was answered');
      promise.applied = { sequence, outcome: plainAnswer(outcome) };
    }
    return eventsHash(events);
  }
}

/** As the engine said it, so that what it changes later does not change it. */
export function plainAnswer(outcome: Outcome): string {
  return textOf(plainOutcome(outcome));
}

function eventsHash(events: readonly Event[]): bigint {
  return BigInt(Bun.hash.wyhash(textOf(events)));
}

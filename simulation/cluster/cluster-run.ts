import type { FollowedBatch } from '../../src/cluster/log/clustered-log.ts';
import { type Command, CommandKind } from '../../src/engine/command.ts';
import type { Event, Outcome } from '../../src/engine/event.ts';
import { writeSnapshot } from '../../src/engine/snapshot/snapshot.ts';
import { equalHashes } from '../../src/log/hash.ts';
import { START } from '../../test/reference/scenario.ts';
import type { Coverage } from '../coverage.ts';
import { check } from '../failure.ts';
import { below, type Random, stream } from '../random.ts';
import { Schedule } from '../schedule.ts';
import { Trace } from '../trace.ts';
import { Workload } from '../workload.ts';
import { ClusterFaults } from './cluster-faults.ts';
import { ClusterStateChecker, plainAnswer } from './cluster-state-checker.ts';
import { FaultInjector } from './fault-injector.ts';
import type { Member } from './member.ts';
import { Nodes } from './nodes.ts';
import { noteAnswer, noteFailure, type Promised, promise } from './promises.ts';
import { SimulatedServers } from './servers.ts';
import { SharedSnapshots } from './snapshots.ts';

export interface ClusterRunOptions {
  readonly seed: number;
  readonly nodes: number;
  /** How many commands are submitted, beside those that begin the exchange. */
  readonly commands: number;
  readonly without: ReadonlySet<string>;
  readonly coverage: Coverage;
}

const MAX_IN_FLIGHT = 60;
const MAX_BURST = 8;
const LONGEST_REST_MS = 500;
const READ_CHANCE = 0.5;
/**
 * A command is answered by then, as one whose outcome is unknown at worst, where its process was not paused: ten
 * seconds it may wait for the batch before it, and ten for its own.
 */
const ANSWERED_WITHIN_MS = 21_000;
const WATCH_EVERY_MS = 500;
/** Undisturbed, all nodes have come to the same by then. */
const SETTLED_WITHIN_MS = 60_000;

/** One exchange of many nodes from its first command to its last, through everything that befalls it. */
export class ClusterRun {
  readonly trace = new Trace();
  private readonly schedule: Schedule;
  private readonly random: Random;
  private readonly faults: ClusterFaults;
  private readonly workload: Workload;
  private readonly servers: SimulatedServers;
  private readonly snapshots: SharedSnapshots;
  private readonly nodes: Nodes;
  private readonly faultInjector: FaultInjector;
  private readonly stateChecker: ClusterStateChecker;
  private readonly coverage: Coverage;
  private readonly limit: number;
  /** Asked for and not sent yet as far as is known, oldest first. */
  private readonly waiting = new Map<Member, Promised[]>();
  private readonly unanswered = new Set<Promised>();
  /** Revocations that were answered, by the index of their key. */
  private readonly revocations = new Map<number, Promised>();
  submitted = 0;
  private hasBegun = false;
  private endsAtMs: number | undefined;
  private isDone = false;
  private failure: Error | undefined;

  constructor(options: ClusterRunOptions) {
    const { seed, coverage, without } = options;
    this.limit = options.commands;
    this.coverage = coverage;
    this.schedule = new Schedule(stream(seed, 'schedule'), this.trace);
    this.random = stream(seed, 'life');
    this.faults = new ClusterFaults(seed, without);
    this.workload = new Workload(seed);
    const { schedule, faults } = this;
    const common = { schedule, faults, coverage };
    this.servers = new SimulatedServers({
      ...{ ...common, random: stream(seed, 'servers') },
      onStored: (message) => this.guard(() => this.stateChecker.store(message)),
    });
    this.snapshots = new SharedSnapshots(this.servers, faults, coverage);
    this.nodes = new Nodes(options.nodes, {
      ...{ ...common, random: stream(seed, 'nodes'), servers: this.servers },
      snapshots: this.snapshots,
      onBatch: (...batch) => this.guard(() => this.noteBatch(...batch)),
      onEvents: (...events) => this.guard(() => this.noteEvents(...events)),
      onStart: (member) => this.waiting.set(member, []),
      onEnd: (member) => this.noteEnd(member),
      onFailure: (error) => this.fail(error),
    });
    this.stateChecker = new ClusterStateChecker(coverage, this.nodes.all, this.waiting);
    this.faultInjector = new FaultInjector({
      ...{ ...common, random: stream(seed, 'disturbances'), nodes: this.nodes },
      ...{ servers: this.servers, snapshots: this.snapshots, stateChecker: this.stateChecker },
      onRewind: () => this.end(),
      onFailure: (error) => this.fail(error),
    });
  }

  /** @throws SimulationFailure, or what the exchange itself throws. */
  async run(): Promise<void> {
    this.nodes.start();
    this.schedule.after(this, 100, 'begin', () => this.begin());
    for (;;) {
      // What follows from a step at once belongs to it.
      await new Promise((resolve) => setImmediate(resolve));
      if (this.failure !== undefined) throw this.failure;
      if (this.isDone) return;
      this.schedule.step();
    }
  }

  /** Two nodes begin the exchange at once, undisturbed; one of them is first. */
  private begin(): void {
    const serving = this.nodes.serving();
    if (serving.length < 2) {
      this.schedule.after(this, 100, 'begin', () => this.begin());
      return;
    }
    const beginning = this.workload.beginning();
    for (const member of serving.slice(0, 2)) this.submit(member, beginning);
    this.watch();
    this.trade();
  }

  /** Traders and operators ask for something, of whichever node, and come again. */
  private trade(): void {
    if (!this.hasBegun && this.unanswered.size === 0) {
      this.hasBegun = true;
      this.faults.areOn = true;
      this.faultInjector.begin();
    }
    if (this.submitted >= this.limit || this.endsAtMs !== undefined) {
      this.end();
      return;
    }
    if (this.hasBegun && this.unanswered.size < MAX_IN_FLIGHT) {
      const burst = 1 + below(MAX_BURST, this.random);
      for (let n = 0; n < burst && this.submitted < this.limit; n++) this.request();
    }
    const pauseMs = below(LONGEST_REST_MS, this.random);
    this.schedule.after(this, pauseMs, 'traders', () => this.trade());
  }

  private request(): void {
    const serving = this.nodes.serving();
    const member = serving[below(serving.length, this.random)];
    if (member === undefined) return;
    if (this.random() < READ_CHANCE) this.read(member);
    const { state } = this.stateChecker;
    const { command } = this.workload.next(state, Math.max(this.now, state.time));
    this.submitted++;
    this.submit(member, [command]);
  }

  /** Asks a node for commands that come together. */
  private submit(member: Member, commands: readonly Command[]): void {
    const promises = commands.map((command) => {
      const revocation = 'key' in command ? this.revocations.get(command.key) : undefined;
      return promise(command, member, this.schedule.elapsedMs, revocation);
    });
    for (const one of promises) this.unanswered.add(one);
    member.later(0, 'request', () => {
      for (const one of promises) {
        this.waiting.get(member)!.push(one);
        member.submit(
          one.command,
          (outcome) => this.guard(() => this.noteAnswer(one, outcome)),
          (error) => this.guard(() => this.noteRefusal(one, error)),
        );
      }
    });
  }

  private noteRefusal(one: Promised, error: Error): void {
    this.unanswered.delete(one);
    noteFailure(one, error);
    // Else it was never sent, or may still come.
    const waiting = this.waiting.get(one.member)!;
    if (one.isUndone && waiting.includes(one)) waiting.splice(waiting.indexOf(one), 1);
    this.coverage.count('answer', error.name);
    if (this.hasBegun) this.workload.leaveUnanswered(one.command);
  }

  private read(member: Member): void {
    const { acknowledged, rewinds } = this.stateChecker;
    member.later(0, 'read', () => {
      member.whenCurrent().then(
        () =>
          this.guard(() => {
            // What had been answered may be lost since.
            if (!this.isSound(member) || rewinds !== this.stateChecker.rewinds) return;
            this.coverage.count('read', 'current');
            check(
              member.position >= acknowledged,
              `a read of ${member.name} saw the state after message ${member.position}, and ${acknowledged} was answered before it`,
            );
            this.stateChecker.acknowledged = Math.max(
              this.stateChecker.acknowledged,
              member.position,
            );
          }),
        () => this.coverage.count('read', 'refused'),
      );
    });
  }

  private noteAnswer(one: Promised, outcome: Outcome): void {
    const { member, command } = one;
    // Killed in the midst of it: it only seems to go on.
    if (!member.isAlive) return;
    this.unanswered.delete(one);
    this.trace.note(`${member.name} answers ${outcome.kind}`);
    if (!this.isSound(member)) return;
    noteAnswer(one, outcome, plainAnswer(outcome));
    this.coverage.count('answer', 'given');
    this.stateChecker.acknowledged = Math.max(
      this.stateChecker.acknowledged,
      one.applied!.sequence,
    );
    if (command.kind !== CommandKind.revokeKey || outcome.kind === 'rejected') return;
    this.coverage.count('answer', 'key revoked');
    const { keys } = this.stateChecker.state;
    const index = keys.findIndex((key) => key?.apiKey === command.apiKey);
    this.revocations.set(index, one);
  }

  private noteBatch(member: Member, batch: FollowedBatch, digestBefore: number): void {
    const { sequence } = batch;
    // What it takes may be of the log that was lost: there nobody took its place.
    const isReplaced = sequence >= member.fencedAt && !this.faultInjector.isSequenceRewound(member);
    check(!isReplaced, `${member.name} goes on after another took its place`);
    if (this.isComparable(member)) this.stateChecker.checkBatch(member, batch, digestBefore);
    member.seen = sequence;
    member.place = 0;
  }

  private noteEvents(member: Member, events: readonly Event[]): void {
    if (this.isComparable(member)) this.stateChecker.checkEvents(member, events);
  }

  /** What it holds is what the log says, or it is not its fault. */
  private isComparable(member: Member): boolean {
    return member.damagedAtMs === undefined && !this.faultInjector.isSequenceRewound(member);
  }

  /** Whether what a process says can be held against it. @throws SimulationFailure where it must say nothing. */
  private isSound(member: Member): boolean {
    if (!member.isAlive) return false;
    const isOnLostLog = this.faultInjector.isOnLostLog(member);
    check(!isOnLostLog, `${member.name} answers from a log that was lost`);
    return this.isComparable(member);
  }

  /** A process has ended, whatever the reason: nobody is told any more of what it was asked for. */
  private noteEnd(member: Member): void {
    for (const one of this.unanswered) {
      if (one.member !== member) continue;
      this.unanswered.delete(one);
      this.coverage.count('answer', 'none');
      if (this.hasBegun) this.workload.leaveUnanswered(one.command);
    }
  }

  private watch(): void {
    const { elapsedMs } = this.schedule;
    for (const { member, submittedAtMs, command } of this.unanswered) {
      const since = Math.max(submittedAtMs, member.resumedAtMs);
      check(
        member.isPaused || elapsedMs - since <= ANSWERED_WITHIN_MS,
        `${member.name} has not answered command ${command.kind} for ${ANSWERED_WITHIN_MS} ms`,
      );
    }
    this.faultInjector.watch(WATCH_EVERY_MS);
    this.schedule.after(this, WATCH_EVERY_MS, 'watch', () => this.guard(() => this.watch()));
  }

  /** Undisturbed, all come to the same. */
  private end(): void {
    if (this.endsAtMs !== undefined) return;
    this.endsAtMs = this.schedule.elapsedMs;
    this.faults.areOn = false;
    this.faultInjector.end();
    this.settle();
  }

  private settle(): void {
    this.guard(() => {
      if (this.areSettled()) {
        this.compareAll();
        this.isDone = true;
        return;
      }
      check(
        this.schedule.elapsedMs - this.endsAtMs! <= SETTLED_WITHIN_MS,
        `after ${SETTLED_WITHIN_MS} undisturbed ms the nodes have not come to the same: ${this.nodes.text()}, ` +
          `the log ends at ${this.stateChecker.end}, ${this.unanswered.size} commands wait`,
      );
      this.schedule.after(this, 7, 'settles', () => this.settle());
    });
  }

  private areSettled(): boolean {
    if (this.unanswered.size > 0 || !this.faultInjector.areOver) return false;
    const { end } = this.stateChecker;
    const serving = this.nodes.serving();
    if (serving.length !== this.nodes.expected) return false;
    return this.sound().every(({ position }) => position === end);
  }

  private compareAll(): void {
    this.stateChecker.compareState();
    const expected = writeSnapshot(this.stateChecker.exchange);
    for (const { exchange, name } of this.sound()) {
      check(
        equalHashes(expected, writeSnapshot(exchange)),
        `in the end ${name} holds another state`,
      );
    }
    this.coverage.count('check', 'all nodes equal');
  }

  private sound(): Member[] {
    return this.nodes.serving().filter((member) => this.isComparable(member));
  }

  private get now(): number {
    return START + this.schedule.elapsedMs;
  }

  private guard(work: () => void): void {
    try {
      work();
    } catch (error) {
      this.fail(error as Error);
    }
  }

  private fail(error: Error): void {
    this.failure ??= error;
  }
}

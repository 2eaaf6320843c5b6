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
  /** The number of commands to submit after those that set up the exchange. */
  readonly commands: number;
  readonly without: ReadonlySet<string>;
  readonly coverage: Coverage;
}

const MAX_IN_FLIGHT = 60;
const MAX_BURST = 8;
const MAX_REST_MS = 500;
const READ_CHANCE = 0.5;
/**
 * Maximum time until a process that was not paused answers a command, at worst with an unknown outcome: it may
 * wait ten seconds for the previous batch, and ten for its own.
 */
const ANSWERED_WITHIN_MS = 21_000;
const WATCH_EVERY_MS = 500;
/** Maximum time until all nodes agree once faults have stopped. */
const SETTLED_WITHIN_MS = 60_000;

/** A run of one cluster, from its first command to its last, with faults. */
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
  /** Submissions to each process that are not known to be sent, oldest first. */
  private readonly waiting = new Map<Member, Promised[]>();
  private readonly unanswered = new Set<Promised>();
  /** Answered revocations, by the index of their key. */
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
    this.workload = new Workload(seed, false);
    const { schedule, faults } = this;
    const common = { schedule, faults, coverage };
    this.servers = new SimulatedServers({
      ...common,
      random: stream(seed, 'servers'),
      onStored: (message) => this.guard(() => this.stateChecker.store(message)),
    });
    this.snapshots = new SharedSnapshots(this.servers, faults, coverage);
    this.nodes = new Nodes(options.nodes, {
      ...common,
      random: stream(seed, 'nodes'),
      servers: this.servers,
      snapshots: this.snapshots,
      onBatch: (...batch) => this.guard(() => this.noteBatch(...batch)),
      onEvents: (...events) => this.guard(() => this.noteEvents(...events)),
      onStart: (member) => this.waiting.set(member, []),
      onEnd: (member) => this.noteEnd(member),
      onFailure: (error) => this.fail(error),
    });
    this.stateChecker = new ClusterStateChecker(coverage, this.nodes.all, this.waiting);
    this.faultInjector = new FaultInjector({
      ...common,
      random: stream(seed, 'disturbances'),
      nodes: this.nodes,
      servers: this.servers,
      snapshots: this.snapshots,
      stateChecker: this.stateChecker,
      onRewind: () => this.end(),
      onFailure: (error) => this.fail(error),
    });
  }

  /** @throws SimulationFailure, or an error of the exchange itself. */
  async run(): Promise<void> {
    this.nodes.start();
    this.schedule.after(this, 100, 'begin', () => this.begin());
    for (;;) {
      // Microtasks and immediates of a step belong to it.
      await new Promise((resolve) => setImmediate(resolve));
      if (this.failure !== undefined) throw this.failure;
      if (this.isDone) return;
      this.schedule.step();
    }
  }

  /** Lets two nodes set up the exchange at once, without faults; one of them is first. */
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

  /** Sends requests of traders and operators to random nodes, and schedules the next ones. */
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
    const pauseMs = below(MAX_REST_MS, this.random);
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

  /** Submits commands to a node together. */
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
          (error) => this.guard(() => this.noteError(one, error)),
        );
      }
    });
  }

  private noteError(one: Promised, error: Error): void {
    this.unanswered.delete(one);
    noteFailure(one, error);
    // Otherwise it was never sent, or may still take effect.
    const waiting = this.waiting.get(one.member)!;
    if (one.isNotApplied && waiting.includes(one)) waiting.splice(waiting.indexOf(one), 1);
    this.coverage.count('answer', error.name);
    if (this.hasBegun) this.workload.leaveUnanswered(one.command);
  }

  private read(member: Member): void {
    const { acknowledged, rewinds } = this.stateChecker;
    member.later(0, 'read', () => {
      member.whenCurrent().then(
        () =>
          this.guard(() => {
            // Answered messages may have been lost since.
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
    // It was killed while it answered: the remaining calls have no effect.
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
    // The process may still read the lost log, in which it was not replaced.
    const isReplaced = sequence >= member.fencedAt && !this.faultInjector.isSequenceRewound(member);
    check(!isReplaced, `${member.name} continues after another process replaced it`);
    if (this.isComparable(member)) this.stateChecker.checkBatch(member, batch, digestBefore);
    member.seen = sequence;
    member.place = 0;
  }

  private noteEvents(member: Member, events: readonly Event[]): void {
    if (this.isComparable(member)) this.stateChecker.checkEvents(member, events);
  }

  /** Checks that the state of a process matches the log, unless it was damaged. */
  private isComparable(member: Member): boolean {
    return member.damagedAtMs === undefined && !this.faultInjector.isSequenceRewound(member);
  }

  /** Whether the reports of a process must be correct. @throws SimulationFailure if it must not report anything. */
  private isSound(member: Member): boolean {
    if (!member.isAlive) return false;
    const isOnLostLog = this.faultInjector.isOnLostLog(member);
    check(!isOnLostLog, `${member.name} answers from a log that was lost`);
    return this.isComparable(member);
  }

  /** Records that a process has ended, so that its commands get no answer any more. */
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

  /** Stops the faults, and waits until all nodes agree. */
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
        `${SETTLED_WITHIN_MS} ms after the last fault the nodes do not agree: ${this.nodes.text()}, ` +
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
      check(equalHashes(expected, writeSnapshot(exchange)), `${name} ends with another state`);
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

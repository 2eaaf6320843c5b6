import { CommandKind } from '../src/engine/command.ts';
import type { Event, Outcome } from '../src/engine/event.ts';
import type { Batch } from '../src/log/log.ts';
import { START } from '../test/reference/scenario.ts';
import type { Coverage } from './coverage.ts';
import { countCommand, countEvents, countOutcome, countPortions } from './coverage-counts.ts';
import { check } from './failure.ts';
import { Faults } from './faults.ts';
import { checkHistory } from './history-check.ts';
import { Machine } from './machine.ts';
import { MachineClock } from './machine-clock.ts';
import type { Process } from './process.ts';
import { below, type Random, stream } from './random.ts';
import { Schedule } from './schedule.ts';
import {
  checkSameState,
  type Logged,
  StateChecker,
  type Submission,
  toSubmission,
} from './state-checker.ts';
import { countBytes } from './submission-order.ts';
import { Trace } from './trace.ts';
import { Workload } from './workload.ts';

export interface SimulatedRunOptions {
  readonly seed: number;
  /** The number of commands to submit after those that set up the exchange. */
  readonly commands: number;
  readonly without: ReadonlySet<string>;
  readonly coverage: Coverage;
}

/** Maximum commands without an answer at a time. */
const MAX_IN_FLIGHT = 60;
const MAX_BURST = 8;
/** Range of the maximum batch size: some bursts exceed it, but no single command. */
const MIN_BATCH_BYTES = 1200;
const MORE_BATCH_BYTES = 4000;
const CRASH_EVERY_MS = 800;
/** Steps without an answer after which the exchange counts as stuck. */
const MAX_IDLE_STEPS = 20_000;
const MAX_QUIET_MS = 3000;
const WATCH_EVERY_MS = 25;
/** Maximum delay of due work on an idle node whose disk works. */
const MAX_DUE_MS = 50;
const REPLAY_CHANCE = 0.3;
const HISTORY_CHECK_CHANCE = 0.1;
const ORDERLY_CHANCE = 0.2;
/** A node that restarts under another name leaves the connections of the one before to their lease. */
const SAME_NAME_CHANCE = 0.3;

/** A run of one single-node exchange, from its first command to its last, with faults. */
export class SimulatedRun {
  readonly trace = new Trace();
  readonly stateChecker: StateChecker;
  private readonly schedule: Schedule;
  private readonly random: Random;
  private readonly faults: Faults;
  private readonly workload: Workload;
  private readonly machine: Machine;
  private readonly coverage: Coverage;
  private readonly clock: MachineClock;
  /** Commands submitted after those that set up the exchange. */
  submitted = 0;
  private readonly limit: number;
  /** Submitted to the running process and not known to be durable. */
  private inFlight: Submission[] = [];
  /** Durable and about to be applied, in the order in which the answers are due. */
  private logged: Logged[] = [];
  /** Whether the events of the next command were reported. */
  private areEventsReported = false;
  /** The time since which the process could have done the due work. */
  private dueSinceMs: number | undefined;
  private failedSinceMs: number | undefined;
  private isClosing = false;
  private isAtEnd = false;
  private isDone = false;
  private failure: Error | undefined;
  private idleSteps = 0;

  constructor(options: SimulatedRunOptions) {
    const { seed, coverage } = options;
    this.limit = options.commands;
    this.coverage = coverage;
    this.schedule = new Schedule(stream(seed, 'schedule'), this.trace);
    this.random = stream(seed, 'life');
    this.faults = new Faults(seed, options.without);
    this.workload = new Workload(seed, true);
    this.clock = new MachineClock(START, this.schedule, stream(seed, 'clock'), coverage);
    const bytes = stream(seed, 'batch bytes');
    const maxBatchBytes = MIN_BATCH_BYTES + below(MORE_BATCH_BYTES, bytes);
    this.stateChecker = new StateChecker(maxBatchBytes);
    this.machine = new Machine({
      maxBatchBytes,
      schedule: this.schedule,
      trace: this.trace,
      coverage,
      faults: this.faults,
      random: stream(seed, 'machine'),
      newClock: () => this.clock.newClock(),
      acknowledged: () => this.stateChecker.batches,
      onBatch: (batch) => this.guard(() => this.noteBatch(batch)),
      onEvents: (events) => this.guard(() => this.noteEvents(events)),
      onServing: (process) => this.checkRecovered(process),
      onFailure: (error) => this.fail(error),
    });
  }

  /** @throws SimulationFailure, or an error of the exchange itself. */
  async run(): Promise<void> {
    try {
      this.machine.start();
      for (;;) {
        // Microtasks and immediates of a step belong to it.
        await new Promise((resolve) => setImmediate(resolve));
        if (this.failure !== undefined) throw this.failure;
        if (this.isDone) return;
        check(this.schedule.step(), 'nothing is scheduled, and the run is not finished');
        const isAtStandstill = this.idleSteps++ > MAX_IDLE_STEPS;
        check(!isAtStandstill, `nothing was answered for ${MAX_IDLE_STEPS} steps`);
      }
    } finally {
      await this.machine.remove();
    }
  }

  /** Sets up the exchange without faults: later commands refer to its accounts and markets. */
  private begin(process: Process): void {
    const beginning = this.workload.beginning();
    beginning.forEach((command, place) => {
      this.submit(process, command, () => {
        if (place < beginning.length - 1) return;
        this.faults.areOn = true;
        this.trade();
        this.watch();
        this.crashSometime();
      });
    });
  }

  /** Sends requests of traders and operators, and schedules the next ones. */
  private trade(): void {
    const { process } = this.machine;
    if (this.submitted >= this.limit && this.inFlight.length === 0 && process?.isServing) {
      this.faults.areOn = false;
      this.isAtEnd = true;
      this.stop(process);
      return;
    }
    let pauseMs = below(4, this.random);
    if (process?.isServing && !this.isClosing && this.inFlight.length < MAX_IN_FLIGHT) {
      const burst = 1 + below(MAX_BURST, this.random);
      for (let n = 0; n < burst && this.submitted < this.limit; n++) {
        pauseMs += this.request(process);
      }
    }
    // Occasionally no requests arrive, so that only ticks advance the time.
    if (this.random() < 0.01) pauseMs += below(MAX_QUIET_MS, this.random);
    this.schedule.after(this, pauseMs, 'traders', () => this.trade());
  }

  /** Checks that due work happens without requests, and that a process ends after its log has failed. */
  private watch(): void {
    if (!this.faults.areOn) return;
    this.schedule.after(this, WATCH_EVERY_MS, 'watch', () => this.watch());
    const { process } = this.machine;
    const { elapsedMs } = this.schedule;
    const isFree = process?.isServing && !process.isWaiting && !this.isClosing;
    const isDue =
      isFree && this.inFlight.length === 0 && process.exchange.nextDueTime <= this.clock.now;
    this.dueSinceMs = isDue ? (this.dueSinceMs ?? elapsedMs) : undefined;
    check(
      elapsedMs - (this.dueSinceMs ?? elapsedMs) <= MAX_DUE_MS,
      `due work was not done for ${MAX_DUE_MS} ms`,
    );
    this.failedSinceMs = process?.hadLogError ? (this.failedSinceMs ?? elapsedMs) : undefined;
    check(
      elapsedMs - (this.failedSinceMs ?? elapsedMs) <= WATCH_EVERY_MS,
      'the process continues after its log has failed',
    );
  }

  /** Submits a request. @returns The time until the next one, milliseconds. */
  private request(process: Process): number {
    const { state } = this.stateChecker.naive;
    const { command, waitMs, jumpMs } = this.workload.next(
      state,
      Math.max(this.clock.now, state.time),
    );
    const jump = jumpMs > 0 ? 'clockForward' : 'clockBack';
    if (jumpMs !== 0 && this.faults.happens(jump)) {
      this.coverage.count('fault', jump);
      this.clock.jump(jumpMs);
    }
    this.submitted++;
    this.submit(process, command);
    return waitMs;
  }

  private submit(process: Process, command: Submission['command'], then?: () => void): void {
    const submission = toSubmission(command);
    this.inFlight.push(submission);
    process.submit(command, (outcome) =>
      this.guard(() => {
        check(!process.hasFailed, 'an answer was given after the process had failed');
        // It was killed while it answered: the remaining calls have no effect.
        if (!process.isAlive) return;
        this.noteAnswer(process, submission, outcome);
        then?.();
      }),
    );
  }

  private crashSometime(): void {
    const delayMs = below(2 * CRASH_EVERY_MS, this.random);
    this.schedule.after(this, delayMs, 'crash', () => {
      if (!this.faults.areOn) return;
      this.crashSometime();
      const { process } = this.machine;
      if (process?.isServing && this.random() < ORDERLY_CHANCE) {
        this.stop(process);
      } else {
        const kind = this.random() < 0.5 ? 'kill' : 'powerLoss';
        if (!this.faults.isExcluded(kind)) this.machine.crash(kind);
      }
    });
  }

  /** Stops the process in order. A fault may still happen before it has stopped. */
  private stop(process: Process): void {
    this.isClosing = true;
    this.machine.restart(process).then(
      (isOrderly) =>
        this.guard(() => {
          this.isClosing = false;
          const isAnswered = this.inFlight.length + this.logged.length === 0;
          check(!isOrderly || isAnswered, 'the process stopped in order with commands unanswered');
        }),
      (error) => this.machine.noteExit(process, error),
    );
  }

  private noteBatch(batch: Batch): void {
    check(
      this.logged.length === 0,
      'a batch became durable before all commands of the last one were answered',
    );
    this.coverage.count('batch', batch.count === 1 ? 'one command' : 'several commands');
    this.clock.note(batch);
    const isDivided = countBytes(this.inFlight) > this.stateChecker.maxBatchBytes;
    if (isDivided) this.coverage.count('batch', 'more pending than it holds');
    ({ logged: this.logged } = this.stateChecker.note(batch, this.inFlight));
  }

  private noteEvents(events: readonly Event[]): void {
    countEvents(this.coverage, events);
    const next = this.logged[0];
    check(next !== undefined, 'a command was applied that no durable batch holds');
    check(
      !this.areEventsReported,
      'the events of a command were reported twice, or it was never answered',
    );
    this.areEventsReported = true;
    // The replica submits ticks itself, so no answer follows.
    if (next.command.kind === CommandKind.tick)
      this.observe(this.machine.process!, { kind: 'done' });
  }

  private noteAnswer(process: Process, { bytes }: Submission, outcome: Outcome): void {
    const next = this.logged[0];
    check(next !== undefined, 'an answer was given to a command that no durable batch holds');
    const isNext = Buffer.compare(toSubmission(next.command).bytes, bytes) === 0;
    check(isNext, 'an answer was given to another command than the next one');
    this.observe(process, outcome);
  }

  private observe(process: Process, outcome: Outcome): void {
    const next = this.logged.shift()!;
    check(this.areEventsReported, 'a command was answered before its events were reported');
    this.areEventsReported = false;
    this.idleSteps = 0;
    countCommand(this.coverage, next.command);
    countOutcome(this.coverage, outcome);
    countPortions(this.coverage, process.exchange);
    this.stateChecker.observe(process.exchange, next, outcome);
    this.trace.note(`${outcome.kind} ${process.exchange.state.digest}`);
  }

  /** Checks that the log holds every answered command once, and otherwise only commands that were in flight. */
  private checkRecovered(process: Process): void {
    const { stateChecker, coverage } = this;
    this.isClosing = false;
    this.areEventsReported = false;
    this.dueSinceMs = undefined;
    // Durable, but the process ended before it could apply them.
    const isUnseen = this.logged.length > 0;
    for (const { command } of this.logged) this.workload.leaveUnanswered(command);
    this.logged = [];
    const extra = stateChecker.checkLog(process.batches());
    if (extra !== undefined) {
      coverage.count('recovery', 'batch in flight kept');
      const { taken } = stateChecker.note(extra, this.inFlight);
      for (const { command } of taken) this.workload.leaveUnanswered(command);
    }
    if (this.inFlight.length > 0) coverage.count('recovery', 'commands in flight lost');
    for (const { command } of this.inFlight) this.workload.leaveUnanswered(command);
    this.inFlight = [];
    if (isUnseen || extra !== undefined || this.random() < REPLAY_CHANCE) {
      coverage.count('check', 'full replay');
      const replayed = stateChecker.replay([...process.batches()]);
      checkSameState(process.exchange, replayed, 'snapshot with tail, and a full replay');
    }
    checkSameState(process.exchange, process.archive.exchange, 'the replica and the archivist');
    stateChecker.compareState(process.exchange);
    this.trace.note(`serves ${process.exchange.state.digest}`);
    if (stateChecker.batches === 0) this.begin(process);
    else if (this.isAtEnd || this.random() < HISTORY_CHECK_CHANCE) this.checkHistory(process);
    if (!this.isAtEnd && this.random() < SAME_NAME_CHANCE) this.endConnections(process);
  }

  /** Ends the connections of the process before, as a node does when it starts. */
  private endConnections(process: Process): void {
    const leases = process.exchange.state.connections.allLeases();
    for (const node of new Set(leases.map((lease) => lease.node))) {
      this.coverage.count('recovery', 'connections ended');
      const hasEnded = (connection: number) =>
        process.exchange.state.connections.get(connection)?.lease.node !== node;
      const [first] = leases.find((lease) => lease.node === node)!.connections;
      this.submit(process, { kind: CommandKind.closeNodeConnections, node }, () => {
        const { time, sweeps } = process.exchange.state;
        const isEnded = hasEnded(first!.id) || first!.lease.dueAt <= time || sweeps.endsLeft <= 0;
        check(isEnded, `the connections of node ${node} did not end with its restart`);
      });
    }
  }

  private checkHistory(process: Process): void {
    this.coverage.count('check', 'history rebuilt');
    const { happened, naive } = this.stateChecker;
    checkHistory(this.machine.history, [...process.batches()], happened, naive.state).then(
      () => {
        this.isDone = this.isAtEnd;
      },
      (error) => this.fail(error),
    );
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

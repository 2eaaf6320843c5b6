import { type Command, CommandKind } from '../../engine/command.ts';
import type { Outcome } from '../../engine/event.ts';
import { CommandNotAppliedError } from '../../replica/errors.ts';
import type { ClockMode, SandboxClock } from './sandbox-clock.ts';
import type { Timeline } from './timeline.ts';

/** Interval at which a scaled clock moves, in real time. */
const SCALED_EVERY_MS = 10;
/** Maximum real time whose scaled time is played at once. */
const MAX_SCALED_MS = 30;
/** Maximum real time between two looks at the tasks of a real clock, which may jump. */
const MAX_REAL_WAIT_MS = 250;
/** Lag of the archivist above which playing waits for it: orders are rejected from two seconds on. */
const MAX_LAG_MS = 250;
const LAG_POLL_MS = 5;
/** Playing gives way to requests and timers after this long. */
const TURN_MS = 10;
const TICK: Command = { kind: CommandKind.tick };

export interface ClockControlOptions {
  readonly clock: SandboxClock;
  readonly timeline: Timeline;
  readonly replica: {
    readonly exchange: { readonly nextDueTime: number };
    readonly waitingCount: number;
    execute(command: Command): Promise<Outcome>;
  };
  readonly archivist: { lagMs(): number };
  /** Called if the node cannot continue. */
  readonly onFailure: (error: Error) => void;
}

/** The way time moves from now on. */
export interface ClockSetting {
  readonly mode: ClockMode;
  /** The time of a scaled clock per real time. */
  readonly speed: number;
  /** The time that a stepped clock moves before each request, milliseconds. */
  readonly stepMs: number;
}

/**
 * Moves the time of a sandbox and plays what is due on the way, in order: expiries, deadlines, turns of the market makers
 * and other timed tasks. The same tasks at the same times append the same commands, however fast they are played.
 */
export class ClockControl {
  private setting: ClockSetting;
  /** Ends with the last request to move the time: they are served one after another. */
  private queue: Promise<void> = Promise.resolve();
  private timer: Timer | undefined;
  private isStopped = false;
  /** The end of the time that is being played, milliseconds since 1970. */
  private targetTime = 0;
  /** Time of a scaled clock, and the machine's monotonic clock then. */
  private anchor = { time: 0, elapsedMs: 0 };

  constructor(
    private readonly options: ClockControlOptions,
    setting: ClockSetting,
  ) {
    this.setting = setting;
    this.targetTime = options.clock.now();
  }

  /** Plays what is due at the first time, and starts to move it unless it is frozen or stepped. */
  async begin(): Promise<void> {
    if (this.options.clock.isVirtual) await this.inTurn(() => this.play(this.now, false));
    this.start();
  }

  private start(): void {
    this.anchor = { time: this.now, elapsedMs: performance.now() };
    this.schedule();
  }

  get mode(): ClockMode {
    return this.setting.mode;
  }

  get speed(): number {
    return this.setting.mode === 'real'
      ? 1
      : this.setting.mode === 'scaled'
        ? this.setting.speed
        : 0;
  }

  get stepMs(): number {
    return this.setting.stepMs;
  }

  /** The sandbox's time, milliseconds since 1970. */
  get now(): number {
    return this.options.clock.now();
  }

  /** When something is due by itself next, milliseconds since 1970; Infinity if nothing is. */
  get nextEventAt(): number {
    const { timeline, replica } = this.options;
    return Math.min(timeline.nextEventAt, replica.exchange.nextDueTime);
  }

  /** The time left to play by the present request, milliseconds. */
  get remainingMs(): number {
    return Math.max(0, this.targetTime - this.now);
  }

  /** Changes how time moves. Resolves once it does. */
  set(setting: ClockSetting): Promise<void> {
    return this.inTurn(async () => {
      const { clock } = this.options;
      clearTimeout(this.timer);
      if (setting.mode === 'real') clock.becomeReal();
      else clock.becomeVirtual();
      this.setting = setting;
      this.start();
    });
  }

  /**
   * Moves a virtual time on by `durationMs` and plays what is due. Resolves once everything has been applied.
   * @throws CommandNotAppliedError if the sandbox ends before
   */
  advance(durationMs: number): Promise<void> {
    return this.inTurn(() => this.jump(this.now + durationMs));
  }

  /** Like `advance`, to a time in milliseconds since 1970. @returns whether that time was not in the past */
  async advanceTo(time: number): Promise<boolean> {
    let isAhead = true;
    await this.inTurn(async () => {
      isAhead = time >= this.now;
      if (isAhead) await this.jump(time);
    });
    return isAhead;
  }

  /** Submits commands while the time stands still. Resolves once they have been applied. */
  perform(submit: () => void): Promise<void> {
    return this.inTurn(async () => {
      submit();
      await this.options.replica.execute(TICK);
    });
  }

  /** Does something while the time stands still. */
  async exclusive<Result>(work: () => Promise<Result>): Promise<Result> {
    let result: Result;
    await this.inTurn(async () => {
      result = await work();
    });
    return result!;
  }

  /** Whether the time is that of the machine's clock. */
  get isMachineTime(): boolean {
    return this.options.clock.isMachineTime;
  }

  /** The way the time moves. */
  get settings(): ClockSetting {
    return this.setting;
  }

  /** Moves a stepped clock before a request. Returns undefined if the clock is not stepped. */
  beforeRequest(): Promise<void> | undefined {
    if (this.setting.mode !== 'stepped') return undefined;
    return this.inTurn(() => this.play(this.now + this.setting.stepMs, false));
  }

  /** Moves the time no more. Resolves once the request that is being played has ended, before its time if necessary. */
  async stop(): Promise<void> {
    this.isStopped = true;
    clearTimeout(this.timer);
    await this.queue;
  }

  private inTurn(work: () => Promise<void>): Promise<void> {
    const turn = this.queue.then(work);
    // The caller handles its error.
    this.queue = turn.catch(() => {});
    return turn;
  }

  /** Plays to a time and continues from there. */
  private async jump(time: number): Promise<void> {
    await this.play(time, true);
    if (this.isStopped) throw new CommandNotAppliedError();
    this.anchor = { time: this.now, elapsedMs: performance.now() };
  }

  private schedule(): void {
    clearTimeout(this.timer);
    const { mode } = this.setting;
    if (this.isStopped || mode === 'frozen' || mode === 'stepped') return;
    const waitMs = mode === 'scaled' ? SCALED_EVERY_MS : this.realWaitMs();
    this.timer = setTimeout(() => {
      if (mode === 'scaled') this.moveScaled();
      else {
        this.options.timeline.run(this.now);
        this.schedule();
      }
    }, waitMs);
    // The node's server keeps the process alive.
    this.timer.unref();
  }

  private moveScaled(): void {
    this.inTurn(() => this.playScaled()).then(() => this.schedule(), this.options.onFailure);
  }

  private realWaitMs(): number {
    return Math.min(MAX_REAL_WAIT_MS, Math.max(1, this.options.timeline.nextAt - this.now));
  }

  private playScaled(): Promise<void> {
    if (this.setting.mode !== 'scaled') return Promise.resolve();
    const { speed } = this.setting;
    const elapsedMs = performance.now() - this.anchor.elapsedMs;
    const wanted = this.anchor.time + elapsedMs * speed;
    // If the machine cannot keep up, the clock is slower: otherwise it would play ever longer, and nothing could stop it.
    const target = Math.floor(Math.min(wanted, this.now + MAX_SCALED_MS * speed));
    if (target < wanted) this.anchor = { time: target, elapsedMs: performance.now() };
    return this.play(target, false);
  }

  /** @param isLogged Whether the log gets the time even if nothing is due at the end. */
  private async play(target: number, isLogged: boolean): Promise<void> {
    const { clock, timeline, replica, archivist } = this.options;
    const { exchange } = replica;
    this.targetTime = target;
    let yieldAtMs = performance.now() + TURN_MS;
    while (!this.isStopped) {
      const next = Math.min(timeline.nextAt, exchange.nextDueTime, target);
      const isLast = next >= target;
      clock.moveTo(next);
      timeline.run(clock.now());
      const isDue = exchange.nextDueTime <= clock.now() || replica.waitingCount > 0;
      // A tick follows the commands of the tasks in the same batch, so that its outcome means that they were applied.
      if (isDue || (isLast && isLogged)) await replica.execute(TICK);
      while (exchange.nextDueTime <= clock.now() && !this.isStopped) await replica.execute(TICK);
      while (archivist.lagMs() > MAX_LAG_MS && !this.isStopped) await Bun.sleep(LAG_POLL_MS);
      if (isLast) return;
      if (performance.now() < yieldAtMs) continue;
      await new Promise((resolve) => setImmediate(resolve));
      yieldAtMs = performance.now() + TURN_MS;
    }
  }
}

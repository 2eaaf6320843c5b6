import type { Event } from '../../engine/event.ts';
import { seededRandom } from '../../storage/seeded-random.ts';
import type { TimedTask } from '../clock/timeline.ts';
import { FaultEngine } from './engine.ts';
import { InjectedLog, type Moment } from './injected-log.ts';
import { FAULT_KINDS, type FaultKind, type Subject } from './kinds.ts';
import { MarketHalts, type SetHalted } from './market-halts.ts';
import { OlderAnswers } from './older-answers.ts';
import { isOncePerPeriod, periodAt } from './schedule.ts';
import type { FaultScript, Hit, InjectedFault, InstalledScript, Occasion } from './script.ts';
import { type HiddenFill, SlowFills } from './slow-fills.ts';

/** The parts of the exchange that faults need. */
export interface FaultedExchange {
  /** The exchange's clock, milliseconds since 1970. */
  readonly now: () => number;
  /** The position of the last command that was applied. */
  readonly position: () => number;
  readonly setHalted: SetHalted;
  /** The exchange's time per real time; 0 while its clock stands still. */
  readonly speed: () => number;
  /** Returns the id of an account by its index. */
  readonly accountId: (account: number) => string;
  /** Accounts that have no faults: those of the market makers. */
  readonly exemptAccounts: readonly string[];
  /** The default of the scripts' seeds. */
  readonly seed: number;
}

/** A request or an operation of a socket. */
export interface RequestOccasion extends Occasion {
  /** Whether it changes nothing, and its answer is not the exchange's time. */
  readonly isRead: boolean;
  /** Whether it places or changes orders. */
  readonly changesOrders: boolean;
  /** Whether its answer has the exchange's time, or its receive window is checked. */
  readonly isTimed: boolean;
}

/** The faults of one request. Each is to be recorded once it has happened, or released. */
export interface RequestFaults {
  /** The lead of the clock that the request sees, milliseconds. */
  readonly skewMs: number;
  readonly delayBeforeMs: number;
  readonly delayAfterMs: number;
  /** The fault that decides its answer; undefined if it is served. */
  readonly outcome: Hit | undefined;
  /** Whether its answer is remembered for later reads. */
  readonly isRemembered: boolean;
  /** The faults that happen in addition to the outcome. */
  readonly others: readonly Hit[];
}

/** Interval of the checks of schedules and of reports that are due. */
const CHECK_EVERY_MS = 10;

/** The faults of a sandbox. */
export class Faults implements TimedTask {
  /** The names of the endpoints and operations that scripts can name; set by the gateway. */
  requestNames: readonly string[] = [];
  readonly injected = new InjectedLog();
  readonly slowFills: SlowFills;
  /** The leads of the clocks that requests see, milliseconds. */
  readonly skews = new WeakMap<object, number>();
  /** Whether requests may have faults. */
  isActive = false;
  /** Called when the messages of streams begin or end to need a look. */
  onStreamsChange: () => void = () => {};
  /** Called when held messages may be due, and streams may have to close. */
  onCheck: () => void = () => {};
  private readonly engine = new FaultEngine();
  private readonly olderAnswers = new OlderAnswers();
  private readonly halts: MarketHalts;
  private timer: ReturnType<typeof setInterval> | undefined;

  constructor(private readonly exchange: FaultedExchange) {
    this.halts = new MarketHalts(exchange.setHalted);
    this.slowFills = new SlowFills((account) => this.drawLag(account), exchange.now);
  }

  /** The exchange's clock, milliseconds since 1970. */
  get now(): () => number {
    return this.exchange.now;
  }

  get scripts(): readonly InstalledScript[] {
    return [...this.engine.scripts];
  }

  /** The seed of the next script, unless it has one. */
  get nextSeed(): number {
    return (this.exchange.seed + this.engine.nextNumber) >>> 0;
  }

  /** Whether the messages of streams may have faults. */
  get concernsStreams(): boolean {
    return this.engine.has('message', 'fill') || this.slowFills.isHolding;
  }

  /** Resolves once the markets are halted whose halts are due. @param script Checked by the caller. */
  async install(script: FaultScript): Promise<InstalledScript> {
    const installed = this.engine.install(script);
    this.run(this.exchange.now());
    await this.halts.whenApplied();
    return installed;
  }

  /** Removes a script, and opens the markets that it has halted. */
  async remove(id: string): Promise<void> {
    this.engine.remove(id);
    this.refresh();
    await this.halts.end(id);
  }

  /** Removes all scripts, and stops. */
  async close(): Promise<void> {
    for (const { id } of this.scripts) await this.remove(id);
    this.discard();
  }

  /** Stops without a command: the exchange returns to a checkpoint. */
  discard(): void {
    clearInterval(this.timer);
    this.timer = undefined;
  }

  listInjected(afterNumber: number, limit: number, scriptId?: string): readonly InjectedFault[] {
    return this.injected.list(afterNumber, limit, scriptId);
  }

  replaceAnswer(read: string, answer: string): string | undefined {
    return this.olderAnswers.replace(read, answer);
  }

  /** Returns the fills that an account does not see yet, oldest first. */
  listHidden(account: number): readonly HiddenFill[] {
    return this.slowFills.list(account);
  }

  /** Returns when the newest report of an account's fills arrives; undefined if it has them all. */
  heldUntil(account: number): number | undefined {
    return this.slowFills.heldUntil(account);
  }

  /** Draws the faults of a request. @returns Undefined if it has none */
  onRequest(occasion: RequestOccasion): RequestFaults | undefined {
    const { isRead, changesOrders, isTimed } = occasion;
    const subjects: Subject[] = ['request'];
    if (isRead) subjects.push('read');
    if (changesOrders) subjects.push('order');
    if (isTimed) subjects.push('time');
    const hits = this.draw(occasion, subjects);
    const isRemembered = isRead && this.engine.has('read');
    if (hits.length === 0 && !isRemembered) return undefined;
    const sum = (values: readonly number[]) => values.reduce((total, each) => total + each, 0);
    const others = hits.filter(({ fault }) => isAddition(fault.kind));
    const [outcome, ...unchosen] = hits.filter(({ fault }) => !isAddition(fault.kind));
    for (const hit of unchosen) this.release(hit);
    const delays = (before: boolean) =>
      sum(others.map(({ fault, delayMs }) => (fault.before === before ? delayMs : 0)));
    return {
      skewMs: sum(others.map(({ fault }) => (fault.kind === 'clock_skew' ? fault.ms : 0))),
      delayBeforeMs: delays(true),
      delayAfterMs: delays(false),
      outcome,
      isRemembered,
      others,
    };
  }

  /** Draws the fault of a message of a stream, which the caller carries out and records. @returns Undefined if it has none */
  onMessage(occasion: Occasion): Hit | undefined {
    return this.drawFirst(occasion, 'message');
  }

  /** Returns the maintenance that a socket is in; undefined if it may stay open. */
  findMaintenance(socket: Pick<Occasion, 'apiKey' | 'account'>): Hit | undefined {
    if (this.isExempt(socket.account)) return undefined;
    const now = this.exchange.now();
    for (const { id, script, faults } of this.engine.scripts) {
      if (script.apiKey !== undefined && script.apiKey !== socket.apiKey) continue;
      if (script.account !== undefined && script.account !== socket.account) continue;
      for (const [index, { fault, injected }] of faults.entries()) {
        if (fault.kind !== 'maintenance' || injected >= (fault.count ?? Number.POSITIVE_INFINITY)) {
          continue;
        }
        const period = periodAt(fault.schedule, now);
        // A fault that happens once in a period happens to a request, not to sockets.
        const isBrief = isOncePerPeriod(fault.schedule);
        if (fault.endpoints !== undefined || period === undefined || isBrief) continue;
        if (drawPeriod(script.seed, index, period) >= fault.probability) continue;
        return { scriptId: id, index, fault, delayMs: 0 };
      }
    }
    return undefined;
  }

  /** Counts and lists a fault that happened. @param requestId Null for streams and markets. */
  record(
    hit: Hit,
    { name, apiKey, account }: Occasion,
    requestId: string | null,
    moment: Moment = { position: this.exchange.position(), time: this.exchange.now() },
  ): void {
    this.engine.count(hit);
    this.injected.add({
      scriptId: hit.scriptId,
      fault: hit.index,
      kind: hit.fault.kind,
      requestId,
      ...moment,
      apiKey: apiKey ?? null,
      account: account ?? null,
      endpoint: name,
    });
  }

  /** Takes back a fault that was drawn and does not happen. */
  release(hit: Hit): void {
    this.engine.release(hit);
  }

  /** Takes the events of a command, before the streams report them. */
  note(events: readonly Event[]): void {
    if (!this.isActive) return;
    for (const event of events) {
      if (event.kind !== 'trade') continue;
      const { makerAccount, takerAccount } = event;
      this.slowFills.note(event, true, this.exchange.accountId(makerAccount));
      this.slowFills.note(event, false, this.exchange.accountId(takerAccount));
    }
  }

  /** When a market is halted or opened, or a report arrives; milliseconds since 1970. */
  get nextAt(): number {
    const nextHaltAt = this.engine.nextPeriodAt('market', this.exchange.now());
    return Math.min(this.halts.nextAt, nextHaltAt, this.slowFills.nextAt);
  }

  /** Halts and opens markets, reports fills and closes streams that are due by a time. */
  run(time: number): void {
    this.runHalts(time);
    this.runReports(time);
  }

  private runHalts(time: number): void {
    this.halts.run(this.engine, time, (hit, symbol, moment) =>
      this.record(
        hit,
        { name: `market ${symbol}`, apiKey: undefined, account: undefined },
        null,
        moment,
      ),
    );
  }

  private runReports(time: number): void {
    this.slowFills.forget(time);
    this.onCheck();
    this.refresh();
  }

  /** Resolves after the delay of a fault, in real time: a scaled clock makes it shorter. */
  async wait(delayMs: number): Promise<void> {
    if (delayMs === 0) return;
    const realMs = delayMs / (this.exchange.speed() || 1);
    await new Promise((resolve) => setTimeout(resolve, realMs));
  }

  private draw(occasion: Occasion, subjects: readonly Subject[]): Hit[] {
    if (this.isExempt(occasion.account)) return [];
    return this.engine.draw(occasion, subjects, this.exchange.now());
  }

  /** Draws, and takes back all hits but the first. */
  private drawFirst(occasion: Occasion, subject: Subject): Hit | undefined {
    const [first, ...unchosen] = this.draw(occasion, [subject]);
    for (const hit of unchosen) this.release(hit);
    return first;
  }

  private isExempt(account: string | undefined): boolean {
    return account !== undefined && this.exchange.exemptAccounts.includes(account);
  }

  /** Returns how long the report of a fill lags, milliseconds; 0 if it does not. */
  private drawLag(account: string): number {
    const occasion = { name: 'fill', account, apiKey: undefined, isAccountWide: true } as const;
    const hit = this.drawFirst(occasion, 'fill');
    if (hit === undefined) return 0;
    this.record(hit, occasion, null);
    return hit.fault.ms;
  }

  private checkNow(): void {
    const now = this.exchange.now();
    // While the clock stands still, halts happen only when it is moved, so that the same requests give the same log.
    if (this.exchange.speed() > 0) this.runHalts(now);
    this.runReports(now);
  }

  /** Looks again at what needs attention. */
  private refresh(): void {
    this.isActive = this.engine.size > 0 || this.slowFills.isHolding;
    if (!this.engine.has('read')) this.olderAnswers.clear();
    const isWatching = this.isActive || this.halts.isHalting;
    if (isWatching) this.timer ??= setInterval(() => this.checkNow(), CHECK_EVERY_MS);
    else {
      clearInterval(this.timer);
      this.timer = undefined;
    }
    this.onStreamsChange();
  }
}

/** Returns whether a fault adds to a request without deciding its answer. */
function isAddition(kind: FaultKind): boolean {
  return kind === 'delay' || FAULT_KINDS[kind].subject === 'time';
}

/** Returns the draw of a fault for a whole period, in [0, 1): the same for all sockets. */
function drawPeriod(seed: number, index: number, period: number): number {
  const mixed =
    Math.imul(seed, 0x85ebca6b) + index * 0x9e3779b1 + Math.imul(period + 1, 0xc2b2ae35);
  return seededRandom(mixed >>> 0)();
}

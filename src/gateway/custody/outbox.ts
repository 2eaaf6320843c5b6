import { MINUTE_MS, SECOND_MS } from '../../config/durations.ts';
import { type Attempt, post } from '../../delivery/post.ts';
import { CommandKind, SYSTEM_ACTOR } from '../../engine/command.ts';
import type { Instruction } from '../../engine/custody/custody-records.ts';
import type { NodeClock } from '../../monitoring/clock.ts';
import * as logger from '../../monitoring/logger.ts';
import { Counter, gauge, labels, type Metric } from '../../monitoring/metrics.ts';
import type { Replica } from '../../replica/replica.ts';
import type { Users } from '../../users/users.ts';
import { coverageMetrics } from './coverage-metrics.ts';
import { ExchangeKey } from './exchange-key.ts';
import { instructionText, instructionTime } from './instruction-text.ts';

/** Pauses after failed attempts; the last one repeats. */
const PAUSES_MS = [SECOND_MS, 5 * SECOND_MS, 15 * SECOND_MS, MINUTE_MS];
/** Requests for addresses are no events, and the lease may be free. */
const LOOK_EVERY_MS = SECOND_MS;
/** A node keeps the lease for so long after it was last extended. */
const LEASE_MS = 30 * SECOND_MS;
const EXTEND_EVERY_MS = 10 * SECOND_MS;
const TIMEOUT_MS = 10 * SECOND_MS;

/** The parts of a node that the outbox uses. */
export interface OutboxServices {
  readonly replica: Replica;
  readonly users: Users;
  readonly clock: NodeClock;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

export interface OutboxOptions {
  /** Name of this node. */
  readonly node: string;
  /** The URL that instructions are posted to; undefined if there is no custodian. */
  readonly url: string | undefined;
  /** Number of the key that signs, from 1. */
  readonly keyNumber: number;
  /** The 32 secret bytes that the key of the exchange is made of. */
  readonly seal: Uint8Array;
  /** The secret bytes of the key with the next number, which the custodian may already accept. */
  readonly nextSeal: Uint8Array;
  /** The pauses after failed attempts, shorter in tests. */
  readonly pausesMs?: readonly number[];
}

/** The last attempt of this node. */
export interface LastAttempt extends Attempt {
  /** Milliseconds since 1970. */
  readonly at: number;
  /** Id of the instruction. */
  readonly instruction: number;
}

/**
 * Sends the instructions of the engine to the custodian, one after another in their order. An instruction leaves the
 * engine only after the custodian has accepted it, so a crash or a custodian that is down loses nothing; it may get an
 * instruction twice, under the same id. Withdrawals of frozen or blocked accounts, and of suspended networks, are held
 * back, and others pass them. Of a cluster, one node sends.
 */
export class CustodyOutbox {
  readonly metrics: readonly Metric[];
  readonly key: ExchangeKey;
  readonly nextKey: ExchangeKey;
  /** Failed attempts in a row. */
  failures = 0;
  lastAttempt: LastAttempt | undefined;
  private readonly attempts = new Counter(
    'buttonwood_custody_attempts_total',
    'Attempts to send an instruction to the custodian, by outcome.',
    [labels({ outcome: 'accepted' }), labels({ outcome: 'failed' })],
  );
  private readonly timer: ReturnType<typeof setInterval>;
  private working: Promise<void> | undefined;
  private retry: ReturnType<typeof setTimeout> | undefined;
  private leaseExtendedAt = Number.NEGATIVE_INFINITY;
  private isClosed = false;
  private readonly closing = Promise.withResolvers<undefined>();

  constructor(
    private readonly services: OutboxServices,
    private readonly options: OutboxOptions,
  ) {
    this.key = new ExchangeKey(options.seal);
    this.nextKey = new ExchangeKey(options.nextSeal);
    this.metrics = [
      this.attempts,
      gauge(
        'buttonwood_custody_instructions',
        'Instructions that the custodian has not accepted.',
        () => this.waiting,
      ),
      gauge(
        'buttonwood_custody_oldest_instruction_seconds',
        'Age of the oldest instruction that the custodian has not accepted; 0 without one.',
        () => this.oldestAgeMs / 1000,
      ),
      ...coverageMetrics(services),
    ];
    this.timer = setInterval(() => this.note(), LOOK_EVERY_MS);
    this.timer.unref();
  }

  /** Number of the key that signs, from 1. */
  get keyNumber(): number {
    return this.options.keyNumber;
  }

  get url(): string | undefined {
    return this.options.url;
  }

  /** Instructions that the custodian has not accepted. */
  get waiting(): number {
    return this.outbox.size;
  }

  /** Age of the oldest of them, milliseconds; 0 without one. */
  get oldestAgeMs(): number {
    const first: Instruction | undefined = this.outbox.values().next().value;
    return first === undefined ? 0 : Math.max(0, this.services.now() - instructionTime(first));
  }

  /** Sends what waits, unless it is sending or pauses after a failure. Called after every command. */
  note(): void {
    const isIdle = this.working === undefined && this.retry === undefined;
    if (this.url === undefined || !isIdle || this.isClosed || this.waiting === 0) return;
    this.working = this.work().finally(() => {
      this.working = undefined;
    });
  }

  /** Stops. What was not accepted is sent after the next start. */
  async close(): Promise<void> {
    this.isClosed = true;
    clearInterval(this.timer);
    clearTimeout(this.retry);
    this.closing.resolve(undefined);
    await this.working;
  }

  private get outbox(): ReadonlyMap<number, Instruction> {
    return this.store.outbox;
  }

  private get store() {
    return this.services.replica.exchange.state.parts.custody.store;
  }

  /** Returns the first instruction that is not held back. */
  private findNext(): Instruction | undefined {
    for (const each of this.outbox.values()) {
      if (each.kind === 'address' || this.store.findObstacle(each.withdrawal) === undefined) {
        return each;
      }
    }
    return undefined;
  }

  private async work(): Promise<void> {
    try {
      // Events are noted while their batch is applied: the state is complete afterwards.
      await Promise.resolve();
      for (let next = this.findNext(); next !== undefined; next = this.findNext()) {
        if (this.isClosed || !(await this.holdsLease()) || !(await this.send(next))) return;
      }
      // All are held back. They are not searched after every command.
      if (this.waiting > 0) this.waitFor(this.pausesMs[0]!);
    } catch (error) {
      // The log or the users' database does not answer.
      this.pause((error as Error).message);
    }
  }

  /** @returns Whether this node is the one that sends. */
  private async holdsLease(): Promise<boolean> {
    const elapsedMs = performance.now();
    if (elapsedMs - this.leaseExtendedAt < EXTEND_EVERY_MS) return true;
    const { users, now } = this.services;
    const lease = await users.takeLease('custody', this.options.node, now() + LEASE_MS);
    this.leaseExtendedAt = lease.isHeld ? elapsedMs : Number.NEGATIVE_INFINITY;
    return lease.isHeld;
  }

  /** Sends an instruction once, and acknowledges it if it was accepted. @returns Whether it was */
  private async send(instruction: Instruction): Promise<boolean> {
    const { replica, clock } = this.services;
    const body = instructionText(instruction, replica.exchange.state);
    const url = new URL(this.url!);
    // The custodian compares it with its own clock, also if the clock of a sandbox is elsewhere.
    const at = Math.floor(clock.wallMs);
    const headers = this.key.signPost(url, at, body);
    const sending = post({ url: url.href, headers, body, rules: undefined, timeoutMs: TIMEOUT_MS });
    const attempt = await Promise.race([sending, this.closing.promise]);
    if (attempt === undefined) return false;
    this.lastAttempt = { at, instruction: instruction.id, ...attempt };
    this.attempts.add(attempt.error === '' ? 0 : 1);
    if (attempt.error !== '') {
      this.pause(attempt.error);
      return false;
    }
    await replica.execute({
      kind: CommandKind.acknowledgeInstruction,
      ...SYSTEM_ACTOR,
      instruction: instruction.id,
    });
    this.failures = 0;
    return true;
  }

  private get pausesMs(): readonly number[] {
    return this.options.pausesMs ?? PAUSES_MS;
  }

  private pause(reason: string): void {
    const { pausesMs } = this;
    const pauseMs = pausesMs[Math.min(this.failures, pausesMs.length - 1)]!;
    if (this.failures === 0) logger.warn(`Instructions to the custodian wait: ${reason}.`);
    this.failures++;
    this.waitFor(pauseMs);
  }

  private waitFor(pauseMs: number): void {
    if (this.isClosed) return;
    this.retry = setTimeout(() => {
      this.retry = undefined;
      this.note();
    }, pauseMs);
    this.retry.unref();
  }
}

import { GENESIS, replay } from '../src/archivist/recovery.ts';
import { type Command, CommandKind } from '../src/engine/command.ts';
import type { Outcome } from '../src/engine/event.ts';
import { Exchange } from '../src/engine/exchange.ts';
import { ByteReader, ByteWriter } from '../src/engine/numbers/bytes.ts';
import { writeSnapshot } from '../src/engine/snapshot/snapshot.ts';
import { decodeCommand, encodeCommand } from '../src/log/codec.ts';
import { equalHashes } from '../src/log/hash.ts';
import type { Batch } from '../src/log/log.ts';
import {
  plainEvents,
  plainOutcome,
  readNaiveState,
  readState,
  sweptBy,
} from '../test/reference/compare.ts';
import { NaiveExchange } from '../test/reference/naive-exchange.ts';
import { Auditor } from './auditor.ts';
import { commandNames } from './coverage-counts.ts';
import { ExpectedHistory } from './expected-history.ts';
import { check, checkSame } from './failure.ts';
import { countBytes, takeSubmission } from './submission-order.ts';

/** A command that was submitted to a process and is not answered yet. */
export interface Submission {
  readonly command: Command;
  readonly bytes: Uint8Array;
}

export function toSubmission(command: Command): Submission {
  const writer = new ByteWriter();
  encodeCommand(writer, command);
  return { command, bytes: writer.bytes().slice() };
}

/** A durable command that is not applied yet. */
export interface Logged {
  readonly command: Command;
  readonly time: number;
}

/** Commands between comparisons of the whole state with the reference's: one costs as much as ten commands. */
const COMPARE_EVERY_COMMANDS = 10;

/**
 * Checks that durable batches stay, and that every command has the same effects on the engine that
 * applied it first, on later replays, on the naive reference and in the auditor's books.
 */
export class StateChecker {
  readonly naive = new NaiveExchange();
  readonly auditor = new Auditor();
  readonly happened = new ExpectedHistory();
  /** Hashes of all durable batches, the first one's at 0. */
  private readonly hashes: Uint8Array[] = [];
  /** The hash of outcome and events of each command, in the order of the log. */
  private readonly answers: bigint[] = [];
  private time = 0;

  /** @param maxBatchBytes Maximum payload bytes of a batch. */
  constructor(readonly maxBatchBytes: number) {}

  /** The number of batches known to be durable. */
  get batches(): number {
    return this.hashes.length;
  }

  get commands(): number {
    return this.answers.length;
  }

  /**
   * Records the next durable batch. @param inFlight The pending submissions, oldest first. Those that
   * the batch holds are removed.
   * @returns Its commands.
   */
  note(batch: Batch, inFlight: Submission[]): { logged: Logged[]; taken: Submission[] } {
    check(
      batch.sequence === this.hashes.length + 1,
      `batch ${batch.sequence} is reported durable after batch ${this.hashes.length}`,
    );
    check(
      batch.time >= this.time,
      `batch ${batch.sequence} has an earlier time than the batch before it`,
    );
    this.time = batch.time;
    this.hashes.push(batch.hash.slice());
    check(
      batch.payload.length <= this.maxBatchBytes,
      `batch ${batch.sequence} has ${batch.payload.length} bytes, more than the limit of ${this.maxBatchBytes}`,
    );
    const reader = new ByteReader(batch.payload);
    // A batch keeps the order of each account's commands, and of all commands if all fit.
    const waitingBytes = countBytes(inFlight);
    const logged: Logged[] = [];
    const taken: Submission[] = [];
    for (let index = 0; index < batch.count; index++) {
      const command = decodeCommand(reader);
      logged.push({ command, time: batch.time });
      // The replica itself submits ticks.
      if (command.kind === CommandKind.tick) continue;
      const { bytes } = toSubmission(command);
      const submission = takeSubmission(inFlight, bytes, waitingBytes > this.maxBatchBytes);
      check(
        submission !== undefined,
        `command ${index} of batch ${batch.sequence} is not the one that was submitted next`,
      );
      taken.push(submission);
    }
    return { logged, taken };
  }

  /** Checks the effects of the next command, right after an engine applied it. */
  observe(exchange: Exchange, { command, time }: Logged, outcome: Outcome): void {
    const expected = this.naive.apply(command, time);
    const [answer, events] = [plainOutcome(outcome), plainEvents(exchange)];
    checkSame(answer, expected, `the answer to ${commandName(command)} is not the reference's`);
    checkSame(
      events,
      this.naive.events,
      `the events of ${commandName(command)} are not the reference's`,
    );
    const swept = `the sweeps that ${commandName(command)} ended are not the reference's`;
    checkSame(sweptBy(exchange), this.naive.state.swept, swept);
    this.happened.note(exchange.events);
    this.auditor.audit(exchange.state, command, time, outcome, exchange.events);
    if (this.answers.length % COMPARE_EVERY_COMMANDS === 0) this.compareState(exchange);
    this.answers.push(answerHash(answer, events));
  }

  compareState(exchange: Exchange): void {
    checkSame(readState(exchange), readNaiveState(this.naive), "the state is not the reference's");
  }

  /**
   * Checks a log after a start: it holds all durable batches unchanged, and at most one more, the one
   * that was being written. @returns That one.
   */
  checkLog(batches: Iterable<Batch>): Batch | undefined {
    const more: Batch[] = [];
    let known = 0;
    for (const batch of batches) {
      if (batch.sequence > this.hashes.length) more.push(batch);
      else {
        const isSame = equalHashes(batch.hash, this.hashes[batch.sequence - 1]!);
        check(isSame, `batch ${batch.sequence} differs from the acknowledged one`);
        known++;
      }
    }
    check(
      known === this.hashes.length,
      `of ${this.hashes.length} durable batches ${known} are left`,
    );
    check(more.length <= 1, `${more.length} batches appeared that were never acknowledged`);
    return more[0];
  }

  /**
   * Replays a log from its beginning. Every command must have the effects that it had before; a new
   * one must have those of the reference. @returns The resulting exchange.
   */
  replay(batches: readonly Batch[]): Exchange {
    const exchange = new Exchange();
    let place = 0;
    replay(
      { read: () => batches },
      { exchange, position: GENESIS },
      (batch, _, command, outcome) => {
        const answer = this.answers[place];
        if (answer === undefined) this.observe(exchange, { command, time: batch.time }, outcome);
        else {
          const again = answerHash(plainOutcome(outcome), plainEvents(exchange));
          check(again === answer, `command ${place} of the log has other effects when replayed`);
        }
        place++;
      },
    );
    check(
      place === this.answers.length,
      `${this.answers.length} commands were answered, ${place} replayed`,
    );
    return exchange;
  }
}

/** Checks that two exchanges have the same state, byte by byte. */
export function checkSameState(exchange: Exchange, other: Exchange, what: string): void {
  const isSame = equalHashes(writeSnapshot(exchange), writeSnapshot(other));
  check(isSame, `${what} differ in their state`);
}

function commandName({ kind }: Command): string {
  return commandNames.get(kind)!;
}

function answerHash(answer: unknown, events: readonly unknown[]): bigint {
  return BigInt(Bun.hash.wyhash(`${formatValue(answer)}${formatValue(events)}`));
}

/** Returns a text that is equal for equal values: decoded ones may have their fields in another order. */
export function formatValue(value: unknown): string {
  if (typeof value !== 'object' || value === null) return `${typeof value}${value}`;
  if (Array.isArray(value)) return `[${value.map(formatValue)}]`;
  const fields = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${fields.map(([name, field]) => name + formatValue(field))}}`;
}

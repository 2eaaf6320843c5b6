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
  naiveStateOf,
  plainEvents,
  plainOutcome,
  stateOf,
  sweptBy,
} from '../test/reference/compare.ts';
import { NaiveExchange } from '../test/reference/naive-exchange.ts';
import { Auditor } from './auditor.ts';
import { commandNames } from './coverage-counts.ts';
import { ExpectedHistory } from './expected-history.ts';
import { check, checkSame } from './failure.ts';
import { bytesOf, takeSubmission } from './submission-order.ts';

/** A command on its way: submitted to a process and not answered yet. */
export interface Submission {
  readonly command: Command;
  readonly bytes: Uint8Array;
}

export function submissionOf(command: Command): Submission {
  const writer = new ByteWriter();
  encodeCommand(writer, command);
  return { command, bytes: writer.bytes().slice() };
}

/** A command as the log holds it, durable and not yet applied. */
export interface Logged {
  readonly command: Command;
  readonly time: number;
}

/** How often the whole state is compared with the reference's: it costs as much as ten commands. */
const COMPARE_EVERY_COMMANDS = 10;

/**
 * What must be true, whatever happens to the process: every batch that was ever reported durable, and
 * what every command of it did, by the engine that applied it first, by the naive reference and by the
 * auditor's own books.
 */
export class StateChecker {
  readonly naive = new NaiveExchange();
  readonly auditor = new Auditor();
  readonly happened = new ExpectedHistory();
  /** Hashes of all durable batches, the first one's at 0. */
  private readonly hashes: Uint8Array[] = [];
  /** Of all commands in the order of the log: a hash of outcome and events. */
  private readonly answers: bigint[] = [];
  private time = 0;

  /** @param maxBatchBytes Maximum payload bytes of a batch. */
  constructor(readonly maxBatchBytes: number) {}

  /** How many batches are known to be durable. */
  get batches(): number {
    return this.hashes.length;
  }

  get commands(): number {
    return this.answers.length;
  }

  /**
   * Takes note of a batch that follows those known. @param inFlight The submissions that wait, the
   * oldest first; those that the batch holds are taken out.
   * @returns Its commands.
   */
  note(batch: Batch, inFlight: Submission[]): { logged: Logged[]; taken: Submission[] } {
    check(
      batch.sequence === this.hashes.length + 1,
      `batch ${batch.sequence} is reported durable after batch ${this.hashes.length}`,
    );
    check(batch.time >= this.time, `batch ${batch.sequence} is of a time before the one before it`);
    this.time = batch.time;
    this.hashes.push(batch.hash.slice());
    check(
      batch.payload.length <= this.maxBatchBytes,
      `batch ${batch.sequence} has ${batch.payload.length} bytes, above the bound of ${this.maxBatchBytes}`,
    );
    const reader = new ByteReader(batch.payload);
    // In one batch those of one account keep their order, and so do all if all fit.
    const waitingBytes = bytesOf(inFlight);
    const logged: Logged[] = [];
    const taken: Submission[] = [];
    for (let index = 0; index < batch.count; index++) {
      const command = decodeCommand(reader);
      logged.push({ command, time: batch.time });
      // The replica's own, where time has to pass.
      if (command.kind === CommandKind.tick) continue;
      const { bytes } = submissionOf(command);
      const submission = takeSubmission(inFlight, bytes, waitingBytes > this.maxBatchBytes);
      check(
        submission !== undefined,
        `command ${index} of batch ${batch.sequence} is not the one that was submitted next`,
      );
      taken.push(submission);
    }
    return { logged, taken };
  }

  /** Checks what an engine did with the next command, right after it did. */
  observe(exchange: Exchange, { command, time }: Logged, outcome: Outcome): void {
    const expected = this.naive.apply(command, time);
    const [answer, events] = [plainOutcome(outcome), plainEvents(exchange)];
    checkSame(answer, expected, `the answer to ${nameOf(command)} is not the reference's`);
    checkSame(
      events,
      this.naive.events,
      `the events of ${nameOf(command)} are not the reference's`,
    );
    const swept = `what ${nameOf(command)} ended of sweeps is not the reference's`;
    checkSame(sweptBy(exchange), this.naive.state.swept, swept);
    this.happened.note(exchange.events);
    this.auditor.audit(exchange.state, command, time, outcome, exchange.events);
    if (this.answers.length % COMPARE_EVERY_COMMANDS === 0) this.compareState(exchange);
    this.answers.push(answerHash(answer, events));
  }

  compareState(exchange: Exchange): void {
    checkSame(stateOf(exchange), naiveStateOf(this.naive), "the state is not the reference's");
  }

  /**
   * Checks a log after a start: all batches that were durable are there as they were, and at most one
   * more, the one that was being written. @returns That one.
   */
  checkLog(batches: Iterable<Batch>): Batch | undefined {
    const more: Batch[] = [];
    let known = 0;
    for (const batch of batches) {
      if (batch.sequence > this.hashes.length) more.push(batch);
      else {
        const isSame = equalHashes(batch.hash, this.hashes[batch.sequence - 1]!);
        check(isSame, `batch ${batch.sequence} is not what was acknowledged`);
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
   * Replays a log from its beginning: every command must do again what it did, and what has not been
   * seen yet what it should. @returns The exchange that it leads to.
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
          check(again === answer, `command ${place} of the log, replayed, does something else`);
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

/** Two exchanges came to the same state, to the last byte. */
export function checkSameState(exchange: Exchange, other: Exchange, what: string): void {
  const isSame = equalHashes(writeSnapshot(exchange), writeSnapshot(other));
  check(isSame, `${what} differ in their state`);
}

function nameOf({ kind }: Command): string {
  return commandNames.get(kind)!;
}

function answerHash(answer: unknown, events: readonly unknown[]): bigint {
  return BigInt(Bun.hash.wyhash(`${textOf(answer)}${textOf(events)}`));
}

/** The same for equal values: what was decoded may have its fields in another order. */
export function textOf(value: unknown): string {
  if (typeof value !== 'object' || value === null) return `${typeof value}${value}`;
  if (Array.isArray(value)) return `[${value.map(textOf)}]`;
  const fields = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${fields.map(([name, field]) => name + textOf(field))}}`;
}

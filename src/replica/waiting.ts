import { type Command, CommandKind, isPlacing } from '../engine/command.ts';
import { ByteWriter } from '../engine/numbers/bytes.ts';
import { InvariantError } from '../engine/rejection.ts';
import { NONE } from '../engine/terms.ts';
import { encodeCommand, MAX_COMMAND_BYTES } from '../log/codec.ts';
import { AccountBacklogError, CommandNotAppliedError, CommandTooLargeError } from './errors.ts';
import type { BatchCommands, OnError, Reply } from './in-flight-batch.ts';

/**
 * Maximum payload bytes of a batch, on every log. Half the default message size of NATS; 64 cancels of a thousand
 * ids each, which take less than 10 ms to apply.
 */
export const MAX_BATCH_BYTES = 512 * 1024;
const MAX_BATCH_COMMANDS = 4096;
/** Bytes that cost one unit. Every command costs one or two, except a cancel of many ids. */
const UNIT_BYTES = 512;
/**
 * Maximum cost of one account's waiting commands, in units: a cancel for each of its open orders, or 128 cancels of a
 * thousand ids.
 */
const MAX_BACKLOG_UNITS = 2048;
/** Bytes of a writer that is full at `MAX_BATCH_BYTES`: commands that wait longer than one batch fill several. */
const FULL_WRITER_BYTES = MAX_BATCH_BYTES + MAX_COMMAND_BYTES;
/** Exceeds every index in the queue; its product with the largest due-time difference is a safe integer. */
const INDEX_RANGE = 2 ** 24;
/** Initial capacity for accounts. */
const INITIAL_ACCOUNTS = 1024;

/** Encoded commands in order of arrival, as parallel arrays. */
class Queue {
  readonly commands: Command[] = [];
  readonly replies: Reply[] = [];
  readonly onErrors: OnError[] = [];
  /** When each command is due, in units of cost served. */
  readonly dues: number[] = [];
  /** The writer that has each command's bytes, and where they begin and end in it. */
  readonly writers: ByteWriter[] = [];
  readonly begins: number[] = [];
  readonly ends: number[] = [];
  orderCount = 0;
  /** Bytes of all commands. */
  bytes = 0;

  push(
    command: Command,
    reply: Reply,
    onError: OnError,
    due: number,
    writer: ByteWriter,
    begin: number,
    end: number,
  ): void {
    this.commands.push(command);
    this.replies.push(reply);
    this.onErrors.push(onError);
    this.dues.push(due);
    this.writers.push(writer);
    this.begins.push(begin);
    this.ends.push(end);
    this.bytes += end - begin;
    if (isOrder(command)) this.orderCount++;
  }

  /** Adds a command of another queue; its bytes stay where they are. */
  move(from: Queue, index: number): void {
    this.push(
      from.commands[index]!,
      from.replies[index]!,
      from.onErrors[index]!,
      from.dues[index]!,
      from.writers[index]!,
      from.begins[index]!,
      from.ends[index]!,
    );
  }

  encoded(index: number): Uint8Array {
    return this.writers[index]!.part(this.begins[index]!, this.ends[index]!);
  }

  asBatch(payload: Uint8Array): BatchCommands {
    const { commands, replies, onErrors } = this;
    return { commands, replies, onErrors, payload };
  }
}

/**
 * The encoded commands that are waiting for the log. If they fit into one batch, they leave in order of arrival.
 * Otherwise accounts share each batch by self-clocked fair queueing: a command is due after its account's earlier
 * commands, by their cost, so an account with few waiting commands overtakes those with many. Commands of one account
 * never change their order.
 */
export class WaitingCommands {
  private isClosed = false;
  private queue = new Queue();
  /** The buffer into which new commands are encoded; a rejected command may have left bytes after `end`. */
  private writer = new ByteWriter(64 * 1024);
  private end = 0;
  /** Whether `writer` holds exactly the waiting commands up to `end`, in order. */
  private isDense = true;
  /** The writer of the last batch taken, reused for the one after the next. */
  private previous = new ByteWriter(64 * 1024);
  /** Due time of each account's newest command; index 0 is for commands without an account. */
  private newestDues = new Float64Array(INITIAL_ACCOUNTS);
  /** The latest due time of all commands, and of those already taken. */
  private newest = 0;
  private served = 0;

  get count(): number {
    return this.queue.commands.length;
  }

  /** Commands that place or change orders. */
  get orderCount(): number {
    return this.queue.orderCount;
  }

  /**
   * Adds a command.
   * @throws AccountBacklogError if too many of the account's commands wait, CommandTooLargeError; CommandNotAppliedError
   * once it is closed
   */
  add(command: Command, reply: Reply, onError: OnError): void {
    if (this.isClosed) throw new CommandNotAppliedError();
    if (this.end >= MAX_BATCH_BYTES) this.changeWriter(new ByteWriter(FULL_WRITER_BYTES));
    const { writer, end } = this;
    writer.truncate(end);
    encodeCommand(writer, command);
    const bytes = writer.length - end;
    if (bytes > MAX_COMMAND_BYTES) throw new CommandTooLargeError(bytes);
    this.queue.push(
      command,
      reply,
      onError,
      this.schedule(command, bytes),
      writer,
      end,
      writer.length,
    );
    this.end = writer.length;
  }

  /**
   * Takes the commands of the next batch out of the queue: all of them, or those due first.
   * @param maxBytes Maximum payload bytes, at least `MAX_COMMAND_BYTES`.
   */
  take(maxBytes: number): BatchCommands {
    const { queue, writer } = this;
    if (!this.isDense || this.count > MAX_BATCH_COMMANDS || queue.bytes > maxBytes) {
      return this.takeShare(maxBytes);
    }
    writer.truncate(this.end);
    this.changeWriter(this.previous);
    this.previous = writer;
    this.clear();
    return queue.asBatch(writer.bytes());
  }

  /** Accepts no more commands. */
  close(): void {
    this.isClosed = true;
  }

  /** Empties the queue. @returns The error callbacks of its commands. */
  removeAll(): readonly OnError[] {
    const { onErrors } = this.queue;
    this.changeWriter(this.writer);
    this.clear();
    return onErrors;
  }

  /** Takes the commands due first, as many as fit into a batch, in order of arrival. */
  private takeShare(maxBytes: number): BatchCommands {
    const { queue, previous } = this;
    const isChosen = this.choose(maxBytes);
    const chosen = new Queue();
    const rest = new Queue();
    previous.reset();
    for (let index = 0; index < isChosen.length; index++) {
      if (isChosen[index] === 0) rest.move(queue, index);
      else {
        chosen.move(queue, index);
        previous.append(queue.encoded(index));
      }
    }
    this.queue = rest;
    this.isDense = false;
    if (this.count === 0) this.removeAll();
    return chosen.asBatch(previous.bytes());
  }

  /** Marks the commands that are due first and fit. */
  private choose(maxBytes: number): Uint8Array {
    const { dues, begins, ends } = this.queue;
    const isChosen = new Uint8Array(dues.length);
    // Due time and index in one number: native sorting of numbers takes a tenth of the time of a comparison function.
    const byDue = Float64Array.from(
      dues,
      (due, index) => (due - this.served) * INDEX_RANGE + index,
    );
    byDue.sort();
    let bytes = 0;
    let count = 0;
    for (const dueAndIndex of byDue) {
      const index = dueAndIndex % INDEX_RANGE;
      bytes += ends[index]! - begins[index]!;
      if (bytes > maxBytes || count === MAX_BATCH_COMMANDS) break;
      isChosen[index] = 1;
      this.served = dues[index]!;
      count++;
    }
    if (count > 0) return isChosen;
    throw new InvariantError(
      `a waiting command is larger than the ${maxBytes} bytes that the log accepts: raise max_payload of the NATS servers`,
    );
  }

  /** Switches to another writer; the bytes of waiting commands stay in theirs. */
  private changeWriter(writer: ByteWriter): void {
    writer.reset();
    this.writer = writer;
    this.end = 0;
    this.isDense = false;
  }

  /** Starts an empty queue, after `changeWriter`. */
  private clear(): void {
    this.queue = new Queue();
    this.served = this.newest;
    this.isDense = true;
  }

  /** Returns the due time of a new command with this encoded size. @throws AccountBacklogError */
  private schedule(command: Command, bytes: number): number {
    const account = commandAccount(command);
    const index = account + 1;
    if (index >= this.newestDues.length) this.grow(index);
    const due = Math.max(this.served, this.newestDues[index]!) + Math.ceil(bytes / UNIT_BYTES);
    // Ticks and other commands of the node itself belong to no account.
    if (account !== NONE && due - this.served > MAX_BACKLOG_UNITS) throw new AccountBacklogError();
    this.newestDues[index] = due;
    this.newest = Math.max(this.newest, due);
    return due;
  }

  private grow(index: number): void {
    const grown = new Float64Array(2 * index);
    grown.set(this.newestDues);
    this.newestDues = grown;
  }
}

function commandAccount(command: Command): number {
  const { kind } = command;
  if (kind === CommandKind.placeOnConnection || kind === CommandKind.executeBy) {
    return commandAccount(command.command);
  }
  if (command.kind === CommandKind.placeBracket) return command.order.account;
  return 'account' in command ? command.account : NONE;
}

function isOrder(command: Command): boolean {
  const { kind } = command;
  if (kind === CommandKind.executeBy) return isOrder(command.command);
  return (
    isPlacing(command) || kind === CommandKind.amendOrder || kind === CommandKind.placeOnConnection
  );
}

import { type Command, CommandKind } from '../engine/command.ts';
import { ByteWriter } from '../engine/numbers/bytes.ts';
import { InvariantError } from '../engine/rejection.ts';
import { NONE } from '../engine/terms.ts';
import { encodeCommand, MAX_COMMAND_BYTES } from '../log/codec.ts';
import { AccountBacklogError, CommandTooLargeError } from './errors.ts';
import type { BatchCommands, OnError, Reply } from './in-flight-batch.ts';

/**
 * Maximum payload bytes of a batch, on every log. Half the default message size of NATS; 64 cancels of a thousand
 * ids each, which take less than 10 ms to apply.
 */
export const MAX_BATCH_BYTES = 512 * 1024;
const MAX_BATCH_COMMANDS = 4096;
/** Bytes of a command that cost one unit; every command but a cancel of many ids costs one or two. */
const UNIT_BYTES = 512;
/**
 * Maximum cost of one account's waiting commands, in units: a cancel for each open order that it may have, or 128 cancels of
 * a thousand ids.
 */
const MAX_BACKLOG_UNITS = 2048;
/** Bytes of a writer that is full at `MAX_BATCH_BYTES`: commands that wait longer than one batch fill several. */
const FULL_WRITER_BYTES = MAX_BATCH_BYTES + MAX_COMMAND_BYTES;
/** More than can wait at once; times the largest difference of due times it is a safe integer. */
const PLACES = 2 ** 24;
/** Accounts there is space for at first. */
const FIRST_ACCOUNTS = 1024;

/** Encoded commands. */
class Queue {
  readonly commands: Command[] = [];
  readonly replies: Reply[] = [];
  readonly fails: OnError[] = [];
  /** When each command is due, in units of cost served. */
  readonly dues: number[] = [];
  /** The writer that has each command's bytes, and where they begin and end in it. */
  readonly writers: ByteWriter[] = [];
  readonly begins: number[] = [];
  readonly ends: number[] = [];
  orderCount = 0;
  /** Of all commands. */
  bytes = 0;

  push(
    command: Command,
    reply: Reply,
    fail: OnError,
    due: number,
    writer: ByteWriter,
    begin: number,
    end: number,
  ): void {
    this.commands.push(command);
    this.replies.push(reply);
    this.fails.push(fail);
    this.dues.push(due);
    this.writers.push(writer);
    this.begins.push(begin);
    this.ends.push(end);
    this.bytes += end - begin;
    if (isOrder(command)) this.orderCount++;
  }

  /** Adds a command of another queue; its bytes stay where they are. */
  move(from: Queue, place: number): void {
    this.push(
      from.commands[place]!,
      from.replies[place]!,
      from.fails[place]!,
      from.dues[place]!,
      from.writers[place]!,
      from.begins[place]!,
      from.ends[place]!,
    );
  }

  bytesOf(place: number): Uint8Array {
    return this.writers[place]!.part(this.begins[place]!, this.ends[place]!);
  }

  taken(payload: Uint8Array): BatchCommands {
    const { commands, replies, fails } = this;
    return { commands, replies, fails, payload };
  }
}

/**
 * The commands that wait for the log, already encoded. While all of them fit into one batch they leave in the order in
 * which they came. When they do not, accounts share each batch by self-clocked fair queueing: a command is due after
 * its account's commands before it, by their cost, so that an account with little waiting passes those with much.
 * Commands of one account never change their order.
 */
export class WaitingCommands {
  private queue = new Queue();
  /** Where new commands are encoded; a command that was refused may have left its bytes after `end`. */
  private writer = new ByteWriter(64 * 1024);
  private end = 0;
  /** Whether `writer` has the bytes of all waiting commands, in order, and no others before `end`. */
  private isDense = true;
  /** The writer of the batch before the next one to be taken. */
  private spare = new ByteWriter(64 * 1024);
  /** When the newest command of each account is due; the first place is that of commands without an account. */
  private newestOf = new Float64Array(FIRST_ACCOUNTS);
  /** The latest due time of all commands, and of those that have left. */
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
   * @throws AccountBacklogError if too much of its account waits already, CommandTooLargeError
   */
  add(command: Command, reply: Reply, fail: OnError): void {
    if (this.end >= MAX_BATCH_BYTES) this.changeWriter(new ByteWriter(FULL_WRITER_BYTES));
    const { writer, end } = this;
    writer.truncate(end);
    encodeCommand(writer, command);
    const bytes = writer.length - end;
    if (bytes > MAX_COMMAND_BYTES) throw new CommandTooLargeError(bytes);
    this.queue.push(command, reply, fail, this.dueOf(command, bytes), writer, end, writer.length);
    this.end = writer.length;
  }

  /**
   * Takes what the next batch holds out of the queue: everything, or what is due first.
   * @param maxBytes Maximum payload bytes, at least `MAX_COMMAND_BYTES`.
   */
  take(maxBytes: number): BatchCommands {
    const { queue, writer } = this;
    if (!this.isDense || this.count > MAX_BATCH_COMMANDS || queue.bytes > maxBytes) {
      return this.takeShare(maxBytes);
    }
    writer.truncate(this.end);
    this.changeWriter(this.spare);
    this.spare = writer;
    this.clear();
    return queue.taken(writer.bytes());
  }

  /** Empties the queue. @returns The callbacks of the commands in it. */
  removeAll(): readonly OnError[] {
    const { fails } = this.queue;
    this.changeWriter(this.writer);
    this.clear();
    return fails;
  }

  /** Takes what is due first, as much as a batch holds, in the order in which it came. */
  private takeShare(maxBytes: number): BatchCommands {
    const { queue, spare } = this;
    const isChosen = this.choose(maxBytes);
    const chosen = new Queue();
    const rest = new Queue();
    spare.reset();
    for (let place = 0; place < isChosen.length; place++) {
      if (isChosen[place] === 0) rest.move(queue, place);
      else {
        chosen.move(queue, place);
        spare.append(queue.bytesOf(place));
      }
    }
    this.queue = rest;
    this.isDense = false;
    if (this.count === 0) this.removeAll();
    return chosen.taken(spare.bytes());
  }

  /** Marks what is due first, and fits. */
  private choose(maxBytes: number): Uint8Array {
    const { dues, begins, ends } = this.queue;
    const isChosen = new Uint8Array(dues.length);
    // Due time and place in one number: native sorting of numbers takes a tenth of the time of a comparison function.
    const byDue = Float64Array.from(dues, (due, place) => (due - this.served) * PLACES + place);
    byDue.sort();
    let bytes = 0;
    let count = 0;
    for (const both of byDue) {
      const place = both % PLACES;
      bytes += ends[place]! - begins[place]!;
      if (bytes > maxBytes || count === MAX_BATCH_COMMANDS) break;
      isChosen[place] = 1;
      this.served = dues[place]!;
      count++;
    }
    if (count > 0) return isChosen;
    throw new InvariantError(
      `a waiting command has more than the ${maxBytes} bytes that the log takes: raise max_payload of the NATS servers`,
    );
  }

  /** Encodes new commands elsewhere. The bytes of those that wait stay where they are. */
  private changeWriter(writer: ByteWriter): void {
    writer.reset();
    this.writer = writer;
    this.end = 0;
    this.isDense = false;
  }

  /** Begins an empty queue, after `changeWriter`. */
  private clear(): void {
    this.queue = new Queue();
    this.served = this.newest;
    this.isDense = true;
  }

  /** When a new command of that many bytes is due. @throws AccountBacklogError */
  private dueOf(command: Command, bytes: number): number {
    const account = accountOf(command);
    const place = account + 1;
    if (place >= this.newestOf.length) this.grow(place);
    const due = Math.max(this.served, this.newestOf[place]!) + Math.ceil(bytes / UNIT_BYTES);
    // Ticks and other commands of the node itself belong to no account.
    if (account !== NONE && due - this.served > MAX_BACKLOG_UNITS) throw new AccountBacklogError();
    this.newestOf[place] = due;
    this.newest = Math.max(this.newest, due);
    return due;
  }

  private grow(place: number): void {
    const grown = new Float64Array(2 * place);
    grown.set(this.newestOf);
    this.newestOf = grown;
  }
}

function accountOf(command: Command): number {
  if (command.kind === CommandKind.placeBracket) return command.order.account;
  return 'account' in command ? command.account : NONE;
}

function isOrder({ kind }: Command): boolean {
  return (
    kind === CommandKind.placeOrder ||
    kind === CommandKind.placeStopOrder ||
    kind === CommandKind.placeBracket ||
    kind === CommandKind.placeOco ||
    kind === CommandKind.amendOrder
  );
}

import { ByteWriter } from '../engine/bytes.ts';
import { type Command, CommandKind } from '../engine/command.ts';
import { InvariantError } from '../engine/rejection.ts';
import { NONE } from '../engine/terms.ts';
import { encodeCommand, MAX_COMMAND_BYTES } from '../log/codec.ts';
import { AccountBacklogError, CommandTooLargeError } from './errors.ts';
import type { Fail, Reply } from './sent.ts';

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
/** Accounts there is space for at first. */
const FIRST_ACCOUNTS = 1024;

/** Commands that leave the queue together, and their bytes. */
export interface TakenCommands {
  readonly commands: readonly Command[];
  readonly replies: readonly Reply[];
  readonly fails: readonly Fail[];
  /** Valid until the next `take`. */
  readonly payload: Uint8Array;
}

/** Encoded commands, one after another. */
class Queue {
  readonly commands: Command[] = [];
  readonly replies: Reply[] = [];
  readonly fails: Fail[] = [];
  /** When each command is due, in units of cost served. */
  readonly dues: number[] = [];
  /** Where each command ends in `writer`. */
  readonly ends: number[] = [];
  orderCount = 0;
  /** Of all commands. */
  bytes = 0;

  constructor(readonly writer: ByteWriter) {
    writer.reset();
  }

  /** Notes a command whose bytes have just been written. */
  push(command: Command, reply: Reply, fail: Fail, due: number): void {
    this.commands.push(command);
    this.replies.push(reply);
    this.fails.push(fail);
    this.dues.push(due);
    this.bytes = this.writer.length;
    this.ends.push(this.bytes);
    if (isOrder(command)) this.orderCount++;
  }

  /** Adds a command of another queue. */
  copy(from: Queue, place: number): void {
    this.writer.append(from.writer.part(from.ends[place - 1] ?? 0, from.ends[place]!));
    const { commands, replies, fails, dues } = from;
    this.push(commands[place]!, replies[place]!, fails[place]!, dues[place]!);
  }

  taken(): TakenCommands {
    const { commands, replies, fails, writer } = this;
    writer.truncate(this.bytes);
    return { commands, replies, fails, payload: writer.bytes() };
  }
}

/**
 * The commands that wait for the log, already encoded. While all of them fit into one batch they leave in the order in
 * which they came. When they do not, accounts share each batch by self-clocked fair queueing: a command is due after
 * its account's commands before it, by their cost, so that an account with little waiting passes those with much.
 * Commands of one account never change their order.
 */
export class WaitingCommands {
  private queue = new Queue(new ByteWriter(64 * 1024));
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
  add(command: Command, reply: Reply, fail: Fail): void {
    const { queue } = this;
    const { writer } = queue;
    // A command that was refused may have left its bytes.
    writer.truncate(queue.bytes);
    encodeCommand(writer, command);
    const bytes = writer.length - queue.bytes;
    if (bytes > MAX_COMMAND_BYTES) throw new CommandTooLargeError(bytes);
    queue.push(command, reply, fail, this.dueOf(command, bytes));
  }

  /**
   * Takes what the next batch holds out of the queue: everything, or what is due first.
   * @param maxBytes Maximum payload bytes, at least `MAX_COMMAND_BYTES`.
   */
  take(maxBytes: number): TakenCommands {
    const { queue } = this;
    if (this.count > MAX_BATCH_COMMANDS || queue.bytes > maxBytes) return this.takeShare(maxBytes);
    this.queue = new Queue(this.spare);
    this.spare = queue.writer;
    this.served = this.newest;
    return queue.taken();
  }

  /** Empties the queue. @returns The callbacks of the commands in it. */
  removeAll(): readonly Fail[] {
    const { fails, writer } = this.queue;
    this.queue = new Queue(writer);
    this.served = this.newest;
    return fails;
  }

  /** Takes what is due first, as much as a batch holds, in the order in which it came. */
  private takeShare(maxBytes: number): TakenCommands {
    const { queue } = this;
    const isChosen = this.choose(maxBytes);
    const chosen = new Queue(this.spare);
    const rest = new Queue(new ByteWriter(queue.bytes));
    for (let place = 0; place < isChosen.length; place++) {
      (isChosen[place] === 1 ? chosen : rest).copy(queue, place);
    }
    this.queue = rest;
    return chosen.taken();
  }

  /** Marks what is due first, and fits. */
  private choose(maxBytes: number): Uint8Array {
    const { dues, ends } = this.queue;
    const isChosen = new Uint8Array(dues.length);
    const byDue = Array.from(dues.keys()).sort((a, b) => dues[a]! - dues[b]! || a - b);
    let bytes = 0;
    let count = 0;
    for (const place of byDue) {
      bytes += ends[place]! - (ends[place - 1] ?? 0);
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
  if (command.kind === CommandKind.placeAttached) return command.order.account;
  return 'account' in command ? command.account : NONE;
}

function isOrder({ kind }: Command): boolean {
  return (
    kind === CommandKind.placeOrder ||
    kind === CommandKind.placeStopOrder ||
    kind === CommandKind.placeAttached ||
    kind === CommandKind.placePair ||
    kind === CommandKind.amendOrder
  );
}

/**
 * Reads what strace saw of an exchange (`-f -y`, calls of `TRACED`) and finds every answer that left before
 * the sync returned which covers its command. strace writes a line when a call begins or ends, before the
 * thread goes on: what one call caused stands behind it.
 */

export const TRACED = [
  ...['pwrite64', 'pwritev', 'pwritev2', 'write', 'writev', 'fdatasync', 'fsync'],
  ...['sendto', 'sendmsg', 'sendmmsg', 'io_uring_enter'],
];

export interface AnswerOrder {
  /** Ids whose answer left after a sync that covers their command. */
  readonly inOrder: number;
  /** One line for every answer that did not. */
  readonly violations: readonly string[];
  /** Syncs of the log that returned without an error. */
  readonly syncs: number;
}

interface Call {
  readonly name: string;
  readonly file: string;
  /** What is between the parentheses. */
  readonly text: string;
  readonly result: number;
}

type Phase = 'begins' | 'ends' | 'both';

const SEGMENT = /\/log\/\d{20}\.log$/;
const WHOLE = /^(\d+)\s+(\w+)\((\d+)<([^>]*)>(.*)\)\s+= (-?\d+)/s;
/** Interrupted by another thread's, or by the end of the process. */
const BEGINS = /^(\d+)\s+(\w+)\((\d+)<([^>]*)>(.*?)(?: <unfinished \.\.\.>|\)\s+= \?.*)$/s;
const ENDS = /^(\d+)\s+<\.\.\. (\w+) resumed>(.*)\)\s+= (-?\d+)/s;

/**
 * @param ids Client order ids, all of one length, none part of another text in the trace.
 * @throws where the trace has an id in none of its answers, or in no write of the log
 */
export function answerOrder(trace: string, ids: readonly string[]): AnswerOrder {
  const reader = new TraceReader(ids);
  for (const line of trace.split('\n')) reader.take(line);
  return reader.report();
}

/** How far a command has come. */
interface Command {
  /** The write that carries it has returned. */
  isWritten: boolean;
  isDurable: boolean;
  answeredAt: string | undefined;
}

class TraceReader {
  private readonly commands: Map<string, Command>;
  private readonly pattern: RegExp;
  private readonly open = new Map<string, Call>();
  /** Written, and not yet begun to be synced. */
  private written: Command[] = [];
  /** By thread: what the sync under way covers. */
  private readonly syncing = new Map<string, Command[]>();
  private readonly violations: string[] = [];
  private inOrder = 0;
  private syncs = 0;
  private lineNumber = 0;

  constructor(ids: readonly string[]) {
    this.commands = new Map(
      ids.map((id) => [id, { isWritten: false, isDurable: false, answeredAt: undefined }]),
    );
    // Equal in length, the ids differ in their digits alone.
    this.pattern = new RegExp(
      ids[0]!.replace(/\d+/g, (digits) => `\\d{${digits.length}}`),
      'g',
    );
  }

  take(line: string): void {
    this.lineNumber++;
    const whole = WHOLE.exec(line);
    if (whole !== null) {
      const [, thread, name, , file, text, result] = whole;
      this.note(thread!, { name: name!, file: file!, text: text!, result: Number(result) }, 'both');
      return;
    }
    const begins = BEGINS.exec(line);
    if (begins !== null) {
      const [, thread, name, , file, text] = begins;
      const call = { name: name!, file: file!, text: text!, result: 0 };
      this.open.set(thread!, call);
      this.note(thread!, call, 'begins');
      return;
    }
    const ends = ENDS.exec(line);
    if (ends === null) return;
    const [, thread, name, , result] = ends;
    const call = this.open.get(thread!);
    if (call?.name !== name) return;
    this.open.delete(thread!);
    this.note(thread!, { ...call!, result: Number(result) }, 'ends');
  }

  private note(thread: string, call: Call, phase: Phase): void {
    if (SEGMENT.test(call.file)) {
      if (/sync$/.test(call.name)) this.noteSync(thread, call, phase);
      else if (phase !== 'begins') this.noteWrite(call);
    } else if (phase !== 'ends' && /^(socket|TCP)/.test(call.file)) this.noteAnswer(call);
  }

  private noteWrite({ text, result }: Call): void {
    if (result < 0) return;
    for (const command of this.commandsIn(text)) {
      command.isWritten = true;
      this.written.push(command);
    }
  }

  /** It covers what was written before it began, once it has returned without an error. */
  private noteSync(thread: string, { result }: Call, phase: Phase): void {
    if (phase !== 'ends') {
      this.syncing.set(thread, this.written);
      this.written = [];
    }
    if (phase === 'begins') return;
    const covered = this.syncing.get(thread) ?? [];
    this.syncing.delete(thread);
    if (result < 0) return;
    this.syncs++;
    for (const command of covered) command.isDurable = true;
  }

  private noteAnswer({ text }: Call): void {
    for (const command of this.commandsIn(text)) {
      if (command.answeredAt !== undefined) continue;
      command.answeredAt = `line ${this.lineNumber}`;
      if (command.isDurable) this.inOrder++;
      else {
        const state = command.isWritten ? 'written, not synced' : 'not written';
        this.violations.push(`line ${this.lineNumber} answers a command that is ${state}`);
      }
    }
  }

  private commandsIn(text: string): Command[] {
    return (text.match(this.pattern) ?? []).flatMap((id) => this.commands.get(id) ?? []);
  }

  report(): AnswerOrder {
    for (const [id, { isWritten, answeredAt }] of this.commands) {
      if (answeredAt === undefined) throw new Error(`the trace has no answer to ${id}`);
      if (!isWritten) throw new Error(`the trace has ${id} in no write of the log`);
    }
    const { inOrder, violations, syncs } = this;
    return { inOrder, violations, syncs };
  }
}

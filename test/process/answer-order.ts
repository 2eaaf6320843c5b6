/**
 * Reads a trace of an exchange by strace (`-f -y`, calls of `TRACED`) and finds every answer that was sent before
 * the sync that covers its command returned. strace writes a line when a call begins or ends, before the
 * thread continues, so that effects of a call are in later lines.
 */

export const TRACED = [
  'pwrite64',
  'pwritev',
  'pwritev2',
  'write',
  'writev',
  'fdatasync',
  'fsync',
  'sendto',
  'sendmsg',
  'sendmmsg',
  'io_uring_enter',
];

export interface AnswerOrder {
  /** Ids whose answer was sent after a sync that covers their command. */
  readonly inOrder: number;
  /** A message for each answer sent too early. */
  readonly violations: readonly string[];
  /** Syncs of the log that returned without an error. */
  readonly syncs: number;
}

interface Call {
  readonly name: string;
  readonly file: string;
  /** The arguments, as text. */
  readonly text: string;
  readonly result: number;
}

type Phase = 'begins' | 'ends' | 'both';

const SEGMENT = /\/log\/\d{20}\.log$/;
const WHOLE = /^(\d+)\s+(\w+)\((\d+)<([^>]*)>(.*)\)\s+= (-?\d+)/s;
/** Calls interrupted by another thread's line, or by the end of the process. */
const BEGINS = /^(\d+)\s+(\w+)\((\d+)<([^>]*)>(.*?)(?: <unfinished \.\.\.>|\)\s+= \?.*)$/s;
const ENDS = /^(\d+)\s+<\.\.\. (\w+) resumed>(.*)\)\s+= (-?\d+)/s;

/**
 * @param ids Client order ids, all of one length, none part of another text in the trace.
 * @throws Error if no answer or no write of the log in the trace has an id.
 */
export function answerOrder(trace: string, ids: readonly string[]): AnswerOrder {
  const reader = new TraceReader(ids);
  for (const line of trace.split('\n')) reader.take(line);
  return reader.report();
}

/** The progress of a command. */
interface Command {
  /** Whether its write has returned. */
  isWritten: boolean;
  isDurable: boolean;
  answeredAt: string | undefined;
}

class TraceReader {
  private readonly commands: Map<string, Command>;
  private readonly pattern: RegExp;
  private readonly open = new Map<string, Call>();
  /** Commands that are written, with no sync begun since. */
  private written: Command[] = [];
  /** Commands that the current sync covers, by thread. */
  private readonly syncing = new Map<string, Command[]>();
  private readonly violations: string[] = [];
  private inOrder = 0;
  private syncs = 0;
  private lineNumber = 0;

  constructor(ids: readonly string[]) {
    this.commands = new Map(
      ids.map((id) => [id, { isWritten: false, isDurable: false, answeredAt: undefined }]),
    );
    // Ids have the same length and differ only in their digits.
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

  /** Records a sync. It covers everything written before it began, once it has returned without an error. */
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

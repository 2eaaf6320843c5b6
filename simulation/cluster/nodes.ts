import { below } from '../random.ts';
import { Member, type MemberOptions } from './member.ts';

type Common = Omit<MemberOptions, 'name' | 'clockOffsetMs' | 'onFailure'>;

export interface NodesOptions extends Common {
  readonly onStart: (member: Member) => void;
  readonly onEnd: (member: Member) => void;
  /** Called when an invariant is violated. */
  readonly onFailure: (error: Error) => void;
}

const MAX_SKEW_MS = 4000;
const MAX_RESTART_MS = 3000;
/** Checks that a process may end with an error, and returns whether it is restarted. */
export type ExitPolicy = (member: Member, error: Error) => 'restart' | 'stay down';

/** The machines of the nodes. Each has a name and a clock, and runs one process or, at times, two. */
export class Nodes {
  /** All processes, including ended ones. */
  readonly all: Member[] = [];
  readonly names: readonly string[];
  readonly clockOffsetsMs: number[];
  /** Nodes that stay down until an operator fixes them. */
  readonly down = new Set<string>();
  exitPolicy: ExitPolicy = () => 'restart';

  constructor(
    count: number,
    private readonly options: NodesOptions,
  ) {
    const { random } = options;
    this.names = Array.from({ length: count }, (_, place) => `node-${place + 1}`);
    this.clockOffsetsMs = this.names.map(() => below(MAX_SKEW_MS, random) - MAX_SKEW_MS / 2);
  }

  /** The number of nodes that should be up. */
  get expected(): number {
    return this.names.length - this.down.size;
  }

  start(): void {
    for (const name of this.names) this.startOne(name);
  }

  /** Starts a process of a node, even if another one is running. */
  startOne(name: string): void {
    const { options } = this;
    const place = this.names.indexOf(name);
    const member = new Member({
      ...options,
      name,
      clockOffsetMs: () => this.clockOffsetsMs[place]!,
      onFailure: (failed, error) => this.noteFailure(failed, error),
    });
    this.all.push(member);
    options.onStart(member);
    options.coverage.count('node', 'starts');
    void member.start();
  }

  /** Returns the processes that take requests, including paused ones. */
  serving(): Member[] {
    return this.all.filter(({ isServing, isStopping }) => isServing && !isStopping);
  }

  running(): Member[] {
    return this.all.filter(({ isAlive }) => isAlive);
  }

  /** Ends a process immediately, and schedules another if its node has none left. */
  end(member: Member): void {
    if (!member.isAlive) return;
    member.end();
    this.options.onEnd(member);
    this.startLater(member.name);
  }

  /** Returns the positions of the processes, for a message. */
  text(): string {
    return this.running()
      .map(
        ({ name, position, isServing }) => `${name} ${isServing ? 'at' : 'starts at'} ${position}`,
      )
      .join(', ');
  }

  private startLater(name: string): void {
    const { schedule, random } = this.options;
    schedule.after(this, below(MAX_RESTART_MS, random), 'start', () => {
      const isRunning = this.running().some((other) => other.name === name);
      if (!isRunning && !this.down.has(name)) this.startOne(name);
    });
  }

  private noteFailure(member: Member, error: Error): void {
    try {
      this.options.coverage.count('end', error.name);
      const staysDown = this.exitPolicy(member, error) === 'stay down';
      this.end(member);
      const isAnother = this.running().some(({ name }) => name === member.name);
      if (staysDown && !isAnother) this.down.add(member.name);
    } catch (failure) {
      this.options.onFailure(failure as Error);
    }
  }
}

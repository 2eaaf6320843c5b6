import { below } from '../random.ts';
import { Member, type MemberOptions } from './member.ts';

type Common = Omit<MemberOptions, 'name' | 'clockOffsetMs' | 'onFailure'>;

export interface NodesOptions extends Common {
  readonly onStart: (member: Member) => void;
  readonly onEnd: (member: Member) => void;
  /** What must never happen has. */
  readonly onFailure: (error: Error) => void;
}

const MAX_SKEW_MS = 4000;
const LONGEST_RESTART_MS = 3000;
/** Who judges whether a process may end as it does. */
export type ExitPolicy = (member: Member, error: Error) => 'again' | 'for good';

/** The machines of the nodes: each has a name and a clock, and runs a process, at times two. */
export class Nodes {
  /** All processes there ever were. */
  readonly all: Member[] = [];
  readonly names: readonly string[];
  readonly clockOffsetsMs: number[];
  /** Nodes that stay down until an operator has seen to them. */
  readonly down = new Set<string>();
  judge: ExitPolicy = () => 'again';

  constructor(
    count: number,
    private readonly options: NodesOptions,
  ) {
    const { random } = options;
    this.names = Array.from({ length: count }, (_, place) => `node-${place + 1}`);
    this.clockOffsetsMs = this.names.map(() => below(MAX_SKEW_MS, random) - MAX_SKEW_MS / 2);
  }

  /** How many nodes there should be. */
  get expected(): number {
    return this.names.length - this.down.size;
  }

  start(): void {
    for (const name of this.names) this.startOne(name);
  }

  /** Starts a process under a node's name, whatever else runs under it. */
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

  /** Those that take requests, paused ones too. */
  serving(): Member[] {
    return this.all.filter(({ isServing, isStopping }) => isServing && !isStopping);
  }

  living(): Member[] {
    return this.all.filter(({ isAlive }) => isAlive);
  }

  /** Ends a process at once; where none is left of its node, another is started. */
  end(member: Member): void {
    if (!member.isAlive) return;
    member.end();
    this.options.onEnd(member);
    this.startLater(member.name);
  }

  /** Where the processes stand, for a message. */
  text(): string {
    return this.living()
      .map(
        ({ name, position, isServing }) => `${name} ${isServing ? 'at' : 'starts at'} ${position}`,
      )
      .join(', ');
  }

  private startLater(name: string): void {
    const { schedule, random } = this.options;
    schedule.after(this, below(LONGEST_RESTART_MS, random), 'start', () => {
      const isThere = this.living().some((other) => other.name === name);
      if (!isThere && !this.down.has(name)) this.startOne(name);
    });
  }

  private noteFailure(member: Member, error: Error): void {
    try {
      this.options.coverage.count('end', error.name);
      const isForGood = this.judge(member, error) === 'for good';
      this.end(member);
      const isAnother = this.living().some(({ name }) => name === member.name);
      if (isForGood && !isAnother) this.down.add(member.name);
    } catch (failure) {
      this.options.onFailure(failure as Error);
    }
  }
}

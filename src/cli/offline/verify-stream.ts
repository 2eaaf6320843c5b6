import { inStream, type Skips } from '../../archivist/recovery.ts';
import type {
  ObjectSnapshots,
  SharedSnapshot,
} from '../../archivist/snapshots/object-snapshots.ts';
import { type Interpreted, StreamState } from '../../cluster/log/stream-state.ts';
import type { JetStreamConfig } from '../../config/config.ts';
import { readSnapshot } from '../../engine/snapshot/snapshot.ts';
import type { Progress } from '../../monitoring/progress.ts';
import type { Result } from '../command.ts';
import { ExitCode } from '../failure.ts';
import { cliError, isFinding } from './finding.ts';
import { type LogStream, withLogStream } from './log-stream.ts';
import { describeVerification, sha256, Verification } from './verification.ts';

/**
 * Replays a clustered log from its start, or from the oldest snapshot if it was trimmed, to its present end; compares
 * the state with every newer snapshot and audits it at the end. Read-only; nodes may run.
 */
export function verifyStream(settings: JetStreamConfig, progress: Progress): Promise<Result> {
  return withLogStream(settings, async (log) => {
    progress.begin('reading snapshots');
    const replay = await StreamReplay.open(log);
    await replay.run(progress);
    const data = replay.describe();
    const exitCode = data.sound ? ExitCode.done : ExitCode.failed;
    return { data, text: describe(log.name, data), exitCode };
  });
}

/** Hashes of a snapshot's content. */
interface Held {
  readonly state: string;
  readonly log: string;
}

class StreamReplay {
  /** Number of messages by what became of them. */
  private readonly messages = { counted: 0, late: 0, doubled: 0, fenced: 0 };
  /** Number of messages by node. */
  private readonly nodes = new Map<string, number>();
  private state = new StreamState();
  private verification = new Verification();
  /** Whether there is a state to start from. */
  private canBegin: boolean;
  /** Snapshots after the one it started from. */
  private readonly held = new Map<number, Held>();
  private end = 0;

  private constructor(
    private readonly log: LogStream,
    private readonly skipped: Skips,
  ) {
    this.canBegin = log.first <= 1;
  }

  static async open(log: LogStream): Promise<StreamReplay> {
    const { snapshots } = log;
    const replay = new StreamReplay(log, (await snapshots?.skips()) ?? new Set());
    if (snapshots !== undefined) await replay.readSnapshots(snapshots);
    replay.end = await log.messages.lastSequence();
    if (replay.end === 0) {
      throw cliError('NO_DATA', `The stream ${log.name} is empty. It has no exchange.`);
    }
    return replay;
  }

  private async readSnapshots(snapshots: ObjectSnapshots): Promise<void> {
    const problems: string[] = [];
    for (const sequence of (await snapshots.sequences()).reverse()) {
      try {
        this.takeSnapshot(sequence, await snapshots.read(sequence));
      } catch (error) {
        if (!isFinding(error)) throw error;
        // Running nodes replace older snapshots.
        if ((await snapshots.sequences()).includes(sequence)) problems.push(error.message);
      }
    }
    this.verification.problems.push(...problems);
  }

  private takeSnapshot(sequence: number, { log, state }: SharedSnapshot): void {
    if (!this.canBegin && sequence >= this.log.first - 1) {
      this.verification = new Verification(readSnapshot(state), sequence);
      this.state = log;
      this.canBegin = true;
    } else this.held.set(sequence, { state: sha256(state), log: sha256(log.encode()) });
  }

  async run(progress: Progress): Promise<void> {
    const { verification, log, end } = this;
    verification.reportSnapshotsAfter(end, [...this.held.keys()]);
    for (const sequence of [...this.held.keys()].filter((each) => each < log.first - 1)) {
      verification.problems.push(
        `The log no longer has the batches after the snapshot of batch ${sequence}: it was trimmed too far.`,
      );
    }
    if (!this.canBegin) {
      verification.problems.push(
        `The log begins at message ${log.first}, but there is no complete snapshot to start from. No node can start. Restore a backup.`,
      );
      return;
    }
    try {
      const begin = this.state.sequence;
      const done = () => this.state.sequence - begin;
      progress.begin('replaying the log', { done, total: end - begin, unit: 'messages' });
      for await (const taken of log.follow(this.state, end)) {
        this.take(taken);
        progress.tick();
      }
      progress.begin('checking the state');
      verification.audit();
      this.compareSkips();
    } catch (error) {
      if (!isFinding(error)) throw error;
      verification.problems.push(inStream(error, log.name).message);
    }
  }

  private take({ envelope, batch, counts, isLate }: Interpreted): void {
    const { node, incarnation } = envelope;
    const isNewest = incarnation === this.state.incarnation(node);
    this.messages[counts ? (isLate ? 'late' : 'counted') : isNewest ? 'doubled' : 'fenced']++;
    this.nodes.set(node, (this.nodes.get(node) ?? 0) + 1);
    this.verification.apply(batch, this.skipped);
    const held = this.held.get(batch.sequence);
    if (held !== undefined) this.compare(held);
  }

  private compare(held: Held): void {
    const { verification, state } = this;
    if (held.log === sha256(state.encode())) verification.compare(held.state);
    else {
      verification.problems.push(
        `The snapshot of batch ${state.sequence} belongs to another log, or its list of nodes differs from the log.`,
      );
    }
  }

  /** Checks that every skipped command is recorded in the log. */
  private compareSkips(): void {
    const { begin, skips, problems } = this.verification;
    const recorded = new Set(skips.map(({ sequence, index }) => `${sequence} ${index}`));
    for (const place of this.skipped) {
      const [sequence, index] = place.split(' ').map(Number);
      if (sequence! <= begin || recorded.has(place)) continue;
      problems.push(
        `Command ${index} of batch ${sequence} is skipped without a record in the log.`,
      );
    }
  }

  describe() {
    const { verification, messages, nodes } = this;
    return {
      ...verification.describe(this.end),
      /** The batch of the snapshot it started from; 0 for the start of the log. */
      from: verification.begin,
      messages,
      nodes: [...nodes].map(([node, count]) => ({ node, messages: count })),
    };
  }
}

function describe(name: string, data: ReturnType<StreamReplay['describe']>): string {
  const { from, messages, nodes } = data;
  const begin = from === 0 ? 'its start' : `the snapshot of batch ${from}`;
  const counts = Object.entries(messages).map(([fate, count]) => `${count} ${fate}`);
  const senders = nodes.map(({ node, messages: count }) => `${node} (${count})`);
  return describeVerification(data, {
    sound: `The log in the stream ${name} replays from ${begin}, and the books balance.`,
    unsound: `The exchange in the stream ${name}`,
    fields: [
      ['Messages', counts.join(', ')],
      ['Nodes', senders.join(', ')],
    ],
  });
}

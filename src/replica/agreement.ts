import type { Applied } from '../log/envelope.ts';
import { equalHashes } from '../log/hash.ts';
import { SharedLogError } from '../log/shared-log-errors.ts';

/** Batches that this node can still compare with others: far more than any node is behind. */
const REMEMBERED = 8192;
/**
 * How often a node looks, a quarter of a second apart, before it decides: five seconds in which the log moves on, from
 * when its own word is in the log. A node that lives can say what it holds in that time: what it had on its way may
 * go unanswered for two seconds and is then sent again, and so may what it says; a server that hangs is left after
 * three. Who is slower than that is as good as gone: without it the others may lose their majority and end, never
 * go on with the wrong state.
 */
const DECIDE_AFTER_LOOKS = 20;

/** This node holds another state than most of the others: it can go on no longer. */
export class DisagreementError extends Error {
  override readonly name = 'DisagreementError';

  constructor(sequence: number, agree: readonly string[], differ: readonly string[]) {
    const others = agree.length === 0 ? 'no other node' : agree.join(', ');
    const isOutvoted = agree.length + 1 < differ.length;
    super(
      `The nodes hold different states of the exchange after batch ${sequence}: ${differ.join(', ')} and this one differ, ` +
        `${others} agrees with it. Without most of the nodes on its side it ends. One of them is damaged (memory?) ` +
        `or runs another release. ${isOutvoted ? OUTVOTED : 'Start this node again: it is built anew from snapshot and log.'} ` +
        'If it happens again, keep the log and report it.',
    );
  }
}

const OUTVOTED =
  'Most nodes agree against it, so it may not start again until an operator has checked its memory and its release and ' +
  'has run "buttonwood readmit" for it.';

/**
 * Compares what the nodes hold. Every batch tells what its node had applied; all nodes apply the same batches,
 * so that all must hold the same after each. Where two differ, every node soon says what it holds, and those
 * who are not on the side of most end (DESIGN, section 5): of two that differ, both.
 */
export class Agreement {
  private readonly sequences = new Float64Array(REMEMBERED);
  private readonly digests = new Int32Array(REMEMBERED);
  private readonly hashes: Uint8Array[] = new Array(REMEMBERED);
  private sameLog = 0;
  private otherLog = 0;
  private dispute:
    | {
        readonly sequence: number;
        readonly sides: Map<string, boolean>;
        /** Every node that held another state at some time of the dispute, also if it was started again since. */
        readonly differed: Set<string>;
        /** What this node holds is in the log. */
        hasSpoken: boolean;
        /** The last batch that this node had applied when it looked. */
        position: number;
        looks: number;
      }
    | undefined;

  /** This node's state after a batch. */
  note(sequence: number, hash: Uint8Array, digest: number): void {
    const at = sequence % REMEMBERED;
    this.sequences[at] = sequence;
    this.digests[at] = digest;
    this.hashes[at] = hash;
  }

  /** What another node says that it had applied. @returns Whether a dispute begins with it. */
  compare(node: string, applied: Applied): boolean {
    const at = this.placeOf(applied);
    if (at === undefined) return false;
    const agrees =
      this.digests[at] === applied.digest && equalHashes(this.hashes[at]!, applied.hash);
    const { dispute } = this;
    if (dispute !== undefined) {
      // Before the place where the states differ even they were the same.
      if (!agrees || applied.sequence >= dispute.sequence) dispute.sides.set(node, agrees);
      if (!agrees) dispute.differed.add(node);
      return false;
    }
    if (agrees) return false;
    const sides = new Map([[node, false]]);
    const differed = new Set([node]);
    const { sequence } = applied;
    this.dispute = { sequence, sides, differed, hasSpoken: false, position: 0, looks: 0 };
    return true;
  }

  /** What this node itself has said, once that is in the log. */
  noteSaid({ sequence }: Applied): void {
    if (this.dispute !== undefined && sequence >= this.dispute.sequence) {
      this.dispute.hasSpoken = true;
    }
  }

  /** While this node catches up: whether others had the same log before them. */
  compareLog(applied: Applied): void {
    const at = this.placeOf(applied);
    if (at === undefined) return;
    if (equalHashes(this.hashes[at]!, applied.hash)) this.sameLog++;
    else this.otherLog++;
  }

  /** @throws SharedLogError where most of what was caught up with was written behind another log than this node's */
  checkLog(): void {
    if (this.otherLog <= this.sameLog) return;
    throw new SharedLogError(
      'most of its messages were written behind other ones than this node has read: the snapshot that it began from is of ' +
        'a log that the servers have lost since. Stop all nodes, and restore log and database together from a backup.',
    );
  }

  /** Nodes differ, and it is not decided yet which of them end: nothing may be answered. */
  get isDisputed(): boolean {
    return this.dispute !== undefined;
  }

  /**
   * Ends a dispute once the nodes had time to take part. To be called every quarter of a second. While the log stands
   * still nobody can, and until this node has spoken the others may not know that there is a dispute: if it
   * ended, one with a wrong state would be left alone.
   * @param position The last batch that this node has applied.
   * @returns Every node that differed, if this node is on the side of most; undefined where there is nothing to decide.
   * @throws DisagreementError where it is not
   */
  decide(position: number): readonly string[] | undefined {
    const { dispute } = this;
    if (dispute === undefined || !dispute.hasSpoken || dispute.position === position) {
      return undefined;
    }
    dispute.position = position;
    if (++dispute.looks < DECIDE_AFTER_LOOKS) return undefined;
    const nodes = [...dispute.sides];
    const agree = nodes.filter(([, agrees]) => agrees).map(([node]) => node);
    const differ = nodes.filter(([, agrees]) => !agrees).map(([node]) => node);
    if (agree.length + 1 <= differ.length) {
      throw new DisagreementError(dispute.sequence, agree, differ);
    }
    this.dispute = undefined;
    return [...dispute.differed];
  }

  /** Where that batch is remembered; undefined before this node began, or long ago. */
  private placeOf({ sequence }: Applied): number | undefined {
    const at = sequence % REMEMBERED;
    return sequence !== 0 && this.sequences[at] === sequence ? at : undefined;
  }
}

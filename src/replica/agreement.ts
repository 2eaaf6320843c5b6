import type { Applied } from '../cluster/log/envelope.ts';
import { ClusteredLogError } from '../cluster/log/errors.ts';
import { equalHashes } from '../log/hash.ts';
import { OperatorError } from '../monitoring/operator-error.ts';

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
/**
 * A running node says what it holds at each look. If it was not heard for as many looks as nodes have to vote, its process
 * has ended, and a state that no process holds has no vote.
 */
const HEARD = DECIDE_AFTER_LOOKS - 1;
/** If it was heard within so many, it surely runs. In between it is not known. */
const HEARD_JUST_NOW = 4;
/** How long a node waits to know it, at most. */
const WAIT_LOOKS = 40;

/** This node holds another state than most of the others: it can go on no longer. */
export class DisagreementError extends OperatorError {
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

/** What a node said last, and at which look. */
interface Vote {
  readonly agrees: boolean;
  readonly look: number;
}

interface Dispute {
  /** Batch after which the states differ: what a node held before it is no vote. */
  sequence: number;
  readonly votes: Map<string, Vote>;
  /** Every node that held another state at some time of the dispute, also if it was started again since. */
  readonly differed: Set<string>;
  /** What this node holds is in the log. */
  hasSpoken: boolean;
  /** The last batch that this node had applied when it looked. */
  position: number;
  looks: number;
  /** The look from which on it may be decided. */
  decideAt: number;
}

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
  private dispute: Dispute | undefined;

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
    if (dispute === undefined) {
      if (!agrees) this.dispute = begun(node, applied.sequence);
      return !agrees;
    }
    if (!agrees) {
      noteDifference(dispute, node, applied.sequence);
    } else if (applied.sequence >= dispute.sequence) {
      // Before the place where the states differ even they were the same.
      dispute.votes.set(node, { agrees: true, look: dispute.looks });
    }
    return false;
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

  /** @throws ClusteredLogError where most of what was caught up with was written behind another log than this node's */
  checkLog(): void {
    if (this.otherLog <= this.sameLog) return;
    throw new ClusteredLogError(
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
   * ended, one with a wrong state would be left alone. With another node on its side it ends only if enough of those
   * that differ surely run, goes on only if too few may, and else waits until it knows.
   * @param position The last batch that this node has applied.
   * @returns Every node that differed, if this node is on the side of most; undefined where there is nothing to decide.
   * @throws DisagreementError where it is not
   */
  decide(position: number): readonly string[] | undefined {
    const { dispute } = this;
    if (dispute === undefined || dispute.position === position) return undefined;
    dispute.position = position;
    dispute.looks++;
    if (!dispute.hasSpoken) dispute.decideAt = dispute.looks + DECIDE_AFTER_LOOKS;
    if (dispute.looks < dispute.decideAt) return undefined;
    const [agree, differ] = [voters(dispute, true), voters(dispute, false)];
    const [mayAgree, mayDiffer] = [voters(dispute, true, HEARD), voters(dispute, false, HEARD)];
    // Of two nodes that run, each hears the other and counts the same votes: at most one of them goes on.
    if (agree.length > 0 && mayAgree.length >= mayDiffer.length) {
      this.dispute = undefined;
      return [...dispute.differed];
    }
    const surelyDiffer = voters(dispute, false, HEARD_JUST_NOW);
    const mayWait = dispute.looks < dispute.decideAt + WAIT_LOOKS;
    if (agree.length > 0 && agree.length >= surelyDiffer.length && mayWait) return undefined;
    throw new DisagreementError(dispute.sequence, agree, agree.length > 0 ? mayDiffer : differ);
  }

  /** Where that batch is remembered; undefined before this node began, or long ago. */
  private placeOf({ sequence }: Applied): number | undefined {
    const at = sequence % REMEMBERED;
    return sequence !== 0 && this.sequences[at] === sequence ? at : undefined;
  }
}

function begun(node: string, sequence: number): Dispute {
  const votes = new Map([[node, { agrees: false, look: 0 }]]);
  const differed = new Set([node]);
  const decideAt = DECIDE_AFTER_LOOKS;
  return { sequence, votes, differed, hasSpoken: false, position: 0, looks: 0, decideAt };
}

/**
 * Notes that a node differs. If that is new, and others have agreed with this node, it may be this node that has
 * changed since: they agreed with an earlier state. All nodes vote again, about the state after this batch.
 */
function noteDifference(dispute: Dispute, node: string, sequence: number): void {
  const { votes, looks } = dispute;
  const agree = voters(dispute, true);
  const isKnown = votes.get(node)?.agrees === false;
  votes.set(node, { agrees: false, look: looks });
  dispute.differed.add(node);
  if (isKnown || agree.length === 0) return;
  for (const each of agree) if (each !== node) votes.delete(each);
  dispute.sequence = Math.max(dispute.sequence, sequence);
  dispute.hasSpoken = false;
  dispute.decideAt = looks + DECIDE_AFTER_LOOKS;
}

/** The nodes that agree, or differ. @param looks Only those that were heard within so many. */
function voters(
  dispute: Dispute,
  agrees: boolean,
  looks = Number.POSITIVE_INFINITY,
): readonly string[] {
  return [...dispute.votes]
    .filter(([, vote]) => vote.agrees === agrees && dispute.looks - vote.look <= looks)
    .map(([node]) => node);
}

import { type Applied, ClusteredLogError } from '../cluster/log/clustered-log.ts';
import { equalHashes } from '../log/hash.ts';
import { OperatorError } from '../monitoring/operator-error.ts';

/** Batches that this node can compare with others: far more than any node lags. */
const MAX_REMEMBERED = 8192;
/**
 * Ticks, a quarter of a second apart, before a node decides: five seconds in which the log advances, counted from when its
 * own report is in the log. Every running node can report in that time, even if its batch in flight and then its report
 * go unanswered for two seconds each. A slower node counts as stopped. Without it the others may lack a majority and stop,
 * but they never continue with the wrong state.
 */
const DECIDE_AFTER_TICKS = 20;
/**
 * A running node reports its state at every tick. One that was not heard for this many ticks has stopped, and a state that
 * no process holds has no vote.
 */
const STOPPED_AFTER_TICKS = DECIDE_AFTER_TICKS - 1;
/** A node heard within this many ticks is certainly running. In between it is unknown. */
const CERTAINLY_RUNNING_TICKS = 4;
/** Maximum ticks for which a node waits to find out. */
const MAX_WAIT_TICKS = 40;

/** This node's state differs from that of most nodes, so it must stop. */
export class DisagreementError extends OperatorError {
  override readonly name = 'DisagreementError';

  constructor(sequence: number, agree: readonly string[], differ: readonly string[]) {
    const others = agree.length === 0 ? 'no other node' : agree.join(', ');
    const isOutvoted = agree.length + 1 < differ.length;
    super(
      `The nodes hold different states of the exchange after batch ${sequence}: ${differ.join(', ')} and this one differ, ` +
        `${others} agrees with it. It stops because most nodes are not on its side. One of the nodes has damaged memory ` +
        `or runs another release. ${isOutvoted ? OUTVOTED : 'Start this node again; it rebuilds its state from a snapshot and the log.'} ` +
        'If this happens again, keep the log and report it.',
    );
  }
}

const OUTVOTED =
  'Most nodes hold another state, so this one may not start again until an operator has checked its memory and release ' +
  'and run "buttonwood readmit" for it.';

/** A node's latest report, and the tick at which it was received. */
interface Vote {
  readonly agrees: boolean;
  readonly tick: number;
}

interface Dispute {
  /** Batch after which the states differ; reports about earlier ones are no votes. */
  sequence: number;
  readonly votes: Map<string, Vote>;
  /** Every node that held another state at some time of the dispute, even if it was restarted since. */
  readonly differed: Set<string>;
  /** Whether this node's own report is in the log. */
  hasReported: boolean;
  /** The last batch that this node had applied at the latest tick. */
  position: number;
  ticks: number;
  /** The first tick at which the dispute may be decided. */
  decideAt: number;
}

/**
 * Compares the states of the nodes. Every batch carries the digest of its node's state, and all nodes must hold
 * the same state after each batch. If two differ, every node reports its state, and those without a majority stop: if two
 * nodes differ, both do. See docs/cluster-protocol.md.
 */
export class Agreement {
  private readonly sequences = new Float64Array(MAX_REMEMBERED);
  private readonly digests = new Int32Array(MAX_REMEMBERED);
  private readonly hashes: Uint8Array[] = new Array(MAX_REMEMBERED);
  private sameLog = 0;
  private otherLog = 0;
  private dispute: Dispute | undefined;

  /** Records this node's state after a batch. */
  note(sequence: number, hash: Uint8Array, digest: number): void {
    const at = sequence % MAX_REMEMBERED;
    this.sequences[at] = sequence;
    this.digests[at] = digest;
    this.hashes[at] = hash;
  }

  /** Compares another node's report with this node's state. @returns Whether it starts a dispute. */
  compare(node: string, applied: Applied): boolean {
    const at = this.indexOf(applied);
    if (at === undefined) return false;
    const agrees =
      this.digests[at] === applied.digest && equalHashes(this.hashes[at]!, applied.hash);
    const { dispute } = this;
    if (dispute === undefined) {
      if (!agrees) this.dispute = newDispute(node, applied.sequence);
      return !agrees;
    }
    if (!agrees) {
      noteDifference(dispute, node, applied.sequence);
    } else if (applied.sequence >= dispute.sequence) {
      // Reports about earlier batches agree in any case.
      dispute.votes.set(node, { agrees: true, tick: dispute.ticks });
    }
    return false;
  }

  /** Records that this node's own report is in the log. */
  noteReported({ sequence }: Applied): void {
    if (this.dispute !== undefined && sequence >= this.dispute.sequence) {
      this.dispute.hasReported = true;
    }
  }

  /** Counts, while this node catches up, whether a message's sender had read the same log as this node. */
  compareLog(applied: Applied): void {
    const at = this.indexOf(applied);
    if (at === undefined) return;
    if (equalHashes(this.hashes[at]!, applied.hash)) this.sameLog++;
    else this.otherLog++;
  }

  /** @throws ClusteredLogError if the senders of most of those messages had read another log than this node */
  checkLog(): void {
    if (this.otherLog <= this.sameLog) return;
    throw new ClusteredLogError(
      'most of its messages continue a log other than the one this node started from: the servers have lost the log that ' +
        'the snapshot belongs to. Stop all nodes, then restore log and database together from a backup.',
    );
  }

  /** Whether nodes differ and it is undecided which of them stop, so that nothing may be answered. */
  get isDisputed(): boolean {
    return this.dispute !== undefined;
  }

  /**
   * Decides a dispute once all nodes had time to report. Must be called every quarter of a second. A tick does not count
   * if the log did not advance, as no node could report then, or before this node's own report is in the log, as the
   * others may not know of the dispute. If another node agrees with this one, it stops only if enough of the differing
   * nodes are certainly running, continues only if too few may be running, and otherwise waits.
   * @param position The last batch that this node has applied.
   * @returns every node that differed, if this node has the majority; undefined if nothing is decided
   * @throws DisagreementError if this node does not have the majority
   */
  decide(position: number): readonly string[] | undefined {
    const { dispute } = this;
    if (dispute === undefined || dispute.position === position) return undefined;
    dispute.position = position;
    dispute.ticks++;
    if (!dispute.hasReported) dispute.decideAt = dispute.ticks + DECIDE_AFTER_TICKS;
    if (dispute.ticks < dispute.decideAt) return undefined;
    const [agree, differ] = [voters(dispute, true), voters(dispute, false)];
    const [mayAgree, mayDiffer] = [
      voters(dispute, true, STOPPED_AFTER_TICKS),
      voters(dispute, false, STOPPED_AFTER_TICKS),
    ];
    // Two running nodes hear each other and count the same votes, so at most one of two sides continues.
    if (agree.length > 0 && mayAgree.length >= mayDiffer.length) {
      this.dispute = undefined;
      return [...dispute.differed];
    }
    const surelyDiffer = voters(dispute, false, CERTAINLY_RUNNING_TICKS);
    const mayWait = dispute.ticks < dispute.decideAt + MAX_WAIT_TICKS;
    if (agree.length > 0 && agree.length >= surelyDiffer.length && mayWait) return undefined;
    throw new DisagreementError(dispute.sequence, agree, agree.length > 0 ? mayDiffer : differ);
  }

  /** Returns the index of a remembered batch; undefined for one before this node started or long ago. */
  private indexOf({ sequence }: Applied): number | undefined {
    const at = sequence % MAX_REMEMBERED;
    return sequence !== 0 && this.sequences[at] === sequence ? at : undefined;
  }
}

function newDispute(node: string, sequence: number): Dispute {
  const votes = new Map([[node, { agrees: false, tick: 0 }]]);
  const differed = new Set([node]);
  const decideAt = DECIDE_AFTER_TICKS;
  return { sequence, votes, differed, hasReported: false, position: 0, ticks: 0, decideAt };
}

/**
 * Records that a node differs. If that is new and others have agreed with this node, this node may have changed since,
 * because they agreed with an earlier state. All nodes then vote again, about the state after this batch.
 */
function noteDifference(dispute: Dispute, node: string, sequence: number): void {
  const { votes, ticks } = dispute;
  const agree = voters(dispute, true);
  const isKnown = votes.get(node)?.agrees === false;
  votes.set(node, { agrees: false, tick: ticks });
  dispute.differed.add(node);
  if (isKnown || agree.length === 0) return;
  for (const each of agree) if (each !== node) votes.delete(each);
  dispute.sequence = Math.max(dispute.sequence, sequence);
  dispute.hasReported = false;
  dispute.decideAt = ticks + DECIDE_AFTER_TICKS;
}

/** Returns the nodes that agree or differ. @param ticks Only those heard within this many ticks. */
function voters(
  dispute: Dispute,
  agrees: boolean,
  ticks = Number.POSITIVE_INFINITY,
): readonly string[] {
  return [...dispute.votes]
    .filter(([, vote]) => vote.agrees === agrees && dispute.ticks - vote.tick <= ticks)
    .map(([node]) => node);
}

import { ClusteredLogError, FencedError, LogTrimmedError } from '../../src/cluster/log/errors.ts';
import { HOUR_MS } from '../../src/config/durations.ts';
import { CommandKind, SYSTEM_ACTOR } from '../../src/engine/command.ts';
import type { Exchange } from '../../src/engine/exchange.ts';
import { DisagreementError } from '../../src/replica/agreement.ts';
import type { Coverage } from '../coverage.ts';
import { check } from '../failure.ts';
import { below, type Random } from '../random.ts';
import type { Schedule } from '../schedule.ts';
import { ReplicasDifferError } from './cluster-archivist.ts';
import type { ClusterFaultKind, ClusterFaults } from './cluster-faults.ts';
import type { ClusterStateChecker } from './cluster-state-checker.ts';
import type { Member } from './member.ts';
import type { Nodes } from './nodes.ts';
import type { SimulatedServers } from './servers.ts';
import type { SharedSnapshots } from './snapshots.ts';

export interface FaultInjectorOptions {
  readonly schedule: Schedule;
  readonly random: Random;
  readonly faults: ClusterFaults;
  readonly coverage: Coverage;
  readonly nodes: Nodes;
  readonly servers: SimulatedServers;
  readonly snapshots: SharedSnapshots;
  readonly stateChecker: ClusterStateChecker;
  /** Called when the servers have lost messages, after which no more requests are sent. */
  readonly onRewind: () => void;
  readonly onFailure: (error: Error) => void;
}

const EVERY_MS = 250;
const [MIN_PAUSE_MS, MAX_PAUSE_MS] = [1000, 30_000];
const MAX_CUT_MS = 10_000;
const MAX_STOP_MS = 5000;
const CLOCKS_MS = [-HOUR_MS, HOUR_MS, -5000, 5000, -1500, 1500, 0, 0] as const;
const MAX_LOST_MESSAGES = 6;
/**
 * Maximum time until a connected process with a differing state ends, counted while the log moves. It may need some
 * seconds to vote, and then 20 ticks, for each of which the log has to move.
 */
const DISPUTED_FOR_MS = 25_000;
/** A dispute may end a process for this long after the last differing process: it waits for 40 more ticks. */
const DISPUTE_OUTLASTS_MS = 40_000;
/**
 * The same limit for a process that has seen lost messages. If it runs alone, its own batch reveals the loss: it
 * waits 2 s for that, then requests the end of the log for 12 s, with up to 2 s per answer.
 */
const LOSS_UNNOTICED_FOR_MS = 18_000;
/** Maximum time until a connected process has reported its state. */
const REPORTED_WITHIN_MS = 5000;
/** The vote of an ended process counts for a second, and its last message may still be in transit. */
const VOTES_AFTER_END_MS = 1500;

/** Injects faults into nodes and servers, and checks their consequences. */
export class FaultInjector {
  /** Processes that have seen lost messages. */
  private readonly rewound = new Map<Member, { readonly seen: number }>();
  private isRewound = false;
  private isOn = false;
  /** Total time in which the log has moved. */
  private movedMs = 0;
  private endBefore = 0;
  /** The value of `movedMs` when a process last had a differing state. */
  private damagedAtMovedMs = Number.NEGATIVE_INFINITY;

  constructor(private readonly options: FaultInjectorOptions) {
    options.nodes.exitPolicy = (member, error) => this.checkExit(member, error);
  }

  begin(): void {
    this.isOn = true;
    this.injectFaults();
  }

  /** Stops all faults: resumes paused processes and restores links. */
  end(): void {
    this.isOn = false;
    for (const member of this.options.nodes.running()) {
      if (member.isPaused) this.resume(member);
      member.link.cut(0);
    }
    this.options.nodes.clockOffsetsMs.fill(0);
  }

  /** Whether all processes that must end have ended. */
  get areOver(): boolean {
    const { nodes } = this.options;
    // The last running node cannot learn from others that its state differs from the log.
    const isLast = nodes.expected === 1;
    return !nodes
      .running()
      .some((each) => (each.damagedAtMs !== undefined && !isLast) || this.isSequenceRewound(each));
  }

  isSequenceRewound(member: Member): boolean {
    return this.rewound.has(member);
  }

  /** Whether a process has continued from lost messages. */
  isOnLostLog(member: Member): boolean {
    const loss = this.rewound.get(member);
    return loss !== undefined && member.seen > loss.seen;
  }

  /** Checks that processes which must end do. @param passedMs Time since the last call. */
  watch(passedMs: number): void {
    const { nodes, servers, stateChecker } = this.options;
    const hasMoved = stateChecker.end !== this.endBefore;
    this.endBefore = stateChecker.end;
    if (hasMoved) this.movedMs += passedMs;
    const able = nodes.serving().filter(({ isPaused, link }) => !isPaused && link.isWhole);
    const sound = able.filter(
      (each) => each.damagedAtMs === undefined && !this.isSequenceRewound(each),
    );
    for (const member of nodes.running()) {
      if (member.damagedAtMs !== undefined) this.damagedAtMovedMs = this.movedMs;
      if (member.damagedAtMs === undefined && !this.isSequenceRewound(member)) continue;
      if (!servers.hasLeader || !able.includes(member)) continue;
      // A differing state is noticed by comparison with other nodes, a loss without them.
      if ((sound.length === 0 || !hasMoved) && !this.isSequenceRewound(member)) continue;
      member.exposedMs += passedMs;
      check(
        member.exposedMs <=
          (this.isSequenceRewound(member) ? LOSS_UNNOTICED_FOR_MS : DISPUTED_FOR_MS),
        `${member.name} keeps running with another state than the others`,
      );
    }
  }

  private injectFaults(): void {
    if (!this.isOn) return;
    const { schedule, servers } = this.options;
    schedule.after(this, EVERY_MS, 'disturb', () => this.injectFaults());
    if (this.happens('leaderLoss')) servers.loseLeader();
    const victim = (kind: ClusterFaultKind) => (this.happens(kind) ? this.pick(kind) : undefined);
    this.cut(victim('linkCut'));
    this.kill(victim('nodeKill'));
    this.pause(victim('nodePause'));
    this.startTwice(victim('startTwice'));
    this.jump(victim('nodeClock'));
    this.damage(victim('memoryDamage'));
    if (this.happens('rewind')) this.rewind();
  }

  private happens(kind: ClusterFaultKind): boolean {
    const happens = this.options.faults.happens(kind);
    if (happens) this.options.coverage.count('fault', kind);
    return happens;
  }

  private pick(kind: ClusterFaultKind): Member | undefined {
    const { nodes, faults } = this.options;
    const living = nodes.running();
    return living[faults.pick(kind, living.length)];
  }

  private cut(member?: Member): void {
    member?.link.cut(below(MAX_CUT_MS, this.options.random));
  }

  private kill(member?: Member): void {
    if (member === undefined) return;
    const { nodes, random, schedule, coverage } = this.options;
    if (!member.isServing || member.isStopping || random() < 0.7) {
      nodes.end(member);
      return;
    }
    member.stop().then(
      () => {
        coverage.count('node', 'stops in order');
        nodes.end(member);
      },
      () => nodes.end(member),
    );
    // A process that does not stop in time is killed.
    schedule.after(this, MAX_STOP_MS, 'kill', () => nodes.end(member));
  }

  /** Starts a process next to a running one, or two at once if none is running. */
  private startTwice(member?: Member): void {
    if (member === undefined) return;
    const { nodes, random } = this.options;
    nodes.startOne(member.name);
    if (random() < 0.5) return;
    nodes.startOne(member.name);
    nodes.end(member);
  }

  private pause(member?: Member): void {
    if (member === undefined || member.isPaused) return;
    const { random, schedule } = this.options;
    member.isPaused = true;
    const durationMs = MIN_PAUSE_MS + below(MAX_PAUSE_MS - MIN_PAUSE_MS, random);
    schedule.after(this, durationMs, 'resume', () => this.resume(member));
  }

  private resume(member: Member): void {
    if (member.isAlive && member.isPaused) member.resume();
  }

  private jump(member?: Member): void {
    if (member === undefined) return;
    const { nodes, random } = this.options;
    const place = nodes.names.indexOf(member.name);
    nodes.clockOffsetsMs[place] = CLOCKS_MS[below(CLOCKS_MS.length, random)]!;
  }

  /** Corrupts a process's state, as faulty memory or another release would. */
  private damage(member?: Member): void {
    if (member === undefined || !member.isServing || member.damagedAtMs !== undefined) return;
    this.damagedAtMovedMs = this.movedMs;
    const reference = `damage at ${this.options.schedule.elapsedMs} ms`;
    member.damage((exchange) => change(exchange, reference), this.options.random() < 0.7);
  }

  private rewind(): void {
    const { servers, snapshots, stateChecker, nodes, random, onRewind } = this.options;
    const end = servers.lastSequence - 1 - below(MAX_LOST_MESSAGES, random);
    if (end < servers.first || this.isRewound) return;
    this.isRewound = true;
    for (const member of nodes.running()) {
      const { newest } = member.link;
      // Its snapshot holds lost messages, and it has not received any that would reveal it.
      if (newest === 0 && member.seen > end) nodes.end(member);
      if (newest <= end) continue;
      this.rewound.set(member, { seen: newest });
      member.mayWriteSnapshots = false;
    }
    servers.rewind(end);
    snapshots.rewind(end);
    stateChecker.rewind(servers.all());
    onRewind();
  }

  /** Whether a connected majority has reported the same state: others agree, and at most one does not. */
  private isInMajority(member: Member): boolean {
    const { nodes, servers, schedule } = this.options;
    if (this.isRewound || member.damagedAtMs !== undefined) return false;
    if (!servers.hasLeader || !member.link.isWhole) return false;
    const { elapsedMs } = schedule;
    const others = nodes.all.filter(({ name, isServing, isStopping, damagedAtMs, endedAtMs }) => {
      const hasVote = damagedAtMs !== undefined && elapsedMs - endedAtMs <= VOTES_AFTER_END_MS;
      return name !== member.name && ((isServing && !isStopping) || hasVote);
    });
    const isAble = ({ isPaused, link, servingAtMs, resumedAtMs }: Member) => {
      const sinceMs = Math.max(servingAtMs, resumedAtMs, link.wholeAtMs, servers.ledSinceMs);
      return !isPaused && link.isWhole && elapsedMs - sinceMs > REPORTED_WITHIN_MS;
    };
    const sound = others.filter((each) => each.damagedAtMs === undefined && isAble(each));
    return sound.length > 0 && others.length - sound.length <= 1;
  }

  /**
   * Whether a process that ended after a loss can serve when restarted. A node that has joined and refuses the log
   * found messages in it that others wrote after lost ones. It refuses until an operator restores the log.
   */
  private mayStartAgain(member: Member, error: ClusteredLogError): boolean {
    const isTrimmed = error instanceof LogTrimmedError;
    const hasRefused = member.hasJoined && !member.isServing && !isTrimmed;
    return !this.isSequenceRewound(member) && !hasRefused;
  }

  /** Checks that a process may end with this error. @returns Whether it is restarted. */
  private checkExit(member: Member, error: Error): 'restart' | 'stay down' {
    const { servers, coverage } = this.options;
    if (error instanceof FencedError) {
      check(member.lastRivalJoin > 0, 'a process was fenced without a rival');
      return 'restart';
    }
    if (error instanceof ReplicasDifferError && member.damagedAtMs !== undefined) return 'restart';
    if (error instanceof DisagreementError) {
      const isRecent = this.movedMs - this.damagedAtMovedMs <= DISPUTE_OUTLASTS_MS;
      const isReason = isRecent || this.isRewound;
      check(isReason, `${member.name} ended although the nodes agree: ${error.message}`);
      check(
        !this.isInMajority(member),
        `${member.name} ended although the majority agrees with it: ${error.message}`,
      );
      return this.isSequenceRewound(member) ? 'stay down' : 'restart';
    }
    if (error instanceof ClusteredLogError) {
      if (this.isRewound) return this.mayStartAgain(member, error) ? 'restart' : 'stay down';
      const isPurged = servers.first > Math.max(1, member.seen);
      check(
        isPurged,
        `${member.name} ended although the servers have lost nothing: ${error.message}`,
      );
      coverage.count('joining', 'purged before it joined');
      return 'restart';
    }
    throw error;
  }
}

/** Applies a transfer that is not in the log. @param reference A unique one, or damaged nodes would agree. */
function change(exchange: Exchange, reference: string): void {
  const searchedBelow = exchange.state.nextTransferId;
  const what = { owner: 1, asset: 0, amount: 1, reference, reason: 'damage', searchedBelow };
  exchange.apply({ kind: CommandKind.transfer, ...SYSTEM_ACTOR, ...what }, exchange.state.time);
}

import { ClusteredLogError, FencedError, LogTrimmedError } from '../../src/cluster/log/errors.ts';
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
  /** The servers have broken their promise, after which nobody asks for anything any more. */
  readonly onRewind: () => void;
  readonly onFailure: (error: Error) => void;
}

const EVERY_MS = 250;
const [SHORTEST_PAUSE_MS, LONGEST_PAUSE_MS] = [1000, 30_000];
const LONGEST_CUT_MS = 10_000;
const LONGEST_STOP_MS = 5000;
const HOUR_MS = 3_600_000;
const CLOCKS_MS = [-HOUR_MS, HOUR_MS, -5000, 5000, -1500, 1500, 0, 0] as const;
const LONGEST_TAIL = 6;
/**
 * A process that holds another state than the others, and can hear from them, ends within this time in which the log
 * moves: it may need some seconds to cast its vote, and 20 looks, for each of which the log has to move.
 */
const DISPUTED_FOR_MS = 25_000;
/** A process may end by a dispute for so long after the last one that differed: it waits for 40 more looks. */
const DISPUTE_OUTLASTS_MS = 40_000;
/**
 * The same for a process that has seen what the servers lost. If no other one is running, it finds out by its own
 * batch: it waits for that for 2 s, then asks for the end of the log for 12 s, with up to 2 s for each answer.
 */
const LOSS_UNNOTICED_FOR_MS = 18_000;
/** Who can say what it holds has said so by then. */
const SAID_WITHIN_MS = 5000;
/** The vote of a process that has ended counts for a second, and what it sent last may be on its way. */
const VOTES_AFTER_END_MS = 1500;

/** What befalls nodes and servers, and what may come of it. */
export class FaultInjector {
  /** Processes that have seen what the servers have lost. */
  private readonly rewound = new Map<Member, { readonly seen: number }>();
  private isRewound = false;
  private isOn = false;
  /** For how long the log has moved so far. */
  private movedMs = 0;
  private endBefore = 0;
  /** When a process last held another state than the others, in time in which the log moved. */
  private damagedAtMovedMs = Number.NEGATIVE_INFINITY;

  constructor(private readonly options: FaultInjectorOptions) {
    options.nodes.judge = (member, error) => this.judge(member, error);
  }

  begin(): void {
    this.isOn = true;
    this.disturb();
  }

  /** Nothing new happens, and what goes on ends: those who pause wake up, links are whole. */
  end(): void {
    this.isOn = false;
    for (const member of this.options.nodes.living()) {
      if (member.isPaused) this.resume(member);
      member.link.cut(0);
    }
    this.options.nodes.clockOffsetsMs.fill(0);
  }

  /** Nobody lives any more who must not. */
  get areOver(): boolean {
    const { nodes } = this.options;
    // The last node that runs holds another state than the log, and no other one can tell it.
    const isLast = nodes.expected === 1;
    return !nodes
      .living()
      .some((each) => (each.damagedAtMs !== undefined && !isLast) || this.isSequenceRewound(each));
  }

  isSequenceRewound(member: Member): boolean {
    return this.rewound.has(member);
  }

  /** Whether a process has gone on from what is lost. */
  isOnLostLog(member: Member): boolean {
    const doom = this.rewound.get(member);
    return doom !== undefined && member.seen > doom.seen;
  }

  /** Checks that whoever must end does. @param passedMs Since the last time. */
  watch(passedMs: number): void {
    const { nodes, servers, stateChecker } = this.options;
    const hasMoved = stateChecker.end !== this.endBefore;
    this.endBefore = stateChecker.end;
    if (hasMoved) this.movedMs += passedMs;
    const able = nodes.serving().filter(({ isPaused, link }) => !isPaused && link.isWhole);
    const sound = able.filter(
      (each) => each.damagedAtMs === undefined && !this.isSequenceRewound(each),
    );
    for (const member of nodes.living()) {
      if (member.damagedAtMs !== undefined) this.damagedAtMovedMs = this.movedMs;
      if (member.damagedAtMs === undefined && !this.isSequenceRewound(member)) continue;
      if (!servers.hasLeader || !able.includes(member)) continue;
      // Another node has to show it the difference. What was lost it notices by itself.
      if ((sound.length === 0 || !hasMoved) && !this.isSequenceRewound(member)) continue;
      member.exposedMs += passedMs;
      check(
        member.exposedMs <=
          (this.isSequenceRewound(member) ? LOSS_UNNOTICED_FOR_MS : DISPUTED_FOR_MS),
        `${member.name} holds another state than the others and lives on`,
      );
    }
  }

  private disturb(): void {
    if (!this.isOn) return;
    const { schedule, servers } = this.options;
    schedule.after(this, EVERY_MS, 'disturb', () => this.disturb());
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
    const living = nodes.living();
    return living[faults.pick(kind, living.length)];
  }

  private cut(member?: Member): void {
    member?.link.cut(below(LONGEST_CUT_MS, this.options.random));
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
    // Whoever does not come to an end is killed.
    schedule.after(this, LONGEST_STOP_MS, 'kill', () => nodes.end(member));
  }

  /** Beside one that runs, or two at once where none does. */
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
    const durationMs = SHORTEST_PAUSE_MS + below(LONGEST_PAUSE_MS - SHORTEST_PAUSE_MS, random);
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

  /** Some memory is not what it was, or the release not that of the others. */
  private damage(member?: Member): void {
    if (member === undefined || !member.isServing || member.damagedAtMs !== undefined) return;
    this.damagedAtMovedMs = this.movedMs;
    const reference = `damage at ${this.options.schedule.elapsedMs} ms`;
    member.damage((exchange) => change(exchange, reference), this.options.random() < 0.7);
  }

  private rewind(): void {
    const { servers, snapshots, stateChecker, nodes, random, onRewind } = this.options;
    const end = servers.lastSequence - 1 - below(LONGEST_TAIL, random);
    if (end < servers.first || this.isRewound) return;
    this.isRewound = true;
    for (const member of nodes.living()) {
      const { newest } = member.link;
      // What it has begun with is lost, and it has not come so far as to notice.
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

  /** Whether others hold what it does, could have said so, and at most one does not. */
  private isOfMost(member: Member): boolean {
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
      return !isPaused && link.isWhole && elapsedMs - sinceMs > SAID_WITHIN_MS;
    };
    const sound = others.filter((each) => each.damagedAtMs === undefined && isAble(each));
    return sound.length > 0 && others.length - sound.length <= 1;
  }

  /**
   * Whether a process that ended after the servers lost messages is of use once it is started again. A node that has
   * joined and refuses the log finds in it what others wrote after messages that are lost. That stays so until an
   * operator restores the log.
   */
  private mayStartAgain(member: Member, error: ClusteredLogError): boolean {
    const isTrimmed = error instanceof LogTrimmedError;
    const hasRefused = member.hasJoined && !member.isServing && !isTrimmed;
    return !this.isSequenceRewound(member) && !hasRefused;
  }

  /** Whether a process may end by this error, and whether it is started again. */
  private judge(member: Member, error: Error): 'again' | 'for good' {
    const { servers, coverage } = this.options;
    if (error instanceof FencedError) {
      check(member.lastRivalJoin > 0, 'a process was fenced by nobody');
      return 'again';
    }
    if (error instanceof ReplicasDifferError && member.damagedAtMs !== undefined) return 'again';
    if (error instanceof DisagreementError) {
      const isRecent = this.movedMs - this.damagedAtMovedMs <= DISPUTE_OUTLASTS_MS;
      const isReason = isRecent || this.isRewound;
      check(isReason, `the nodes hold the same, and ${member.name} ends: ${error.message}`);
      check(
        !this.isOfMost(member),
        `${member.name} ends, and most hold what it does: ${error.message}`,
      );
      return this.isSequenceRewound(member) ? 'for good' : 'again';
    }
    if (error instanceof ClusteredLogError) {
      if (this.isRewound) return this.mayStartAgain(member, error) ? 'again' : 'for good';
      const isPurged = servers.first > Math.max(1, member.seen);
      check(isPurged, `${member.name} ends, and the servers have lost nothing: ${error.message}`);
      coverage.count('joining', 'purged meanwhile');
      return 'again';
    }
    throw error;
  }
}

/** A transfer that the log does not hold. @param reference Of no other one, or damaged nodes would agree. */
function change(exchange: Exchange, reference: string): void {
  const searchedBelow = exchange.state.nextTransferId;
  const what = { owner: 1, asset: 0, amount: 1, reference, reason: 'damage', searchedBelow };
  exchange.apply({ kind: CommandKind.transfer, ...SYSTEM_ACTOR, ...what }, exchange.state.time);
}

import { Chances } from '../faults.ts';

/** The probability of each fault of a cluster and the servers of its log, by the event that it is drawn for. */
const CHANCES = {
  // Per message on its way to the servers.
  publishLost: 0.03,
  acknowledgementLost: 0.04,
  publishTwice: 0.06,
  publishDelayed: 0.04,
  // Per delivery to a node.
  deliveryDelayed: 0.01,
  deliveryBroken: 0.005,
  // Per consumer that replaces another.
  deliveryAgain: 0.2,
  // Per 250 ms.
  leaderLoss: 0.02,
  linkCut: 0.02,
  nodeKill: 0.03,
  nodePause: 0.03,
  startTwice: 0.02,
  nodeClock: 0.03,
  memoryDamage: 0.012,
  rewind: 0.002,
  // Per new leader.
  serverClock: 0.3,
  // Per snapshot read.
  newestSnapshotDamage: 0.1,
} as const;

export type ClusterFaultKind = keyof typeof CHANCES;
export const clusterFaultKinds = Object.keys(CHANCES) as ClusterFaultKind[];

export class ClusterFaults extends Chances<ClusterFaultKind> {
  constructor(seed: number, without: ReadonlySet<string>) {
    super(seed, CHANCES, without);
  }
}

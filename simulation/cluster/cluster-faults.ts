import { Chances } from '../faults.ts';

/** What can go wrong among many nodes and the servers of their log, and how often: by what it is asked for. */
const CHANCES = {
  // Of a message on its way to the servers.
  publishLost: 0.03,
  acknowledgementLost: 0.04,
  publishTwice: 0.06,
  publishDelayed: 0.04,
  // Of messages on their way to a node.
  deliveryDelayed: 0.01,
  deliveryBroken: 0.005,
  // Of a consumer that takes the place of another.
  deliveryAgain: 0.2,
  // Of a moment, four a second.
  leaderLoss: 0.02,
  linkCut: 0.02,
  nodeKill: 0.03,
  nodePause: 0.03,
  startTwice: 0.02,
  nodeClock: 0.03,
  memoryDamage: 0.012,
  rewind: 0.002,
  // Of a new leader.
  serverClock: 0.3,
  // Of a snapshot that is read.
  newestSnapshotDamage: 0.1,
} as const;

export type ClusterFaultKind = keyof typeof CHANCES;
export const clusterFaultKinds = Object.keys(CHANCES) as ClusterFaultKind[];

export class ClusterFaults extends Chances<ClusterFaultKind> {
  constructor(seed: number, without: ReadonlySet<string>) {
    super(seed, CHANCES, without);
  }
}

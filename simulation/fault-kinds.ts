import { type ClusterFaultKind, clusterFaultKinds } from './cluster/cluster-faults.ts';
import { type FaultKind, faultKinds } from './faults.ts';

export type AnyFaultKind = FaultKind | ClusterFaultKind;
export const anyFaultKinds: readonly AnyFaultKind[] = [...faultKinds, ...clusterFaultKinds];

/** Those that can befall an exchange of so many nodes. */
export function faultKindsOf(nodes: number): readonly AnyFaultKind[] {
  return nodes === 1 ? faultKinds : clusterFaultKinds;
}

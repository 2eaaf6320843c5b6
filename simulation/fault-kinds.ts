import { type ClusterFaultKind, clusterFaultKinds } from './cluster/cluster-faults.ts';
import { type FaultKind, faultKinds } from './faults.ts';

export type AnyFaultKind = FaultKind | ClusterFaultKind;
export const anyFaultKinds: readonly AnyFaultKind[] = [...faultKinds, ...clusterFaultKinds];

/** Returns the kinds that apply to an exchange with this number of nodes. */
export function faultKindsFor(nodes: number): readonly AnyFaultKind[] {
  return nodes === 1 ? faultKinds : clusterFaultKinds;
}

import type { ObjectSnapshots } from '../archivist/snapshots/object-snapshots.ts';
import { retryTransient } from '../cluster/stream/connection.ts';
import * as logger from '../monitoring/logger.ts';
import { OperatorError } from '../monitoring/operator-error.ts';

/** This node's state differed from that of most nodes. If it joined again, all writes would stop for seconds. */
export class OutvotedError extends OperatorError {
  override readonly name = 'OutvotedError';

  constructor(node: string, sequence: number) {
    super(
      `Node ${node} may not start, because around batch ${sequence} of the log its state differed from that of most nodes. Check its ` +
        'memory, its release and the output of the other nodes. Then readmit it, from any machine: ' +
        `buttonwood readmit ${node} --log nats://… --log-stream …`,
    );
  }
}

/** @throws OutvotedError if this node lost a dispute and no operator has readmitted it since */
export async function checkVote(snapshots: ObjectSnapshots, node: string): Promise<void> {
  const sequence = await retryTransient(() => snapshots.outvotedAt(node));
  if (sequence !== undefined) throw new OutvotedError(node, sequence);
}

/**
 * Prevents nodes that lost a dispute from starting again. The winning nodes record it, because the others stop at once and
 * may have damaged memory. Never rejects: without the record the node would only be outvoted again.
 */
export async function noteOutvoted(
  snapshots: Pick<ObjectSnapshots, 'noteOutvoted'>,
  nodes: readonly string[],
  sequence: number,
): Promise<void> {
  for (const node of nodes) {
    try {
      await retryTransient(() => snapshots.noteOutvoted(node, sequence));
      logger.warn(
        `The state of node ${node} differed from that of most nodes, so it stops. Check its memory and its release. ` +
          `Node ${node} may not start until an operator has readmitted it (buttonwood readmit ${node}).`,
      );
    } catch (error) {
      logger.error(
        `Node ${node} was outvoted, but this could not be recorded. Keep it stopped until you have checked its memory and its release`,
        error,
      );
    }
  }
}

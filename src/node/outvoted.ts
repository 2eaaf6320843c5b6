import type { ObjectSnapshots } from '../archivist/snapshots/object-snapshots.ts';
import { retryTransient } from '../cluster/stream/connection.ts';
import * as logger from '../monitoring/logger.ts';
import { OperatorError } from '../monitoring/operator-error.ts';

/** Most nodes found that this node holds another state. It would stop all writes for seconds if it joined again. */
export class OutvotedError extends OperatorError {
  override readonly name = 'OutvotedError';

  constructor(node: string, sequence: number) {
    super(
      `Node ${node} may not start: around batch ${sequence} of the log it held another state than most nodes. Check its ` +
        'memory, its release and the logs of the other nodes. Then let it start again, from any machine: ' +
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
 * Keeps nodes that lost a dispute from starting again. The nodes on the winning side note it: those that lost end at
 * once, and their memory may be damaged. Never rejects: without the note such a node only loses once more.
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
        `Node ${node} held another state than most nodes, which ends such a node: check its memory and its release. ` +
          `Node ${node} may not start until an operator has readmitted it (buttonwood readmit ${node}).`,
      );
    } catch (error) {
      logger.error(
        `Node ${node} lost a dispute, but this could not be noted beside the snapshots. Keep it stopped until it was checked`,
        error,
      );
    }
  }
}

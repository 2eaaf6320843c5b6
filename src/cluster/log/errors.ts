import { OperatorError, StoredDataError } from '../../monitoring/operator-error.ts';

/** The log of many nodes is not as it must be: this node can go on no longer. */
export class ClusteredLogError extends StoredDataError {
  override readonly name = 'ClusteredLogError';

  constructor(reason: string) {
    super(`The log in NATS cannot be followed: ${reason}`);
  }
}

/** What should follow is not there any more: who begins anew, at a newer snapshot, may go on. */
export class LogTrimmedError extends ClusteredLogError {}

/** Another process has begun to run under this node's name. */
export class FencedError extends OperatorError {
  override readonly name = 'FencedError';

  constructor(node: string) {
    super(
      `Another process runs as node ${node} now, so this one ends: what it sends counts no more. ` +
        'Give each process a name of its own (BUTTONWOOD_NODE).',
    );
  }
}

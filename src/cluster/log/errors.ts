import { OperatorError, StoredDataError } from '../../monitoring/operator-error.ts';

/** The clustered log cannot be read any further, so this node must stop. */
export class ClusteredLogError extends StoredDataError {
  override readonly name = 'ClusteredLogError';

  constructor(reason: string) {
    super(`The log in NATS cannot be read: ${reason}`);
  }
}

/** The next message was trimmed. A node can continue from a newer snapshot. */
export class LogTrimmedError extends ClusteredLogError {}

/** Another process has started under this node's name. */
export class FencedError extends OperatorError {
  override readonly name = 'FencedError';

  constructor(node: string) {
    super(
      `Another process has started as node ${node}, so this one stops: its commands no longer count. ` +
        'Give every process its own name (BUTTONWOOD_NODE).',
    );
  }
}

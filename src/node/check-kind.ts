import type { State } from '../engine/state.ts';
import { OperatorError } from '../monitoring/operator-error.ts';

/** The data belongs to another exchange, or to another kind of exchange, than the one to be served. */
export class WrongDataError extends OperatorError {
  override readonly name = 'WrongDataError';
}

/**
 * Checks that a sandbox, whose keys are in plain files, is not served as a real exchange, nor the reverse.
 * @param place Location of the exchange, for the message.
 * @throws WrongDataError
 */
export function checkKind(state: State, isSandbox: boolean, place: string): void {
  if (state.version === 0 || state.sandbox === isSandbox) return;
  const [is, command] = state.sandbox ? ['a sandbox', 'start'] : ['not a sandbox', 'serve'];
  throw new WrongDataError(
    `The exchange in ${place} is ${is}. Run "buttonwood ${command}" there, ` +
      'or use another data directory (BUTTONWOOD_DATA) or, in a cluster, another stream (BUTTONWOOD_LOG_STREAM).',
  );
}

import type { State } from '../engine/state.ts';
import { OperatorError } from '../monitoring/operator-error.ts';

/** What was to be served belongs to another kind of exchange. */
export class WrongDataError extends OperatorError {
  override readonly name = 'WrongDataError';
}

/**
 * A sandbox's keys lie about in files: it must never be served as the real thing, nor the reverse.
 * @param place Where the exchange is kept, for the message.
 * @throws WrongDataError
 */
export function checkKind(state: State, isSandbox: boolean, place: string): void {
  if (state.version === 0 || state.sandbox === isSandbox) return;
  const [is, command] = state.sandbox ? ['a sandbox', 'start'] : ['not a sandbox', 'serve'];
  throw new WrongDataError(
    `The exchange in ${place} is ${is}: run "buttonwood ${command}" there, ` +
      'or name another place for this one (BUTTONWOOD_DATA, or BUTTONWOOD_LOG_STREAM over NATS).',
  );
}

import type { Outcome } from '../../../engine/event.ts';
import type { State } from '../../../engine/state.ts';
import { rejectionError } from '../../orders/rejections.ts';

/**
 * Returns an outcome as the expected kind.
 * @throws ApiError if the engine rejected the command
 */
export function expectOutcome<Kind extends Outcome['kind']>(
  outcome: Outcome,
  kind: Kind,
  state: State,
): Extract<Outcome, { kind: Kind }> {
  if (outcome.kind === 'rejected') throw rejectionError(outcome, state);
  if (outcome.kind !== kind) throw new Error(`expected outcome ${kind}, got ${outcome.kind}`);
  return outcome as Extract<Outcome, { kind: Kind }>;
}

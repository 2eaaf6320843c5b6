import type { Outcome } from '../../../engine/event.ts';
import type { State } from '../../../engine/state.ts';
import { rejectionError } from '../../orders/rejections.ts';

/**
 * The outcome of a command that was expected to come out as `kind`.
 * @throws ApiError where the engine refused it
 */
export function done<Kind extends Outcome['kind']>(
  outcome: Outcome,
  kind: Kind,
  state: State,
): Extract<Outcome, { kind: Kind }> {
  if (outcome.kind === 'rejected') throw rejectionError(outcome, state);
  if (outcome.kind !== kind)
    throw new Error(`expected ${kind}, the command came out as ${outcome.kind}`);
  return outcome as Extract<Outcome, { kind: Kind }>;
}

import fc from 'fast-check';
import { NONE } from '../../src/engine/terms.ts';

/** Parts of the moves of a scenario. */

/** Maximum number of steps of an order of usual size. */
export const USUAL_STEPS = 12;

export const weighted = <T>(...choices: readonly (readonly [number, T])[]): fc.Arbitrary<T> =>
  fc.oneof(...choices.map(([weight, value]) => ({ weight, arbitrary: fc.constant(value) })));

export const actor = weighted<'own' | 'none' | 'wrong'>([20, 'own'], [16, 'none'], [1, 'wrong']);

type Way = 'own' | 'none' | 'wrong';

/**
 * Returns an actor: the account with its own key, without a key, or with the key of another
 * account.
 */
export function toActor(actor: Way, account: number): { account: number; key: number } {
  if (actor === 'none') return { account, key: NONE };
  return { account, key: actor === 'own' ? account : account + 1 };
}

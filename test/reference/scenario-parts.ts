import fc from 'fast-check';
import { NONE } from '../../src/engine/terms.ts';

/** What the moves of a scenario are made of. */

/** An order of usual size has up to so many steps. */
export const USUAL_STEPS = 12;

export const weighted = <T>(...choices: readonly (readonly [number, T])[]): fc.Arbitrary<T> =>
  fc.oneof(...choices.map(([weight, value]) => ({ weight, arbitrary: fc.constant(value) })));

export const actor = weighted<'own' | 'none' | 'wrong'>([20, 'own'], [16, 'none'], [1, 'wrong']);

type Way = 'own' | 'none' | 'wrong';

/** The account, with its own key, no key or that of another. */
export function who(actor: Way, account: number): { account: number; key: number } {
  if (actor === 'none') return { account, key: NONE };
  return { account, key: actor === 'own' ? account : account + 1 };
}

import { expectSame } from '../test/reference/compare.ts';

/** A violated invariant. */
export class SimulationFailure extends Error {
  override readonly name = 'SimulationFailure';
}

export function check(holds: boolean, what: string): asserts holds {
  if (!holds) throw new SimulationFailure(what);
}

/** @param what The message if the two differ. */
export function checkSame(actual: unknown, expected: unknown, what: string): void {
  try {
    expectSame(actual, expected);
  } catch (error) {
    throw new SimulationFailure(`${what}\n${(error as Error).message}`);
  }
}

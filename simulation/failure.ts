import { expectSame } from '../test/reference/compare.ts';

/** The exchange did what it must never do. */
export class SimulationFailure extends Error {
  override readonly name = 'SimulationFailure';
}

export function check(holds: boolean, what: string): asserts holds {
  if (!holds) throw new SimulationFailure(what);
}

/** @param what What it means that the two are not the same. */
export function checkSame(actual: unknown, expected: unknown, what: string): void {
  try {
    expectSame(actual, expected);
  } catch (error) {
    throw new SimulationFailure(`${what}\n${(error as Error).message}`);
  }
}

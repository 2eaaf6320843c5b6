/** The exchange did what it must never do. */
export class SimulationFailure extends Error {
  override readonly name = 'SimulationFailure';
}

export function check(holds: boolean, what: string): asserts holds {
  if (!holds) throw new SimulationFailure(what);
}

import fc from 'fast-check';

const factor = Number(process.env.BUTTONWOOD_TEST_RUNS ?? 1);

/** Enough for any property at its own number of runs; more runs have as much more time. */
export const CHECK_TIMEOUT_MS = 30_000 * factor;

/** Tries a property `numRuns` times; BUTTONWOOD_TEST_RUNS=50 tries each fifty times as often. */
export function check<T>(property: fc.IProperty<T>, numRuns: number): void {
  fc.assert(property, { numRuns: Math.ceil(numRuns * factor), includeErrorInReport: true });
}

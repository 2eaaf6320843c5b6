import fc from 'fast-check';

const factor = Number(process.env.BUTTONWOOD_TEST_RUNS ?? 1);

/** Timeout of a property at its own number of runs, also on a slow machine; it grows with more runs. */
export const CHECK_TIMEOUT_MS = 120_000 * Math.max(1, factor);

/** Ends the search for a smaller counterexample before the test's timeout, which would hide the seed and the error. */
const SHRINK_LIMIT_MS = CHECK_TIMEOUT_MS * 0.8;

/** Runs a property `numRuns` times; BUTTONWOOD_TEST_RUNS=50 runs each fifty times as often. */
export function check<T>(property: fc.IProperty<T>, numRuns: number): void {
  fc.assert(property, parameters(numRuns));
}

/** Runs an asynchronous property. */
export async function checkAsync<T>(
  property: fc.IAsyncProperty<T>,
  numRuns: number,
): Promise<void> {
  await fc.assert(property, parameters(numRuns));
}

function parameters(numRuns: number) {
  return {
    numRuns: runs(numRuns),
    includeErrorInReport: true,
    interruptAfterTimeLimit: SHRINK_LIMIT_MS,
    markInterruptAsFailure: true,
  };
}

/** Returns a number of runs multiplied by BUTTONWOOD_TEST_RUNS. */
export function runs(times: number): number {
  return Math.ceil(times * factor);
}
